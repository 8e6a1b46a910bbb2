// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LV2 plug-ins that read no message, and take a file from a state at most: under its own key, under another one, or not at all.
// For tests.
#include "Honest.h"

#include <lv2/state/state.h>

typedef struct {
  const float *in;
  float *out;
  LV2_URID key, path;
  float offset;
  char filePath[1024];
} Filed;

static LV2_Handle make(const LV2_Descriptor *d, double rate, const char *bundle, const LV2_Feature *const *features) {
  (void)rate, (void)bundle;
  Filed *self = calloc(1, sizeof(Filed));
  if (d == &filed) self->key = number(features, PREFIX "filed#number");
  if (d == &misnamed) self->key = number(features, PREFIX "misnamed/own#number");
  self->path = number(features, LV2_ATOM__Path);
  return self;
}

static void connectPort(LV2_Handle instance, uint32_t port, void *data) {
  Filed *self = instance;
  if (port == 0) self->in = data;
  if (port == 1) self->out = data;
}

/// The input plus the number in the file.
static void run(LV2_Handle instance, uint32_t frameCount) {
  Filed *self = instance;
  for (uint32_t frame = 0; frame < frameCount; frame++) self->out[frame] = self->in[frame] + self->offset;
}

static void clean(LV2_Handle instance) { free(instance); }

static LV2_State_Status save(
    LV2_Handle instance, LV2_State_Store_Function store, LV2_State_Handle handle, uint32_t flags,
    const LV2_Feature *const *features) {
  Filed *self = instance;
  (void)flags, (void)features;
  if (!self->key) return LV2_STATE_SUCCESS;
  return store(handle, self->key, self->filePath, strlen(self->filePath) + 1, self->path, LV2_STATE_IS_POD);
}

static LV2_State_Status restore(
    LV2_Handle instance, LV2_State_Retrieve_Function retrieve, LV2_State_Handle handle, uint32_t flags,
    const LV2_Feature *const *features) {
  Filed *self = instance;
  (void)flags, (void)features;
  size_t size = 0;
  uint32_t type = 0, valueFlags = 0;
  const char *path = self->key ? retrieve(handle, self->key, &size, &type, &valueFlags) : NULL;
  self->offset = 0;
  snprintf(self->filePath, sizeof self->filePath, "%s", path ? path : "");
  FILE *file = path ? fopen(path, "r") : NULL;
  if (!file) return LV2_STATE_SUCCESS;
  if (fscanf(file, "%f", &self->offset) != 1) self->offset = 0;
  fclose(file);
  return LV2_STATE_SUCCESS;
}

static const void *extensionData(const char *uri) {
  static const LV2_State_Interface state = {save, restore};
  return strcmp(uri, LV2_STATE__interface) == 0 ? &state : NULL;
}

const LV2_Descriptor filed = {PREFIX "filed", make, connectPort, NULL, run, NULL, clean, extensionData};
const LV2_Descriptor misnamed = {PREFIX "misnamed", make, connectPort, NULL, run, NULL, clean, extensionData};
const LV2_Descriptor deaf = {PREFIX "deaf", make, connectPort, NULL, run, NULL, clean, extensionData};
