// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// SoundTouch's stretching for Swift, which sees no C++: time alone, since pitch is changed by a rate converter.
//
// SoundTouch grows its buffers as they fill up. `CSoundTouchShims_make` fills them once as far as they will ever be, so that later calls do not
// allocate. A change of the tempo is arithmetic.
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CSOUNDTOUCHSHIMS_RENDER __attribute__((swift_attr("@_noLocks")))

/// `[control]` A stretcher of 1 to 16 channels with room for `mostFrames` that wait; NULL where that is impossible.
void *CSoundTouchShims_make(int channels, double sampleRate, int mostFrames);
/// `[control]`
void CSoundTouchShims_free(void *stretcher);

/// `[render]` Sets the frames taken in for each one put out, from the next piece of sound on.
CSOUNDTOUCHSHIMS_RENDER void CSoundTouchShims_setTempo(void *stretcher, double tempo);
/// `[render]` Takes in frames of interleaved samples.
CSOUNDTOUCHSHIMS_RENDER void CSoundTouchShims_put(void *stretcher, const float *samples, int frames);
/// `[render]` Puts out up to `most` frames; returns how many.
CSOUNDTOUCHSHIMS_RENDER int CSoundTouchShims_take(void *stretcher, float *samples, int most);
/// `[render]` Forgets all sound.
CSOUNDTOUCHSHIMS_RENDER void CSoundTouchShims_clear(void *stretcher);

#ifdef __cplusplus
}
#endif
