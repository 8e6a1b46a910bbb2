// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// PipeWire in plain C types: its own API is inline functions and variadic macros, which Swift cannot import.
//
// Threads: `[control]` functions may block and allocate. The process function runs on PipeWire's data thread and must neither
// block nor allocate. PipeWire's loop thread is internal to the shims.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __clang__
#pragma clang assume_nonnull begin
#endif

/// One node in PipeWire's graph, with its connection and the links that it made.
typedef struct CPipeWireShims_Node CPipeWireShims_Node;

/// A MIDI message of up to three bytes, or as many of a system-exclusive one, its frame within the cycle, and the number of its port.
typedef struct {
  uint32_t frameOffset;
  uint8_t port;
  uint8_t byteCount;
  uint8_t bytes[3];
  /// The number of the further source of its port that has sent it, from 1 on; 0 for the first source.
  uint8_t source;
} CPipeWireShims_MIDIEvent;

enum { CPipeWireShims_midiCapacity = 1024, CPipeWireShims_midiPortCapacity = 16, CPipeWireShims_midiEarCapacity = 32 };

/// A message of MIDI 1.0, or up to three bytes of a system-exclusive one.
typedef struct {
  uint8_t byteCount;
  uint8_t bytes[3];
} CPipeWireShims_MIDIMessage;

/// The most messages of MIDI 1.0 that a packet becomes.
enum { CPipeWireShims_messagesOfPacket = 4 };

/// `[any]` The number of words of a Universal MIDI Packet, by its first word; at most 4.
uint32_t CPipeWireShims_packetWordCount(uint32_t first);
/// `[any]` Translates a whole packet into messages of MIDI 1.0, and returns their number; 0 if MIDI 1.0 has none for it.
uint32_t CPipeWireShims_translatePacket(const uint32_t *words, CPipeWireShims_MIDIMessage *messages);
/// `[any]` Writes a message of one to three bytes as a packet, and returns its number of words; at most 2.
uint32_t CPipeWireShims_packMessage(const uint8_t *bytes, uint32_t byteCount, uint32_t *words);

/// The graph's request for one cycle. All pointers are valid until the process function returns.
typedef struct {
  /// The driver's frame counter at the first frame, and the driver's identity. A jump means missed cycles.
  uint64_t position;
  uint32_t clockIdentifier;
  /// CLOCK_MONOTONIC nanoseconds at which the cycle began.
  uint64_t nanoseconds;
  uint32_t frameCount;
  /// Frames a second.
  uint32_t sampleRate;
  /// The time of the monotonic clock at which the data thread began the cycle.
  uint64_t startNanoseconds;
  /// True if the node was started or moved since the last cycle; then a jump of `position` has no meaning.
  bool isDiscontinuous;
  /// True if the last cycle ended after its deadline.
  bool wasLate;
  /// True if the graph runs as fast as possible, and plays to no device.
  bool isFreewheeling;
  uint32_t inputCount;
  uint32_t outputCount;
  /// The number of main inputs, which come first and exist in each cycle. Later inputs come and go.
  uint32_t mainInputCount;
  uint32_t mainOutputCount;
  /// The input memory also belongs to other nodes: it is read-only.
  float *_Nonnull const *_Nonnull inputs;
  float *_Nonnull const *_Nonnull outputs;
  uint32_t midiCount;
  const CPipeWireShims_MIDIEvent *_Nonnull midi;
  /// The ports whose first source is gone since the last cycle, and the further sources that are; a bit for each, from bit 0 on.
  uint32_t endedMIDIPorts;
  uint32_t endedMIDIEars;
} CPipeWireShims_Cycle;

/// `[render]` Renders one cycle.
typedef void (*CPipeWireShims_ProcessFunction)(void *_Nullable context, const CPipeWireShims_Cycle *_Nullable cycle);

