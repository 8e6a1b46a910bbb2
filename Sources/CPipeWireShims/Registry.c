// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A copy of the graph, the basis for links: nodes, ports and the session's defaults. Loop thread.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spa/utils/json.h>

#include "Private.h"

static void changed(Connection *connection) {
  if (connection->changed) connection->changed(connection->changedContext);
}

/// Reads a metadata value, which is JSON: {"name":"sink"}. No value means no default.
static void readName(const char *json, char *name, size_t size) {
  struct spa_json outer, object;
  char key[32], value[256] = "";
  name[0] = 0;
  if (!json) return;
  spa_json_init(&outer, json, strlen(json));
  if (spa_json_enter_object(&outer, &object) <= 0) return;
  if (spa_json_get_string(&object, key, sizeof key) > 0 && spa_streq(key, "name"))
    if (spa_json_get_string(&object, value, sizeof value) > 0) snprintf(name, size, "%s", value);
}

static void linksChanged(Connection *connection) {
  if (connection->linksChanged) connection->linksChanged(connection->changedContext);
}

static int metadataProperty(void *data, uint32_t subject, const char *key, const char *type, const char *value) {
  Connection *connection = data;
  (void)type;
  if (subject != PW_ID_CORE) return 0;
  if (!key || spa_streq(key, "default.audio.sink"))
    readName(key ? value : NULL, connection->defaultSink, sizeof connection->defaultSink);
  if (!key || spa_streq(key, "default.audio.source"))
    readName(key ? value : NULL, connection->defaultSource, sizeof connection->defaultSource);
  changed(connection);
  return 0;
}

static const struct pw_metadata_events metadataEvents = {PW_VERSION_METADATA_EVENTS, .property = metadataProperty};

static void bindMetadata(Connection *connection, uint32_t identifier, const struct spa_dict *properties) {
  if (connection->metadata || !spa_streq(spa_dict_lookup(properties, PW_KEY_METADATA_NAME), "default")) return;
  connection->metadata =
      pw_registry_bind(connection->registry, identifier, PW_TYPE_INTERFACE_Metadata, PW_VERSION_METADATA, 0);
  if (!connection->metadata) return;
  connection->metadataIdentifier = identifier;
  pw_metadata_add_listener(connection->metadata, &connection->metadataListener, &metadataEvents, connection);
}

static void copyText(char *to, size_t size, const struct spa_dict *properties, const char *key) {
  const char *value = spa_dict_lookup(properties, key);
  snprintf(to, size, "%s", value ? value : "");
}

static int32_t number(const struct spa_dict *properties, const char *key) {
  const char *value = spa_dict_lookup(properties, key);
  return value ? atoi(value) : 0;
}

static Object *addObject(Connection *connection, uint32_t identifier, ObjectKind kind) {
  Object *object = calloc(1, sizeof *object);
  if (!object) return NULL;
  object->kind = kind;
  object->identifier = identifier;
  spa_list_append(&connection->objects, &object->link);
  return object;
}

static void addNode(Connection *connection, uint32_t identifier, const struct spa_dict *properties) {
  Object *node = addObject(connection, identifier, objectNode);
  if (!node) return;
  copyText(node->name, sizeof node->name, properties, PW_KEY_NODE_NAME);
  copyText(node->description, sizeof node->description, properties, PW_KEY_NODE_DESCRIPTION);
  copyText(node->nick, sizeof node->nick, properties, PW_KEY_NODE_NICK);
  copyText(node->serial, sizeof node->serial, properties, PW_KEY_OBJECT_SERIAL);
  copyText(node->mediaClass, sizeof node->mediaClass, properties, PW_KEY_MEDIA_CLASS);
  node->priority = number(properties, PW_KEY_PRIORITY_SESSION);
  node->isVirtual = spa_streq(spa_dict_lookup(properties, PW_KEY_APP_NAME), "Bulkhead") && strstr(node->mediaClass, "Audio/");
}

static void addPort(Connection *connection, uint32_t identifier, const struct spa_dict *properties) {
  const char *format = spa_dict_lookup(properties, PW_KEY_FORMAT_DSP);
  // "8 bit raw midi", and since PipeWire 1.4 also "32 bit raw UMP".
  bool isMIDI = format && (strstr(format, "midi") || strstr(format, "UMP"));
  if (format && !isMIDI && !strstr(format, "audio")) return;
  Object *port = addObject(connection, identifier, isMIDI ? objectMIDIPort : objectPort);
  if (!port) return;
  copyText(port->name, sizeof port->name, properties, PW_KEY_PORT_NAME);
  copyText(port->channel, sizeof port->channel, properties, PW_KEY_AUDIO_CHANNEL);
  port->nodeIdentifier = (uint32_t)number(properties, PW_KEY_NODE_ID);
  port->portIndex = (uint32_t)number(properties, PW_KEY_PORT_ID);
  bool isInput = spa_streq(spa_dict_lookup(properties, PW_KEY_PORT_DIRECTION), "in");
  port->direction = isInput ? PW_DIRECTION_INPUT : PW_DIRECTION_OUTPUT;
  if (isMIDI) linksChanged(connection);
}

