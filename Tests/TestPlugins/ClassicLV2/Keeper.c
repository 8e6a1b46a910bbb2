// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An LV2 plug-in that reads a file in its worker and keeps it in its state, for tests.
//
// The output is the input plus the number in the file, times `level`. The state holds the path of the file, a copy of the
// number in a file of its own, a URI as a number, and `level`.
#include "Honest.h"

#include <lv2/patch/patch.h>
#include <lv2/state/state.h>
#include <lv2/worker/worker.h>
#include <math.h>
#include <stdatomic.h>
#include <threads.h>

#define KEY(name) PREFIX "keeper#" name

typedef struct {
  const float *in;
  float *out;
  const LV2_Atom_Sequence *control;
  LV2_Atom_Sequence *notify;
  const LV2_Worker_Schedule *schedule;
  LV2_Atom_Forge forge;
  LV2_URID set, get, property, value, file, level, title, copy, word, chunk, path, uridType, floatType;
  float offset, amount;
  char filePath[1024];
  bool mustTell, isReversed;
  float *latency;
  /// Workers at work. `activate` and `restore` must not run meanwhile, and make the breach heard.
  atomic_int workerCount;
} Keeper;

static LV2_Handle make(const LV2_Descriptor *d, double rate, const char *bundle, const LV2_Feature *const *features) {
  (void)d, (void)rate, (void)bundle;
  LV2_URID_Map *map = feature(features, LV2_URID__map);
  LV2_Worker_Schedule *schedule = feature(features, LV2_WORKER__schedule);
  if (!map || !schedule) return NULL;
  Keeper *self = calloc(1, sizeof(Keeper));
  self->schedule = schedule;
  lv2_atom_forge_init(&self->forge, map);
  self->set = number(features, LV2_PATCH__Set);
  self->get = number(features, LV2_PATCH__Get);
  self->property = number(features, LV2_PATCH__property);
  self->value = number(features, LV2_PATCH__value);
  self->file = number(features, KEY("file"));
  self->level = number(features, KEY("level"));
  self->title = number(features, KEY("title"));
  self->copy = number(features, KEY("copy"));
  self->word = number(features, KEY("word"));
  self->chunk = number(features, LV2_ATOM__Chunk);
  self->path = number(features, LV2_ATOM__Path);
  self->uridType = number(features, LV2_ATOM__URID);
  self->floatType = number(features, LV2_ATOM__Float);
  self->amount = 1;
  return self;
}

static void connectPort(LV2_Handle instance, uint32_t port, void *data) {
  Keeper *self = instance;
  if (port == 0) self->in = data;
  if (port == 1) self->out = data;
  if (port == 2) self->control = data;
  if (port == 3) self->notify = data;
  if (port == 4) self->latency = data;
}

static void activate(LV2_Handle instance) {
  Keeper *self = instance;
  if (atomic_load(&self->workerCount) > 0) self->offset = NAN;
}

static void take(Keeper *self, const LV2_Atom_Object *object) {
  const LV2_Atom *property = NULL, *value = NULL;
  lv2_atom_object_get(object, self->property, &property, self->value, &value, 0);
  if (!property || !value) return;
  LV2_URID key = ((const LV2_Atom_URID *)property)->body;
  if (key == self->level) self->amount = ((const LV2_Atom_Float *)value)->body;
  if (key != self->file) return;
  snprintf(self->filePath, sizeof self->filePath, "%.*s", (int)value->size, (const char *)LV2_ATOM_BODY_CONST(value));
  self->schedule->schedule_work(self->schedule->handle, (uint32_t)strlen(self->filePath) + 1, self->filePath);
}

static void run(LV2_Handle instance, uint32_t frameCount) {
  Keeper *self = instance;
  *self->latency = 0;
  // Many plug-ins read no message in a run of no frames, which serves the latency alone.
  if (frameCount == 0) return;
  lv2_atom_forge_set_buffer(&self->forge, (uint8_t *)self->notify, self->notify->atom.size);
  LV2_Atom_Forge_Frame sequence, object;
  lv2_atom_forge_sequence_head(&self->forge, &sequence, 0);
  LV2_ATOM_SEQUENCE_FOREACH(self->control, event) {
    const LV2_Atom_Object *message = (const LV2_Atom_Object *)&event->body;
    if (message->body.otype == self->set) take(self, message);
    if (message->body.otype == self->get) self->mustTell = true;
  }
  if (self->mustTell) {
    self->mustTell = false;
    lv2_atom_forge_frame_time(&self->forge, 0);
    lv2_atom_forge_object(&self->forge, &object, 0, self->set);
    lv2_atom_forge_key(&self->forge, self->property);
    lv2_atom_forge_urid(&self->forge, self->file);
    lv2_atom_forge_key(&self->forge, self->value);
    lv2_atom_forge_path(&self->forge, self->filePath, (uint32_t)strlen(self->filePath));
    lv2_atom_forge_pop(&self->forge, &object);
  }
  lv2_atom_forge_pop(&self->forge, &sequence);
  for (uint32_t frame = 0; frame < frameCount; frame++) self->out[frame] = (self->in[frame] + self->offset) * self->amount;
}

static void clean(LV2_Handle instance) { free(instance); }

// MARK: - Worker

static LV2_Worker_Status work(
    LV2_Handle instance, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle handle, uint32_t size, const void *data) {
  (void)size;
  Keeper *self = instance;
  float number = NAN;
  FILE *file = fopen(data, "r");
  if (!file) return LV2_WORKER_ERR_UNKNOWN;
  atomic_fetch_add(&self->workerCount, 1);
  if (fscanf(file, "%f", &number) != 1) number = NAN;
  fclose(file);
  // This number takes its time.
  if (number == 0.375f) thrd_sleep(&(struct timespec){0, 200000000}, NULL);
  atomic_fetch_sub(&self->workerCount, 1);
  return respond(handle, sizeof number, &number);
}