/// The target to which a side of the node is linked.
typedef enum {
  CPipeWireShims_LinkNothing = 0,
  /// The node of the given name while it exists, otherwise the session's default sink or source, even after a change of the
  /// default.
  CPipeWireShims_LinkDefault = 1,
  /// The node of the given name, once it exists.
  CPipeWireShims_LinkNamed = 2,
} CPipeWireShims_LinkPolicy;

/// The device that programs see instead of the node.
typedef enum {
  CPipeWireShims_NoDevice = 0,
  /// A sink: the programs' sound arrives at the inputs.
  CPipeWireShims_Sink = 1,
  /// A source: programs record the sound of the outputs.
  CPipeWireShims_Source = 2,
} CPipeWireShims_DeviceKind;

/// The description of the node, and its requests to the graph.
typedef struct {
  /// The daemon's socket, or NULL for the one of the environment.
  const char *_Nullable socketPath;
  const char *nodeName;
  const char *nodeDescription;
  const char *mediaName;
  /// The category is "Playback", "Capture", "Duplex" or "Filter"; the role is "Music", "DSP" or another.
  const char *mediaCategory;
  const char *mediaRole;
  uint32_t inputCount;
  uint32_t outputCount;
  /// The names of the channels by direction, separated by spaces; empty for the usual ones. Copied.
  const char *_Nullable channelNames[2];
  /// The names and channels of further input ports, which follow the main ones and are not linked to a source. Copied.
  const char *_Nonnull const *_Nullable furtherPortNames;
  const char *_Nonnull const *_Nullable furtherPortChannels;
  uint32_t furtherPortCount;
  /// The names of the MIDI input ports, at most CPipeWireShims_midiPortCapacity. Copied.
  const char *_Nonnull const *_Nullable midiPortNames;
  uint32_t midiPortCount;
  /// The name of the MIDI output port, or NULL for none. Copied.
  const char *_Nullable midiOutputName;
  /// The frames of a cycle; zero leaves the choice to the graph.
  uint32_t quantum;
  uint32_t sampleRate;
  /// True if the graph must use the quantum or the rate while the node runs.
  bool forcesQuantum;
  bool forcesSampleRate;
  /// True if the node runs even without links.
  bool alwaysProcesses;
  /// True if the node stays silent, without calling the process function, until its output is linked.
  bool waitsForLinks;
  CPipeWireShims_LinkPolicy sinkPolicy;
  CPipeWireShims_LinkPolicy sourcePolicy;
  const char *_Nullable sinkName;
  const char *_Nullable sourceName;
  /// True if the node starts without its source. It then hears silence, and is linked to the source once that exists.
  bool awaitsSource;
  /// True if the node starts without its sink. A node that waits for links also starts without them.
  bool awaitsSink;
  /// A virtual device that the node belongs to. It has the channels of the side that is linked to it; that side's policy and
  /// name are ignored. Its name must differ from those of all nodes.
  CPipeWireShims_DeviceKind deviceKind;
  const char *_Nullable deviceName;
  const char *_Nullable deviceDescription;
  /// An eventfd that is written when the connection fails, and when a target comes or goes; or a negative number.
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
  CPipeWireShims_StepDevice,
} CPipeWireShims_Step;

/// The reason why starting failed.
typedef struct {
  CPipeWireShims_Step step;
  /// A positive errno.
  int code;
  /// PipeWire's message, or the names of the sinks or sources that exist.
  char text[512];
} CPipeWireShims_Error;

/// `[control]` Connects, makes the node and its links, and starts it. Returns NULL and sets `error` on failure.
CPipeWireShims_Node *_Nullable CPipeWireShims_start(
    const CPipeWireShims_Configuration *configuration, CPipeWireShims_Error *error);

/// `[control]` Stops and frees the node. The process function does not run after this returns.
void CPipeWireShims_stop(CPipeWireShims_Node *node);

/// `[any]` The reason why the node ended by itself, or NULL. The text lives as long as the node.
const char *_Nullable CPipeWireShims_failure(CPipeWireShims_Node *node);

