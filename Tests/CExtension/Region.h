// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The shared state in the region, and the check of its header. Both threads.
#pragma once

#include <stddef.h>

#include "Tremolo.h"

static inline _Atomic uint64_t *regionWord(struct Unit *unit, uint64_t section, size_t offset) {
  return (_Atomic uint64_t *)(void *)(unit->region + section + offset);
}

#define HOST_WORD(unit, field) \
  regionWord(unit, (unit)->header.hostWordsOffset, offsetof(struct CWireLayout_HostWords, field))
#define PLUGIN_WORD(unit, field) \
  regionWord(unit, (unit)->header.pluginWordsOffset, offsetof(struct CWireLayout_PluginWords, field))

/// [control] Whether a header, copied out of the region, is one that this unit can work with.
bool isValidHeader(const struct CWireLayout_RegionHeader *header, size_t byteCount, double rate, uint32_t frameCount);
