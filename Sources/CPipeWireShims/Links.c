// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Links from the node to its sink and source, made and moved as the graph changes. Loop thread, under its lock.
//
// A session manager links only streams of its own classes, and a filter is not one of them. So the shims make the links
// themselves, which also works without a session manager.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "Private.h"

/// The target of one side of the node, or NULL while the target does not exist.
const Object *Links_target(CPipeWireShims_Node *node, enum pw_direction direction) {
  const char *name = node->target[direction];
  if (node->policy[direction] == CPipeWireShims_LinkNothing) return NULL;
  bool isSink = direction == PW_DIRECTION_OUTPUT;
  if (node->policy[direction] == CPipeWireShims_LinkNamed) return Registry_device(&node->connection, name, isSink);
  // Under the default policy a name is a preference.
  const Object *preferred = name[0] ? Registry_device(&node->connection, name, isSink) : NULL;
  if (preferred) return preferred;
  // A virtual device that played to itself, or two that played to each other, would feed back.
  if (node->deviceKind != CPipeWireShims_NoDevice)
    return Registry_realDefault(&node->connection, isSink, node->formerDefault[direction]);
  return Registry_default(&node->connection, isSink);
}

static void linkInfo(void *data, const struct pw_link_info *info) {
  Link *link = data;
  link->state = info->state;
  if (link->node->waitsForLinks && Links_areActive(link->node))
    atomic_store_explicit(&link->node->isRunning, true, memory_order_release);
  pw_thread_loop_signal(link->node->connection.loop, false);
}

static const struct pw_link_events linkEvents = {PW_VERSION_LINK_EVENTS, .info = linkInfo};

static void dropProxy(Link *link) {
  if (!link->proxy) return;
  spa_hook_remove(&link->linkListener);
  spa_hook_remove(&link->proxyListener);
  pw_proxy_destroy(link->proxy);
  link->proxy = NULL;
}

/// Handles a link that the user removed. The entry stays, so that the link is not made again against the user's will.
static void linkRemoved(void *data) {
  Link *link = data;
  link->state = PW_LINK_STATE_UNLINKED;
  dropProxy(link);
}

static void linkError(void *data, int sequence, int result, const char *message) {
  Link *link = data;
  (void)sequence, (void)result, (void)message;
  link->state = PW_LINK_STATE_ERROR;
  pw_thread_loop_signal(link->node->connection.loop, false);
}

static const struct pw_proxy_events proxyEvents = {
    PW_VERSION_PROXY_EVENTS, .removed = linkRemoved, .error = linkError};

static void createProxy(Link *link, uint32_t outputNode, uint32_t inputNode) {
  struct pw_properties *properties = pw_properties_new(NULL, NULL);
  pw_properties_setf(properties, PW_KEY_LINK_OUTPUT_NODE, "%u", outputNode);
  pw_properties_setf(properties, PW_KEY_LINK_OUTPUT_PORT, "%u", link->outputPort);
  pw_properties_setf(properties, PW_KEY_LINK_INPUT_NODE, "%u", inputNode);
  pw_properties_setf(properties, PW_KEY_LINK_INPUT_PORT, "%u", link->inputPort);
  link->proxy = pw_core_create_object(
      link->node->connection.core, "link-factory", PW_TYPE_INTERFACE_Link, PW_VERSION_LINK, &properties->dict, 0);
  pw_properties_free(properties);
  if (!link->proxy) return;
  pw_proxy_add_listener(link->proxy, &link->proxyListener, &proxyEvents, link);
  pw_proxy_add_object_listener(link->proxy, &link->linkListener, &linkEvents, link);
}

static void ensure(CPipeWireShims_Node *node, const Object *output, const Object *input) {
  Link *link;
  spa_list_for_each(link, &node->links, link) {
    if (link->outputPort == output->identifier && link->inputPort == input->identifier) return;
  }
  link = calloc(1, sizeof *link);
  if (!link) return;
  link->node = node;
  link->state = PW_LINK_STATE_INIT;
  link->outputPort = output->identifier;
  link->inputPort = input->identifier;
  spa_list_append(&node->links, &link->link);
  createProxy(link, output->nodeIdentifier, input->nodeIdentifier);
}

/// The ports of two nodes that will be linked, and the rule for the pairs.
typedef struct {
  const Object *outputs[maximumChannelCount], *inputs[maximumChannelCount];
  uint32_t outputCount, inputCount;
  /// True if the only channel of a side goes to all channels of the other, and otherwise whether names decide.
  bool isFan, byName;
} Pairing;

