// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The connection and its nodes. Control thread and PipeWire's loop thread.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Private.h"

const char *CPipeWireFilter_version(void) { return pw_get_library_version(); }

/// Notes a failure; the first one is the cause.
bool Client_fail(CPipeWireFilter_Client *client, const char *text) {
  if (!client->hasFailed) snprintf(client->failure, sizeof client->failure, "%s", text);
  client->hasFailed = true;
  pw_thread_loop_signal(client->loop, false);
  return false;
}

static void coreDone(void *data, uint32_t identifier, int sequence) {
  CPipeWireFilter_Client *client = data;
  if (identifier == PW_ID_CORE) client->doneSync = sequence;
  pw_thread_loop_signal(client->loop, false);
}

static void coreError(void *data, uint32_t identifier, int sequence, int result, const char *message) {
  (void)identifier, (void)sequence;
  Client_fail(data, message ? message : strerror(-result));
}

static const struct pw_core_events coreEvents = {PW_VERSION_CORE_EVENTS, .done = coreDone, .error = coreError};

bool Client_wait(CPipeWireFilter_Client *client, struct timespec *until) {
  if (client->hasFailed) return false;
  return pw_thread_loop_timed_wait_full(client->loop, until) == 0 && !client->hasFailed;
}

bool Client_roundtrip(CPipeWireFilter_Client *client) {
  struct timespec until;
  pw_thread_loop_get_time(client->loop, &until, (int64_t)answerSeconds * SPA_NSEC_PER_SEC);
  int sequence = pw_core_sync(client->core, PW_ID_CORE, 0);
  while (client->doneSync != sequence)
    if (!Client_wait(client, &until)) return Client_fail(client, "the daemon did not answer within three seconds");
  return true;
}

/// The configuration that gives the data thread a real-time rank; since 1.3.81 that of every client does.
static const char *configurationName(void) {
  int major = 0, minor = 0, micro = 0;
  sscanf(pw_get_library_version(), "%d.%d.%d", &major, &minor, &micro);
  return major * 1000000 + minor * 1000 + micro >= 1003081 ? "client.conf" : "client-rt.conf";
}

static bool openClient(CPipeWireFilter_Client *client) {
  client->loop = pw_thread_loop_new("filter", NULL);
  if (!client->loop) return false;
  // The configuration that gives a client's data thread a real-time rank, where the system grants it one.
  struct pw_properties *properties = pw_properties_new(PW_KEY_CONFIG_NAME, configurationName(), NULL);
  client->context = pw_context_new(pw_thread_loop_get_loop(client->loop), properties, 0);
  if (!client->context || pw_thread_loop_start(client->loop) != 0) return Client_fail(client, "no context can be made");
  pw_thread_loop_lock(client->loop);
  client->core = pw_context_connect(client->context, NULL, 0);
  bool isOpen = client->core != NULL;
  if (isOpen) {
    pw_core_add_listener(client->core, &client->coreListener, &coreEvents, client);
    Graph_open(client);
    isOpen = Client_roundtrip(client);
  } else {
    Client_fail(client, strerror(errno));
  }
  pw_thread_loop_unlock(client->loop);
  return isOpen;
}

CPipeWireFilter_Client *CPipeWireFilter_connect(char *text, uint32_t size) {
  pw_init(NULL, NULL);
  CPipeWireFilter_Client *client = calloc(1, sizeof *client);
  if (!client) return NULL;
  spa_list_init(&client->objects);
  spa_list_init(&client->links);
  if (openClient(client)) return client;
  snprintf(text, size, "%s", client->failure);
  CPipeWireFilter_close(client);
  return NULL;
}

void CPipeWireFilter_close(CPipeWireFilter_Client *client) {
  if (client->loop) pw_thread_loop_stop(client->loop);
  Graph_close(client);
  for (uint32_t index = 0; index < client->nodeCount; index++) {
    spa_hook_remove(&client->nodes[index].listener);
    pw_filter_destroy(client->nodes[index].filter);
  }
  if (client->core) {
    spa_hook_remove(&client->coreListener);
    pw_core_disconnect(client->core);
  }
  if (client->context) pw_context_destroy(client->context);
  if (client->loop) pw_thread_loop_destroy(client->loop);
  free(client);
}

const char *CPipeWireFilter_failure(CPipeWireFilter_Client *client) {
  pw_thread_loop_lock(client->loop);
  bool hasFailed = client->hasFailed;
  pw_thread_loop_unlock(client->loop);
  return hasFailed ? client->failure : NULL;
}

static void process(void *data, struct spa_io_position *position) {
  Node *node = data;
  node->process(node, (uint32_t)position->clock.duration);
  if (!node->page) return;
  // Relaxed: a reader waits for the values alone, and for nothing that was written before.
  if (atomic_load_explicit(&node->page->dataThread, memory_order_relaxed) == 0)
    atomic_store_explicit(&node->page->dataThread, (int32_t)syscall(SYS_gettid), memory_order_relaxed);
  atomic_fetch_add_explicit(&node->page->cycles, 1, memory_order_relaxed);
}

