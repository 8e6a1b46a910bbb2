// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The virtual sink or source that a node belongs to. Control thread and PipeWire's loop thread.
//
// A session manager lets programs play only to adapters, and a filter is not one. So the device is a null sink of the daemon's,
// and the node is linked to its monitor. It disappears with the connection, even if the host crashes. Without a target device,
// it drives the programs itself.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "Private.h"

static void deviceRemoved(void *data) {
  CPipeWireShims_Node *node = data;
  Connection_fail(&node->connection, "the virtual device was removed");
}

static void deviceError(void *data, int sequence, int result, const char *message) {
  CPipeWireShims_Node *node = data;
  (void)sequence;
  Connection_fail(&node->connection, message ? message : strerror(-result));
}

static const struct pw_proxy_events deviceEvents = {
    PW_VERSION_PROXY_EVENTS, .removed = deviceRemoved, .error = deviceError};

/// The side of the node that is linked to the device.
static enum pw_direction deviceSide(const CPipeWireShims_Node *node) {
  return node->deviceKind == CPipeWireShims_Sink ? PW_DIRECTION_INPUT : PW_DIRECTION_OUTPUT;
}

/// Writes the channels as a list in brackets: without them, PipeWire 1.4 makes two channels of any number.
static void writePositions(CPipeWireShims_Node *node, const char *names, char *text, size_t size) {
  uint32_t count = node->mainCount[deviceSide(node)];
  size_t length = (size_t)snprintf(text, size, "[");
  for (uint32_t index = 0; index < count && length < size; index++) {
    char channel[16];
    CPipeWireShims_nameChannel(names, index, count, channel, sizeof channel);
    int added = snprintf(text + length, size - length, " %s", channel);
    length += added > 0 ? (size_t)added : 0;
  }
  if (length < size) snprintf(text + length, size - length, " ]");
}

static struct pw_properties *describe(CPipeWireShims_Node *node, const CPipeWireShims_Configuration *configuration) {
  char positions[maximumChannelCount * 17 + 4];
  writePositions(node, configuration->channelNames[deviceSide(node)], positions, sizeof positions);
  struct pw_properties *properties = pw_properties_new(
      "factory.name", "support.null-audio-sink", PW_KEY_NODE_NAME, configuration->deviceName, PW_KEY_NODE_DESCRIPTION,
      configuration->deviceDescription, PW_KEY_MEDIA_CLASS,
      node->deviceKind == CPipeWireShims_Sink ? "Audio/Sink" : "Audio/Source/Virtual", PW_KEY_APP_NAME, "Bulkhead",
      PW_KEY_NODE_VIRTUAL, "true", "audio.position", positions,
      // Nodes that are linked to the monitor hear the desktop's volume, and newer daemons report their latency to programs.
      "monitor.channel-volumes", "true", "monitor.passthrough", "true", NULL);
  pw_properties_setf(properties, PW_KEY_NODE_GROUP, "bulkhead-%s", configuration->deviceName);
  return properties;
}

/// Makes the daemon create the device, if the node has one, and links the node to it.
bool VirtualDevice_make(
    CPipeWireShims_Node *node, const CPipeWireShims_Configuration *configuration, CPipeWireShims_Error *error) {
  if (node->deviceKind == CPipeWireShims_NoDevice) return true;
  if (Registry_node(&node->connection, configuration->deviceName, NULL))
    return CPipeWireShims_setError(error, CPipeWireShims_StepDevice, EEXIST, "PipeWire has a node of that name already");
  struct pw_properties *properties = describe(node, configuration);
  node->device = pw_core_create_object(
      node->connection.core, "adapter", PW_TYPE_INTERFACE_Node, PW_VERSION_NODE, &properties->dict, 0);
  pw_properties_free(properties);
  if (!node->device) return CPipeWireShims_setError(error, CPipeWireShims_StepDevice, errno, "");
  pw_proxy_add_listener(node->device, &node->deviceListener, &deviceEvents, node);
  enum pw_direction side = deviceSide(node);
  node->policy[side] = CPipeWireShims_LinkNamed;
  node->awaits[side] = true;
  snprintf(node->target[side], sizeof node->target[side], "%s", configuration->deviceName);
  return Connection_roundtrip(&node->connection)
         || CPipeWireShims_setError(error, CPipeWireShims_StepDevice, ETIMEDOUT, node->connection.failure);
}

/// Waits until the node is linked to its device, if it has a device and has ports on that side.
bool VirtualDevice_awaitLinks(CPipeWireShims_Node *node, struct timespec *until) {
  if (!node->device) return true;
  while (!node->linked[deviceSide(node)][0])
    if (!Connection_wait(&node->connection, until)) return false;
  return true;
}

void VirtualDevice_close(CPipeWireShims_Node *node) {
  if (!node->device) return;
  spa_hook_remove(&node->deviceListener);
  pw_proxy_destroy(node->device);
  node->device = NULL;
}