static void addLink(Connection *connection, uint32_t identifier, const struct spa_dict *properties) {
  Object *link = addObject(connection, identifier, objectLink);
  if (!link) return;
  link->outputPort = (uint32_t)number(properties, PW_KEY_LINK_OUTPUT_PORT);
  link->inputPort = (uint32_t)number(properties, PW_KEY_LINK_INPUT_PORT);
  linksChanged(connection);
}

static void globalAdded(
    void *data, uint32_t identifier, uint32_t permissions, const char *type, uint32_t version,
    const struct spa_dict *properties) {
  Connection *connection = data;
  (void)permissions, (void)version;
  if (!properties) return;
  if (spa_streq(type, PW_TYPE_INTERFACE_Metadata)) bindMetadata(connection, identifier, properties);
  else if (spa_streq(type, PW_TYPE_INTERFACE_Node)) addNode(connection, identifier, properties);
  else if (spa_streq(type, PW_TYPE_INTERFACE_Port)) addPort(connection, identifier, properties);
  else if (spa_streq(type, PW_TYPE_INTERFACE_Link)) return addLink(connection, identifier, properties);
  else return;
  changed(connection);
}

static void closeMetadata(Connection *connection) {
  if (!connection->metadata) return;
  spa_hook_remove(&connection->metadataListener);
  pw_proxy_destroy((struct pw_proxy *)connection->metadata);
  connection->metadata = NULL;
}

static void globalRemoved(void *data, uint32_t identifier) {
  Connection *connection = data;
  if (connection->metadata && connection->metadataIdentifier == identifier) closeMetadata(connection);
  Object *object, *next;
  spa_list_for_each_safe(object, next, &connection->objects, link) {
    if (object->identifier != identifier) continue;
    bool isLink = object->kind == objectLink;
    spa_list_remove(&object->link);
    free(object);
    // The links of the shims to a sink or a source do not depend on other links.
    if (isLink) linksChanged(connection);
    else changed(connection);
    return;
  }
}

static const struct pw_registry_events registryEvents = {
    PW_VERSION_REGISTRY_EVENTS, .global = globalAdded, .global_remove = globalRemoved};

void Registry_open(Connection *connection) {
  connection->registry = pw_core_get_registry(connection->core, PW_VERSION_REGISTRY, 0);
  if (connection->registry)
    pw_registry_add_listener(connection->registry, &connection->registryListener, &registryEvents, connection);
}

void Registry_close(Connection *connection) {
  connection->changed = connection->linksChanged = NULL;
  closeMetadata(connection);
  if (connection->registry) {
    spa_hook_remove(&connection->registryListener);
    pw_proxy_destroy((struct pw_proxy *)connection->registry);
    connection->registry = NULL;
  }
  Object *object, *next;
  if (!connection->objects.next) return;
  spa_list_for_each_safe(object, next, &connection->objects, link) free(object);
  spa_list_init(&connection->objects);
}

/// True if a class matches: "Audio/Source" also stands for "Audio/Source/Virtual".
static bool isOfClass(const char *mediaClass, const char *meant) {
  size_t length = strlen(meant);
  return strncmp(mediaClass, meant, length) == 0 && (mediaClass[length] == 0 || mediaClass[length] == '/');
}

/// Returns the node of that name, or without a name the node of the highest priority in its class.
const Object *Registry_node(Connection *connection, const char *name, const char *mediaClass) {
  const Object *best = NULL, *object;
  spa_list_for_each(object, &connection->objects, link) {
    if (object->kind != objectNode) continue;
    if (name ? spa_streq(object->name, name) : isOfClass(object->mediaClass, mediaClass))
      if (!best || object->priority > best->priority) best = object;
  }
  return best;
}

/// Returns the one sink or source with a text at an offset in its object; NULL if there are none or several.
static const Object *onlyDevice(Connection *connection, const char *text, size_t offset, bool isSink) {
  const Object *found = NULL, *object;
  if (!text[0]) return NULL;
  spa_list_for_each(object, &connection->objects, link) {
    if (object->kind != objectNode || !spa_streq((const char *)object + offset, text)) continue;
    if (!isOfClass(object->mediaClass, isSink ? "Audio/Sink" : "Audio/Source") && !isOfClass(object->mediaClass, "Audio/Duplex"))
      continue;
    if (found) return NULL;
    found = object;
  }
  return found;
}

