// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An LV2 plug-in that tells its latency only after a block with frames, and whose latency a control changes. For tests.
#include "Honest.h"

enum { longestFrameCount = 4096 };

typedef struct {
  const float *in;
  float *out, *latency;
  const float *lookahead;
  float line[longestFrameCount];
  uint32_t position;
  bool hasRun;
} Tardy;

static LV2_Handle make(const LV2_Descriptor *d, double rate, const char *bundle, const LV2_Feature *const *features) {
  (void)d, (void)rate, (void)bundle, (void)features;
  return calloc(1, sizeof(Tardy));
}

static void connectPort(LV2_Handle instance, uint32_t port, void *data) {
  Tardy *self = instance;
  if (port == 0) self->in = data;
  if (port == 1) self->out = data;
  if (port == 2) self->latency = data;
  if (port == 3) self->lookahead = data;
}

static void activate(LV2_Handle instance) { memset(((Tardy *)instance)->line, 0, sizeof(float) * longestFrameCount); }

/// The input, as many frames later as `lookahead` says.
static void run(LV2_Handle instance, uint32_t frameCount) {
  Tardy *self = instance;
  uint32_t late = (uint32_t)*self->lookahead;
  self->hasRun = self->hasRun || frameCount > 0;
  *self->latency = self->hasRun ? (float)late : 0;
  for (uint32_t frame = 0; frame < frameCount; frame++) {
    self->line[self->position] = self->in[frame];
    self->out[frame] = self->line[(self->position + longestFrameCount - late) % longestFrameCount];
    self->position = (self->position + 1) % longestFrameCount;
  }
}

static void clean(LV2_Handle instance) { free(instance); }

const LV2_Descriptor tardy = {PREFIX "tardy", make, connectPort, activate, run, NULL, clean, NULL};
