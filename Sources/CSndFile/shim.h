// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// libsndfile, and the facts of a file for samplers: Swift does not see the loops, whose type has no name.
#include <sndfile.h>
#include <stdbool.h>

/// The key, the tuning and the first loop that a file states for samplers.
typedef struct {
  /// False if the file states nothing.
  bool isStated;
  /// The key at the recorded pitch, and the cents by which the recording is above it.
  int key, cents;
  /// `SF_LOOP_NONE` without a loop; then the frames, and the number of passes, 0 without end.
  int loopMode;
  unsigned loopStart, loopEnd, passCount;
} CSndFile_Tone;

/// `[control]` Reads the facts of an open file.
static inline CSndFile_Tone CSndFile_tone(SNDFILE *file) {
  SF_INSTRUMENT instrument = {0};
  CSndFile_Tone tone = {.loopMode = SF_LOOP_NONE};
  if (!sf_command(file, SFC_GET_INSTRUMENT, &instrument, sizeof instrument)) return tone;
  tone.isStated = true;
  tone.key = instrument.basenote;
  tone.cents = instrument.detune;
  if (instrument.loop_count < 1) return tone;
  tone.loopMode = instrument.loops[0].mode;
  tone.loopStart = instrument.loops[0].start;
  tone.loopEnd = instrument.loops[0].end;
  tone.passCount = instrument.loops[0].count;
  return tone;
}