/// `[control]` Reports the node's latency to the graph, in frames from input to output.
void CPipeWireShims_setLatency(CPipeWireShims_Node *node, uint32_t frameCount);

/// `[control]` Sends a MIDI message of one to three bytes at the first frame of the next cycle; one thread at a time. Returns
/// false without a port, without a link to the port, and while CPipeWireShims_midiCapacity messages wait.
bool CPipeWireShims_sendMIDI(CPipeWireShims_Node *node, const uint8_t *bytes, uint32_t byteCount);

/// `[control]` The number of links between the node and its target that carry audio now.
uint32_t CPipeWireShims_activeLinkCount(CPipeWireShims_Node *node);

/// `[control]` The number of the node's outputs that are added up in the only port of the sink, or of the source's outputs in the only
/// input of the node; 1 if none are. Each is lowered, so that the sum is their mean.
uint32_t CPipeWireShims_sharingCount(CPipeWireShims_Node *node, bool isOutput);

/// `[control]` Adds a port at a place after the main ones, while the node runs. Its name must differ from those of other ports.
/// Returns false if the place is taken or beyond the 64th port, and if memory or the connection is lost.
bool CPipeWireShims_addPort(CPipeWireShims_Node *node, bool isInput, uint32_t place, const char *name, const char *channel);

/// `[control]` Removes the port at a place after the main ones, with its links. The place is silent from then on.
void CPipeWireShims_removePort(CPipeWireShims_Node *node, bool isInput, uint32_t place);

/// `[control]` True if the port at a place after the main ones has a link.
bool CPipeWireShims_isPortLinked(CPipeWireShims_Node *node, bool isInput, uint32_t place);

/// `[control]` Copies the name of the node that the outputs or the inputs are linked to; an empty one without a node.
void CPipeWireShims_linkedTarget(CPipeWireShims_Node *node, bool isSink, char *name, uint32_t size);

/// `[any]` Replaces the inputs of all nodes of this process by silence, or ends that.
void CPipeWireShims_setInputMuted(bool isMuted);
/// `[any]` True if the inputs are replaced by silence.
bool CPipeWireShims_isInputMuted(void);

/// The sinks and sources of the session, watched.
typedef struct CPipeWireShims_Devices CPipeWireShims_Devices;

/// A sink or source. Unknown texts are empty. Texts are valid during the call that gets them.
typedef struct {
  const char *name;
  const char *description;
  /// The short name that a desktop shows, and the number of the object in the session.
  const char *nick;
  const char *serial;
  bool isSink;
  /// Properties of the device: "headphone", "bluez5", "usb", "audio-headphones".
  const char *formFactor;
  const char *api;
  const char *bus;
  const char *iconName;
  /// The profile of the card, such as "analog-stereo"; the active port, and its type, such as "headphones".
  const char *profileName;
  const char *routeName;
  const char *portType;
  /// "FL", "FR", ...
  uint32_t channelCount;
  const char *_Nonnull const *_Nonnull channels;
  /// The volume that users see, 0 to 1 and more; 0 while it is muted.
  float volume;
} CPipeWireShims_Device;

/// The session's choices. Missing texts are empty. Everything is valid during the call that gets it.
typedef struct {
  const char *sinkName;
  const char *sourceName;
  /// The rate in hertz and the cycle's length in frames if no node requests others. Values that are not forced are zero.
  uint32_t rate, quantum, minimumQuantum, maximumQuantum, forcedRate, forcedQuantum;
  uint32_t allowedRateCount;
  uint32_t allowedRates[16];
  /// True if a stream of any program plays. Nodes of these shims are filters, and do not count.
  bool hasRunningStreams;
} CPipeWireShims_Choices;