/// The substitute for a channel: a side channel for a back channel, and the other way round.
static const char *standIn(const char *channel) {
  static const char *const pairs[][2] = {{"SL", "RL"}, {"SR", "RR"}, {"RL", "SL"}, {"RR", "SR"}};
  for (size_t index = 0; index < sizeof pairs / sizeof *pairs; index++)
    if (spa_streq(channel, pairs[index][0])) return pairs[index][1];
  return "";
}

static bool hasChannel(const Object *const *ports, uint32_t count, const char *channel) {
  for (uint32_t index = 0; index < count; index++)
    if (spa_streq(ports[index]->channel, channel)) return true;
  return false;
}

static bool hasCommonChannel(const Pairing *pairing) {
  for (uint32_t o = 0; o < pairing->outputCount; o++)
    for (uint32_t i = 0; i < pairing->inputCount; i++)
      if (pairing->outputs[o]->channel[0] && spa_streq(pairing->outputs[o]->channel, pairing->inputs[i]->channel)) return true;
  return false;
}

static Pairing pair(
    Connection *connection, uint32_t outputNode, uint32_t inputNode, uint32_t mostOutputs, uint32_t mostInputs) {
  Pairing pairing;
  pairing.outputCount =
      Registry_ports(connection, outputNode, PW_DIRECTION_OUTPUT, pairing.outputs, maximumChannelCount);
  pairing.inputCount = Registry_ports(connection, inputNode, PW_DIRECTION_INPUT, pairing.inputs, maximumChannelCount);
  pairing.outputCount = SPA_MIN(pairing.outputCount, mostOutputs);
  pairing.inputCount = SPA_MIN(pairing.inputCount, mostInputs);
  pairing.isFan = pairing.outputCount == 1 || pairing.inputCount == 1;
  pairing.byName = hasCommonChannel(&pairing);
  return pairing;
}

/// True if two ports form a pair: by equal names, by one channel on a side, or otherwise by order.
static bool isPair(const Pairing *pairing, uint32_t output, uint32_t input) {
  if (pairing->isFan) return true;
  if (!pairing->byName) return output == input;
  const char *from = pairing->outputs[output]->channel, *to = pairing->inputs[input]->channel;
  if (spa_streq(from, to)) return true;
  return spa_streq(standIn(from), to) && !hasChannel(pairing->inputs, pairing->inputCount, from)
      && !hasChannel(pairing->outputs, pairing->outputCount, to);
}

static bool holds(const Pairing *pairing, const Link *link) {
  for (uint32_t o = 0; o < pairing->outputCount; o++)
    for (uint32_t i = 0; i < pairing->inputCount; i++)
      if (pairing->outputs[o]->identifier == link->outputPort && pairing->inputs[i]->identifier == link->inputPort)
        return isPair(pairing, o, i);
  return false;
}

static void ensureAll(CPipeWireShims_Node *node, const Pairing *pairing) {
  for (uint32_t o = 0; o < pairing->outputCount; o++)
    for (uint32_t i = 0; i < pairing->inputCount; i++)
      if (isPair(pairing, o, i)) ensure(node, pairing->outputs[o], pairing->inputs[i]);
}

static const Object *port(Connection *connection, uint32_t identifier) {
  const Object *object;
  spa_list_for_each(object, &connection->objects, link) {
    if (object->kind == objectPort && object->identifier == identifier) return object;
  }
  return NULL;
}

static void removeLink(Link *link) {
  dropProxy(link);
  spa_list_remove(&link->link);
  free(link);
}

static bool leadsTo(Link *link, const Object *target, enum pw_direction direction) {
  bool isOutput = direction == PW_DIRECTION_OUTPUT;
  const Object *other = port(&link->node->connection, isOutput ? link->inputPort : link->outputPort);
  return other && other->nodeIdentifier == target->identifier;
}

/// Notes the linked target of a side. A link that the user has removed counts, because its target exists.
static bool noteTarget(CPipeWireShims_Node *node, const Object *target, enum pw_direction direction) {
  Link *link;
  const char *name = "";
  spa_list_for_each(link, &node->links, link) {
    if (target && leadsTo(link, target, direction)) name = target->name;
  }
  if (spa_streq(node->linked[direction], name)) return false;
  snprintf(node->linked[direction], sizeof node->linked[direction], "%s", name);
  return true;
}

static void noteTargets(CPipeWireShims_Node *node, const Object *sink, const Object *source) {
  bool isOther = noteTarget(node, sink, PW_DIRECTION_OUTPUT);
  isOther |= noteTarget(node, source, PW_DIRECTION_INPUT);
  if (isOther && node->connection.tellsOfFailure) eventfd_write(node->connection.failureEvent, 1);
}

