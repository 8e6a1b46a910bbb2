// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One cycle of each node, on the client's data thread. Allocates and locks nothing.
#include <math.h>
#include <string.h>
#include <time.h>

#include "Private.h"

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return SPA_TIMESPEC_TO_NSEC(&time);
}

static float *buffer(void *port, uint32_t frameCount) { return pw_filter_get_dsp_buffer(port, frameCount); }

void Process_gain(Node *node, uint32_t frameCount) {
  for (int channel = 0; channel < CPipeWireFilter_channelCount; channel++) {
    const float *input = buffer(node->inputs[channel], frameCount);
    float *output = buffer(node->outputs[channel], frameCount);
    if (!output) continue;
    if (!input) memset(output, 0, frameCount * sizeof *output);
    for (uint32_t frame = 0; input && frame < frameCount; frame++) output[frame] = input[frame] * node->gain;
  }
}

static void applyInProcess(Times *times, float *output, uint32_t frameCount) {
  // Acquire: the gains were written before their number.
  uint32_t count = atomic_load_explicit(&times->gainCount, memory_order_acquire);
  for (uint32_t index = 0; index < count; index++)
    for (uint32_t frame = 0; frame < frameCount; frame++) output[frame] *= times->gains[index];
}

void CPipeWireFilter_setGainsInProcess(CPipeWireFilter_Client *client, const float *gains, uint32_t count) {
  Times *times = &client->times;
  count = SPA_MIN(count, (uint32_t)CPipeWireFilter_mostGains);
  atomic_store_explicit(&times->gainCount, 0, memory_order_relaxed);
  for (uint32_t index = 0; index < count; index++) times->gains[index] = gains[index];
  atomic_store_explicit(&times->gainCount, count, memory_order_release);
}

/// Writes another level in each cycle, so that the rest of an older cycle does not pass for this one.
void Process_head(Node *node, uint32_t frameCount) {
  Times *times = &node->client->times;
  times->cycle = (times->cycle + 1) % 64;
  times->level = 0.25f + (float)times->cycle / 128;
  float *outputs[CPipeWireFilter_channelCount];
  for (int channel = 0; channel < CPipeWireFilter_channelCount; channel++) {
    outputs[channel] = buffer(node->outputs[channel], frameCount);
    for (uint32_t frame = 0; outputs[channel] && frame < frameCount; frame++) outputs[channel][frame] = times->level;
  }
  bool isMeasuring = atomic_load_explicit(&times->isMeasuring, memory_order_acquire);
  if (isMeasuring && times->isUnderWay) atomic_fetch_add_explicit(&times->missed, 1, memory_order_relaxed);
  times->isUnderWay = true;
  times->left = now();
  for (int channel = 0; channel < CPipeWireFilter_channelCount; channel++)
    if (outputs[channel]) applyInProcess(times, outputs[channel], frameCount);
}

static bool isRight(const float *input, uint32_t frameCount, float wanted) {
  if (!input || frameCount == 0) return false;
  for (uint32_t frame = 0; frame < frameCount; frame++)
    if (!(fabsf(input[frame] - wanted) <= 1e-4f * wanted)) return false;
  return true;
}

static void note(Times *times, uint64_t arrived, bool isSound) {
  uint32_t done = atomic_load_explicit(&times->done, memory_order_relaxed);
  if (done == times->count) return;
  uint64_t taken = arrived - times->left;
  times->nanoseconds[done] = taken > UINT32_MAX ? UINT32_MAX : (uint32_t)taken;
  if (!isSound) atomic_fetch_add_explicit(&times->wrong, 1, memory_order_relaxed);
  if (done + 1 == times->count) atomic_store_explicit(&times->isMeasuring, false, memory_order_relaxed);
  // Release: a thread that sees the count sees the times.
  atomic_store_explicit(&times->done, done + 1, memory_order_release);
}

void Process_tail(Node *node, uint32_t frameCount) {
  uint64_t arrived = now();
  Times *times = &node->client->times;
  // Acquire: the address for the times was written before.
  bool isMeasuring = atomic_load_explicit(&times->isMeasuring, memory_order_acquire) && times->isUnderWay;
  bool isSound = true;
  for (int channel = 0; channel < CPipeWireFilter_channelCount; channel++) {
    const float *input = buffer(node->inputs[channel], frameCount);
    float *output = buffer(node->outputs[channel], frameCount);
    if (isMeasuring) isSound = isSound && isRight(input, frameCount, times->level * times->product);
    if (output) memset(output, 0, frameCount * sizeof *output);
  }
  if (isMeasuring) note(times, arrived, isSound);
  times->isUnderWay = false;
}

void CPipeWireFilter_measure(CPipeWireFilter_Client *client, uint32_t *nanoseconds, uint32_t count, float product) {
  Times *times = &client->times;
  (times->nanoseconds = nanoseconds), (times->count = count), (times->product = product);
  atomic_store_explicit(&times->done, 0, memory_order_relaxed);
  atomic_store_explicit(&times->wrong, 0, memory_order_relaxed);
  atomic_store_explicit(&times->missed, 0, memory_order_relaxed);
  atomic_store_explicit(&times->isMeasuring, true, memory_order_release);
}

CPipeWireFilter_Progress CPipeWireFilter_progress(CPipeWireFilter_Client *client) {
  Times *times = &client->times;
  uint32_t done = atomic_load_explicit(&times->done, memory_order_acquire);
  return (CPipeWireFilter_Progress){
      done, atomic_load_explicit(&times->wrong, memory_order_relaxed),
      atomic_load_explicit(&times->missed, memory_order_relaxed)};
}
