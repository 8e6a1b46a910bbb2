// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The shared declarations of the files that watch the session's devices. The loop's lock guards all of it.
#pragma once

#include "Private.h"

enum { maximumRouteCount = 16 };

/// The active port of one direction of a card, such as its jack for headphones.
typedef struct {
  uint32_t direction;
  int32_t profileDevice;
  char name[64];
  char portType[32];
} ActiveRoute;

/// A bound node or card; the daemon reports all properties of a bound object.
typedef struct {
  struct spa_list link;
  CPipeWireShims_Devices *owner;
  uint32_t identifier;
  bool isCard;
  struct pw_proxy *proxy;
  struct spa_hook listener;
  char description[256];
  char mediaClass[64];
  char formFactor[64];
  char api[64];
  char bus[64];
  char iconName[64];
  char profileName[64];
  // Fields of a node: its card, the part of the card, its volume, and whether it runs.
  uint32_t cardIdentifier;
  int32_t profileDevice;
  float volume;
  bool isMuted;
  bool isRunning;
  bool hasAskedForParameters;
  // Fields of a card.
  ActiveRoute routes[maximumRouteCount];
} BoundObject;

struct CPipeWireShims_Devices {
  Connection connection;
  int event;
  /// Another eventfd that is written at each change; negative for none.
  int otherEvent;
  struct pw_registry *registry;
  struct spa_hook registryListener;
  struct spa_list objects;
  struct pw_metadata *settings;
  struct spa_hook settingsListener;
  uint32_t settingsIdentifier;
  uint32_t rate, quantum, minimumQuantum, maximumQuantum, forcedRate, forcedQuantum;
  uint32_t allowedRateCount;
  uint32_t allowedRates[16];
};

// Devices.c
void Devices_changed(CPipeWireShims_Devices *devices);
const BoundObject *Devices_object(CPipeWireShims_Devices *devices, uint32_t identifier);

// BoundObjects.c
void BoundObject_bindNode(CPipeWireShims_Devices *devices, uint32_t identifier);
void BoundObject_bindCard(CPipeWireShims_Devices *devices, uint32_t identifier);
void BoundObject_free(BoundObject *object);
const char *BoundObject_routeName(const BoundObject *node, const BoundObject *card);
const char *BoundObject_portType(const BoundObject *node, const BoundObject *card);

// ClockSettings.c
void ClockSettings_bind(CPipeWireShims_Devices *devices, uint32_t identifier, const struct spa_dict *properties);
void ClockSettings_close(CPipeWireShims_Devices *devices);
