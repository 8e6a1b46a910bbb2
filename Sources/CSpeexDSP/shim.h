// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The states allocate when they are made. After that, what stands here is arithmetic on memory that is there, so a render thread
// may call it.
//
// SpeexDSP prints to standard error when its filter has gone wild for fifty frames in a row, when a frame's energy is beyond
// all reason, when its voice detector is switched on, and when it is asked for something unknown. Callers see to it that none
// of this happens.
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
/// How probable speech is in the last frame, in per cent.
CSPEEXDSP_VOUCHED int32_t CSpeexDSP_speechProbability(SpeexPreprocessState *state) {
  int32_t percent = 0;
  speex_preprocess_ctl(state, SPEEX_PREPROCESS_GET_PROB, &percent);
  return percent;
}
