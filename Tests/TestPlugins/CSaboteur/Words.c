// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// False replies and counters. Render thread.
#include "Orders.h"

void spoilReply(enum Order order, uint8_t argument, struct CWireLayout_Reply *reply, uint64_t *completed) {
  switch (order) {
    case orderReplySequence: reply->sequence = nastyNumber(argument, reply->sequence); break;
    case orderReplyFrames: reply->outputFrameCount = (uint32_t)nastyNumber(argument, reply->outputFrameCount); break;
    case orderReplyStatus: reply->status = 77 + argument; break;
    case orderCompleted: *completed = nastyNumber(argument, *completed); break;
    default: break;
  }
}

/// Fills the ring towards the host with events, most of which make no sense.
static void floodEvents(struct Unit *unit) {
  static uint64_t random = 88172645463325252ull;
  uint64_t capacity = unit->header.pluginToHostEventCapacity;
  uint64_t *slots = (void *)(unit->region + unit->header.pluginToHostEventsOffset);
  for (uint64_t word = 0; word < capacity * sizeof(struct CWireLayout_Event) / sizeof *slots; word++) {
    slots[word] = nextRandom(&random);
  }
  // Every second event is of a kind that the host knows.
  struct CWireLayout_Event *events = (void *)slots;
  for (uint64_t index = 0; index < capacity; index += 2) events[index].kind = 1 + index / 2 % 2;
  uint64_t read = atomic_load_explicit(HOST_WORD(unit, pluginToHostRead), memory_order_acquire);
  atomic_store_explicit(PLUGIN_WORD(unit, pluginToHostWritten), read + capacity, memory_order_release);
}

void spoilWords(struct Unit *unit, enum Order order, uint8_t argument) {
  static uint64_t floodEnd;
  _Atomic uint32_t *lifeline = (_Atomic uint32_t *)(void *)PLUGIN_WORD(unit, lifeline);
  switch (order) {
    case orderEventsWritten: {
      uint64_t honest = atomic_load(PLUGIN_WORD(unit, pluginToHostWritten));
      atomic_store(PLUGIN_WORD(unit, pluginToHostWritten), nastyNumber(argument, honest));
      break;
    }
    case orderEventsRead: atomic_store(PLUGIN_WORD(unit, hostToPluginRead), nastyNumber(argument, unit->eventsRead)); break;
    // As the kernel does for a dead thread.
    case orderCutLifeline: atomic_fetch_or(lifeline, 0x40000000u); break;
    case orderNoLifeline: atomic_store(lifeline, 0); break;
    case orderEventFlood: floodEnd = endOf(argument); break;
    default: break;
  }
  if (now() < floodEnd) floodEvents(unit);
}
