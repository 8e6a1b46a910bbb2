// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The keyboards and programs that are linked to the MIDI ports, so that the notes of one can end when it goes. Loop thread.
//
// PipeWire merges all links of a port, and does not tell from which one a message came. The first source of a port needs no more
// than the port. Each further one also gets a link to an ear: a port of the node that hears it alone. What a port brings and an ear
// does not is the first source's.
#include <stdio.h>
#include <string.h>

#include "Private.h"

/// The index of the node's MIDI port with this number in the registry, or -1. Ears do not count.
static int portIndex(CPipeWireShims_Node *node, uint32_t identifier) {
  const Object *port = Registry_midiPort(&node->connection, pw_filter_get_node_id(node->filter), identifier, NULL);
  for (uint32_t index = 0; port && index < node->midiPortCount; index++)
    if (spa_streq(node->midiPortNames[index], port->name)) return (int)index;
  return -1;
}

static bool isPortName(CPipeWireShims_Node *node, const char *name) {
  for (uint32_t index = 0; index < node->midiPortCount; index++)
    if (spa_streq(node->midiPortNames[index], name)) return true;
  return false;
}

/// Removes an ear. The data thread does not find it from its next cycle on.
static void closeEar(CPipeWireShims_Node *node, MIDIEar *ear) {
  if (ear->proxy) {
    spa_hook_remove(&ear->proxyListener);
    pw_proxy_destroy(ear->proxy);
    ear->proxy = NULL;
  }
  void *handle = atomic_exchange_explicit(&ear->handle, NULL, memory_order_relaxed);
  if (!handle) return;
  CPipeWireShims_awaitDataThread(node);
  pw_filter_remove_port(handle);
}

/// Makes an ear for a further source of a port; -1 if none is left. The source then counts as the first one.
static int openEar(CPipeWireShims_Node *node, uint32_t port) {
  for (int index = 0; index < CPipeWireShims_midiEarCapacity; index++) {
    MIDIEar *ear = &node->midiEars[index];
    if (atomic_load_explicit(&ear->handle, memory_order_relaxed)) continue;
    int number = index + 2;
    do {
      snprintf(ear->name, sizeof ear->name, "%.100s-%d", node->midiPortNames[port], number);
      number += CPipeWireShims_midiEarCapacity;
    } while (isPortName(node, ear->name));
    void *handle = CPipeWireShims_addMIDIPort(node, PW_DIRECTION_INPUT, ear->name);
    if (!handle) return -1;
    ear->port = (uint8_t)port;
    // Release: the data thread sees the number of the port.
    atomic_store_explicit(&ear->handle, handle, memory_order_release);
    return index;
  }
  return -1;
}

/// Forgets a link that the daemon has removed: its source is gone, or the user has cut it.
static void earRemoved(void *data) {
  MIDIEar *ear = data;
  spa_hook_remove(&ear->proxyListener);
  pw_proxy_destroy(ear->proxy);
  ear->proxy = NULL;
}

/// Leaves a link as it is that could not be made: the messages of its source count as the first source's.
static void earFailed(void *data, int sequence, int result, const char *message) {
  (void)data, (void)sequence, (void)result, (void)message;
}

static const struct pw_proxy_events earEvents = {PW_VERSION_PROXY_EVENTS, .removed = earRemoved, .error = earFailed};

/// Links a source to its ear, once, as soon as the daemon knows the ear.
static void linkEar(CPipeWireShims_Node *node, MIDISource *source) {
  MIDIEar *ear = &node->midiEars[source->ear];
  uint32_t self = pw_filter_get_node_id(node->filter);
  const Object *port = Registry_midiPort(&node->connection, self, SPA_ID_INVALID, ear->name);
  if (source->isEarLinked || !port) return;
  source->isEarLinked = true;
  struct pw_properties *properties = pw_properties_new(NULL, NULL);
  pw_properties_setf(properties, PW_KEY_LINK_OUTPUT_PORT, "%u", source->outputPort);
  pw_properties_setf(properties, PW_KEY_LINK_INPUT_NODE, "%u", self);
  pw_properties_setf(properties, PW_KEY_LINK_INPUT_PORT, "%u", port->identifier);
  ear->proxy = pw_core_create_object(
      node->connection.core, "link-factory", PW_TYPE_INTERFACE_Link, PW_VERSION_LINK, &properties->dict, 0);
  pw_properties_free(properties);
  if (ear->proxy) pw_proxy_add_listener(ear->proxy, &ear->proxyListener, &earEvents, ear);
}

