// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How an LV2 plug-in draws a small picture without a toolkit: what plug-in and host hand each other. Any thread.
//
// The extension is http://harrisonconsoles.com/lv2/inlinedisplay. What a plug-in's extension_data returns for its "#interface"
// is a CLV2Shims_DisplayInterface. The data of the host's feature "#queue_draw" is a CLV2Shims_DrawQueue.
#pragma once

#include <stdint.h>

#ifdef __clang__
#pragma clang assume_nonnull begin
#endif

/// A picture, whose memory is the plug-in's until its next picture or its end.
///
/// A row begins every `stride` bytes. A pixel is a number of 32 bits: alpha in the highest byte, then red, green and blue, which
/// are multiplied by alpha already.
typedef struct {
  const unsigned char *_Nullable data;
  int width;
  int height;
  int stride;
} CLV2Shims_DisplayPicture;

/// What draws.
typedef struct {
  /// `[view]` Draws a picture for so many pixels; NULL if there is none at present.
  ///
  /// It may run beside `run`, but not beside what makes, activates or ends the instance. Only a picture that takes more than a second
  /// is not waited for: the instance is activated beside it, and never ended.
  CLV2Shims_DisplayPicture *_Nullable (*_Nullable render)(void *instance, uint32_t width, uint32_t greatestHeight);
} CLV2Shims_DisplayInterface;

/// How a plug-in says that its picture would be another one now.
typedef struct {
  void *_Nullable handle;
  /// `[any]` Also called on the render thread.
  void (*queueDraw)(void *_Nullable handle);
} CLV2Shims_DrawQueue;

#ifdef __clang__
#pragma clang assume_nonnull end
#endif
