// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The host features of LV2 in plain C: numbers for URIs, a worker, a log, and sequences of atoms.
//
// Plug-ins call these from threads of their own choice and with variable arguments, and atoms are C structures behind
// casts. Swift suits neither. LV2's own types stay out of this header, because Swift takes them from CLilv.
//
// Threads: `[render]` functions neither allocate, lock nor block, unless they say otherwise.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "InlineDisplay.h"

#ifdef __clang__
#pragma clang assume_nonnull begin
#endif

#define CLV2SHIMS_RENDER __attribute__((swift_attr("@_noLocks")))

// MARK: - URIs as numbers

/// `[any]` The number of a URI: a hash, which is the same in every process.
///
/// Returns 0 without memory. Locks only for a new URI.
uint32_t CLV2Shims_map(const char *uri);

/// `[any]` The URI of a number, which is never freed; NULL for an unknown number.
const char *_Nullable CLV2Shims_unmap(uint32_t urid);

/// The data of the features urid:map, urid:unmap and log:log; never freed.
void *CLV2Shims_mapFeature(void);
void *CLV2Shims_unmapFeature(void);
void *CLV2Shims_logFeature(void);

/// The numbers of the types and properties that pass through ports.
typedef struct {
  uint32_t boolean, chunk, doubleType, floatType, intType, longType, object, path, sequence, string, uri, urid;
  uint32_t midiEvent;
  uint32_t patchBody, patchGet, patchProperty, patchPut, patchSet, patchValue;
  uint32_t position, bar, barBeat, beat, beatUnit, beatsPerBar, beatsPerMinute, frame, speed;
} CLV2Shims_Vocabulary;

const CLV2Shims_Vocabulary *CLV2Shims_vocabulary(void) CLV2SHIMS_RENDER;

// MARK: - Calls of a plug-in while it renders

/// `[render]` Calls `run`.
///
/// RealtimeSanitizer does not check the plug-in's own code.
void CLV2Shims_run(const void *descriptor, void *instance, uint32_t frameCount) CLV2SHIMS_RENDER;
/// `[render]` Calls `deactivate`, then `activate`.
void CLV2Shims_reactivate(const void *descriptor, void *instance) CLV2SHIMS_RENDER;

// MARK: - Sequences of atoms in ports

/// An event in a sequence; `body` lies in the sequence.
typedef struct {
  int64_t frame;
  uint32_t type;
  uint32_t byteCount;
  const void *_Nullable body;
} CLV2Shims_Event;

/// A property that a patch message sets; `body` lies in the message.
typedef struct {
  uint32_t property;
  uint32_t type;
  uint32_t byteCount;
  const void *_Nullable body;
} CLV2Shims_Change;

/// The position in the song.
typedef struct {
  int64_t frame;
  float speed;
  double beat;
  int64_t bar;
  float barBeat;
  int32_t beatUnit;
  float beatsPerBar;
  float beatsPerMinute;
} CLV2Shims_Position;

/// `[render]` Makes an input buffer an empty sequence.
///
/// Buffers are aligned to 8 bytes.
void CLV2Shims_clearInput(void *buffer) CLV2SHIMS_RENDER;
/// `[render]` Makes an output buffer a chunk with its whole capacity, as a plug-in expects it.
void CLV2Shims_clearOutput(void *buffer, uint32_t capacity) CLV2SHIMS_RENDER;
/// `[render]` Appends an event; false if there is no room.
bool CLV2Shims_append(
    void *buffer, uint32_t capacity, int64_t frame, uint32_t type, const void *body, uint32_t byteCount) CLV2SHIMS_RENDER;
/// `[render]` Appends a time:Position; false if there is no room.
bool CLV2Shims_appendPosition(
    void *buffer, uint32_t capacity, int64_t frame, const CLV2Shims_Position *position) CLV2SHIMS_RENDER;
/// `[render]` Appends a patch:Set of one property; false if there is no room.
bool CLV2Shims_appendSet(
    void *buffer, uint32_t capacity, int64_t frame, const CLV2Shims_Change *change) CLV2SHIMS_RENDER;
/// `[render]` Appends a patch:Get of all properties; false if there is no room.
bool CLV2Shims_appendGet(void *buffer, uint32_t capacity, int64_t frame) CLV2SHIMS_RENDER;

