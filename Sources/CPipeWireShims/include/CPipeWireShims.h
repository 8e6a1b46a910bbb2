// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// PipeWire in plain C types: its own API consists of inline functions and variadic macros, which Swift cannot import.
//
// Threads: `[control]` functions may block and allocate. The process function runs on PipeWire's data thread and must
// neither block nor allocate. PipeWire's loop thread is internal to the shims.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __clang__
#pragma clang assume_nonnull begin
#endif

/// One node in PipeWire's graph, with its connection and the links that it made.
typedef struct CPipeWireShims_Node CPipeWireShims_Node;

/// A MIDI message of up to three bytes, and its frame in the cycle.
typedef struct {
  uint32_t frameOffset;
  uint8_t byteCount;
  uint8_t bytes[3];
} CPipeWireShims_MIDIEvent;

enum { CPipeWireShims_midiCapacity = 256 };

/// What the graph asks for in one cycle.
///
/// All pointers are valid until the process function returns.
typedef struct {
  /// The driver's frame counter at the first frame, and the driver's identity; a jump is a missed cycle.
  uint64_t position;
  uint32_t clockIdentifier;
  /// CLOCK_MONOTONIC nanoseconds at the start of the cycle.
  uint64_t nanoseconds;
  uint32_t frameCount;
  /// Frames a second.
  uint32_t sampleRate;
  /// The node was started or moved since the last cycle, so that a jump of `position` has no meaning.
  bool isDiscontinuous;
  /// The last cycle ended after its deadline.
  bool wasLate;
  /// The graph runs as fast as it can, not in real time.
  bool isFreewheeling;
  uint32_t inputCount;
  uint32_t outputCount;
  /// The memory of inputs also belongs to other nodes: read only.
  float *_Nonnull const *_Nonnull inputs;
  float *_Nonnull const *_Nonnull outputs;
  uint32_t midiCount;
  const CPipeWireShims_MIDIEvent *_Nonnull midi;
} CPipeWireShims_Cycle;

typedef void (*CPipeWireShims_ProcessFunction)(void *_Nullable context, const CPipeWireShims_Cycle *_Nullable cycle);

/// What a side of the node is linked to.
typedef enum {
  CPipeWireShims_LinkNothing = 0,
  /// The session's default sink or source, followed as it changes.
  CPipeWireShims_LinkDefault = 1,
  /// The node with the given name, once it exists.
  CPipeWireShims_LinkNamed = 2,
} CPipeWireShims_LinkPolicy;

typedef struct {
  /// The daemon's socket; NULL for the one that the environment names.
  const char *_Nullable socketPath;
  const char *nodeName;
  const char *nodeDescription;
  const char *mediaName;
  /// "Playback", "Capture", "Duplex" or "Filter"; and "Music", "DSP", ...
  const char *mediaCategory;
  const char *mediaRole;
  uint32_t inputCount;
  uint32_t outputCount;
  bool hasMIDIInput;
  /// Zero leaves the choice to the graph.
  uint32_t quantum;
  uint32_t sampleRate;
  /// The node forces its quantum or rate upon the graph while it runs.
  bool forcesQuantum;
  bool forcesSampleRate;
  /// The node runs even if nothing is linked.
  bool alwaysProcesses;
  /// The node stays silent, without calling the process function, until the output is linked.
  bool waitsForLinks;
  CPipeWireShims_LinkPolicy sinkPolicy;
  CPipeWireShims_LinkPolicy sourcePolicy;
  const char *_Nullable sinkName;
  const char *_Nullable sourceName;
  /// An eventfd to write to when the connection fails, or a negative number.
  int failureEvent;
  CPipeWireShims_ProcessFunction process;
  void *_Nullable context;
} CPipeWireShims_Configuration;

/// The step of starting that failed.
typedef enum {
  CPipeWireShims_StepNone = 0,
  CPipeWireShims_StepMemory,
  CPipeWireShims_StepConnect,
  CPipeWireShims_StepAnswer,
  CPipeWireShims_StepNode,
  CPipeWireShims_StepSink,
  CPipeWireShims_StepSource,
  CPipeWireShims_StepLink,
} CPipeWireShims_Step;

