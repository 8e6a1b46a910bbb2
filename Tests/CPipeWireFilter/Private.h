// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the files of the client share; the only file that includes PipeWire's headers.
#pragma once

#include <pipewire/pipewire.h>
#include <pipewire/filter.h>
#include <stdatomic.h>

#include "CPipeWireFilter.h"

enum { mostNodes = 2, answerSeconds = 3 };

/// In shared memory; each field is written by the filter's process alone.
typedef struct {
  _Atomic uint32_t node;
  _Atomic int32_t dataThread;
  _Atomic uint64_t cycles;
} Page;

typedef struct Node Node;
typedef void Process(Node *node, uint32_t frameCount);

struct Node {
  CPipeWireFilter_Client *client;
  struct pw_filter *filter;
  struct spa_hook listener;
  Process *process;
  void *inputs[CPipeWireFilter_channelCount], *outputs[CPipeWireFilter_channelCount];
  float gain;
  /// The page of a filter or of the head; NULL for the tail.
  Page *page;
};

/// A node or a port that the registry has announced.
typedef struct {
  struct spa_list link;
  uint32_t identifier;
  bool isPort;
  char name[128];
  uint32_t node, index;
  enum pw_direction direction;
} Object;

typedef struct {
  struct spa_list link;
  CPipeWireFilter_Client *client;
  struct pw_proxy *proxy;
  struct spa_hook listener;
  enum pw_link_state state;
} Link;

/// The measurement of the two ends. The data thread owns all fields that are not atomic; it owns `nanoseconds`, `count` and
/// `product` only while `isMeasuring`.
typedef struct {
  atomic_bool isMeasuring;
  uint32_t *nanoseconds;
  uint32_t count;
  float product;
  _Atomic uint32_t done, wrong, missed;
  float gains[CPipeWireFilter_mostGains];
  _Atomic uint32_t gainCount;
  /// The head has written its signal, and the tail has not seen it.
  bool isUnderWay;
  uint64_t left;
  float level;
  uint32_t cycle;
} Times;

/// Guarded by the loop's lock, except for `times`.
struct CPipeWireFilter_Client {
  struct pw_thread_loop *loop;
  struct pw_context *context;
  struct pw_core *core;
  struct spa_hook coreListener;
  struct pw_registry *registry;
  struct spa_hook registryListener;
  struct spa_list objects, links;
  int doneSync;
  bool hasFailed;
  char failure[256];
  Node nodes[mostNodes];
  uint32_t nodeCount;
  Times times;
};

// Client.c
bool Client_fail(CPipeWireFilter_Client *client, const char *text);
bool Client_wait(CPipeWireFilter_Client *client, struct timespec *until);
bool Client_roundtrip(CPipeWireFilter_Client *client);
// Graph.c
void Graph_open(CPipeWireFilter_Client *client);
void Graph_close(CPipeWireFilter_Client *client);
// Process.c
Process Process_gain, Process_head, Process_tail;
