// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The session's sinks and sources, and the chosen ones among them. Control thread and PipeWire's loop thread.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "Devices.h"

static const char *const streamClass = "Stream/Output/Audio";

void Devices_changed(CPipeWireShims_Devices *devices) {
  eventfd_write(devices->event, 1);
  if (devices->otherEvent >= 0) eventfd_write(devices->otherEvent, 1);
}

static void graphChanged(void *context) { Devices_changed(context); }

static bool isSink(const char *mediaClass) {
  return mediaClass && (spa_streq(mediaClass, "Audio/Sink") || spa_strstartswith(mediaClass, "Audio/Sink/"));
}

static bool isSource(const char *mediaClass) {
  return mediaClass && (spa_streq(mediaClass, "Audio/Source") || spa_strstartswith(mediaClass, "Audio/Source/"));
}

static void globalAdded(
    void *data, uint32_t identifier, uint32_t permissions, const char *type, uint32_t version,
    const struct spa_dict *properties) {
  CPipeWireShims_Devices *devices = data;
  (void)permissions, (void)version;
  if (!properties) return;
  const char *mediaClass = spa_dict_lookup(properties, PW_KEY_MEDIA_CLASS);
  if (spa_streq(type, PW_TYPE_INTERFACE_Metadata)) ClockSettings_bind(devices, identifier, properties);
  if (spa_streq(type, PW_TYPE_INTERFACE_Node))
    if (isSink(mediaClass) || isSource(mediaClass) || spa_streq(mediaClass, streamClass))
      BoundObject_bindNode(devices, identifier);
  if (spa_streq(type, PW_TYPE_INTERFACE_Device) && spa_streq(mediaClass, "Audio/Device"))
    BoundObject_bindCard(devices, identifier);
}

static void globalRemoved(void *data, uint32_t identifier) {
  CPipeWireShims_Devices *devices = data;
  if (devices->settings && devices->settingsIdentifier == identifier) ClockSettings_close(devices);
  BoundObject *object = (BoundObject *)Devices_object(devices, identifier);
  if (object) BoundObject_free(object);
  Devices_changed(devices);
}

static const struct pw_registry_events registryEvents = {
    PW_VERSION_REGISTRY_EVENTS, .global = globalAdded, .global_remove = globalRemoved};

const BoundObject *Devices_object(CPipeWireShims_Devices *devices, uint32_t identifier) {
  BoundObject *object;
  spa_list_for_each(object, &devices->objects, link) {
    if (object->identifier == identifier) return object;
  }
  return NULL;
}

static bool watch(CPipeWireShims_Devices *devices) {
  Connection *connection = &devices->connection;
  devices->registry = pw_core_get_registry(connection->core, PW_VERSION_REGISTRY, 0);
  if (!devices->registry) return false;
  connection->changed = graphChanged;
  connection->changedContext = devices;
  pw_registry_add_listener(devices->registry, &devices->registryListener, &registryEvents, devices);
  // The replies bring the objects, their properties, and their parameters.
  return Connection_roundtrip(connection) && Connection_roundtrip(connection) && Connection_roundtrip(connection);
}

static bool openConnection(CPipeWireShims_Devices *devices, const char *socketPath, CPipeWireShims_Error *error) {
  devices->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (devices->event < 0) return CPipeWireShims_setError(error, CPipeWireShims_StepMemory, errno, "");
  devices->connection.tellsOfFailure = true;
  devices->connection.failureEvent = devices->event;
  if (!Connection_open(&devices->connection, socketPath, error)) return false;
  pw_thread_loop_lock(devices->connection.loop);
  bool isWatching = watch(devices);
  pw_thread_loop_unlock(devices->connection.loop);
  return isWatching || CPipeWireShims_setError(error, CPipeWireShims_StepAnswer, ETIMEDOUT, devices->connection.failure);
}

CPipeWireShims_Devices *CPipeWireShims_openDevices(const char *socketPath, CPipeWireShims_Error *error) {
  CPipeWireShims_setError(error, CPipeWireShims_StepNone, 0, "");
  CPipeWireShims_Devices *devices = calloc(1, sizeof *devices);
  if (!devices) return CPipeWireShims_setError(error, CPipeWireShims_StepMemory, ENOMEM, ""), NULL;
  spa_list_init(&devices->objects);
  devices->otherEvent = -1;
  if (openConnection(devices, socketPath, error)) return devices;
  CPipeWireShims_closeDevices(devices);
  return NULL;
}

