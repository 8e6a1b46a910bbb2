// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sinc converters allocate only in src_new. src_process only computes on existing memory, so a render thread may call it.
#include <samplerate.h>

#define CSAMPLERATE_VOUCHED static inline __attribute__((swift_attr("@_noLocks")))

CSAMPLERATE_VOUCHED int CSampleRate_process(SRC_STATE *state, SRC_DATA *data) { return src_process(state, data); }
CSAMPLERATE_VOUCHED int CSampleRate_setRatio(SRC_STATE *state, double ratio) { return src_set_ratio(state, ratio); }
CSAMPLERATE_VOUCHED int CSampleRate_reset(SRC_STATE *state) { return src_reset(state); }
