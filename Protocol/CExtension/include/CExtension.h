// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An extension in C: you describe a unit and render it, and CExtension.c does all that Protocol/README.md requires.
//
// It has one unit a process, with versions 1 to 3 of the protocol, wirings, a lifeline and a view. It lacks groups of
// parameters, texts, events towards the host and units that stretch time. Example/Tremolo.c is a complete extension.
//
// Compile CExtension.c with your own file, with both include folders, `-std=gnu17` and `-lpthread`.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CWireLayout.h"

// MARK: The description of a unit

/// Flags of a parameter.
enum {
  CExtension_canRamp = 1 << 0,
  CExtension_isLogarithmic = 1 << 1,
  CExtension_isInteger = 1 << 4,
};

/// Units of a parameter, as the protocol numbers them; it has more.
enum {
  CExtension_unitGeneric = 0,
  CExtension_unitIndexed = 1,
  CExtension_unitBoolean = 2,
  CExtension_unitPercent = 3,
  CExtension_unitSeconds = 4,
  CExtension_unitMilliseconds = 5,
  CExtension_unitHertz = 7,
  CExtension_unitDecibels = 11,
  CExtension_unitLinearGain = 12,
};

/// A parameter that the host can set.
struct CExtension_Parameter {
  /// Permanent and unique; not empty, at most 128 bytes, without `.` and `=`.
  const char *identifier;
  const char *name;
  /// Unique; another version of the plug-in may change it.
  uint64_t address;
  double lowerBound, upperBound, defaultValue;
  uint32_t unit, flags;
};

/// An input or an output.
struct CExtension_Bus {
  const char *name;
  uint32_t channelCount;
  bool isOptional;
  /// The channel counts that the bus accepts, ended by 0; NULL for any.
  const uint32_t *channelCounts;
};

/// A preset: values for all parameters, in their order.
struct CExtension_Preset {
  const char *name;
  const double *values;
};

/// The number for a channel whose speaker is unknown.
enum { CExtension_noSpeaker = 255 };

/// The format of an allocation, and the unit's answer to it.
struct CExtension_Setup {
  /// The sample rate in frames a second.
  double sampleRate;
  /// The largest number of frames in a block.
  uint32_t maximumFrameCount;
  /// The channels of all input buses together, and of all output buses.
  uint32_t inputChannelCount, outputChannelCount;
  /// The channels of each bus; 0 for an optional bus that is not used.
  const uint32_t *inputChannelCounts, *outputChannelCounts;
  /// The speaker of each channel of all buses, as the protocol numbers them, or `CExtension_noSpeaker`.
  const uint8_t *inputSpeakers, *outputSpeakers;
  /// Set by `create`: the latency in frames, at most 1048576, and the frames of sound after the input's end.
  uint32_t latencyFrameCount, tailFrameCount;
  /// Set by a `create` that returns NULL: the reason, in lower case and without a full stop.
  const char *refusal;
};

struct CExtension_Block;
struct CExtension_View;
struct CExtension_Input;

/// A size of a view, in cells.
struct CExtension_Size {
  uint32_t columnCount, rowCount;
};

/// A unit: constant, and valid as long as the process lives.
struct CExtension_Description {
  /// Type, subtype and manufacturer of four characters each, with colons: `aufx:gain:blkh`.
  const char *component;
  const char *name, *manufacturerName;
  /// The version of the plug-in: see `CExtension_version`.
  uint32_t version;
  /// True if the first input and the first output must have the same channel count.
  bool channelCountsMatch;
  /// The tags, ended by NULL; or NULL.
  const char *const *tags;
  /// The buses, at most eight in each direction.
  const struct CExtension_Bus *inputs, *outputs;
  uint32_t inputCount, outputCount;
  const struct CExtension_Parameter *parameters;
  uint32_t parameterCount;
  const struct CExtension_Preset *presets;
  uint32_t presetCount;

  /// [control] Allocates all memory for rendering; returns NULL to refuse the format.
  void *(*create)(struct CExtension_Setup *setup);
  /// [control] Frees that memory, while nothing renders.
  void (*destroy)(void *state);
  /// [render] Forgets all sound. Also called before the first block; NULL if there is nothing to forget.
  void (*reset)(void *state);
  /// [render] Takes a MIDI message of up to 16 bytes at the next frame; NULL for a unit without MIDI.
  void (*handle)(void *state, const uint8_t *bytes, uint32_t byteCount);
  /// [render] Renders the frames from `from` up to, but not including, `to`: every frame of every output channel.
  ///
  /// Blocks are split at events, so that all changes happen at `from`, or glide from there.
  /// It must not allocate, lock or wait.
  void (*render)(void *state, const struct CExtension_Block *block, uint32_t from, uint32_t to);

  /// [view] Draws the whole picture; all cells are empty before. NULL for a unit without a view.
  ///
  /// It is called after a change of the size, of a value or of the focus, and after each input.
  void (*drawView)(struct CExtension_View *view);
  /// [view] Takes the person's input; NULL for a view that only shows.
  void (*takeInput)(struct CExtension_View *view, const struct CExtension_Input *input);
  /// The sizes that the view prefers, the best first, at most eight; none if all suit it equally.
  const struct CExtension_Size *viewSizes;
  uint32_t viewSizeCount;
  /// The byte count of the view's own memory, for example for a drag in progress.
  size_t viewByteCount;
};

/// The number of a version; its parts are below 4096, 1024 and 1024.
#define CExtension_version(major, minor, patch) ((uint32_t)(major) << 20 | (uint32_t)(minor) << 10 | (uint32_t)(patch))

