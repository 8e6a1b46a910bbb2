// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Records that a plug-in asks to be drawn again. The plug-in asks on any thread, and the view's thread answers.
#include "InlineDisplay.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "CLV2Shims.h"
#include "CRealtimeShims.h"

struct CLV2Shims_Display {
  CLV2Shims_DrawQueue queue;
  atomic_bool mustDraw;
};

static void queueDraw(void *handle) {
  CLV2Shims_Display *display = handle;
  // Release: the thread that takes the request sees earlier changes of the plug-in.
  if (display) atomic_store_explicit(&display->mustDraw, true, memory_order_release);
}

CLV2Shims_Display *CLV2Shims_makeDisplay(void) {
  CLV2Shims_Display *display = calloc(1, sizeof(CLV2Shims_Display));
  if (display) display->queue = (CLV2Shims_DrawQueue){display, queueDraw};
  return display;
}

void CLV2Shims_freeDisplay(CLV2Shims_Display *display) { free(display); }

void *CLV2Shims_queueDrawFeature(CLV2Shims_Display *display) { return &display->queue; }

bool CLV2Shims_takeDraw(CLV2Shims_Display *display) {
  return atomic_exchange_explicit(&display->mustDraw, false, memory_order_acquire);
}

void CLV2Shims_rest(void) {
  CRealtimeShims_enterForeignCode();
  nanosleep(&(struct timespec){0, 20000}, NULL);
  CRealtimeShims_exitForeignCode();
}