/// True if a port has a source: without an ear, or at all.
static bool hasSource(CPipeWireShims_Node *node, uint32_t port, bool isWithoutEar) {
  for (int index = 0; index < midiSourceCapacity; index++) {
    const MIDISource *source = &node->midiSources[index];
    if (source->isThere && source->port == port && (!isWithoutEar || source->ear < 0)) return true;
  }
  return false;
}

/// Notes the source of a new link. Sources beyond the last place count as the first one.
static void begin(CPipeWireShims_Node *node, const Object *link, uint32_t port) {
  for (int index = 0; index < midiSourceCapacity; index++) {
    MIDISource *source = &node->midiSources[index];
    if (source->isThere) continue;
    int ear = hasSource(node, port, true) ? openEar(node, port) : -1;
    *source = (MIDISource){
        .isThere = true, .link = link->identifier, .outputPort = link->outputPort, .port = port, .ear = ear};
    return;
  }
}

/// Tells the data thread that a source is gone.
static void end(CPipeWireShims_Node *node, MIDISource *source) {
  source->isThere = false;
  if (source->ear >= 0) {
    closeEar(node, &node->midiEars[source->ear]);
    // Release: the data thread sees that the ear is gone.
    atomic_fetch_or_explicit(&node->endedMIDIEars, 1u << source->ear, memory_order_release);
  }
  // The last source takes with it what was not known to be of another one.
  if (source->ear < 0 || !hasSource(node, source->port, false))
    atomic_fetch_or_explicit(&node->endedMIDIPorts, 1u << source->port, memory_order_release);
}

static MIDISource *find(CPipeWireShims_Node *node, uint32_t link) {
  for (int index = 0; index < midiSourceCapacity; index++)
    if (node->midiSources[index].isThere && node->midiSources[index].link == link) return &node->midiSources[index];
  return NULL;
}

void MIDISources_update(void *context) {
  CPipeWireShims_Node *node = context;
  if (node->midiPortCount == 0 || !node->filter || pw_filter_get_node_id(node->filter) == SPA_ID_INVALID) return;
  bool isSeen[midiSourceCapacity] = {false};
  const Object *object;
  spa_list_for_each(object, &node->connection.objects, link) {
    MIDISource *known = object->kind == objectLink ? find(node, object->identifier) : NULL;
    if (known) isSeen[known - node->midiSources] = true;
  }
  for (int index = 0; index < midiSourceCapacity; index++)
    if (node->midiSources[index].isThere && !isSeen[index]) end(node, &node->midiSources[index]);
  spa_list_for_each(object, &node->connection.objects, link) {
    if (object->kind != objectLink || find(node, object->identifier)) continue;
    int port = portIndex(node, object->inputPort);
    if (port >= 0) begin(node, object, (uint32_t)port);
  }
  for (int index = 0; index < midiSourceCapacity; index++)
    if (node->midiSources[index].isThere && node->midiSources[index].ear >= 0) linkEar(node, &node->midiSources[index]);
}

/// Lets go of the links to the ears; the loop must have stopped. The filter owns the ports.
void MIDISources_close(CPipeWireShims_Node *node) {
  for (int index = 0; index < CPipeWireShims_midiEarCapacity; index++) {
    MIDIEar *ear = &node->midiEars[index];
    if (!ear->proxy) continue;
    spa_hook_remove(&ear->proxyListener);
    pw_proxy_destroy(ear->proxy);
    ear->proxy = NULL;
  }
}
