// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The node's ports, with the usual names of channels: the main ports, and further ports that come and go. Control thread.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Private.h"

/// Copies the word at `index` of words separated by spaces; false if there are fewer words.
static bool copyWord(const char *words, uint32_t index, char *word, size_t size) {
  while (words && index > 0) {
    words = strchr(words, ' ');
    if (words) words++;
    index--;
  }
  if (!words || !*words) return false;
  snprintf(word, size, "%.*s", (int)strcspn(words, " "), words);
  return true;
}

/// Names up to eight channels in the usual order, unless `names` has others. Larger and odd counts get AUX0, AUX1, ...
void CPipeWireShims_nameChannel(const char *names, uint32_t index, uint32_t count, char *name, size_t size) {
  if (copyWord(names, index, name, size)) return;
  static const char *const quad[] = {"FL", "FR", "RL", "RR"};
  static const char *const surround[] = {"FL", "FR", "FC", "LFE", "RL", "RR", "SL", "SR"};
  const char *known = NULL;
  if (count == 1) known = "MONO";
  else if (count == 2 || count == 4) known = quad[index];
  else if (count == 6 || count == 8) known = surround[index];
  if (known) snprintf(name, size, "%s", known);
  else snprintf(name, size, "AUX%u", index);
}

/// The number of port places in one direction.
uint32_t CPipeWireShims_portCount(CPipeWireShims_Node *node, enum pw_direction direction) {
  return atomic_load_explicit(&node->portCount[direction], memory_order_relaxed);
}

/// Allocates memory for all places up to this one, and makes the data thread fill them.
static bool openPlaces(CPipeWireShims_Node *node, enum pw_direction direction, uint32_t count) {
  for (uint32_t index = 0; index < count; index++) {
    Port *port = &node->ports[direction][index];
    if (port->scratch) continue;
    port->scratch = aligned_alloc(64, maximumFrameCount * sizeof(float));
    if (!port->scratch) return false;
    memset(port->scratch, 0, maximumFrameCount * sizeof(float));
  }
  // Release: the data thread sees the memory.
  if (CPipeWireShims_portCount(node, direction) < count)
    atomic_store_explicit(&node->portCount[direction], count, memory_order_release);
  return true;
}

static bool addPort(
    CPipeWireShims_Node *node, enum pw_direction direction, uint32_t index, const char *name, const char *channel) {
  struct pw_properties *properties = pw_properties_new(
      PW_KEY_FORMAT_DSP, "32 bit float mono audio", PW_KEY_AUDIO_CHANNEL, channel, PW_KEY_PORT_NAME, name, NULL);
  Port *port = &node->ports[direction][index];
  snprintf(port->name, sizeof port->name, "%s", name);
  port->latency[0] = (struct spa_latency_info){.direction = SPA_DIRECTION_INPUT};
  port->latency[1] = (struct spa_latency_info){.direction = SPA_DIRECTION_OUTPUT};
  if (!openPlaces(node, direction, index + 1)) return pw_properties_free(properties), false;
  // PipeWire owns the port's user data, which holds a pointer to our port.
  Port **handle = pw_filter_add_port(
      node->filter, direction, PW_FILTER_PORT_FLAG_MAP_BUFFERS, sizeof *handle, properties, NULL, 0);
  if (!handle) return false;
  *handle = port;
  // Release: the data thread sees what the port points to.
  atomic_store_explicit(&port->handle, handle, memory_order_release);
  return true;
}

static bool addMainPort(
    CPipeWireShims_Node *node, const CPipeWireShims_Configuration *configuration, enum pw_direction direction,
    uint32_t index) {
  char channel[16], name[64];
  CPipeWireShims_nameChannel(
      configuration->channelNames[direction], index, node->mainCount[direction], channel, sizeof channel);
  snprintf(name, sizeof name, "%s_%s", direction == PW_DIRECTION_INPUT ? "input" : "output", channel);
  return addPort(node, direction, index, name, channel);
}

/// The port is for packets, where there are some: they bring values of more than 7 bits, which PipeWire would else cut down.
void *CPipeWireShims_addMIDIPort(CPipeWireShims_Node *node, enum pw_direction direction, const char *name) {
  const char *format = CPipeWireShims_hasUniversalMIDI() ? "32 bit raw UMP" : "8 bit raw midi";
  struct pw_properties *properties = pw_properties_new(PW_KEY_FORMAT_DSP, format, PW_KEY_PORT_NAME, name, NULL);
  Port **handle =
      pw_filter_add_port(node->filter, direction, PW_FILTER_PORT_FLAG_MAP_BUFFERS, sizeof *handle, properties, NULL, 0);
  if (handle) *handle = NULL;
  return handle;
}

