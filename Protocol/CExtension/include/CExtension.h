// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An extension in C: describe a unit, write how it renders, and CExtension.c does all that Protocol/README.md asks for.
//
// It holds one unit a process, with versions 1 to 3 of the protocol, wirings, a lifeline and a view. It has no groups of
// parameters, no texts, no events towards the host and no units that stretch time. Example/Tremolo.c is a whole extension.
//
// Compile CExtension.c with your own file, with both include folders, `-std=gnu17` and `-lpthread`.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CWireLayout.h"

// MARK: What a unit is

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
  /// Unique; it may change from one version of the plug-in to the next.
  uint64_t address;
  double lowerBound, upperBound, defaultValue;
  uint32_t unit, flags;
};

/// An input or an output.
struct CExtension_Bus {
  const char *name;
  uint32_t channelCount;
  bool isOptional;
  /// The channel counts that the bus takes, ended by 0; NULL for any.
  const uint32_t *channelCounts;
};

/// Values for all parameters, in their order.
struct CExtension_Preset {
  const char *name;
  const double *values;
};

/// What stands for a channel whose speaker is not known.
enum { CExtension_noSpeaker = 255 };

/// The format of an allocation, and what the unit says of it.
struct CExtension_Setup {
  /// Frames a second.
  double sampleRate;
  /// The largest number of frames in a block.
  uint32_t maximumFrameCount;
  /// The channels of all input buses together, and of all output buses.
  uint32_t inputChannelCount, outputChannelCount;
  /// The channels of each bus; 0 for an optional one that is not used.
  const uint32_t *inputChannelCounts, *outputChannelCounts;
  /// The speaker of each channel of all buses, as the protocol numbers them, or `CExtension_noSpeaker`.
  const uint8_t *inputSpeakers, *outputSpeakers;
  /// Set by `create`: frames by which the output lags behind, at most 1048576, and frames of sound after the input's end.
  uint32_t latencyFrameCount, tailFrameCount;
  /// Set by a `create` that returns NULL: why, in lower case and without a full stop.
  const char *refusal;
};

struct CExtension_Block;
struct CExtension_View;
struct CExtension_Input;

/// A size of a view, in cells.
struct CExtension_Size {
  uint32_t columnCount, rowCount;
};

/// A unit: constant, and alive as long as the process.
struct CExtension_Description {
  /// Type, subtype and manufacturer of four characters each, with colons: `aufx:gain:blkh`.
  const char *component;
  const char *name, *manufacturerName;
  /// Of the plug-in: see `CExtension_version`.
  uint32_t version;
  /// Whether the first input and the first output have as many channels.
  bool channelCountsMatch;
  /// Ended by NULL; or NULL.
  const char *const *tags;
  /// At most eight each.
  const struct CExtension_Bus *inputs, *outputs;
  uint32_t inputCount, outputCount;
  const struct CExtension_Parameter *parameters;
  uint32_t parameterCount;
  const struct CExtension_Preset *presets;
  uint32_t presetCount;

  /// [control] Allocates all that rendering needs; NULL to refuse the format.
  void *(*create)(struct CExtension_Setup *setup);
  /// [control] Frees it, while nothing renders.
  void (*destroy)(void *state);
  /// [render] Forgets all sound. Called before the first block, too; NULL if there is nothing to forget.
  void (*reset)(void *state);
  /// [render] Takes a MIDI message of up to 16 bytes at the frame that is rendered next; NULL for a unit that takes none.
  void (*handle)(void *state, const uint8_t *bytes, uint32_t byteCount);
  /// [render] Renders the frames from `from` up to, and without, `to`: every frame of every output channel.
  ///
  /// Blocks are split at events, so that all values change at `from` or glide from there.
  /// It must not allocate, lock or wait.
  void (*render)(void *state, const struct CExtension_Block *block, uint32_t from, uint32_t to);

  /// [view] Draws the whole picture, in which all cells are empty; NULL for a unit without a view.
  ///
  /// It is called after a change of the size, of a value or of the focus, and after each input.
  void (*drawView)(struct CExtension_View *view);
  /// [view] Takes what a person does; NULL for a view that only shows.
  void (*takeInput)(struct CExtension_View *view, const struct CExtension_Input *input);
  /// The sizes that the view likes, the best first, at most eight; none if it likes all.
  const struct CExtension_Size *viewSizes;
  uint32_t viewSizeCount;
  /// The bytes of the memory that a view has for itself, such as for what is being dragged.
  size_t viewByteCount;
};

