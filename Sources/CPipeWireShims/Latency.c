// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The node's latency, and its sum with the neighbours' latency. Control thread and PipeWire's loop thread.
//
// pw_filter would compute the sum by itself, but not again when the node's own latency changes.
#include <spa/param/latency-utils.h>

#include "Private.h"

/// The latency that a port reports in `direction`: the one of the neighbours on the other side, plus the node's own.
static struct spa_latency_info across(CPipeWireShims_Node *node, enum pw_direction direction) {
  struct spa_latency_info sum;
  struct spa_process_latency_info own = {.rate = node->latencyFrames};
  enum pw_direction far = direction == PW_DIRECTION_INPUT ? PW_DIRECTION_OUTPUT : PW_DIRECTION_INPUT;
  spa_latency_info_combine_start(&sum, (enum spa_direction)direction);
  // A side chain does not count: it may be without a link.
  for (uint32_t index = 0; index < node->mainCount[far]; index++)
    spa_latency_info_combine(&sum, &node->ports[far][index].latency[direction]);
  spa_latency_info_combine_finish(&sum);
  spa_process_latency_info_add(&own, &sum);
  return sum;
}

static void publishPorts(CPipeWireShims_Node *node, enum pw_direction direction) {
  struct spa_latency_info info = across(node, direction);
  for (uint32_t index = 0; index < CPipeWireShims_portCount(node, direction); index++) {
    void *handle = atomic_load_explicit(&node->ports[direction][index].handle, memory_order_relaxed);
    if (!handle) continue;
    uint8_t buffer[1024];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(buffer, sizeof buffer);
    const struct spa_pod *parameters[] = {spa_latency_build(&builder, SPA_PARAM_Latency, &info)};
    pw_filter_update_params(node->filter, handle, parameters, 1);
  }
}

/// Handles the latency that a neighbour of `port` reported. A port gets only the direction that is not its own.
void CPipeWireShims_latencyChanged(CPipeWireShims_Node *node, Port *port, const struct spa_pod *parameter) {
  struct spa_latency_info info;
  if (!parameter || spa_latency_parse(parameter, &info) < 0) return;
  bool isInput = port >= node->ports[PW_DIRECTION_INPUT]
                 && port < node->ports[PW_DIRECTION_INPUT] + maximumChannelCount;
  enum pw_direction own = isInput ? PW_DIRECTION_INPUT : PW_DIRECTION_OUTPUT;
  if ((enum pw_direction)info.direction == own) return;
  port->latency[info.direction] = info;
  publishPorts(node, (enum pw_direction)info.direction);
}

void CPipeWireShims_updateLatency(CPipeWireShims_Node *node) {
  uint8_t buffer[1024];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(buffer, sizeof buffer);
  struct spa_process_latency_info own = {.rate = node->latencyFrames};
  const struct spa_pod *parameters[] = {spa_process_latency_build(&builder, SPA_PARAM_ProcessLatency, &own)};
  pw_filter_update_params(node->filter, NULL, parameters, 1);
  publishPorts(node, PW_DIRECTION_INPUT);
  publishPorts(node, PW_DIRECTION_OUTPUT);
}

void CPipeWireShims_setLatency(CPipeWireShims_Node *node, uint32_t frameCount) {
  pw_thread_loop_lock(node->connection.loop);
  bool isAlive = !atomic_load_explicit(&node->connection.hasFailed, memory_order_acquire);
  if (isAlive && node->latencyFrames != frameCount) {
    node->latencyFrames = frameCount;
    CPipeWireShims_updateLatency(node);
  }
  pw_thread_loop_unlock(node->connection.loop);
}
