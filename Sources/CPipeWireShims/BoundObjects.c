// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The daemon's reports about single nodes and cards: properties, volumes, and the jack of a card. Loop thread, under its lock.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <spa/param/props.h>
#include <spa/param/route.h>
#include <spa/pod/iter.h>
#include <spa/pod/parser.h>

#include "Devices.h"

static void copyText(char *to, size_t size, const struct spa_dict *properties, const char *key) {
  const char *value = spa_dict_lookup(properties, key);
  snprintf(to, size, "%s", value ? value : "");
}

static uint32_t number(const struct spa_dict *properties, const char *key, uint32_t otherwise) {
  const char *value = spa_dict_lookup(properties, key);
  return value ? (uint32_t)strtoul(value, NULL, 10) : otherwise;
}

static void readProperties(BoundObject *object, const struct spa_dict *properties) {
  copyText(object->description, sizeof object->description, properties, PW_KEY_NODE_DESCRIPTION);
  copyText(object->mediaClass, sizeof object->mediaClass, properties, PW_KEY_MEDIA_CLASS);
  copyText(object->formFactor, sizeof object->formFactor, properties, PW_KEY_DEVICE_FORM_FACTOR);
  copyText(object->api, sizeof object->api, properties, PW_KEY_DEVICE_API);
  copyText(object->bus, sizeof object->bus, properties, PW_KEY_DEVICE_BUS);
  copyText(object->iconName, sizeof object->iconName, properties, PW_KEY_DEVICE_ICON_NAME);
  copyText(object->profileName, sizeof object->profileName, properties, "device.profile.name");
  object->cardIdentifier = number(properties, PW_KEY_DEVICE_ID, SPA_ID_INVALID);
  object->profileDevice = (int32_t)number(properties, "card.profile.device", UINT32_MAX);
}

static void nodeInfo(void *data, const struct pw_node_info *info) {
  BoundObject *node = data;
  if (info->change_mask & PW_NODE_CHANGE_MASK_PROPS && info->props) readProperties(node, info->props);
  if (info->change_mask & PW_NODE_CHANGE_MASK_STATE) node->isRunning = info->state == PW_NODE_STATE_RUNNING;
  if (!node->hasAskedForParameters) {
    uint32_t parameter = SPA_PARAM_Props;
    node->hasAskedForParameters = true;
    pw_node_subscribe_params((struct pw_node *)node->proxy, &parameter, 1);
  }
  Devices_changed(node->owner);
}

/// Users see the cube root of the factor; the loudest channel counts.
static void readVolumes(BoundObject *node, const struct spa_pod *values) {
  float volumes[maximumChannelCount], loudest = 0;
  uint32_t count = spa_pod_copy_array(values, SPA_TYPE_Float, volumes, maximumChannelCount);
  for (uint32_t index = 0; index < count; index++)
    if (volumes[index] > loudest) loudest = volumes[index];
  if (count > 0) node->volume = cbrtf(loudest);
}

static void nodeParameter(
    void *data, int sequence, uint32_t identifier, uint32_t index, uint32_t next, const struct spa_pod *parameter) {
  BoundObject *node = data;
  (void)sequence, (void)index, (void)next;
  if (identifier != SPA_PARAM_Props || !parameter || !spa_pod_is_object_type(parameter, SPA_TYPE_OBJECT_Props)) return;
  const struct spa_pod_prop *property;
  SPA_POD_OBJECT_FOREACH((const struct spa_pod_object *)parameter, property) {
    if (property->key == SPA_PROP_channelVolumes) readVolumes(node, &property->value);
    if (property->key == SPA_PROP_mute) spa_pod_get_bool(&property->value, &node->isMuted);
  }
  Devices_changed(node->owner);
}

static const struct pw_node_events nodeEvents = {PW_VERSION_NODE_EVENTS, .info = nodeInfo, .param = nodeParameter};

static void cardInfo(void *data, const struct pw_device_info *info) {
  BoundObject *card = data;
  if (info->change_mask & PW_DEVICE_CHANGE_MASK_PROPS && info->props) readProperties(card, info->props);
  if (!card->hasAskedForParameters) {
    uint32_t parameter = SPA_PARAM_Route;
    card->hasAskedForParameters = true;
    pw_device_subscribe_params((struct pw_device *)card->proxy, &parameter, 1);
  }
  Devices_changed(card->owner);
}

/// The entry of a direction's route for a part of a card, or a free entry, or NULL.
static ActiveRoute *place(BoundObject *card, uint32_t direction, int32_t profileDevice) {
  ActiveRoute *found = NULL;
  for (int index = 0; index < maximumRouteCount; index++) {
    ActiveRoute *route = &card->routes[index];
    if (route->name[0] && route->direction == direction && route->profileDevice == profileDevice) return route;
    if (!route->name[0] && !found) found = route;
  }
  return found;
}