/// Notes how many channels meet in one port, where PipeWire adds them up. Each is then lowered, so that the sum is their mean.
static void noteSharing(CPipeWireShims_Node *node, const Pairing *played, const Pairing *recorded) {
  uint32_t outputs = played->inputCount == 1 ? SPA_MAX(played->outputCount, 1u) : 1;
  uint32_t inputs = recorded->inputCount == 1 ? SPA_MAX(recorded->outputCount, 1u) : 1;
  // Relaxed: each number stands alone.
  atomic_store_explicit(&node->sharing[PW_DIRECTION_OUTPUT], outputs, memory_order_relaxed);
  atomic_store_explicit(&node->sharing[PW_DIRECTION_INPUT], inputs, memory_order_relaxed);
}

/// Makes and removes links to match the graph; cheap if nothing changed.
void Links_update(CPipeWireShims_Node *node) {
  uint32_t self = node->filter ? pw_filter_get_node_id(node->filter) : SPA_ID_INVALID;
  if (self == SPA_ID_INVALID) return;
  const Object *sink = Links_target(node, PW_DIRECTION_OUTPUT), *source = Links_target(node, PW_DIRECTION_INPUT);
  Pairing played = {0}, recorded = {0};
  if (sink) played = pair(&node->connection, self, sink->identifier, node->mainCount[PW_DIRECTION_OUTPUT], maximumChannelCount);
  if (source) recorded = pair(&node->connection, source->identifier, self, maximumChannelCount, node->mainCount[PW_DIRECTION_INPUT]);
  noteSharing(node, &played, &recorded);
  Link *link, *next;
  // The ports of a new device appear one by one, and each may change the pairs.
  spa_list_for_each_safe(link, next, &node->links, link) {
    if (!holds(&played, link) && !holds(&recorded, link)) removeLink(link);
  }
  ensureAll(node, &played);
  ensureAll(node, &recorded);
  noteTargets(node, sink, source);
}

/// True if every main output port exists and every link carries audio.
bool Links_areActive(CPipeWireShims_Node *node) {
  const Object *mine[maximumChannelCount];
  uint32_t self = pw_filter_get_node_id(node->filter);
  if (Registry_ports(&node->connection, self, PW_DIRECTION_OUTPUT, mine, maximumChannelCount)
      < node->mainCount[PW_DIRECTION_OUTPUT])
    return false;
  Link *link;
  spa_list_for_each(link, &node->links, link) {
    if (link->proxy && link->state != PW_LINK_STATE_ACTIVE) return false;
  }
  return !spa_list_is_empty(&node->links);
}

void Links_close(CPipeWireShims_Node *node) {
  Link *link, *next;
  if (!node->links.next) return;
  spa_list_for_each_safe(link, next, &node->links, link) removeLink(link);
}

/// Writes what a target lacks, if it has no ports for sound; false if it has some.
static bool describeTarget(CPipeWireShims_Node *node, enum pw_direction direction, char *text, size_t size) {
  const Object *target = Links_target(node, direction), *ports[1];
  bool isSink = direction == PW_DIRECTION_OUTPUT;
  enum pw_direction other = isSink ? PW_DIRECTION_INPUT : PW_DIRECTION_OUTPUT;
  if (!target || Registry_ports(&node->connection, target->identifier, other, ports, 1) > 0) return false;
  const char *what = isSink ? "sink" : "source", *way = isSink ? "inputs" : "outputs";
  snprintf(
      text, size, "the %s \"%s\" has no %s for sound; choose another %s, or another profile of its card", what,
      target->name, way, what);
  return true;
}

bool Links_describeLack(CPipeWireShims_Node *node, char *text, size_t size) {
  return describeTarget(node, PW_DIRECTION_OUTPUT, text, size) || describeTarget(node, PW_DIRECTION_INPUT, text, size);
}

uint32_t CPipeWireShims_sharingCount(CPipeWireShims_Node *node, bool isOutput) {
  return atomic_load_explicit(&node->sharing[isOutput ? PW_DIRECTION_OUTPUT : PW_DIRECTION_INPUT], memory_order_relaxed);
}

uint32_t CPipeWireShims_activeLinkCount(CPipeWireShims_Node *node) {
  uint32_t count = 0;
  Link *link;
  pw_thread_loop_lock(node->connection.loop);
  spa_list_for_each(link, &node->links, link) count += link->state == PW_LINK_STATE_ACTIVE;
  pw_thread_loop_unlock(node->connection.loop);
  return count;
}

void CPipeWireShims_linkedTarget(CPipeWireShims_Node *node, bool isSink, char *name, uint32_t size) {
  pw_thread_loop_lock(node->connection.loop);
  snprintf(name, size, "%s", node->linked[isSink ? PW_DIRECTION_OUTPUT : PW_DIRECTION_INPUT]);
  pw_thread_loop_unlock(node->connection.loop);
}
