// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit that uses what the example does not: a side chain, two outputs, latency, MIDI. Main thread and render thread.
#include <stdlib.h>
#include <string.h>

#include "CExtension.h"

enum { latency = 64, channelLimit = 2 };

struct Everything {
  uint32_t mainCount, sideCount, position;
  /// The speaker of each channel.
  uint8_t speakers[channelLimit];
  /// What a note adds to the frame that is rendered next.
  float click;
  float line[channelLimit][latency];
};

static void *create(struct CExtension_Setup *setup) {
  if (setup->sampleRate < 8000) return setup->refusal = "the rate is too low", NULL;
  struct Everything *unit = calloc(1, sizeof *unit);
  if (!unit) return NULL;
  unit->mainCount = setup->inputChannelCounts[0];
  unit->sideCount = setup->inputChannelCounts[1];
  memcpy(unit->speakers, setup->inputSpeakers, unit->mainCount);
  setup->latencyFrameCount = latency;
  return unit;
}

static void reset(void *state) {
  struct Everything *unit = state;
  memset(unit->line, 0, sizeof unit->line);
  unit->position = 0;
  unit->click = 0;
}

static void handle(void *state, const uint8_t *bytes, uint32_t byteCount) {
  struct Everything *unit = state;
  if (byteCount == 3 && (bytes[0] & 0xF0) == 0x90) unit->click = (float)bytes[2] / 127;
}

static float exchange(struct Everything *unit, uint32_t channel, float sample) {
  float before = unit->line[channel][unit->position];
  unit->line[channel][unit->position] = sample;
  return before;
}

/// The first output is the input, late, times a gain, with clicks; low frequencies upside down. The second one is the side chain.
static void render(void *state, const struct CExtension_Block *block, uint32_t from, uint32_t to) {
  struct Everything *unit = state;
  for (uint32_t frame = from; frame < to; frame++) {
    float gain = (float)CExtension_next(block, 0);
    for (uint32_t channel = 0; channel < unit->mainCount; channel++) {
      float sign = unit->speakers[channel] == 3 ? -1 : 1;
      block->outputs[channel][frame] = exchange(unit, channel, block->inputs[channel][frame]) * gain * sign + unit->click;
    }
    for (uint32_t channel = unit->mainCount; channel < block->outputChannelCount; channel++) {
      block->outputs[channel][frame] = unit->sideCount > 0 ? block->inputs[unit->mainCount][frame] : 0;
    }
    unit->position = (unit->position + 1) % latency;
    unit->click = 0;
  }
}

static const uint32_t monoOrStereo[] = {1, 2, 0};
static const struct CExtension_Bus inputs[] = {
    {.name = "Input", .channelCount = 2, .channelCounts = monoOrStereo},
    {.name = "Side Chain", .channelCount = 1, .isOptional = true},
};
static const struct CExtension_Bus outputs[] = {
    {.name = "Output", .channelCount = 2, .channelCounts = monoOrStereo},
    {.name = "Side", .channelCount = 1, .isOptional = true},
};
static const struct CExtension_Parameter gain = {.identifier = "gain",
                                                 .name = "Gain",
                                                 .upperBound = 2,
                                                 .defaultValue = 1,
                                                 .unit = CExtension_unitLinearGain,
                                                 .flags = CExtension_canRamp};

static const struct CExtension_Description everything = {
    .component = "aumf:evry:test",
    .name = "Everything",
    .manufacturerName = "Bulkhead's tests",
    .version = CExtension_version(1, 0, 0),
    .channelCountsMatch = true,
    .inputs = inputs,
    .inputCount = 2,
    .outputs = outputs,
    .outputCount = 2,
    .parameters = &gain,
    .parameterCount = 1,
    .create = create,
    .destroy = free,
    .reset = reset,
    .handle = handle,
    .render = render,
};

int main(void) { return CExtension_run(&everything); }