/// The number of a version, each part below 4096, 1024 and 1024.
#define CExtension_version(major, minor, patch) ((uint32_t)(major) << 20 | (uint32_t)(minor) << 10 | (uint32_t)(patch))

// MARK: Rendering

/// A value on its way to another: k/N of the way at the k-th of N frames.
struct CExtension_Ramp {
  /// The value at the frame that is rendered next.
  double current;
  double target, step;
  uint32_t framesLeft;
};

/// What a unit renders.
struct CExtension_Block {
  /// Frames at the beginning of the block, where frame 0 is.
  int64_t sampleTime;
  /// The channels of all buses one after another; those of a bus that is not connected are silent.
  const float *const *inputs;
  float *const *outputs;
  uint32_t inputChannelCount, outputChannelCount;
  /// In the order of the description, at frame `from`. Use `CExtension_next`.
  struct CExtension_Ramp *parameters;
  /// Quarter notes a minute, and quarter notes since the start of the song at frame 0.
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
/// A unit that reads a value once for many frames reads `current`, and need not call this.
static inline double CExtension_next(const struct CExtension_Block *block, uint32_t index) {
  double value = block->parameters[index].current;
  CExtension_advance(&block->parameters[index], 1);
  return value;
}

// MARK: Views

/// Colours of a view; 0 is the terminal's own. The host shows the nearest one that its screen has.
#define CExtension_paletteColor(number) (0x01000000u | (uint32_t)(number))
#define CExtension_color(red, green, blue) (0x02000000u | (uint32_t)(red) << 16 | (uint32_t)(green) << 8 | (uint32_t)(blue))

/// Attributes of a cell.
enum {
  CExtension_bold = 1 << 0,
  CExtension_dim = 1 << 1,
  CExtension_underlined = 1 << 2,
  CExtension_reversed = 1 << 3,
};

/// What a person does.
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

/// Keys that are held down meanwhile.
enum {
  CExtension_shift = 1 << 0,
  CExtension_alt = 1 << 1,
  CExtension_control = 1 << 2,
};

struct CExtension_Input {
  enum CExtension_Act act;
  /// The character, or one of the keys above.
  uint32_t key;
  /// Where the mouse is, from 0. While a button is down it may be one cell beyond any edge.
  int32_t column, row;
  uint32_t modifiers;
};

/// An open view. All of it belongs to the view's thread, which may allocate and wait.
///
/// The thread knows nothing of the unit's state: it sees the values, and the host sets them.
struct CExtension_View {
  /// Row by row. Write here, or use `CExtension_put` and `CExtension_print`.
  struct CWireLayout_Cell *cells;
  uint32_t columnCount, rowCount;
  /// The colours of the screen: 0, 8, 16, 256 or 16777216.
  uint32_t colorCount;
  /// Whether keys go to the view.
  bool hasFocus;
  /// In the order of the description.
  const double *values;
  /// `viewByteCount` bytes, which are zero when the view opens.
  void *state;
};

/// [view] Sets a value as the person wishes, brought into its range. The view's own values have it at once.
void CExtension_set(struct CExtension_View *view, uint32_t index, double value);

/// [view] Says that the person has taken hold of a parameter, or has let it go.
void CExtension_touch(struct CExtension_View *view, uint32_t index, bool isTaken);

/// [view] The cell at a place; NULL outside the picture.
static inline struct CWireLayout_Cell *CExtension_cell(struct CExtension_View *view, int32_t column, int32_t row) {
  bool isInside = column >= 0 && row >= 0 && (uint32_t)column < view->columnCount && (uint32_t)row < view->rowCount;
  return isInside ? &view->cells[(size_t)row * view->columnCount + (size_t)column] : NULL;
}

/// [view] Draws a character that is one column wide; outside the picture it does nothing.
void CExtension_put(struct CExtension_View *view, int32_t column, int32_t row, uint32_t codePoint, uint32_t foreground);

/// [view] Draws text in UTF-8, of characters that are one column wide, as far as the row goes.
void CExtension_print(struct CExtension_View *view, int32_t column, int32_t row, const char *text, uint32_t foreground);

// MARK: The process

/// [main] Answers the host until it hangs up; returns the exit status. `main` returns what this returns.
///
/// The description must be valid: see the limits of each field. Without a host it prints a sentence and returns 2.
int CExtension_run(const struct CExtension_Description *description);
