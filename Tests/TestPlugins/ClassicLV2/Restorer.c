// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LV2 plug-ins that notice whether they run while they are restored, for tests. One of the two permits it.
#include "Honest.h"

#include <lv2/state/state.h>
#include <stdatomic.h>
#include <threads.h>

/// How long `restore` waits for a run to meet it, in milliseconds.
enum { patience = 400 };

typedef struct {
  const float *in;
  float *out, *met;
  LV2_URID key, type;
  atomic_bool isRestoring, hasMet;
} Restorer;

static LV2_Handle make(const LV2_Descriptor *d, double rate, const char *bundle, const LV2_Feature *const *features) {
  (void)d, (void)rate, (void)bundle;
  Restorer *self = calloc(1, sizeof(Restorer));
  self->key = number(features, PREFIX "restorer#key");
  self->type = number(features, LV2_ATOM__Int);
  return self;
}

static void connectPort(LV2_Handle instance, uint32_t port, void *data) {
  Restorer *self = instance;
  if (port == 0) self->in = data;
  if (port == 1) self->out = data;
  if (port == 2) self->met = data;
}

/// Twice the input; a meter tells whether a run and a `restore` have met.
static void run(LV2_Handle instance, uint32_t frameCount) {
  Restorer *self = instance;
  if (atomic_load(&self->isRestoring)) atomic_store(&self->hasMet, true);
  for (uint32_t frame = 0; frame < frameCount; frame++) self->out[frame] = 2 * self->in[frame];
  *self->met = atomic_load(&self->hasMet) ? 1 : 0;
}

static void clean(LV2_Handle instance) { free(instance); }

static LV2_State_Status save(
    LV2_Handle instance, LV2_State_Store_Function store, LV2_State_Handle handle, uint32_t flags,
    const LV2_Feature *const *features) {
  Restorer *self = instance;
  (void)flags, (void)features;
  const int32_t value = 1;
  return store(handle, self->key, &value, sizeof value, self->type, LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
}

static LV2_State_Status restore(
    LV2_Handle instance, LV2_State_Retrieve_Function retrieve, LV2_State_Handle handle, uint32_t flags,
    const LV2_Feature *const *features) {
  Restorer *self = instance;
  (void)retrieve, (void)handle, (void)flags, (void)features;
  atomic_store(&self->isRestoring, true);
  for (int waited = 0; waited < patience && !atomic_load(&self->hasMet); waited++) {
    thrd_sleep(&(struct timespec){0, 1000000}, NULL);
  }
  atomic_store(&self->isRestoring, false);
  return LV2_STATE_SUCCESS;
}

static const void *extensionData(const char *uri) {
  static const LV2_State_Interface state = {save, restore};
  return strcmp(uri, LV2_STATE__interface) == 0 ? &state : NULL;
}

const LV2_Descriptor plainRestore = {PREFIX "plainRestore", make, connectPort, NULL, run, NULL, clean, extensionData};
const LV2_Descriptor safeRestore = {PREFIX "safeRestore", make, connectPort, NULL, run, NULL, clean, extensionData};