/// `[control]` Begins to watch the devices. Returns NULL and sets `error` on failure.
CPipeWireShims_Devices *_Nullable CPipeWireShims_openDevices(const char *_Nullable socketPath, CPipeWireShims_Error *error);
/// `[control]` Ends the watch, and frees it.
void CPipeWireShims_closeDevices(CPipeWireShims_Devices *devices);
/// `[any]` A non-blocking eventfd that is written at each change, and when the connection fails.
int CPipeWireShims_devicesEvent(CPipeWireShims_Devices *devices);
/// `[control]` Writes to another eventfd, too, at each change; a negative number ends that.
void CPipeWireShims_tellOfDevices(CPipeWireShims_Devices *devices, int event);
/// `[control]` Calls `choices` once and `device` for each sink and source, with `context`; nothing changes meanwhile.
void CPipeWireShims_readDevices(
    CPipeWireShims_Devices *devices, void *context,
    void (*choices)(void *_Nullable context, const CPipeWireShims_Choices *_Nullable choices),
    void (*device)(void *_Nullable context, const CPipeWireShims_Device *_Nullable device));
/// `[any]` The reason why the connection failed, or NULL. The text lives as long as the devices.
const char *_Nullable CPipeWireShims_devicesFailure(CPipeWireShims_Devices *devices);

/// The daemon's statistics of one node.
typedef struct CPipeWireShims_Profile CPipeWireShims_Profile;

/// `[control]` Makes the daemon report each cycle of the node of that name from now on. Returns NULL and sets `error` on
/// failure.
CPipeWireShims_Profile *_Nullable CPipeWireShims_openProfile(
    const char *_Nullable socketPath, const char *nodeName, CPipeWireShims_Error *error);
/// `[control]` Ends the reports and frees the profile.
void CPipeWireShims_closeProfile(CPipeWireShims_Profile *profile);

/// Counts since the profile was opened.
typedef struct {
  /// The cycles that the daemon has reported, and those that the node had not finished when the next one began.
  uint64_t cycles, xruns;
} CPipeWireShims_ProfileCounts;

/// `[control]` The counts so far.
CPipeWireShims_ProfileCounts CPipeWireShims_profileCounts(CPipeWireShims_Profile *profile);

/// A cycle that the node had not finished when the next one began. `signal` and `nextSignal` are the times of the driver's
/// requests for the two, on the monotonic clock; `length` is the duration of a cycle. All are nanoseconds.
typedef struct {
  int64_t signal, nextSignal, length;
} CPipeWireShims_UnfinishedCycle;

/// `[control]` Takes the oldest of the last 256 unfinished cycles that has not been taken yet. Returns whether there was one.
bool CPipeWireShims_takeUnfinishedCycle(CPipeWireShims_Profile *profile, CPipeWireShims_UnfinishedCycle *cycle);

/// `[any]` The kernel's id of the calling thread.
int32_t CPipeWireShims_currentThread(void) __attribute__((swift_attr("@_noLocks")));

/// `[control]` True if a daemon answers at `socketPath` (NULL: the environment's). With a `sinkName` also whether that sink is
/// the session's default and has ports.
bool CPipeWireShims_isReachable(const char *_Nullable socketPath, const char *_Nullable sinkName);

/// `[control]` Raises the soft limits for real-time priority and locked memory as far as allowed, so that PipeWire's data
/// thread can get SCHED_FIFO. Returns the permitted priority.
int32_t CPipeWireShims_raiseLimits(void);

/// `[any]` True if the loaded library is of this version or a newer one.
bool CPipeWireShims_isAtLeast(int major, int minor, int micro);

/// `[control]` Makes a pipe that children do not inherit. Returns 0 or an errno.
int CPipeWireShims_pipe(int *ends);

/// `[control]` Starts `arguments[0]`, found through PATH, in a process group (0: a new one). The child has default signals and
/// only the standard descriptors. `standardInput` is a descriptor, or -1 for /dev/null. The output is appended to `log`, or
/// goes to /dev/null for NULL. Both arrays end with NULL. Returns 0 or an errno.
int CPipeWireShims_spawn(
    int *child, int group, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment, int standardInput,
    const char *_Nullable log);

#ifdef __clang__
#pragma clang assume_nonnull end
#endif
