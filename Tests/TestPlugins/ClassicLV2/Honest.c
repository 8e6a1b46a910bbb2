// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LV2 plug-ins that keep to the rules, for tests: ports of every kind, blocks of one length, two channels crossed.
#include "Honest.h"

// MARK: - Ports of every kind

enum { portCount = 20 };

typedef struct {
  void *ports[portCount];
  int triggerCount;
} Ports;

static LV2_Handle makePorts(const LV2_Descriptor *d, double rate, const char *bundle, const LV2_Feature *const *features) {
  (void)d, (void)rate, (void)bundle, (void)features;
  return calloc(1, sizeof(Ports));
}

static void connectPort(LV2_Handle instance, uint32_t port, void *data) {
  if (port < portCount) ((Ports *)instance)->ports[port] = data;
}

static void freeInstance(LV2_Handle instance) { free(instance); }

/// out = in × level + side chain + CV while enabled, else in × 0.5; meters show the controls.
static void runPorts(LV2_Handle instance, uint32_t frameCount) {
  Ports *self = instance;
  const float *in = self->ports[0], *side = self->ports[2], *cv = self->ports[3];
  float *out = self->ports[1], *cvOut = self->ports[4];
  float level = *(float *)self->ports[5];
  for (uint32_t frame = 0; frame < frameCount; frame++) {
    out[frame] = *(float *)self->ports[8] > 0 ? in[frame] * level + side[frame] + cv[frame] : in[frame] * 0.5f;
    cvOut[frame] = -in[frame];
  }
  if (*(float *)self->ports[7] > 0 && frameCount > 0) self->triggerCount++;
  *(float *)self->ports[14] = *(float *)self->ports[6];
  *(float *)self->ports[15] = (float)self->triggerCount;
  *(float *)self->ports[16] = *(float *)self->ports[12];
}

const LV2_Descriptor ports = {PREFIX "ports", makePorts, connectPort, NULL, runPorts, NULL, freeInstance, NULL};

// MARK: - A signal that controls something

/// out = in × CV.
static void runControlled(LV2_Handle instance, uint32_t frameCount) {
  Ports *self = instance;
  for (uint32_t frame = 0; frame < frameCount; frame++) {
    ((float *)self->ports[1])[frame] = ((float *)self->ports[0])[frame] * ((float *)self->ports[2])[frame];
  }
}

const LV2_Descriptor controlled = {PREFIX "controlled", makePorts, connectPort, NULL, runControlled, NULL, freeInstance, NULL};

// MARK: - Latency

enum { lateFrameCount = 32 };

typedef struct {
  void *ports[3];
  float line[lateFrameCount];
  uint32_t position;
} Late;

static LV2_Handle makeLate(const LV2_Descriptor *d, double rate, const char *bundle, const LV2_Feature *const *features) {
  (void)d, (void)rate, (void)bundle, (void)features;
  return calloc(1, sizeof(Late));
}

static void connectLate(LV2_Handle instance, uint32_t port, void *data) {
  if (port < 3) ((Late *)instance)->ports[port] = data;
}

static void activateLate(LV2_Handle instance) { memset(((Late *)instance)->line, 0, sizeof(float) * lateFrameCount); }

/// The input, 32 frames later.
static void runLate(LV2_Handle instance, uint32_t frameCount) {
  Late *self = instance;
  for (uint32_t frame = 0; frame < frameCount; frame++) {
    float in = ((float *)self->ports[0])[frame];
    ((float *)self->ports[1])[frame] = self->line[self->position];
    self->line[self->position] = in;
    self->position = (self->position + 1) % lateFrameCount;
  }
  *(float *)self->ports[2] = lateFrameCount;
}

const LV2_Descriptor late = {PREFIX "late", makeLate, connectLate, activateLate, runLate, NULL, freeInstance, NULL};

// MARK: - Two channels crossed

static void runSwap(LV2_Handle instance, uint32_t frameCount) {
  Ports *self = instance;
  for (uint32_t frame = 0; frame < frameCount; frame++) {
    ((float *)self->ports[2])[frame] = ((float *)self->ports[1])[frame];
    ((float *)self->ports[3])[frame] = ((float *)self->ports[0])[frame];
  }
}

const LV2_Descriptor swap = {PREFIX "swap", makePorts, connectPort, NULL, runSwap, NULL, freeInstance, NULL};

// MARK: - Blocks of one length

/// Twice the input; a meter holds the length of the blocks, or -1 once two have differed.
static void runFixed(LV2_Handle instance, uint32_t frameCount) {
  Ports *self = instance;
  for (uint32_t frame = 0; frame < frameCount; frame++) {
    ((float *)self->ports[1])[frame] = ((float *)self->ports[0])[frame] * 2;
  }
  if (self->triggerCount == 0) self->triggerCount = (int)frameCount;
  if (self->triggerCount != (int)frameCount) self->triggerCount = -1;
  *(float *)self->ports[2] = (float)self->triggerCount;
}

const LV2_Descriptor fixedBlocks = {PREFIX "fixed", makePorts, connectPort, NULL, runFixed, NULL, freeInstance, NULL};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  const LV2_Descriptor *all[] = {&keeper, &fixedBlocks, &echo, &ports, &controlled, &swap, &late, &plainRestore, &safeRestore,
                                 &tardy, &filed, &misnamed, &deaf, &drawer};
  return index < sizeof all / sizeof *all ? all[index] : NULL;
}
