// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The tremolo: two ramped parameters, and a gain that swings. Render thread.
#include "Tremolo.h"

static const uint64_t nothingWanted = ~0ull;

// MARK: Parameters

void setTarget(struct Unit *unit, int index, double value, uint32_t frameCount) {
  struct Ramp *ramp = &unit->ramps[index];
  ramp->target = value;
  ramp->framesLeft = frameCount;
  if (frameCount == 0) {
    ramp->current = value;
  } else {
    ramp->step = (value - ramp->current) / frameCount;
  }
  atomic_store_explicit(&unit->values[index], bitsFromDouble(value), memory_order_relaxed);
}

static double next(struct Ramp *ramp) {
  if (ramp->framesLeft > 0) {
    ramp->framesLeft--;
    ramp->current = ramp->framesLeft == 0 ? ramp->target : ramp->current + ramp->step;
  }
  return ramp->current;
}

static void takeWantedValues(struct Unit *unit) {
  for (int index = 0; index < parameterCount; index++) {
    uint64_t bits = atomic_exchange_explicit(&unit->wanted[index], nothingWanted, memory_order_relaxed);
    if (bits != nothingWanted) setTarget(unit, index, doubleFromBits(bits), 0);
  }
}

void prepareSound(struct Unit *unit) {
  unit->phase = 0;
  for (int index = 0; index < parameterCount; index++) {
    atomic_store(&unit->wanted[index], nothingWanted);
    setTarget(unit, index, doubleFromBits(atomic_load(&unit->values[index])), 0);
  }
}

// MARK: Sound

static float *channelOf(const struct AudioMemory *memory, uint32_t slot, uint32_t channel) {
  return memory->base + ((size_t)slot * memory->channelCount + channel) * memory->frameStride;
}

static void renderFrame(struct Unit *unit, const float *const *input, float *const *output, uint32_t frame) {
  double depth = next(&unit->ramps[parameterDepth]) * 0.01;
  double swing = unit->phase < 0.5 ? 2 * unit->phase : 2 - 2 * unit->phase;
  float gain = (float)(1 - depth * swing);
  for (uint32_t channel = 0; channel < unit->channelCount; channel++) {
    output[channel][frame] = (input[channel] ? input[channel][frame] : 0) * gain;
  }
  unit->phase += next(&unit->ramps[parameterRate]) / unit->sampleRate;
  if (unit->phase >= 1) unit->phase -= 1;
}

void renderBlock(struct Unit *unit, const struct CWireLayout_Request *request, const struct AudioMemory *from, uint32_t slot) {
  const float *input[channelLimit] = {NULL};
  float *output[channelLimit] = {NULL};
  for (uint32_t channel = 0; channel < unit->channelCount; channel++) {
    if (from->base) input[channel] = channelOf(from, slot, channel);
    output[channel] = channelOf(&unit->output, request->outputSlot, channel);
  }
  if (request->flags & CWireLayout_requestReset) unit->phase = 0;
  takeWantedValues(unit);
  int64_t nextEvent = INT64_MIN;
  for (uint32_t frame = 0; frame < request->outputFrameCount; frame++) {
    int64_t now = (int64_t)((uint64_t)request->sampleTime + frame);
    if (nextEvent <= now) nextEvent = applyDueEvents(unit, now);
    renderFrame(unit, input, output, frame);
    if (!(request->flags & CWireLayout_requestBypass)) continue;
    for (uint32_t channel = 0; channel < unit->channelCount; channel++) {
      output[channel][frame] = input[channel] ? input[channel][frame] : 0;
    }
  }
}
