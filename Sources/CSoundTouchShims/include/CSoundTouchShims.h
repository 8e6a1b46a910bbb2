// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// SoundTouch's time stretching for Swift, which cannot import C++. A rate converter changes the pitch.
//
// SoundTouch's buffers grow as they fill. `CSoundTouchShims_make` once fills them to their final size, so that later calls do
// not allocate. A change of the tempo only computes.
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CSOUNDTOUCHSHIMS_RENDER __attribute__((swift_attr("@_noLocks")))

/// `[control]` Makes a stretcher of 1 to 16 channels with room for `mostFrames` waiting frames; NULL if that is impossible.
void *CSoundTouchShims_make(int channels, double sampleRate, int mostFrames);
/// `[control]` Frees a stretcher.
void CSoundTouchShims_free(void *stretcher);

/// `[render]` Sets the number of input frames for each output frame, from the next piece of sound on.
CSOUNDTOUCHSHIMS_RENDER void CSoundTouchShims_setTempo(void *stretcher, double tempo);
/// `[render]` Takes in frames of interleaved samples.
CSOUNDTOUCHSHIMS_RENDER void CSoundTouchShims_put(void *stretcher, const float *samples, int frames);
/// `[render]` Writes up to `most` frames; returns their number.
CSOUNDTOUCHSHIMS_RENDER int CSoundTouchShims_take(void *stretcher, float *samples, int most);
/// `[render]` Forgets all sound.
CSOUNDTOUCHSHIMS_RENDER void CSoundTouchShims_clear(void *stretcher);

#ifdef __cplusplus
}
#endif
