// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The node's life: it connects, describes itself, gets ports and links, and ends. Control thread.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Private.h"

static void stateChanged(void *data, enum pw_filter_state old, enum pw_filter_state state, const char *error) {
  CPipeWireShims_Node *node = data;
  (void)old;
  // Relaxed: only the flag itself is passed.
  atomic_store_explicit(&node->isDiscontinuous, true, memory_order_relaxed);
  if (state == PW_FILTER_STATE_ERROR) Connection_fail(&node->connection, error ? error : "the node failed");
  if (state == PW_FILTER_STATE_UNCONNECTED)
    Connection_fail(&node->connection, error ? error : "the daemon removed the node");
  pw_thread_loop_signal(node->connection.loop, false);
}

static void parameterChanged(void *data, void *portData, uint32_t identifier, const struct spa_pod *parameter) {
  Port *port = portData ? *(Port **)portData : NULL;
  if (port && identifier == SPA_PARAM_Latency) CPipeWireShims_latencyChanged(data, port, parameter);
}

static const struct pw_filter_events filterEvents = {
    PW_VERSION_FILTER_EVENTS,
    .state_changed = stateChanged,
    .param_changed = parameterChanged,
    .process = CPipeWireShims_process,
};

static struct pw_properties *describe(const CPipeWireShims_Configuration *configuration) {
  struct pw_properties *properties = pw_properties_new(
      PW_KEY_NODE_NAME, configuration->nodeName, PW_KEY_NODE_DESCRIPTION, configuration->nodeDescription,
      PW_KEY_MEDIA_NAME, configuration->mediaName, PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY,
      configuration->mediaCategory, PW_KEY_MEDIA_ROLE, configuration->mediaRole, PW_KEY_APP_NAME, "Bulkhead",
      PW_KEY_NODE_ALWAYS_PROCESS, configuration->alwaysProcesses ? "true" : "false", NULL);
  uint32_t quantum = configuration->quantum, rate = configuration->sampleRate;
  if (quantum) pw_properties_setf(properties, PW_KEY_NODE_LATENCY, "%u/%u", quantum, rate ? rate : 48000);
  if (quantum && configuration->forcesQuantum) pw_properties_setf(properties, PW_KEY_NODE_FORCE_QUANTUM, "%u", quantum);
  if (rate) pw_properties_setf(properties, PW_KEY_NODE_RATE, "1/%u", rate);
  if (rate && configuration->forcesSampleRate) pw_properties_setf(properties, PW_KEY_NODE_FORCE_RATE, "%u", rate);
  return properties;
}

static CPipeWireShims_Node *allocate(const CPipeWireShims_Configuration *configuration) {
  CPipeWireShims_Node *node = calloc(1, sizeof *node);
  if (!node) return NULL;
  spa_list_init(&node->links);
  node->process = configuration->process;
  node->connection.tellsOfFailure = configuration->failureEvent >= 0;
  node->connection.failureEvent = configuration->failureEvent;
  node->context = configuration->context;
  node->waitsForLinks = configuration->waitsForLinks;
  node->awaits[PW_DIRECTION_INPUT] = configuration->awaitsSource;
  node->awaits[PW_DIRECTION_OUTPUT] = configuration->awaitsSink;
  node->mainCount[PW_DIRECTION_INPUT] = SPA_MIN(configuration->inputCount, (uint32_t)maximumChannelCount);
  node->mainCount[PW_DIRECTION_OUTPUT] = SPA_MIN(configuration->outputCount, (uint32_t)maximumChannelCount);
  node->policy[PW_DIRECTION_OUTPUT] = configuration->sinkPolicy;
  node->policy[PW_DIRECTION_INPUT] = configuration->sourcePolicy;
  const char *names[] = {configuration->sourceName, configuration->sinkName};
  for (int side = 0; side < 2; side++) snprintf(node->target[side], sizeof node->target[side], "%s", names[side] ? names[side] : "");
  node->deviceKind = configuration->deviceKind;
  for (int side = 0; side < 2; side++) atomic_init(&node->sharing[side], 1);
  atomic_init(&node->isDiscontinuous, true);
  atomic_init(&node->isRunning, false);
  return node;
}

static bool failNode(CPipeWireShims_Node *node, CPipeWireShims_Error *error, int code) {
  return CPipeWireShims_setError(error, CPipeWireShims_StepNode, code, node->connection.failure);
}

static bool checkTarget(CPipeWireShims_Node *node, enum pw_direction direction, CPipeWireShims_Error *error) {
  if (node->policy[direction] == CPipeWireShims_LinkNothing || Links_target(node, direction)) return true;
  if (node->awaits[direction]) return true;
  bool isSink = direction == PW_DIRECTION_OUTPUT;
  CPipeWireShims_setError(error, isSink ? CPipeWireShims_StepSink : CPipeWireShims_StepSource, ENOENT, "");
  Registry_list(&node->connection, isSink ? "Audio/Sink" : "Audio/Source", error->text, sizeof error->text);
  return false;
}

