// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An LV2 extension for small pictures without a toolkit: the structures that plug-in and host exchange. Any thread.
//
// The extension is http://harrisonconsoles.com/lv2/inlinedisplay. For its "#interface", a plug-in's extension_data returns a
// CLV2Shims_DisplayInterface. The data of the host's feature "#queue_draw" is a CLV2Shims_DrawQueue.
#pragma once

#include <stdint.h>

#ifdef __clang__
#pragma clang assume_nonnull begin
#endif

/// A picture; its memory belongs to the plug-in until the next picture or the end of the instance.
///
/// A row begins every `stride` bytes. A pixel is a number of 32 bits: alpha in the highest byte, then red, green and blue,
/// already multiplied by alpha.
typedef struct {
  const unsigned char *_Nullable data;
  int width;
  int height;
  int stride;
} CLV2Shims_DisplayPicture;

/// The drawing function of a plug-in.
typedef struct {
  /// `[view]` Draws a picture of at most this size; NULL if there is none at present.
  ///
  /// It may run beside `run`, but not beside calls that make, activate or end the instance. If a picture takes more than a
  /// second, the host stops waiting: the instance is then activated beside it, and never ended.
  CLV2Shims_DisplayPicture *_Nullable (*_Nullable render)(void *instance, uint32_t width, uint32_t greatestHeight);
} CLV2Shims_DisplayInterface;

/// The host function by which a plug-in asks to be drawn again.
typedef struct {
  void *_Nullable handle;
  /// `[any]` Also called on the render thread.
  void (*queueDraw)(void *_Nullable handle);
} CLV2Shims_DrawQueue;

#ifdef __clang__
#pragma clang assume_nonnull end
#endif
