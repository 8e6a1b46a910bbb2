// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The shared declarations of the shims' files; only this file includes PipeWire's main headers.
#pragma once

// In the library's own order: the metadata header does not compile on its own.
#include <pipewire/pipewire.h>
#include <pipewire/filter.h>
#include <pipewire/extensions/metadata.h>
#include <spa/param/latency-utils.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "CPipeWireShims.h"

enum {
  /// The kind of a control that holds packets; headers before 1.4 have no name for it.
  CPipeWireShims_universalControl = 4,
  /// PipeWire's own limit for the size of DSP buffers.
  maximumFrameCount = 8192,
  maximumChannelCount = 64,
  answerSeconds = 3,
  /// The most links to MIDI ports whose sources are told apart.
  midiSourceCapacity = 48,
};

/// A connection with its own loop thread and a copy of the graph. The loop's lock guards it.
typedef struct {
  struct pw_thread_loop *loop;
  struct pw_context *context;
  struct pw_core *core;
  struct spa_hook coreListener;
  struct pw_registry *registry;
  struct spa_hook registryListener;
  struct pw_metadata *metadata;
  struct spa_hook metadataListener;
  uint32_t metadataIdentifier;
  int pendingSync;
  int doneSync;
  char defaultSink[256];
  char defaultSource[256];
  struct spa_list objects;
  /// Written once, on the loop thread, before `hasFailed`.
  char failure[512];
  atomic_bool hasFailed;
  /// True if a failure, and a target that comes or goes, is written to an eventfd. The shims do not close that.
  bool tellsOfFailure;
  int failureEvent;
  /// Called under the lock when the copy of the graph has changed, and when links or MIDI ports come or go.
  void (*changed)(void *context);
  void (*linksChanged)(void *context);
  void *changedContext;
} Connection;

typedef enum { objectNode, objectPort, objectMIDIPort, objectLink } ObjectKind;

/// A node, a port or a link that the registry reported.
typedef struct {
  struct spa_list link;
  ObjectKind kind;
  uint32_t identifier;
  char name[256];
  /// The names that a desktop shows, and the number of the object, of a node; empty without one.
  char description[256], nick[256], serial[24];
  char mediaClass[64];
  char channel[16];
  uint32_t nodeIdentifier;
  uint32_t portIndex;
  int32_t priority;
  /// True if a host like this one made the sink or source.
  bool isVirtual;
  enum pw_direction direction;
  /// The two ports of a link.
  uint32_t outputPort, inputPort;
} Object;

/// A link that the shims made, or that the user has removed since.
typedef struct {
  struct spa_list link;
  uint32_t outputPort;
  uint32_t inputPort;
  struct pw_proxy *proxy;
  struct spa_hook proxyListener;
  struct spa_hook linkListener;
  enum pw_link_state state;
  CPipeWireShims_Node *node;
} Link;

/// One audio port of the node, or a place for one.
typedef struct {
  /// PipeWire's data of the port; NULL without a port. The control thread writes it, and the data thread reads it.
  _Atomic(void *) handle;
  char name[128];
  /// Memory for a port without a link: silence for an input; the samples of an output are dropped.
  float *scratch;
  struct spa_latency_info latency[2];
} Port;

/// An outgoing MIDI message.
typedef struct {
  uint8_t byteCount;
  uint8_t bytes[3];
} OutgoingMIDI;

/// The port for outgoing MIDI, and the ring of its messages: one thread writes, the data thread reads.
typedef struct {
  /// PipeWire's data of the port; NULL without a port.
  void *port;
  /// True if it carries packets.
  bool isUniversal;
  OutgoingMIDI messages[CPipeWireShims_midiCapacity];
  atomic_uint written;
  atomic_uint read;
  /// True if the last cycle had a buffer for the port, which shows that it is linked.
  atomic_bool isLinked;
} MIDIOutput;

/// A keyboard or program that is linked to a MIDI port.
typedef struct {
  bool isThere;
  /// True once its ear has got a link, or was to get one.
  bool isEarLinked;
  /// The numbers of the link and of the source's port in the registry, and the index of the node's MIDI port.
  uint32_t link, outputPort, port;
  /// The index of its ear; below 0 for the first source of a port.
  int ear;
} MIDISource;

/// A port that hears one source alone. The loop thread makes it, and the data thread reads it.
typedef struct {
  _Atomic(void *) handle;
  /// The index of the port that merges the source with others; written before the handle.
  uint8_t port;
  char name[128];
  struct pw_proxy *proxy;
  struct spa_hook proxyListener;
} MIDIEar;

