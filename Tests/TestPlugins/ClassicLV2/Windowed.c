// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LV2 plug-ins whose windows are in WindowedUI.c: out = in × level. For tests.
#include "Honest.h"

enum { mostPorts = 4 };

static LV2_Handle make(const LV2_Descriptor *d, double rate, const char *bundle, const LV2_Feature *const *features) {
  (void)d, (void)rate, (void)bundle, (void)features;
  return calloc(mostPorts, sizeof(float *));
}

static void connectPort(LV2_Handle instance, uint32_t port, void *data) {
  if (port < mostPorts) ((float **)instance)[port] = data;
}

static void run(LV2_Handle instance, uint32_t frameCount) {
  float **ports = instance, level = ports[2] ? *ports[2] : 1;
  for (uint32_t frame = 0; frame < frameCount; frame++) ports[1][frame] = ports[0][frame] * level;
}

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  static const char *const names[] = {PREFIX "windowed",     PREFIX "crashingWindow", PREFIX "hangingWindow", PREFIX "ownWindow",
                                      PREFIX "windowOfGTK3", PREFIX "reachingWindow", PREFIX "windowless",
                                      PREFIX "windowOfGTK2", PREFIX "pryingWindow"};
  enum { count = sizeof names / sizeof *names };
  static LV2_Descriptor descriptors[count];
  if (index >= count) return NULL;
  descriptors[index] = (LV2_Descriptor){names[index], make, connectPort, NULL, run, NULL, free, NULL};
  return &descriptors[index];
}