/// Returns the node of a name, or the only sink or source with that serial number, or that a desktop shows with that text.
const Object *Registry_device(Connection *connection, const char *name, bool isSink) {
  const Object *found = Registry_node(connection, name, NULL);
  if (!found) found = onlyDevice(connection, name, offsetof(Object, serial), isSink);
  if (!found) found = onlyDevice(connection, name, offsetof(Object, description), isSink);
  return found ? found : onlyDevice(connection, name, offsetof(Object, nick), isSink);
}

/// Returns the session's default sink or source, or without a default the one of the highest priority.
const Object *Registry_default(Connection *connection, bool isSink) {
  const char *name = isSink ? connection->defaultSink : connection->defaultSource;
  const Object *found = name[0] ? Registry_node(connection, name, NULL) : NULL;
  // Without a microphone the session makes a sink's monitor the default source, which would feed back.
  bool isMonitor = found && !isSink && isOfClass(found->mediaClass, "Audio/Sink");
  return found && !isMonitor ? found : Registry_node(connection, NULL, isSink ? "Audio/Sink" : "Audio/Source");
}

/// Returns the session's default sink or source. If a virtual device has become the default, returns the default before it, or
/// else the real device of the highest priority. `former` keeps the last real one.
const Object *Registry_realDefault(Connection *connection, bool isSink, char former[256]) {
  const Object *found = Registry_default(connection, isSink), *object;
  if (found && !found->isVirtual) {
    snprintf(former, 256, "%s", found->name);
    return found;
  }
  const Object *best = former[0] ? Registry_node(connection, former, NULL) : NULL;
  if (best) return best;
  spa_list_for_each(object, &connection->objects, link) {
    if (object->kind != objectNode || object->isVirtual) continue;
    if (isOfClass(object->mediaClass, isSink ? "Audio/Sink" : "Audio/Source"))
      if (!best || object->priority > best->priority) best = object;
  }
  return best;
}

static int byIndex(const void *left, const void *right) {
  uint32_t a = (*(const Object *const *)left)->portIndex, b = (*(const Object *const *)right)->portIndex;
  return a < b ? -1 : a > b;
}

uint32_t Registry_ports(
    Connection *connection, uint32_t node, enum pw_direction direction, const Object **ports, uint32_t capacity) {
  uint32_t count = 0;
  const Object *object;
  spa_list_for_each(object, &connection->objects, link) {
    if (object->kind == objectPort && object->nodeIdentifier == node && object->direction == direction)
      if (count < capacity) ports[count++] = object;
  }
  qsort(ports, count, sizeof *ports, byIndex);
  return count;
}

/// Returns the MIDI input of a node with a number, or with a name; NULL without one. SPA_ID_INVALID and NULL stand for any.
const Object *Registry_midiPort(Connection *connection, uint32_t node, uint32_t identifier, const char *name) {
  const Object *object;
  spa_list_for_each(object, &connection->objects, link) {
    if (object->kind != objectMIDIPort || object->nodeIdentifier != node || object->direction != PW_DIRECTION_INPUT) continue;
    if (identifier != SPA_ID_INVALID && object->identifier != identifier) continue;
    if (!name || spa_streq(object->name, name)) return object;
  }
  return NULL;
}

/// True if a node has a port with this name and a link.
bool Registry_isLinked(Connection *connection, uint32_t node, enum pw_direction direction, const char *name) {
  const Object *port = NULL, *object;
  spa_list_for_each(object, &connection->objects, link) {
    if (object->kind == objectPort && object->nodeIdentifier == node && object->direction == direction)
      if (spa_streq(object->name, name)) port = object;
  }
  if (!port) return false;
  spa_list_for_each(object, &connection->objects, link) {
    if (object->kind != objectLink) continue;
    if (port->identifier == (direction == PW_DIRECTION_INPUT ? object->inputPort : object->outputPort)) return true;
  }
  return false;
}

/// Writes the names of all nodes of a class, for a sentence: "a", "b".
void Registry_list(Connection *connection, const char *mediaClass, char *text, size_t size) {
  const Object *object;
  size_t length = 0;
  text[0] = 0;
  spa_list_for_each(object, &connection->objects, link) {
    if (object->kind != objectNode || !isOfClass(object->mediaClass, mediaClass)) continue;
    bool isShown = object->description[0] && !spa_streq(object->description, object->name);
    const char *shown = isShown ? object->description : "", *before = isShown ? " (" : "", *after = isShown ? ")" : "";
    int added = snprintf(
        text + length, size - length, "%s\"%s\"%s%s%s", length ? ", " : "", object->name, before, shown, after);
    if (added < 0 || (size_t)added >= size - length) return;
    length += (size_t)added;
  }
}