struct CPipeWireShims_Node {
  Connection connection;
  struct pw_filter *filter;
  struct spa_hook filterListener;
  bool waitsForLinks;
  /// True if the node may start before the target of a side exists, by direction.
  bool awaits[2];
  CPipeWireShims_LinkPolicy policy[2];
  char target[2][256];
  /// The nodes that the sides are linked to; empty without one.
  char linked[2][256];
  /// The virtual device that the node belongs to; NULL without one.
  struct pw_proxy *device;
  struct spa_hook deviceListener;
  CPipeWireShims_DeviceKind deviceKind;
  /// The session's default devices that were linked last, for the time while the virtual device is the default.
  char formerDefault[2][256];
  struct spa_list links;
  uint32_t latencyFrames;
  CPipeWireShims_ProcessFunction process;
  void *context;
  /// The port places by direction. Places after the main ports may be empty; their ports come and go while the node runs.
  atomic_uint portCount[2];
  /// The first ports, which may be linked to the source and the sink.
  uint32_t mainCount[2];
  /// The number of places in the present cycle, which belongs to the data thread.
  uint32_t cycleCount[2];
  Port ports[2][maximumChannelCount];
  uint32_t midiPortCount;
  void *midiPorts[CPipeWireShims_midiPortCapacity];
  char midiPortNames[CPipeWireShims_midiPortCapacity][128];
  MIDISource midiSources[midiSourceCapacity];
  MIDIEar midiEars[CPipeWireShims_midiEarCapacity];
  /// The ports whose first source is gone, and the ears whose source is, until the next cycle; a bit for each.
  atomic_uint endedMIDIPorts;
  atomic_uint endedMIDIEars;
  MIDIOutput midiOutput;
  /// The number of channels that share the only port at the other end of their links, by direction; 1 if none do.
  atomic_uint sharing[2];
  float *buffers[2][maximumChannelCount];
  CPipeWireShims_MIDIEvent midi[CPipeWireShims_midiCapacity];
  atomic_bool isRunning;
  atomic_bool isDiscontinuous;
  bool wasLate;
};

// Connection.c. Callers hold the loop's lock, except in open, stopLoop and close.
bool Connection_open(Connection *connection, const char *socketPath, CPipeWireShims_Error *error);
void Connection_stopLoop(Connection *connection);
void Connection_close(Connection *connection);
bool Connection_roundtrip(Connection *connection);
bool Connection_wait(Connection *connection, struct timespec *until);
void Connection_fail(Connection *connection, const char *text);
bool CPipeWireShims_setError(CPipeWireShims_Error *error, CPipeWireShims_Step step, int code, const char *text);

// Version.c
bool CPipeWireShims_hasUniversalMIDI(void);
const char *CPipeWireShims_clientConfiguration(void);

// Registry.c
void Registry_open(Connection *connection);
void Registry_close(Connection *connection);
const Object *Registry_node(Connection *connection, const char *name, const char *mediaClass);
const Object *Registry_device(Connection *connection, const char *name, bool isSink);
const Object *Registry_default(Connection *connection, bool isSink);
const Object *Registry_realDefault(Connection *connection, bool isSink, char former[256]);
uint32_t Registry_ports(
    Connection *connection, uint32_t node, enum pw_direction direction, const Object **ports, uint32_t capacity);
const Object *Registry_midiPort(Connection *connection, uint32_t node, uint32_t identifier, const char *name);
bool Registry_isLinked(Connection *connection, uint32_t node, enum pw_direction direction, const char *name);
void Registry_list(Connection *connection, const char *mediaClass, char *text, size_t size);

// Links.c
void Links_update(CPipeWireShims_Node *node);
bool Links_areActive(CPipeWireShims_Node *node);
bool Links_describeLack(CPipeWireShims_Node *node, char *text, size_t size);
void Links_close(CPipeWireShims_Node *node);
const Object *Links_target(CPipeWireShims_Node *node, enum pw_direction direction);

// VirtualDevice.c. Callers of `make` hold the loop's lock; before `close` the loop has stopped.
bool VirtualDevice_make(
    CPipeWireShims_Node *node, const CPipeWireShims_Configuration *configuration, CPipeWireShims_Error *error);
bool VirtualDevice_awaitLinks(CPipeWireShims_Node *node, struct timespec *until);
void VirtualDevice_close(CPipeWireShims_Node *node);

// Ports.c
void CPipeWireShims_nameChannel(const char *names, uint32_t index, uint32_t count, char *name, size_t size);
uint32_t CPipeWireShims_portCount(CPipeWireShims_Node *node, enum pw_direction direction);
bool CPipeWireShims_addPorts(CPipeWireShims_Node *node, const CPipeWireShims_Configuration *configuration);
void CPipeWireShims_freePorts(CPipeWireShims_Node *node);
void *CPipeWireShims_addMIDIPort(CPipeWireShims_Node *node, enum pw_direction direction, const char *name);
void CPipeWireShims_awaitDataThread(CPipeWireShims_Node *node);

// MIDISources.c. Before `close` the loop has stopped.
void MIDISources_update(void *node);
void MIDISources_close(CPipeWireShims_Node *node);

// MIDIInput.c, MIDIOutput.c
uint32_t CPipeWireShims_readMIDI(CPipeWireShims_Node *node, uint32_t frameCount);
void CPipeWireShims_writeMIDI(MIDIOutput *output);

// Process.c, Latency.c
void CPipeWireShims_process(void *data, struct spa_io_position *position);
void CPipeWireShims_latencyChanged(CPipeWireShims_Node *node, Port *port, const struct spa_pod *parameter);
void CPipeWireShims_updateLatency(CPipeWireShims_Node *node);
