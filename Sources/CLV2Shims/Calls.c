// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The render thread's calls of a plug-in, and the plug-in's log. Render thread; the log: any thread.
#include "CLV2Shims.h"

#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "CRealtimeShims.h"

void CLV2Shims_run(const void *descriptor, void *instance, uint32_t frameCount) {
  const LV2_Descriptor *plugin = descriptor;
  CRealtimeShims_enterForeignCode();
  plugin->run(instance, frameCount);
  CRealtimeShims_exitForeignCode();
}

void CLV2Shims_reactivate(const void *descriptor, void *instance) {
  const LV2_Descriptor *plugin = descriptor;
  CRealtimeShims_enterForeignCode();
  if (plugin->deactivate) plugin->deactivate(instance);
  if (plugin->activate) plugin->activate(instance);
  CRealtimeShims_exitForeignCode();
}

/// Writes errors and warnings to standard error, one line each and without control characters.
///
/// Notes and traces are dropped: they are for the author of the plug-in.
static int logArguments(LV2_Log_Handle handle, LV2_URID type, const char *format, va_list arguments) {
  (void)handle;
  if (type != CLV2Shims_map(LV2_LOG__Error) && type != CLV2Shims_map(LV2_LOG__Warning)) return 0;
  char line[512];
  int length = vsnprintf(line, sizeof line, format, arguments);
  if (length < 0) return length;
  size_t end = strnlen(line, sizeof line);
  while (end > 0 && line[end - 1] == '\n') end--;
  for (size_t index = 0; index < end; index++) {
    if ((unsigned char)line[index] < 0x20 || line[index] == 0x7F) line[index] = ' ';
  }
  fprintf(stderr, "%.*s\n", (int)end, line);
  return length;
}

static int logLine(LV2_Log_Handle handle, LV2_URID type, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = logArguments(handle, type, format, arguments);
  va_end(arguments);
  return length;
}

static LV2_Log_Log logFeature = {NULL, logLine, logArguments};

void *CLV2Shims_logFeature(void) { return &logFeature; }
