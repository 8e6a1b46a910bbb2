// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A tremolo: the volume swings up and down. A whole extension, made with CExtension.c. Main thread and render thread.
//
//     clang -std=gnu17 -O2 -I Protocol/CExtension/include -I Protocol/CWireLayout/include -o Tremolo \
//         Protocol/CExtension/CExtension.c Protocol/CExtension/Example/Tremolo.c -lpthread
//     bulkhead bundle Tremolo
#include <stdlib.h>

#include "CExtension.h"

enum { rate, depth, parameterCount };

static const struct CExtension_Parameter parameters[parameterCount] = {
    [rate] = {.identifier = "rate",
              .name = "Rate",
              .address = 7001,
              .lowerBound = 0.1,
              .upperBound = 20,
              .defaultValue = 4,
              .unit = CExtension_unitHertz,
              .flags = CExtension_canRamp},
    [depth] = {.identifier = "depth",
               .name = "Depth",
               .address = 7002,
               .lowerBound = 0,
               .upperBound = 100,
               .defaultValue = 0,
               .unit = CExtension_unitPercent,
               .flags = CExtension_canRamp},
};

/// What the render thread keeps from block to block.
struct Tremolo {
  double sampleRate;
  /// Turns of the swing, from 0 to 1.
  double phase;
};

static void *create(struct CExtension_Setup *setup) {
  struct Tremolo *tremolo = calloc(1, sizeof *tremolo);
  if (tremolo) tremolo->sampleRate = setup->sampleRate;
  return tremolo;
}

static void reset(void *state) {
  struct Tremolo *tremolo = state;
  tremolo->phase = 0;
}

static void render(void *state, const struct CExtension_Block *block, uint32_t from, uint32_t to) {
  struct Tremolo *tremolo = state;
  for (uint32_t frame = from; frame < to; frame++) {
    double swing = tremolo->phase < 0.5 ? 2 * tremolo->phase : 2 - 2 * tremolo->phase;
    float gain = (float)(1 - CExtension_next(block, depth) * 0.01 * swing);
    for (uint32_t channel = 0; channel < block->outputChannelCount; channel++) {
      block->outputs[channel][frame] = block->inputs[channel][frame] * gain;
    }
    tremolo->phase += CExtension_next(block, rate) / tremolo->sampleRate;
    if (tremolo->phase >= 1) tremolo->phase -= 1;
  }
}

static const uint32_t monoOrStereo[] = {1, 2, 0};
static const struct CExtension_Bus input = {.name = "Input", .channelCount = 2, .channelCounts = monoOrStereo};
static const struct CExtension_Bus output = {.name = "Output", .channelCount = 2, .channelCounts = monoOrStereo};
static const char *const tags[] = {"Modulation", NULL};
static const double slowValues[parameterCount] = {[rate] = 1, [depth] = 60};
static const struct CExtension_Preset presets[] = {{.name = "Slow", .values = slowValues}};

static const struct CExtension_Description tremolo = {
    .component = "aufx:trml:test",
    .name = "Tremolo",
    .manufacturerName = "Bulkhead's tests",
    .version = CExtension_version(1, 2, 3),
    .channelCountsMatch = true,
    .tags = tags,
    .inputs = &input,
    .inputCount = 1,
    .outputs = &output,
    .outputCount = 1,
    .parameters = parameters,
    .parameterCount = parameterCount,
    .presets = presets,
    .presetCount = 1,
    .create = create,
    .destroy = free,
    .reset = reset,
    .render = render,
};

int main(void) { return CExtension_run(&tremolo); }