static bool connectFilter(CPipeWireShims_Node *node, CPipeWireShims_Error *error) {
  struct timespec until;
  pw_thread_loop_get_time(node->connection.loop, &until, (int64_t)answerSeconds * SPA_NSEC_PER_SEC);
  enum pw_filter_flags flags = PW_FILTER_FLAG_RT_PROCESS | PW_FILTER_FLAG_CUSTOM_LATENCY;
  int result = pw_filter_connect(node->filter, flags, NULL, 0);
  if (result < 0) return failNode(node, error, -result);
  while (pw_filter_get_node_id(node->filter) == SPA_ID_INVALID)
    if (!Connection_wait(&node->connection, &until)) return failNode(node, error, ETIMEDOUT);
  return Connection_roundtrip(&node->connection) || failNode(node, error, ETIMEDOUT);
}

static bool makeFilter(
    CPipeWireShims_Node *node, const CPipeWireShims_Configuration *configuration, CPipeWireShims_Error *error) {
  node->filter = pw_filter_new(node->connection.core, configuration->nodeName, describe(configuration));
  if (!node->filter) return failNode(node, error, errno);
  pw_filter_add_listener(node->filter, &node->filterListener, &filterEvents, node);
  if (!CPipeWireShims_addPorts(node, configuration)) return failNode(node, error, errno);
  return connectFilter(node, error);
}

static void graphChanged(void *context) { Links_update(context); }

static bool failLinks(CPipeWireShims_Node *node, CPipeWireShims_Error *error) {
  char lack[512];
  bool isKnown = !node->connection.failure[0] && Links_describeLack(node, lack, sizeof lack);
  return CPipeWireShims_setError(error, CPipeWireShims_StepLink, ETIMEDOUT, isKnown ? lack : node->connection.failure);
}

static bool makeLinks(CPipeWireShims_Node *node, CPipeWireShims_Error *error) {
  struct timespec until;
  pw_thread_loop_get_time(node->connection.loop, &until, (int64_t)answerSeconds * SPA_NSEC_PER_SEC);
  node->connection.changed = graphChanged;
  node->connection.linksChanged = MIDISources_update;
  node->connection.changedContext = node;
  Links_update(node);
  MIDISources_update(node);
  if (!node->waitsForLinks) atomic_store_explicit(&node->isRunning, true, memory_order_release);
  // A node without a sink starts with its first link.
  if (!VirtualDevice_awaitLinks(node, &until))
    return CPipeWireShims_setError(error, CPipeWireShims_StepLink, ETIMEDOUT, node->connection.failure);
  while (!node->awaits[PW_DIRECTION_OUTPUT] && !atomic_load_explicit(&node->isRunning, memory_order_relaxed))
    if (!Connection_wait(&node->connection, &until)) return failLinks(node, error);
  return true;
}

static bool build(
    CPipeWireShims_Node *node, const CPipeWireShims_Configuration *configuration, CPipeWireShims_Error *error) {
  return VirtualDevice_make(node, configuration, error) && checkTarget(node, PW_DIRECTION_OUTPUT, error) && checkTarget(node, PW_DIRECTION_INPUT, error)
         && makeFilter(node, configuration, error) && makeLinks(node, error);
}

CPipeWireShims_Node *CPipeWireShims_start(
    const CPipeWireShims_Configuration *configuration, CPipeWireShims_Error *error) {
  CPipeWireShims_setError(error, CPipeWireShims_StepNone, 0, "");
  CPipeWireShims_Node *node = allocate(configuration);
  if (!node) return CPipeWireShims_setError(error, CPipeWireShims_StepMemory, ENOMEM, ""), NULL;
  bool isUp = Connection_open(&node->connection, configuration->socketPath, error);
  if (isUp) {
    pw_thread_loop_lock(node->connection.loop);
    isUp = build(node, configuration, error);
    pw_thread_loop_unlock(node->connection.loop);
  }
  if (isUp) return node;
  CPipeWireShims_stop(node);
  return NULL;
}

void CPipeWireShims_stop(CPipeWireShims_Node *node) {
  Connection_stopLoop(&node->connection);
  Links_close(node);
  MIDISources_close(node);
  VirtualDevice_close(node);
  if (node->filter) {
    spa_hook_remove(&node->filterListener);
    pw_filter_destroy(node->filter);
  }
  Connection_close(&node->connection);
  CPipeWireShims_freePorts(node);
  free(node);
}

const char *CPipeWireShims_failure(CPipeWireShims_Node *node) {
  // Acquire: the text was written before the flag.
  bool hasFailed = atomic_load_explicit(&node->connection.hasFailed, memory_order_acquire);
  return hasFailed ? node->connection.failure : NULL;
}