// MARK: Rendering

/// A value that moves to another: k/N of the way at the k-th of N frames.
struct CExtension_Ramp {
  /// The value at the next frame.
  double current;
  double target, step;
  uint32_t framesLeft;
};

/// The block that a unit renders.
struct CExtension_Block {
  /// The sample time of frame 0.
  int64_t sampleTime;
  /// The channels of all buses, one after another; those of a bus that is not connected are silent.
  const float *const *inputs;
  float *const *outputs;
  uint32_t inputChannelCount, outputChannelCount;
  /// The parameters in the order of the description, at frame `from`. Read them with `CExtension_next`.
  struct CExtension_Ramp *parameters;
  /// The tempo in quarter notes a minute, and the position of frame 0 in quarter notes since the start of the song.
  double tempo, beatPosition;
  bool isPlaying, isOffline;
};

/// [render] Moves a ramp on by a number of frames.
static inline void CExtension_advance(struct CExtension_Ramp *ramp, uint32_t frameCount) {
  if (ramp->framesLeft == 0) return;
  ramp->framesLeft -= frameCount < ramp->framesLeft ? frameCount : ramp->framesLeft;
  ramp->current = ramp->framesLeft == 0 ? ramp->target : ramp->target - ramp->step * ramp->framesLeft;
}

/// [render] The value of a parameter at the next frame, once for each frame from `from` on.
///
/// A unit that reads a value once for many frames can read `current` instead.
static inline double CExtension_next(const struct CExtension_Block *block, uint32_t index) {
  double value = block->parameters[index].current;
  CExtension_advance(&block->parameters[index], 1);
  return value;
}

// MARK: Views

/// Colours of a view; 0 is the terminal's own. The host shows the nearest colour of its screen.
#define CExtension_paletteColor(number) (0x01000000u | (uint32_t)(number))
#define CExtension_color(red, green, blue) (0x02000000u | (uint32_t)(red) << 16 | (uint32_t)(green) << 8 | (uint32_t)(blue))

/// Attributes of a cell.
enum {
  CExtension_bold = 1 << 0,
  CExtension_dim = 1 << 1,
  CExtension_underlined = 1 << 2,
  CExtension_reversed = 1 << 3,
};

/// The acts of a person.
enum CExtension_Act {
  CExtension_keyPressed,
  CExtension_mousePressed,
  CExtension_mouseReleased,
  CExtension_mouseDragged,
  CExtension_wheelUp,
  CExtension_wheelDown,
};

/// Keys without a character.
enum {
  CExtension_keyUp = CWireLayout_viewNamedKeys + 1,
  CExtension_keyDown,
  CExtension_keyLeft,
  CExtension_keyRight,
  CExtension_keyHome,
  CExtension_keyEnd,
  CExtension_keyPageUp,
  CExtension_keyPageDown,
  CExtension_keyDelete,
  CExtension_keyBackspace,
  CExtension_keyEnter,
  CExtension_keyEscape,
  CExtension_keyTab,
};

/// Keys that are held beside another one.
enum {
  CExtension_shift = 1 << 0,
  CExtension_alt = 1 << 1,
  CExtension_control = 1 << 2,
};

struct CExtension_Input {
  enum CExtension_Act act;
  /// The character, or one of the keys above.
  uint32_t key;
  /// The cell under the mouse, from 0. While a button is down it may lie one cell beyond any edge.
  int32_t column, row;
  uint32_t modifiers;
};

/// An open view. It belongs to the view's thread, which may allocate and wait.
///
/// The thread does not see the unit's state. It sees the values, and asks the host to set them.
struct CExtension_View {
  /// The cells, row by row. Write them directly, or with `CExtension_put` and `CExtension_print`.
  struct CWireLayout_Cell *cells;
  uint32_t columnCount, rowCount;
  /// The colours of the screen: 0, 8, 16, 256 or 16777216.
  uint32_t colorCount;
  /// True if keys go to the view.
  bool hasFocus;
  /// The values in the order of the description.
  const double *values;
  /// The view's own memory: `viewByteCount` bytes, zero when the view opens.
  void *state;
};

/// [view] Sets a value for the person, clamped to its range. The view's own values have it at once.
void CExtension_set(struct CExtension_View *view, uint32_t index, double value);

/// [view] Reports that the person has taken hold of a parameter, or has released it.
void CExtension_touch(struct CExtension_View *view, uint32_t index, bool isTaken);

/// [view] The cell at a position; NULL outside the picture.
static inline struct CWireLayout_Cell *CExtension_cell(struct CExtension_View *view, int32_t column, int32_t row) {
  bool isInside = column >= 0 && row >= 0 && (uint32_t)column < view->columnCount && (uint32_t)row < view->rowCount;
  return isInside ? &view->cells[(size_t)row * view->columnCount + (size_t)column] : NULL;
}

/// [view] Draws a character that is one column wide; outside the picture it does nothing.
void CExtension_put(struct CExtension_View *view, int32_t column, int32_t row, uint32_t codePoint, uint32_t foreground);

/// [view] Draws UTF-8 text whose characters are one column wide, up to the end of the row.
void CExtension_print(struct CExtension_View *view, int32_t column, int32_t row, const char *text, uint32_t foreground);

// MARK: The process

/// [main] Answers the host until it hangs up. Returns the exit status for `main`.
///
/// The description must be valid: see the limits of each field. Without a host the function prints a sentence and returns 2.
int CExtension_run(const struct CExtension_Description *description);
