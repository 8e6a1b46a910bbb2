// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The functions for a window's library. Any thread of the library's; a lock guards the numbers of URIs.
#include <lv2/buf-size/buf-size.h>
#include <lv2/atom/atom.h>
#include <lv2/log/log.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Window.h"

int (*Features_resize)(int width, int height);

// MARK: - Numbers of URIs

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char **uris;
static uint32_t uriCount;

static LV2_URID map(LV2_URID_Map_Handle handle, const char *uri) {
  (void)handle;
  pthread_mutex_lock(&lock);
  LV2_URID number = 0;
  for (uint32_t i = 0; i < uriCount && number == 0; i++) {
    if (strcmp(uris[i], uri) == 0) number = i + 1;
  }
  char **grown = number ? NULL : realloc(uris, (uriCount + 1) * sizeof *uris);
  if (grown) {
    uris = grown;
    uris[uriCount] = strdup(uri);
    number = ++uriCount;
  }
  pthread_mutex_unlock(&lock);
  return number;
}

static const char *unmap(LV2_URID_Unmap_Handle handle, LV2_URID number) {
  (void)handle;
  pthread_mutex_lock(&lock);
  const char *uri = number > 0 && number <= uriCount ? uris[number - 1] : NULL;
  pthread_mutex_unlock(&lock);
  return uri;
}

// MARK: - Values

/// Tells the command once that the window needs more than values.
static void leaveOut(void) {
  static atomic_flag isTold = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&isTold)) Channel_send(kindLeftOut, 0, 0);
}

static bool isFloat(uint32_t protocol) { return protocol == 0 || protocol == map(NULL, LV2_UI__floatProtocol); }

void Features_write(LV2UI_Controller controller, uint32_t port, uint32_t size, uint32_t protocol, const void *value) {
  (void)controller;
  if (!isFloat(protocol) || size != sizeof(float)) {
    leaveOut();
    return;
  }
  float number;
  memcpy(&number, value, sizeof number);
  if (isfinite(number)) Channel_send(kindValue, port, Bundle_parameterValue(port, number));
}

static uint32_t subscribe(LV2UI_Feature_Handle handle, uint32_t port, uint32_t protocol, const LV2_Feature *const *features) {
  (void)handle, (void)features;
  // All control ports are reported anyway.
  if (Bundle_isControl(port) && isFloat(protocol)) return 0;
  leaveOut();
  return 1;
}

static uint32_t unsubscribe(LV2UI_Feature_Handle handle, uint32_t port, uint32_t protocol, const LV2_Feature *const *features) {
  (void)handle, (void)port, (void)protocol, (void)features;
  return 0;
}

static uint32_t portIndex(LV2UI_Feature_Handle handle, const char *symbol) {
  (void)handle;
  return Bundle_port(symbol);
}

static void touch(LV2UI_Feature_Handle handle, uint32_t port, bool isGrabbed) { (void)handle, (void)port, (void)isGrabbed; }

static int resize(LV2UI_Feature_Handle handle, int width, int height) {
  (void)handle;
  return Features_resize && width > 0 && height > 0 ? Features_resize(width, height) : 1;
}

// MARK: - Log

static int logAll(LV2_Log_Handle handle, LV2_URID type, const char *format, va_list values) {
  (void)handle, (void)type;
  return vfprintf(stderr, format, values);
}

static int logSome(LV2_Log_Handle handle, LV2_URID type, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int count = logAll(handle, type, format, values);
  va_end(values);
  return count;
}

// MARK: - The list

static LV2_URID_Map mapping = {NULL, map};
static LV2_URID_Unmap unmapping = {NULL, unmap};
static LV2UI_Resize resizing = {NULL, resize};
static LV2UI_Port_Map portMap = {NULL, portIndex};
static LV2UI_Port_Subscribe subscription = {NULL, subscribe, unsubscribe};
static LV2UI_Touch touching = {NULL, touch};
static LV2_Log_Log logging = {NULL, logSome, logAll};
static LV2_Options_Option options[7];

static LV2_Feature list[] = {
    {LV2_URID__map, &mapping},
    {LV2_URID__unmap, &unmapping},
    {LV2_OPTIONS__options, options},
    {LV2_UI__resize, &resizing},
    {LV2_UI__portMap, &portMap},
    {LV2_UI__portSubscribe, &subscription},
    {LV2_UI__touch, &touching},
    {LV2_LOG__log, &logging},
    {LV2_UI__idleInterface, NULL},
    {LV2_UI__fixedSize, NULL},
    {LV2_UI__noUserResize, NULL},
    {LV2_UI__makeResident, NULL},
    {LV2_UI__parent, NULL},
};
enum { featureCount = sizeof list / sizeof *list };
static const LV2_Feature *pointers[featureCount + 1];

bool Features_offer(const char *uri) {
  const char *also[] = {LV2_UI__showInterface, LV2_BUF_SIZE__boundedBlockLength};
  for (int i = 0; i < featureCount; i++) {
    if (strcmp(list[i].URI, uri) == 0) return true;
  }
  return strcmp(also[0], uri) == 0 || strcmp(also[1], uri) == 0;
}

const LV2_Feature *const *Features_make(double sampleRate, float scale, const char *title, uintptr_t parent) {
  static float rate, updateRate = framesPerSecond, factor;
  static int32_t blockLength = 4096;
  static const char *name;
  rate = (float)sampleRate;
  factor = scale;
  name = title;
  LV2_URID real = map(NULL, LV2_ATOM__Float), whole = map(NULL, LV2_ATOM__Int), text = map(NULL, LV2_ATOM__String);
  options[0] = (LV2_Options_Option){LV2_OPTIONS_INSTANCE, 0, map(NULL, LV2_PARAMETERS__sampleRate), sizeof rate, real, &rate};
  options[1] = (LV2_Options_Option){LV2_OPTIONS_INSTANCE, 0, map(NULL, LV2_UI__updateRate), sizeof updateRate, real, &updateRate};
  options[2] = (LV2_Options_Option){LV2_OPTIONS_INSTANCE, 0, map(NULL, LV2_UI__scaleFactor), sizeof factor, real, &factor};
  options[3] = (LV2_Options_Option){LV2_OPTIONS_INSTANCE, 0, map(NULL, LV2_UI__windowTitle), (uint32_t)strlen(title) + 1, text,
                                    name};
  options[4] = (LV2_Options_Option){LV2_OPTIONS_INSTANCE, 0, map(NULL, LV2_BUF_SIZE__maxBlockLength), sizeof blockLength, whole,
                                    &blockLength};
  int count = 0;
  for (int i = 0; i < featureCount; i++) {
    bool isParent = strcmp(list[i].URI, LV2_UI__parent) == 0;
    if (isParent) list[i].data = (void *)parent;
    if (!isParent || parent) pointers[count++] = &list[i];
  }
  return pointers;
}
