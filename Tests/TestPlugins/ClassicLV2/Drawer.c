// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An LV2 plug-in that draws fields of known colours, or what an order wants. It dies if it is not left alone while it draws.
#include <limits.h>
#include <lv2/state/state.h>
#include <stdatomic.h>
#include <threads.h>

#include "Honest.h"

#define DISPLAY "http://harrisonconsoles.com/lv2/inlinedisplay#"

typedef struct {
  unsigned char *pixels;
  int width, height, stride;
} Picture;

typedef struct {
  Picture *(*render)(LV2_Handle, uint32_t, uint32_t);
} Interface;

typedef struct {
  void *handle;
  void (*queueDraw)(void *);
} Queue;

/// What the order `order` wants of the picture.
enum { fields, tooWide, negative, shortRows, withoutPixels, none, hang, moving, slow, busy, crossed, partly, leisurely };

typedef struct {
  float *ports[4];
  float drawnLevel;
  float heard;
  Queue *queue;
  Picture picture;
  atomic_bool isDrawing;
} Drawer;

/// The instances of this process that draw.
static atomic_int drawingCount;

static LV2_Handle make(const LV2_Descriptor *d, double rate, const char *bundle, const LV2_Feature *const *features) {
  (void)d, (void)rate, (void)bundle;
  Drawer *self = calloc(1, sizeof(Drawer));
  self->queue = feature(features, DISPLAY "queue_draw");
  return self;
}

static void connectPort(LV2_Handle instance, uint32_t port, void *data) {
  if (port < 4) ((Drawer *)instance)->ports[port] = data;
}

static void expectUndrawn(LV2_Handle instance) {
  Drawer *self = instance;
  if (atomic_load(&self->isDrawing) && *self->ports[3] != hang) abort();
}

/// out = in × level; another level is another picture.
static void run(LV2_Handle instance, uint32_t frameCount) {
  Drawer *self = instance;
  float level = *self->ports[2];
  for (uint32_t frame = 0; frame < frameCount; frame++) self->ports[1][frame] = self->ports[0][frame] * level;
  if (frameCount > 0) self->heard = self->ports[0][frameCount - 1];
  if (level != self->drawnLevel && self->queue) self->queue->queueDraw(self->queue->handle);
  self->drawnLevel = level;
}

/// Nothing is to be saved. Where the pictures are leisurely, that must be between two of them.
static LV2_State_Status save(
    LV2_Handle instance, LV2_State_Store_Function store, LV2_State_Handle handle, uint32_t flags,
    const LV2_Feature *const *features) {
  (void)store, (void)handle, (void)flags, (void)features;
  if (atomic_load(&drawingCount) > 0 && *((Drawer *)instance)->ports[3] == leisurely) abort();
  return LV2_STATE_SUCCESS;
}

static LV2_State_Status restore(
    LV2_Handle instance, LV2_State_Retrieve_Function retrieve, LV2_State_Handle handle, uint32_t flags,
    const LV2_Feature *const *features) {
  (void)instance, (void)retrieve, (void)handle, (void)flags, (void)features;
  return LV2_STATE_SUCCESS;
}

static void clean(LV2_Handle instance) {
  expectUndrawn(instance);
  free(((Drawer *)instance)->picture.pixels);
  free(instance);
}

/// Red and green above blue and nothing; red becomes white where the level is above 1, and nothing yellow where the sound is negative.
static Picture *drawFields(Drawer *self, uint32_t width, uint32_t height) {
  uint32_t red = self->drawnLevel > 1 ? 0xFFFFFFFF : 0xFFFF0000, last = self->heard < 0 ? 0xFFFFFF00 : 0;
  // Rows are a little longer than their pixels.
  self->picture = (Picture){realloc(self->picture.pixels, (width + 3) * height * 4), (int)width, (int)height, (int)(width + 3) * 4};
  for (uint32_t y = 0; y < height; y++) {
    uint32_t *row = (uint32_t *)(self->picture.pixels + y * (width + 3) * 4);
    for (uint32_t x = 0; x < width; x++) {
      row[x] = y < height / 2 ? (x < width / 2 ? red : 0xFF00FF00) : x < width / 2 ? 0xFF0000FF : last;
    }
  }
  return &self->picture;
}

/// What takes its time, and still reads its ports at the end.
static void takeTime(Drawer *self, int order) {
  // Longer than the bridge waits, or often.
  thrd_sleep(order == slow ? &(struct timespec){2, 500000000} : &(struct timespec){0, 300000000}, NULL);
  if (*self->ports[3] != order || *self->ports[2] < 0 || *self->ports[2] > 2) abort();
  self->queue->queueDraw(self->queue->handle);
}

static Picture *render(LV2_Handle instance, uint32_t width, uint32_t height) {
  Drawer *self = instance;
  atomic_store(&self->isDrawing, true);
  atomic_fetch_add(&drawingCount, 1);
  thrd_sleep(&(struct timespec){0, 3000000}, NULL);
  // One that is as wide as a picture may be, and one that is as high: there is no room for both of them side by side.
  if (*self->ports[3] == crossed) width = self->heard < 0 ? 512 : 8192, height = self->heard < 0 ? 8192 : 512;
  Picture *picture = drawFields(self, width, height);
  switch ((int)*self->ports[3]) {
    case tooWide: picture->width = INT_MAX; break;
    case negative: picture->height = -5; break;
    case shortRows: picture->stride = picture->width * 4 - 1; break;
    case withoutPixels:
      free(picture->pixels);
      picture->pixels = NULL;
      break;
    case none: picture = NULL; break;
    case partly:
      if (self->heard < 0) picture = NULL;
      break;
    case leisurely:
      thrd_sleep(&(struct timespec){0, 600000000}, NULL);
      self->queue->queueDraw(self->queue->handle);
      break;
    case moving:
      // Red and white by turns.
      self->drawnLevel = 3 - self->drawnLevel;
      self->queue->queueDraw(self->queue->handle);
      break;
    case slow: takeTime(self, slow); break;
    case busy: takeTime(self, busy); break;
    case hang:
      for (;;) thrd_sleep(&(struct timespec){60, 0}, NULL);
  }
  atomic_fetch_sub(&drawingCount, 1);
  atomic_store(&self->isDrawing, false);
  return picture;
}

static const void *extensionData(const char *uri) {
  static const Interface interface = {render};
  static const LV2_State_Interface state = {save, restore};
  if (strcmp(uri, LV2_STATE__interface) == 0) return &state;
  return strcmp(uri, DISPLAY "interface") == 0 ? &interface : NULL;
}

const LV2_Descriptor drawer = {PREFIX "drawer", make, connectPort, expectUndrawn, run, expectUndrawn, clean, extensionData};
