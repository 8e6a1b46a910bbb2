// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the LV2 plug-ins that keep to the rules have in common. For tests.
#pragma once

#include <lv2/atom/atom.h>
#include <lv2/atom/forge.h>
#include <lv2/atom/util.h>
#include <lv2/core/lv2.h>
#include <lv2/urid/urid.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "urn:bulkhead:test:"

extern const LV2_Descriptor keeper, fixedBlocks, echo, ports, controlled, swap, late, plainRestore, safeRestore;
extern const LV2_Descriptor tardy, filed, misnamed, deaf, drawer;

/// The data of a feature, or NULL.
static inline void *feature(const LV2_Feature *const *features, const char *uri) {
  for (; features && *features; features++) {
    if (strcmp((*features)->URI, uri) == 0) return (*features)->data;
  }
  return NULL;
}

static inline LV2_URID number(const LV2_Feature *const *features, const char *uri) {
  LV2_URID_Map *map = feature(features, LV2_URID__map);
  return map ? map->map(map->handle, uri) : 0;
}