static bool addMIDIPorts(CPipeWireShims_Node *node, const CPipeWireShims_Configuration *configuration) {
  uint32_t count = SPA_MIN(configuration->midiPortCount, (uint32_t)CPipeWireShims_midiPortCapacity);
  for (; node->midiPortCount < count; node->midiPortCount++) {
    const char *name = configuration->midiPortNames[node->midiPortCount];
    void *port = CPipeWireShims_addMIDIPort(node, PW_DIRECTION_INPUT, name);
    if (!port) return false;
    snprintf(node->midiPortNames[node->midiPortCount], sizeof *node->midiPortNames, "%s", name);
    node->midiPorts[node->midiPortCount] = port;
  }
  if (!configuration->midiOutputName) return true;
  node->midiOutput.isUniversal = CPipeWireShims_hasUniversalMIDI();
  node->midiOutput.port = CPipeWireShims_addMIDIPort(node, PW_DIRECTION_OUTPUT, configuration->midiOutputName);
  return node->midiOutput.port;
}

bool CPipeWireShims_addPorts(CPipeWireShims_Node *node, const CPipeWireShims_Configuration *configuration) {
  for (uint32_t direction = 0; direction < 2; direction++)
    for (uint32_t index = 0; index < node->mainCount[direction]; index++)
      if (!addMainPort(node, configuration, (enum pw_direction)direction, index)) return false;
  uint32_t first = node->mainCount[PW_DIRECTION_INPUT];
  for (uint32_t index = 0; index < configuration->furtherPortCount && first + index < maximumChannelCount; index++) {
    const char *name = configuration->furtherPortNames[index], *channel = configuration->furtherPortChannels[index];
    if (!addPort(node, PW_DIRECTION_INPUT, first + index, name, channel)) return false;
  }
  return addMIDIPorts(node, configuration);
}

void CPipeWireShims_freePorts(CPipeWireShims_Node *node) {
  for (uint32_t direction = 0; direction < 2; direction++)
    for (uint32_t index = 0; index < maximumChannelCount; index++) free(node->ports[direction][index].scratch);
}

static bool isAlive(CPipeWireShims_Node *node) {
  return !atomic_load_explicit(&node->connection.hasFailed, memory_order_acquire);
}

bool CPipeWireShims_addPort(CPipeWireShims_Node *node, bool isInput, uint32_t place, const char *name, const char *channel) {
  enum pw_direction direction = isInput ? PW_DIRECTION_INPUT : PW_DIRECTION_OUTPUT;
  uint32_t index = node->mainCount[direction] + place;
  if (place >= maximumChannelCount || index >= maximumChannelCount) return false;
  pw_thread_loop_lock(node->connection.loop);
  bool isFree = !atomic_load_explicit(&node->ports[direction][index].handle, memory_order_relaxed);
  bool isAdded = isFree && isAlive(node) && addPort(node, direction, index, name, channel);
  if (isAdded) CPipeWireShims_updateLatency(node);
  pw_thread_loop_unlock(node->connection.loop);
  return isAdded;
}

static int nothing(
    struct spa_loop *loop, bool isAsynchronous, uint32_t sequence, const void *data, size_t size, void *context) {
  (void)loop, (void)isAsynchronous, (void)sequence, (void)data, (void)size, (void)context;
  return 0;
}

/// Waits until the data thread has left its present cycle.
void CPipeWireShims_awaitDataThread(CPipeWireShims_Node *node) {
  struct pw_data_loop *loop = pw_context_get_data_loop(node->connection.context);
  pw_data_loop_invoke(loop, nothing, SPA_ID_INVALID, NULL, 0, true, NULL);
}

void CPipeWireShims_removePort(CPipeWireShims_Node *node, bool isInput, uint32_t place) {
  enum pw_direction direction = isInput ? PW_DIRECTION_INPUT : PW_DIRECTION_OUTPUT;
  uint32_t index = node->mainCount[direction] + place;
  if (place >= maximumChannelCount || index >= maximumChannelCount) return;
  pw_thread_loop_lock(node->connection.loop);
  void *handle = atomic_exchange_explicit(&node->ports[direction][index].handle, NULL, memory_order_relaxed);
  if (handle && isAlive(node)) {
    // From the next cycle on, the data thread does not find the port here. PipeWire first takes a port that carries audio out
    // of its own list, and waits for the data thread before it frees the port.
    CPipeWireShims_awaitDataThread(node);
    pw_filter_remove_port(handle);
  }
  pw_thread_loop_unlock(node->connection.loop);
}

bool CPipeWireShims_isPortLinked(CPipeWireShims_Node *node, bool isInput, uint32_t place) {
  enum pw_direction direction = isInput ? PW_DIRECTION_INPUT : PW_DIRECTION_OUTPUT;
  uint32_t index = node->mainCount[direction] + place;
  if (place >= maximumChannelCount || index >= maximumChannelCount) return false;
  pw_thread_loop_lock(node->connection.loop);
  Port *port = &node->ports[direction][index];
  bool isThere = atomic_load_explicit(&port->handle, memory_order_relaxed);
  bool isLinked =
      isThere && Registry_isLinked(&node->connection, pw_filter_get_node_id(node->filter), direction, port->name);
  pw_thread_loop_unlock(node->connection.loop);
  return isLinked;
}