void CPipeWireShims_closeDevices(CPipeWireShims_Devices *devices) {
  Connection_stopLoop(&devices->connection);
  BoundObject *object, *next;
  spa_list_for_each_safe(object, next, &devices->objects, link) BoundObject_free(object);
  ClockSettings_close(devices);
  if (devices->registry) {
    spa_hook_remove(&devices->registryListener);
    pw_proxy_destroy((struct pw_proxy *)devices->registry);
  }
  Connection_close(&devices->connection);
  if (devices->event >= 0) close(devices->event);
  free(devices);
}

void CPipeWireShims_tellOfDevices(CPipeWireShims_Devices *devices, int event) {
  pw_thread_loop_lock(devices->connection.loop);
  devices->otherEvent = event;
  pw_thread_loop_unlock(devices->connection.loop);
}

int CPipeWireShims_devicesEvent(CPipeWireShims_Devices *devices) { return devices->event; }

const char *CPipeWireShims_devicesFailure(CPipeWireShims_Devices *devices) {
  // Acquire: the text was written before the flag.
  bool hasFailed = atomic_load_explicit(&devices->connection.hasFailed, memory_order_acquire);
  return hasFailed ? devices->connection.failure : NULL;
}

static bool hasRunningStreams(CPipeWireShims_Devices *devices) {
  BoundObject *object;
  spa_list_for_each(object, &devices->objects, link) {
    if (spa_streq(object->mediaClass, streamClass) && object->isRunning) return true;
  }
  return false;
}

static CPipeWireShims_Choices describeChoices(CPipeWireShims_Devices *devices) {
  const Object *sink = Registry_default(&devices->connection, true);
  const Object *source = Registry_default(&devices->connection, false);
  CPipeWireShims_Choices choices = {
      .sinkName = sink ? sink->name : "",
      .sourceName = source ? source->name : "",
      .rate = devices->rate,
      .quantum = devices->quantum,
      .minimumQuantum = devices->minimumQuantum,
      .maximumQuantum = devices->maximumQuantum,
      .forcedRate = devices->forcedRate,
      .forcedQuantum = devices->forcedQuantum,
      .allowedRateCount = devices->allowedRateCount,
      .hasRunningStreams = hasRunningStreams(devices),
  };
  memcpy(choices.allowedRates, devices->allowedRates, sizeof choices.allowedRates);
  return choices;
}

static const char *firstOf(const char *text, const char *otherwise) { return text[0] ? text : otherwise; }

/// Describes a node; texts that it lacks come from its card.
static CPipeWireShims_Device describe(CPipeWireShims_Devices *devices, const Object *node, const char **channels) {
  static const BoundObject unknown = {.volume = 1};
  const BoundObject *bound = Devices_object(devices, node->identifier);
  const BoundObject *own = bound ? bound : &unknown;
  const BoundObject *found = bound ? Devices_object(devices, bound->cardIdentifier) : NULL;
  const BoundObject *card = found && found->isCard ? found : &unknown;
  const Object *ports[maximumChannelCount];
  enum pw_direction direction = isSink(node->mediaClass) ? PW_DIRECTION_INPUT : PW_DIRECTION_OUTPUT;
  uint32_t count =
      Registry_ports(&devices->connection, node->identifier, direction, ports, maximumChannelCount);
  for (uint32_t index = 0; index < count; index++) channels[index] = ports[index]->channel;
  return (CPipeWireShims_Device){
      .name = node->name,
      .description = firstOf(own->description, node->name),
      .nick = node->nick,
      .serial = node->serial,
      .isSink = direction == PW_DIRECTION_INPUT,
      .formFactor = firstOf(own->formFactor, card->formFactor),
      .api = firstOf(own->api, card->api),
      .bus = firstOf(own->bus, card->bus),
      .iconName = firstOf(own->iconName, card->iconName),
      .profileName = firstOf(own->profileName, card->profileName),
      .routeName = BoundObject_routeName(own, card),
      .portType = BoundObject_portType(own, card),
      .channelCount = count,
      .channels = channels,
      .volume = own->isMuted ? 0 : own->volume,
  };
}

void CPipeWireShims_readDevices(
    CPipeWireShims_Devices *devices, void *context, void (*choices)(void *, const CPipeWireShims_Choices *),
    void (*device)(void *, const CPipeWireShims_Device *)) {
  const char *channels[maximumChannelCount];
  pw_thread_loop_lock(devices->connection.loop);
  CPipeWireShims_Choices chosen = describeChoices(devices);
  choices(context, &chosen);
  const Object *object;
  spa_list_for_each(object, &devices->connection.objects, link) {
    if (object->kind != objectNode || !(isSink(object->mediaClass) || isSource(object->mediaClass))) continue;
    CPipeWireShims_Device facts = describe(devices, object, channels);
    device(context, &facts);
  }
  pw_thread_loop_unlock(devices->connection.loop);
}