static void stateChanged(void *data, enum pw_filter_state old, enum pw_filter_state state, const char *error) {
  CPipeWireFilter_Client *client = ((Node *)data)->client;
  (void)old;
  if (state == PW_FILTER_STATE_ERROR) Client_fail(client, error ? error : "the node failed");
  pw_thread_loop_signal(client->loop, false);
}

static const struct pw_filter_events filterEvents = {
    PW_VERSION_FILTER_EVENTS, .state_changed = stateChanged, .process = process};

static void *addPort(Node *node, enum pw_direction direction, int index) {
  struct pw_properties *properties = pw_properties_new(PW_KEY_FORMAT_DSP, "32 bit float mono audio", NULL);
  pw_properties_setf(properties, PW_KEY_PORT_NAME, "%s_%d", direction == PW_DIRECTION_INPUT ? "input" : "output", index);
  return pw_filter_add_port(node->filter, direction, PW_FILTER_PORT_FLAG_MAP_BUFFERS, 1, properties, NULL, 0);
}

/// Adds a node with ports on the given sides, and makes it known to the daemon. Called under the lock.
static Node *addNode(
    CPipeWireFilter_Client *client, const char *name, Process *call, bool hasInputs, bool hasOutputs, Page *page) {
  if (client->nodeCount == mostNodes) return NULL;
  Node *node = &client->nodes[client->nodeCount];
  struct pw_properties *properties = pw_properties_new(
      PW_KEY_NODE_NAME, name, PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY, "Filter", PW_KEY_MEDIA_ROLE, "DSP", NULL);
  node->filter = pw_filter_new(client->core, name, properties);
  if (!node->filter) return NULL;
  (node->client = client), (node->process = call), (node->page = page);
  client->nodeCount++;
  pw_filter_add_listener(node->filter, &node->listener, &filterEvents, node);
  for (int index = 0; index < CPipeWireFilter_channelCount; index++) {
    if (hasInputs && !(node->inputs[index] = addPort(node, PW_DIRECTION_INPUT, index))) return NULL;
    if (hasOutputs && !(node->outputs[index] = addPort(node, PW_DIRECTION_OUTPUT, index))) return NULL;
  }
  if (pw_filter_connect(node->filter, PW_FILTER_FLAG_RT_PROCESS, NULL, 0) < 0) return NULL;
  struct timespec until;
  pw_thread_loop_get_time(client->loop, &until, (int64_t)answerSeconds * SPA_NSEC_PER_SEC);
  while (pw_filter_get_node_id(node->filter) == SPA_ID_INVALID)
    if (!Client_wait(client, &until)) return NULL;
  return Client_roundtrip(client) ? node : NULL;
}

bool CPipeWireFilter_addGain(CPipeWireFilter_Client *client, const char *name, float gain, CPipeWireFilter_Page *memory) {
  Page *page = memory;
  pw_thread_loop_lock(client->loop);
  Node *node = addNode(client, name, Process_gain, true, true, page);
  if (node) {
    node->gain = gain;
    atomic_store_explicit(&page->node, pw_filter_get_node_id(node->filter), memory_order_release);
  } else {
    Client_fail(client, "the filter could not be made");
  }
  pw_thread_loop_unlock(client->loop);
  return node != NULL;
}

bool CPipeWireFilter_addEnds(CPipeWireFilter_Client *client, CPipeWireFilter_Page *page) {
  pw_thread_loop_lock(client->loop);
  bool isThere = addNode(client, "chain-head", Process_head, false, true, page)
                 && addNode(client, "chain-tail", Process_tail, true, true, NULL);
  if (!isThere) Client_fail(client, "the ends of the chain could not be made");
  pw_thread_loop_unlock(client->loop);
  return isThere;
}

uint32_t CPipeWireFilter_head(CPipeWireFilter_Client *client) { return pw_filter_get_node_id(client->nodes[0].filter); }
uint32_t CPipeWireFilter_tail(CPipeWireFilter_Client *client) { return pw_filter_get_node_id(client->nodes[1].filter); }

// Acquire: a caller that knows the node's number may link it.
uint32_t CPipeWireFilter_node(const CPipeWireFilter_Page *page) {
  return atomic_load_explicit(&((Page *)page)->node, memory_order_acquire);
}

int32_t CPipeWireFilter_dataThread(const CPipeWireFilter_Page *page) {
  return atomic_load_explicit(&((Page *)page)->dataThread, memory_order_relaxed);
}

uint64_t CPipeWireFilter_cycleCount(const CPipeWireFilter_Page *page) {
  return atomic_load_explicit(&((Page *)page)->cycles, memory_order_relaxed);
}
