// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The nodes and ports of the daemon, and the links between them. Control thread and PipeWire's loop thread.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Private.h"

static uint32_t number(const struct spa_dict *properties, const char *key) {
  const char *value = spa_dict_lookup(properties, key);
  return value ? (uint32_t)strtoul(value, NULL, 10) : SPA_ID_INVALID;
}

static void globalAdded(
    void *data, uint32_t identifier, uint32_t permissions, const char *type, uint32_t version,
    const struct spa_dict *properties) {
  CPipeWireFilter_Client *client = data;
  (void)permissions, (void)version;
  bool isPort = spa_streq(type, PW_TYPE_INTERFACE_Port);
  if (!properties || (!isPort && !spa_streq(type, PW_TYPE_INTERFACE_Node))) return;
  Object *object = calloc(1, sizeof *object);
  if (!object) return;
  (object->identifier = identifier), (object->isPort = isPort);
  const char *name = spa_dict_lookup(properties, PW_KEY_NODE_NAME);
  const char *direction = spa_dict_lookup(properties, PW_KEY_PORT_DIRECTION);
  snprintf(object->name, sizeof object->name, "%s", name ? name : "");
  object->node = number(properties, PW_KEY_NODE_ID);
  object->index = number(properties, PW_KEY_PORT_ID);
  object->direction = spa_streq(direction, "in") ? PW_DIRECTION_INPUT : PW_DIRECTION_OUTPUT;
  spa_list_append(&client->objects, &object->link);
}

static void globalRemoved(void *data, uint32_t identifier) {
  CPipeWireFilter_Client *client = data;
  Object *object, *next;
  spa_list_for_each_safe(object, next, &client->objects, link) {
    if (object->identifier != identifier) continue;
    spa_list_remove(&object->link);
    free(object);
  }
}

static const struct pw_registry_events registryEvents = {
    PW_VERSION_REGISTRY_EVENTS, .global = globalAdded, .global_remove = globalRemoved};

void Graph_open(CPipeWireFilter_Client *client) {
  client->registry = pw_core_get_registry(client->core, PW_VERSION_REGISTRY, 0);
  if (client->registry) pw_registry_add_listener(client->registry, &client->registryListener, &registryEvents, client);
}

static uint32_t port(CPipeWireFilter_Client *client, uint32_t node, enum pw_direction direction, uint32_t index) {
  Object *object;
  spa_list_for_each(object, &client->objects, link) {
    bool isWanted = object->isPort && object->node == node && object->direction == direction && object->index == index;
    if (isWanted) return object->identifier;
  }
  return SPA_ID_INVALID;
}

uint32_t CPipeWireFilter_nodeNamed(CPipeWireFilter_Client *client, const char *name) {
  uint32_t found = 0;
  Object *object;
  pw_thread_loop_lock(client->loop);
  spa_list_for_each(object, &client->objects, link) {
    if (!object->isPort && spa_streq(object->name, name)) found = object->identifier;
  }
  pw_thread_loop_unlock(client->loop);
  return found;
}

static void linkInfo(void *data, const struct pw_link_info *info) {
  Link *link = data;
  link->state = info->state;
  if (info->state == PW_LINK_STATE_ERROR) Client_fail(link->client, info->error ? info->error : "a link failed");
  pw_thread_loop_signal(link->client->loop, false);
}

static const struct pw_link_events linkEvents = {PW_VERSION_LINK_EVENTS, .info = linkInfo};

/// Waits for a port, which the daemon announces a little later than its node. Called under the lock.
static bool awaitPort(
    CPipeWireFilter_Client *client, uint32_t node, enum pw_direction direction, uint32_t index, uint32_t *found) {
  struct timespec until;
  pw_thread_loop_get_time(client->loop, &until, (int64_t)answerSeconds * SPA_NSEC_PER_SEC);
  while ((*found = port(client, node, direction, index)) == SPA_ID_INVALID) {
    if (!Client_roundtrip(client)) return false;
    struct timespec time;
    pw_thread_loop_get_time(client->loop, &time, 0);
    if (time.tv_sec > until.tv_sec) return Client_fail(client, "a node has no port to be linked");
  }
  return true;
}

static Link *addLink(CPipeWireFilter_Client *client, uint32_t output, uint32_t input) {
  Link *link = calloc(1, sizeof *link);
  if (!link) return NULL;
  struct pw_properties *properties = pw_properties_new(NULL, NULL);
  pw_properties_setf(properties, PW_KEY_LINK_OUTPUT_PORT, "%u", output);
  pw_properties_setf(properties, PW_KEY_LINK_INPUT_PORT, "%u", input);
  link->client = client;
  link->proxy = pw_core_create_object(
      client->core, "link-factory", PW_TYPE_INTERFACE_Link, PW_VERSION_LINK, &properties->dict, 0);
  pw_properties_free(properties);
  if (!link->proxy) return free(link), NULL;
  pw_proxy_add_object_listener(link->proxy, &link->listener, &linkEvents, link);
  spa_list_append(&client->links, &link->link);
  return link;
}

static bool linkPorts(CPipeWireFilter_Client *client, uint32_t outputNode, uint32_t inputNode, uint32_t index) {
  uint32_t output, input;
  if (!awaitPort(client, outputNode, PW_DIRECTION_OUTPUT, index, &output)) return false;
  if (!awaitPort(client, inputNode, PW_DIRECTION_INPUT, index, &input)) return false;
  Link *link = addLink(client, output, input);
  if (!link) return Client_fail(client, "a link could not be made");
  struct timespec until;
  pw_thread_loop_get_time(client->loop, &until, (int64_t)answerSeconds * SPA_NSEC_PER_SEC);
  // A link becomes active when the driver runs: the first ones are only paused until the last one exists.
  while (link->state < PW_LINK_STATE_PAUSED)
    if (!Client_wait(client, &until)) return Client_fail(client, "a link did not become ready within three seconds");
  return true;
}

bool CPipeWireFilter_link(CPipeWireFilter_Client *client, uint32_t output, uint32_t input) {
  bool isLinked = true;
  pw_thread_loop_lock(client->loop);
  for (uint32_t index = 0; isLinked && index < CPipeWireFilter_channelCount; index++)
    isLinked = linkPorts(client, output, input, index);
  pw_thread_loop_unlock(client->loop);
  return isLinked;
}

static void removeLinks(CPipeWireFilter_Client *client) {
  Link *link, *next;
  spa_list_for_each_safe(link, next, &client->links, link) {
    spa_list_remove(&link->link);
    spa_hook_remove(&link->listener);
    pw_proxy_destroy(link->proxy);
    free(link);
  }
}

void CPipeWireFilter_unlinkAll(CPipeWireFilter_Client *client) {
  pw_thread_loop_lock(client->loop);
  removeLinks(client);
  if (!client->hasFailed) Client_roundtrip(client);
  pw_thread_loop_unlock(client->loop);
}

void Graph_close(CPipeWireFilter_Client *client) {
  Object *object, *next;
  removeLinks(client);
  if (client->registry) {
    spa_hook_remove(&client->registryListener);
    pw_proxy_destroy((struct pw_proxy *)client->registry);
  }
  spa_list_for_each_safe(object, next, &client->objects, link) {
    spa_list_remove(&object->link);
    free(object);
  }
}