/// `[render]` Finds the event at `*offset`, 0 for the first, and moves on; false if there is none.
///
/// Sizes from the plug-in are never trusted beyond `capacity`.
bool CLV2Shims_nextEvent(const void *buffer, uint32_t capacity, uint32_t *offset, CLV2Shims_Event *event) CLV2SHIMS_RENDER;
/// `[render]` Finds the change at `*offset`, 0 for the first, in a patch:Set or patch:Put; false if there is none.
bool CLV2Shims_nextChange(const CLV2Shims_Event *event, uint32_t *offset, CLV2Shims_Change *change) CLV2SHIMS_RENDER;
/// `[render]` The value of a number or a boolean; NaN for anything else.
double CLV2Shims_number(uint32_t type, const void *body, uint32_t byteCount) CLV2SHIMS_RENDER;

// MARK: - Messages between two threads

/// A ring of messages with one writer and one reader.
typedef struct CLV2Shims_Ring CLV2Shims_Ring;

CLV2Shims_Ring *_Nullable CLV2Shims_makeRing(uint32_t byteCount);
void CLV2Shims_freeRing(CLV2Shims_Ring *ring);
/// `[render]` Writes a message of two parts; false, with nothing written, if there is no room.
bool CLV2Shims_write(
    CLV2Shims_Ring *ring, const void *_Nullable first, uint32_t firstByteCount, const void *_Nullable second,
    uint32_t secondByteCount) CLV2SHIMS_RENDER;
/// `[render]` Copies the oldest message into `body`, which has room for a whole ring; false if there is none.
bool CLV2Shims_read(CLV2Shims_Ring *ring, void *body, uint32_t *byteCount) CLV2SHIMS_RENDER;

// MARK: - The worker: slow work of a plug-in

/// The worker of one instance and its thread.
typedef struct CLV2Shims_Worker CLV2Shims_Worker;

/// `[control]` Makes a worker whose thread does not run yet.
CLV2Shims_Worker *_Nullable CLV2Shims_makeWorker(void);
/// The data of the feature work:schedule, for instantiation and for `restore`. During `restore`, work is done at once.
void *CLV2Shims_scheduleFeature(CLV2Shims_Worker *worker);
void *CLV2Shims_restoreScheduleFeature(CLV2Shims_Worker *worker);
/// `[control]` Starts the thread.
///
/// `interface` is LV2's work:interface. Returns an errno, 0 for success.
int CLV2Shims_startWorker(CLV2Shims_Worker *worker, void *instance, const void *interface);
/// `[control]` Ends the thread after the present work, once rendering has stopped.
///
/// Later work is refused.
void CLV2Shims_stopWorker(CLV2Shims_Worker *worker);
/// `[control]` Frees the worker; call it after the instance has been freed, which may use the features until then.
void CLV2Shims_freeWorker(CLV2Shims_Worker *worker);
/// `[render]` Gives the plug-in its responses so far, and reports the end of the run.
///
/// With `waits`, for offline rendering, it first blocks until all work is done, so that each rendering yields the same
/// output.
void CLV2Shims_deliver(CLV2Shims_Worker *worker, bool waits) CLV2SHIMS_RENDER;
/// `[render]` True if no work is left; with `waits`, for offline rendering, it blocks until all work is done.
bool CLV2Shims_isIdle(CLV2Shims_Worker *worker, bool waits) CLV2SHIMS_RENDER;
/// `[control]` Does all work and delivers the responses, for example after a state was restored.
///
/// Call it only while nothing renders.
void CLV2Shims_settle(CLV2Shims_Worker *worker);

// MARK: - Pictures of plug-ins

/// The request of one instance to be drawn again.
typedef struct CLV2Shims_Display CLV2Shims_Display;

/// `[control]` Makes it, without a request.
CLV2Shims_Display *_Nullable CLV2Shims_makeDisplay(void);
/// `[control]` Frees it; call this after the instance has been freed.
void CLV2Shims_freeDisplay(CLV2Shims_Display *display);
/// The data of the feature queue_draw.
void *CLV2Shims_queueDrawFeature(CLV2Shims_Display *display);
/// `[view]` Whether the instance has asked to be drawn since the last call.
bool CLV2Shims_takeDraw(CLV2Shims_Display *display);
/// `[render]` Sleeps for 20 µs; only for offline rendering, which may wait for a picture.
void CLV2Shims_rest(void) CLV2SHIMS_RENDER;

// MARK: - Turtle

/// `[control]` True if a file is well-formed Turtle; if not, `reason` names the line and the fault, without a full stop.
bool CLV2Shims_checkTurtle(const char *path, char *reason, size_t reasonByteCount);

#ifdef __clang__
#pragma clang assume_nonnull end
#endif