/// Reads "port.type" from the pairs of a route's information.
static void readPortType(ActiveRoute *route, const struct spa_pod *information) {
  struct spa_pod_parser parser;
  struct spa_pod_frame frame;
  int32_t count = 0;
  route->portType[0] = 0;
  if (!information || !spa_pod_is_struct(information)) return;
  spa_pod_parser_pod(&parser, information);
  if (spa_pod_parser_push_struct(&parser, &frame) < 0 || spa_pod_parser_get_int(&parser, &count) < 0) return;
  for (int32_t index = 0; index < count; index++) {
    const char *key = NULL, *value = NULL;
    if (spa_pod_parser_get_string(&parser, &key) < 0 || spa_pod_parser_get_string(&parser, &value) < 0) return;
    if (spa_streq(key, "port.type") && value) snprintf(route->portType, sizeof route->portType, "%s", value);
  }
}

static void cardParameter(
    void *data, int sequence, uint32_t identifier, uint32_t index, uint32_t next, const struct spa_pod *parameter) {
  BoundObject *card = data;
  uint32_t direction = 0;
  int32_t profileDevice = 0;
  const char *name = NULL;
  const struct spa_pod *information = NULL;
  (void)sequence, (void)index, (void)next;
  if (identifier != SPA_PARAM_Route || !parameter) return;
  if (spa_pod_parse_object(
          parameter, SPA_TYPE_OBJECT_ParamRoute, NULL, SPA_PARAM_ROUTE_direction, SPA_POD_Id(&direction),
          SPA_PARAM_ROUTE_device, SPA_POD_Int(&profileDevice), SPA_PARAM_ROUTE_name, SPA_POD_String(&name),
          SPA_PARAM_ROUTE_info, SPA_POD_OPT_Pod(&information))
          < 0
      || !name)
    return;
  ActiveRoute *route = place(card, direction, profileDevice);
  if (!route) return;
  route->direction = direction;
  route->profileDevice = profileDevice;
  snprintf(route->name, sizeof route->name, "%s", name);
  readPortType(route, information);
  Devices_changed(card->owner);
}

static const struct pw_device_events cardEvents = {PW_VERSION_DEVICE_EVENTS, .info = cardInfo, .param = cardParameter};

static BoundObject *bindObject(
    CPipeWireShims_Devices *devices, uint32_t identifier, const char *type, uint32_t version, bool isCard) {
  BoundObject *object = calloc(1, sizeof *object);
  if (!object) return NULL;
  object->proxy = pw_registry_bind(devices->registry, identifier, type, version, 0);
  if (!object->proxy) return free(object), NULL;
  object->owner = devices;
  object->identifier = identifier;
  object->isCard = isCard;
  object->volume = 1;
  spa_list_append(&devices->objects, &object->link);
  return object;
}

void BoundObject_bindNode(CPipeWireShims_Devices *devices, uint32_t identifier) {
  BoundObject *node = bindObject(devices, identifier, PW_TYPE_INTERFACE_Node, PW_VERSION_NODE, false);
  if (node) pw_node_add_listener((struct pw_node *)node->proxy, &node->listener, &nodeEvents, node);
}

void BoundObject_bindCard(CPipeWireShims_Devices *devices, uint32_t identifier) {
  BoundObject *card = bindObject(devices, identifier, PW_TYPE_INTERFACE_Device, PW_VERSION_DEVICE, true);
  if (card) pw_device_add_listener((struct pw_device *)card->proxy, &card->listener, &cardEvents, card);
}

void BoundObject_free(BoundObject *object) {
  spa_hook_remove(&object->listener);
  pw_proxy_destroy(object->proxy);
  spa_list_remove(&object->link);
  free(object);
}

/// The port that a card uses for a node, or NULL.
static const ActiveRoute *activeRoute(const BoundObject *node, const BoundObject *card) {
  bool isSink = spa_strstartswith(node->mediaClass, "Audio/Sink");
  for (int index = 0; card && index < maximumRouteCount; index++) {
    const ActiveRoute *route = &card->routes[index];
    bool isOfSide = (route->direction == SPA_DIRECTION_OUTPUT) == isSink;
    if (route->name[0] && isOfSide && route->profileDevice == node->profileDevice) return route;
  }
  return NULL;
}

/// The name of the port that a card uses for a node; empty if it is unknown.
const char *BoundObject_routeName(const BoundObject *node, const BoundObject *card) {
  const ActiveRoute *route = activeRoute(node, card);
  return route ? route->name : "";
}

/// The type of that port; empty if it is unknown.
const char *BoundObject_portType(const BoundObject *node, const BoundObject *card) {
  const ActiveRoute *route = activeRoute(node, card);
  return route ? route->portType : "";
}