static LV2_Worker_Status workResponse(LV2_Handle instance, uint32_t size, const void *body) {
  Keeper *self = instance;
  if (size != sizeof self->offset) return LV2_WORKER_ERR_UNKNOWN;
  memcpy(&self->offset, body, size);
  self->mustTell = true;
  return LV2_WORKER_SUCCESS;
}

// MARK: - State

/// The arguments and features of a call of `save`.
typedef struct {
  LV2_State_Store_Function store;
  LV2_State_Handle handle;
  LV2_State_Map_Path *map;
  LV2_State_Make_Path *make;
  LV2_State_Free_Path *freePath;
} Saving;

static void storePath(const Keeper *self, const Saving *saving, LV2_URID key, const char *path) {
  char *name = saving->map->abstract_path(saving->map->handle, path);
  saving->store(saving->handle, key, name, strlen(name) + 1, self->path, LV2_STATE_IS_POD);
  saving->freePath->free_path(saving->freePath->handle, name);
}

/// Writes a file of the state's own; returns its path, which the caller frees, or NULL.
static char *makeFile(const Saving *saving, const char *name, const char *text) {
  char *path = saving->make->path(saving->make->handle, name);
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return NULL;
  fputs(text, file);
  fclose(file);
  return path;
}

/// Stores in another order every second time, because the properties of a state have no order.
static void storeNumbers(Keeper *self, const Saving *saving) {
  self->isReversed = !self->isReversed;
  for (int turn = 0; turn < 2; turn++) {
    if ((turn == 0) == self->isReversed) {
      saving->store(saving->handle, self->word, &self->title, sizeof self->title, self->uridType, LV2_STATE_IS_POD);
    } else {
      saving->store(
          saving->handle, self->level, &self->amount, sizeof self->amount, self->floatType,
          LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
    }
  }
}

static LV2_State_Status save(
    LV2_Handle instance, LV2_State_Store_Function store, LV2_State_Handle handle, uint32_t flags,
    const LV2_Feature *const *features) {
  Keeper *self = instance;
  (void)flags;
  const Saving saving = {
      store, handle, feature(features, LV2_STATE__mapPath), feature(features, LV2_STATE__makePath),
      feature(features, LV2_STATE__freePath)};
  if (!saving.map || !saving.make || !saving.freePath) return LV2_STATE_ERR_NO_FEATURE;
  if (self->filePath[0]) storePath(self, &saving, self->file, self->filePath);
  char number[64];
  snprintf(number, sizeof number, "%f", self->offset);
  char *copy = makeFile(&saving, "copies/number.txt", number);
  if (!copy) return LV2_STATE_ERR_UNKNOWN;
  storePath(self, &saving, self->copy, copy);
  saving.freePath->free_path(saving.freePath->handle, copy);
  // A name in Latin-1, and so not UTF-8.
  char *latin = makeFile(&saving, "copies/\xFC" ".txt", "");
  if (!latin) return LV2_STATE_ERR_UNKNOWN;
  saving.freePath->free_path(saving.freePath->handle, latin);
  storeNumbers(self, &saving);
  return LV2_STATE_SUCCESS;
}

static LV2_State_Status restore(
    LV2_Handle instance, LV2_State_Retrieve_Function retrieve, LV2_State_Handle handle, uint32_t flags,
    const LV2_Feature *const *features) {
  Keeper *self = instance;
  (void)flags;
  LV2_State_Map_Path *map = feature(features, LV2_STATE__mapPath);
  LV2_State_Free_Path *freePath = feature(features, LV2_STATE__freePath);
  LV2_Worker_Schedule *schedule = feature(features, LV2_WORKER__schedule);
  size_t size = 0;
  uint32_t type = 0, valueFlags = 0;
  if (atomic_load(&self->workerCount) > 0) return LV2_STATE_ERR_UNKNOWN;
  const float *amount = retrieve(handle, self->level, &size, &type, &valueFlags);
  self->amount = amount ? *amount : 1;
  const char *file = retrieve(handle, self->file, &size, &type, &valueFlags);
  snprintf(self->filePath, sizeof self->filePath, "%s", file ? file : "");
  // The worker reads the copy in the state, so that the original file is not needed.
  const char *name = retrieve(handle, self->copy, &size, &type, &valueFlags);
  self->offset = 0;
  if (!name || !map || !schedule) return LV2_STATE_SUCCESS;
  char *path = map->absolute_path(map->handle, name);
  if (!path) return LV2_STATE_ERR_UNKNOWN;
  LV2_Worker_Status status = schedule->schedule_work(schedule->handle, (uint32_t)strlen(path) + 1, path);
  freePath->free_path(freePath->handle, path);
  // Refuses half way, as some plug-ins do.
  const LV2_URID *word = retrieve(handle, self->word, &size, &type, &valueFlags);
  if (word && (size != sizeof *word || type != self->uridType || *word != self->title)) return LV2_STATE_ERR_BAD_TYPE;
  return status == LV2_WORKER_SUCCESS ? LV2_STATE_SUCCESS : LV2_STATE_ERR_UNKNOWN;
}

static const void *extensionData(const char *uri) {
  static const LV2_Worker_Interface worker = {work, workResponse, NULL};
  static const LV2_State_Interface state = {save, restore};
  if (strcmp(uri, LV2_WORKER__interface) == 0) return &worker;
  return strcmp(uri, LV2_STATE__interface) == 0 ? &state : NULL;
}

const LV2_Descriptor keeper = {PREFIX "keeper", make, connectPort, activate, run, NULL, clean, extensionData};
