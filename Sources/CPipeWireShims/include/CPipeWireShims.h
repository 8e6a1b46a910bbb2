// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// PipeWire in plain C types: its own API is inline functions and variadic macros, which Swift cannot import.
//
// Threads: `[control]` functions may block and allocate. The process function runs on PipeWire's data
// thread and must neither block nor allocate. PipeWire's loop thread is internal to the shims.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __clang__
#pragma clang assume_nonnull begin
#endif

/// One node in PipeWire's graph, its connection and the links that it made.
typedef struct CPipeWireShims_Node CPipeWireShims_Node;

/// A MIDI message of up to three bytes and the frame of the cycle at which it falls.
typedef struct {
  uint32_t frameOffset;
  uint8_t byteCount;
  uint8_t bytes[3];
} CPipeWireShims_MIDIEvent;

enum { CPipeWireShims_midiCapacity = 256 };

/// What the graph asks for in one cycle. All pointers are good until the process function returns.
typedef struct {
  /// The driver's frame counter at the first frame, and its identity; a jump is a missed cycle.
  uint64_t position;
  uint32_t clockIdentifier;
  /// CLOCK_MONOTONIC nanoseconds at which the cycle began.
  uint64_t nanoseconds;
  uint32_t frameCount;
  /// Frames a second.
  uint32_t sampleRate;
  /// The node was started or moved since the last cycle, so a jump of `position` means nothing.
  bool isDiscontinuous;
  /// The last cycle ended after its deadline.
  bool wasLate;
  /// The graph runs as fast as it can and nobody listens.
  bool isFreewheeling;
  uint32_t inputCount;
  uint32_t outputCount;
  /// Input memory belongs to other nodes too: read only.
  float *_Nonnull const *_Nonnull inputs;
  float *_Nonnull const *_Nonnull outputs;
  uint32_t midiCount;
  const CPipeWireShims_MIDIEvent *_Nonnull midi;
} CPipeWireShims_Cycle;

typedef void (*CPipeWireShims_ProcessFunction)(void *_Nullable context, const CPipeWireShims_Cycle *_Nullable cycle);

/// Where a side of the node is linked to.
typedef enum {
  CPipeWireShims_LinkNothing = 0,
  /// The session's default sink or source, followed as it changes.
  CPipeWireShims_LinkDefault = 1,
  /// The node of the given name, once it is there.
  CPipeWireShims_LinkNamed = 2,
} CPipeWireShims_LinkPolicy;

typedef struct {
  /// The daemon's socket, or NULL for the one that the environment names.
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
  /// The quantum or the rate is forced upon the graph while the node runs.
  bool forcesQuantum;
  bool forcesSampleRate;
  /// Runs although nothing is linked.
  bool alwaysProcesses;
  /// Stays silent, without calling the process function, until the output is linked.
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

/// Which step of starting failed.
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
  /// What PipeWire said, or the names of the sinks or sources that there are.
  char text[512];
} CPipeWireShims_Error;

/// `[control]` Connects, makes the node and its links, and starts it; NULL and `error` when it cannot.
CPipeWireShims_Node *_Nullable CPipeWireShims_start(
    const CPipeWireShims_Configuration *configuration, CPipeWireShims_Error *error);

/// `[control]` Stops and frees. The process function runs no more when this returns.
void CPipeWireShims_stop(CPipeWireShims_Node *node);

/// `[any]` Why the node went away by itself, or NULL. The text lives as long as the node.
const char *_Nullable CPipeWireShims_failure(CPipeWireShims_Node *node);

/// `[control]` Tells the graph how many frames the node takes from input to output.
void CPipeWireShims_setLatency(CPipeWireShims_Node *node, uint32_t frameCount);

/// `[control]` Links between the node and its target that carry audio now.
uint32_t CPipeWireShims_activeLinkCount(CPipeWireShims_Node *node);

/// The daemon's own account of a node.
typedef struct CPipeWireShims_Profile CPipeWireShims_Profile;

/// `[control]` Has the daemon tell, from now on, how each cycle of the node of that name went; NULL and `error` when it cannot.
CPipeWireShims_Profile *_Nullable CPipeWireShims_openProfile(
    const char *_Nullable socketPath, const char *nodeName, CPipeWireShims_Error *error);
void CPipeWireShims_closeProfile(CPipeWireShims_Profile *profile);

typedef struct {
  /// Cycles of the node that the daemon has told of, and those in which it was not done when the next one began.
  uint64_t cycles, xruns;
} CPipeWireShims_ProfileCounts;

/// `[control]`
CPipeWireShims_ProfileCounts CPipeWireShims_profileCounts(CPipeWireShims_Profile *profile);

/// A cycle that the node had not finished when the next one began: when the driver asked for both, on the monotonic clock, and
/// how long one lasts; nanoseconds.
typedef struct {
  int64_t signal, nextSignal, length;
} CPipeWireShims_UnfinishedCycle;

/// `[control]` The next of them that has not been taken yet, of the last 256; whether there was one.
bool CPipeWireShims_takeUnfinishedCycle(CPipeWireShims_Profile *profile, CPipeWireShims_UnfinishedCycle *cycle);

/// `[any]` Kernel thread id of the calling thread.
int32_t CPipeWireShims_currentThread(void) __attribute__((swift_attr("@_noLocks")));

/// `[control]` Whether a daemon answers at `socketPath` (NULL: the environment's) and, if `sinkName`
/// is given, whether that sink is the session's default already.
bool CPipeWireShims_isReachable(const char *_Nullable socketPath, const char *_Nullable sinkName);

/// `[control]` Raises the soft limits for real-time priority and locked memory as far as allowed, so
/// that PipeWire's data thread can get SCHED_FIFO. Returns the priority allowed after that.
int32_t CPipeWireShims_raiseLimits(void);

/// `[control]` A pipe that children don't inherit. Returns an errno, 0 for success.
int CPipeWireShims_pipe(int *ends);

/// `[control]` Starts `arguments[0]`, looked for in PATH, in a process group (0: one of its own) with
/// default signals and no descriptors but its standard ones. `standardInput` is a descriptor, or -1 for
/// /dev/null; `log` takes its output, or NULL. Both arrays end with NULL. Returns an errno, 0 for success.
int CPipeWireShims_spawn(
    int *child, int group, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment, int standardInput,
    const char *_Nullable log);

#ifdef __clang__
#pragma clang assume_nonnull end
#endif