typedef struct {
  CPipeWireShims_Step step;
  /// An errno, positive.
  int code;
  /// PipeWire's reason, or the names of the sinks or sources that exist.
  char text[512];
} CPipeWireShims_Error;

/// `[control]` Connects, makes the node and its links, and starts it; NULL and `error` on failure.
CPipeWireShims_Node *_Nullable CPipeWireShims_start(
    const CPipeWireShims_Configuration *configuration, CPipeWireShims_Error *error);

/// `[control]` Stops and frees the node.
///
/// The process function no longer runs when this returns.
void CPipeWireShims_stop(CPipeWireShims_Node *node);

/// `[any]` Why the node ended by itself, or NULL.
///
/// The text lives as long as the node.
const char *_Nullable CPipeWireShims_failure(CPipeWireShims_Node *node);

/// `[control]` Tells the graph how many frames the node takes from input to output.
void CPipeWireShims_setLatency(CPipeWireShims_Node *node, uint32_t frameCount);

/// `[control]` The number of links between the node and its target that carry audio now.
uint32_t CPipeWireShims_activeLinkCount(CPipeWireShims_Node *node);

/// The daemon's own record of a node.
typedef struct CPipeWireShims_Profile CPipeWireShims_Profile;

/// `[control]` Makes the daemon report each cycle of the node with this name from now on; NULL and `error` on failure.
CPipeWireShims_Profile *_Nullable CPipeWireShims_openProfile(
    const char *_Nullable socketPath, const char *nodeName, CPipeWireShims_Error *error);
void CPipeWireShims_closeProfile(CPipeWireShims_Profile *profile);

typedef struct {
  /// The node's cycles that the daemon has reported, and those that had not finished when the next one began.
  uint64_t cycles, xruns;
} CPipeWireShims_ProfileCounts;

/// `[control]` The counts so far.
CPipeWireShims_ProfileCounts CPipeWireShims_profileCounts(CPipeWireShims_Profile *profile);

/// A cycle that the node had not finished when the next one began, in nanoseconds of the monotonic clock.
///
/// It holds when the driver asked for both cycles, and how long one lasts.
typedef struct {
  int64_t signal, nextSignal, length;
} CPipeWireShims_UnfinishedCycle;

/// `[control]` Takes the next unfinished cycle, of the last 256; false if there is none.
bool CPipeWireShims_takeUnfinishedCycle(CPipeWireShims_Profile *profile, CPipeWireShims_UnfinishedCycle *cycle);

/// `[any]` The kernel's id of the calling thread.
int32_t CPipeWireShims_currentThread(void) __attribute__((swift_attr("@_noLocks")));

/// `[control]` Whether a daemon answers at `socketPath` (NULL: the environment's).
///
/// If `sinkName` is given, that sink must also be the session's default already.
bool CPipeWireShims_isReachable(const char *_Nullable socketPath, const char *_Nullable sinkName);

/// `[control]` Raises the soft limits on real-time priority and locked memory as far as allowed.
///
/// PipeWire's data thread can then get SCHED_FIFO. Returns the priority allowed after that.
int32_t CPipeWireShims_raiseLimits(void);

/// `[control]` Makes a pipe that children do not inherit.
///
/// Returns an errno, 0 for success.
int CPipeWireShims_pipe(int *ends);

/// `[control]` Starts `arguments[0]`, which is searched for in PATH, in a process group (0: one of its own).
///
/// The child has default signals, and only its standard descriptors. `standardInput` is a descriptor, or -1 for /dev/null.
/// `log` takes the output, or is NULL. Both arrays end with NULL. Returns an errno, 0 for success.
int CPipeWireShims_spawn(
    int *child, int group, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment, int standardInput,
    const char *_Nullable log);

#ifdef __clang__
#pragma clang assume_nonnull end
#endif
