// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The rates and quanta that the daemon allows and prefers, from its metadata "settings". Loop thread, under its lock.
#include <stdlib.h>
#include <string.h>

#include "Devices.h"

/// Reads a list of numbers: "[ 44100 48000 ]".
static uint32_t readNumbers(const char *text, uint32_t *numbers, uint32_t capacity) {
  uint32_t count = 0;
  while (*text && count < capacity) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text) text++;
    else if (value > 0 && value <= UINT32_MAX) numbers[count++] = (uint32_t)value, text = end;
    else text = end;
  }
  return count;
}

static int settingChanged(void *data, uint32_t subject, const char *key, const char *type, const char *value) {
  CPipeWireShims_Devices *devices = data;
  (void)subject, (void)type;
  if (!key || !value) return 0;
  uint32_t number = 0;
  readNumbers(value, &number, 1);
  if (spa_streq(key, "clock.rate")) devices->rate = number;
  if (spa_streq(key, "clock.quantum")) devices->quantum = number;
  if (spa_streq(key, "clock.min-quantum")) devices->minimumQuantum = number;
  if (spa_streq(key, "clock.max-quantum")) devices->maximumQuantum = number;
  if (spa_streq(key, "clock.force-rate")) devices->forcedRate = number;
  if (spa_streq(key, "clock.force-quantum")) devices->forcedQuantum = number;
  if (spa_streq(key, "clock.allowed-rates")) devices->allowedRateCount = readNumbers(value, devices->allowedRates, 16);
  Devices_changed(devices);
  return 0;
}

static const struct pw_metadata_events settingsEvents = {PW_VERSION_METADATA_EVENTS, .property = settingChanged};

void ClockSettings_bind(CPipeWireShims_Devices *devices, uint32_t identifier, const struct spa_dict *properties) {
  if (devices->settings || !spa_streq(spa_dict_lookup(properties, PW_KEY_METADATA_NAME), "settings")) return;
  devices->settings = pw_registry_bind(devices->registry, identifier, PW_TYPE_INTERFACE_Metadata, PW_VERSION_METADATA, 0);
  if (!devices->settings) return;
  devices->settingsIdentifier = identifier;
  pw_metadata_add_listener(devices->settings, &devices->settingsListener, &settingsEvents, devices);
}

void ClockSettings_close(CPipeWireShims_Devices *devices) {
  if (!devices->settings) return;
  spa_hook_remove(&devices->settingsListener);
  pw_proxy_destroy((struct pw_proxy *)devices->settings);
  devices->settings = NULL;
}
