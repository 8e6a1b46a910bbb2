// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// SpeexDSP for render threads. The states allocate when they are made. After that, these functions only compute on existing
// memory, so a render thread may call them.
//
// SpeexDSP prints to standard error in four cases: its filter has diverged for fifty successive frames, a frame has extreme
// energy, its voice detector is switched on, or a request is unknown. Callers prevent all four.
#include <speex/speex_echo.h>
#include <speex/speex_preprocess.h>
#include <stddef.h>

#define CSPEEXDSP_VOUCHED static inline __attribute__((swift_attr("@_noLocks")))

/// Subtracts the echo of `farEnd` from `microphone`; each holds one frame.
CSPEEXDSP_VOUCHED void CSpeexDSP_cancelEcho(SpeexEchoState *state, const int16_t *microphone, const int16_t *farEnd,
                                            int16_t *output) {
  speex_echo_cancellation(state, microphone, farEnd, output);
}
/// Forgets the room and the sound.
CSPEEXDSP_VOUCHED void CSpeexDSP_resetEcho(SpeexEchoState *state) { speex_echo_state_reset(state); }

/// Suppresses noise and residual echo in a frame, and controls its gain.
CSPEEXDSP_VOUCHED void CSpeexDSP_preprocess(SpeexPreprocessState *state, int16_t *frame) { speex_preprocess_run(state, frame); }

/// Sets a property that is a whole number.
CSPEEXDSP_VOUCHED void CSpeexDSP_set(SpeexPreprocessState *state, int property, int32_t value) {
  speex_preprocess_ctl(state, property, &value);
}
/// Names the canceller whose residual echo is suppressed, or NULL for none.
CSPEEXDSP_VOUCHED void CSpeexDSP_setEcho(SpeexPreprocessState *state, SpeexEchoState *echo) {
  speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_ECHO_STATE, echo);
}
/// The probability of speech in the last frame, in per cent.
CSPEEXDSP_VOUCHED int32_t CSpeexDSP_speechProbability(SpeexPreprocessState *state) {
  int32_t percent = 0;
  speex_preprocess_ctl(state, SPEEX_PREPROCESS_GET_PROB, &percent);
  return percent;
}
