// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Events: taken out of the ring, kept until their frame, applied there. Render thread.
#include <math.h>
#include <string.h>

#include "Region.h"
#include "Sabotage.h"

static void insert(struct Unit *unit, const struct CWireLayout_Event *event) {
  if (unit->queueCount == queueCapacity) {
    unit->droppedEvents++;
    return;
  }
  uint32_t position = unit->queueCount++;
  while (position > 0 && unit->queue[position - 1].sampleTime > event->sampleTime) {
    unit->queue[position] = unit->queue[position - 1];
    position--;
  }
  unit->queue[position] = *event;
}

void takeEvents(struct Unit *unit, uint32_t count) {
  uint64_t capacity = unit->header.hostToPluginEventCapacity;
  uint64_t written = atomic_load_explicit(HOST_WORD(unit, hostToPluginWritten), memory_order_acquire);
  uint64_t available = written - unit->eventsRead;
  if (available > capacity) return;
  struct CWireLayout_Event *slots = (void *)(unit->region + unit->header.hostToPluginEventsOffset);
  for (uint64_t taken = 0; taken < count && taken < available; taken++) {
    struct CWireLayout_Event event = slots[unit->eventsRead & (capacity - 1)];
    unit->eventsRead++;
    if (!takeOrder(&event)) insert(unit, &event);
  }
  atomic_store_explicit(PLUGIN_WORD(unit, hostToPluginRead), unit->eventsRead, memory_order_release);
}

static void apply(struct Unit *unit, const struct CWireLayout_Event *event) {
  int index = event->kind == CWireLayout_eventParameter ? parameterIndex(event->address) : -1;
  double value = doubleFromBits(event->value);
  if (index < 0 || isnan(value)) {
    unit->droppedEvents++;
    return;
  }
  const struct ParameterRange *range = &parameterRanges[index];
  setTarget(unit, index, value < range->lower ? range->lower : value > range->upper ? range->upper : value,
            event->rampFrameCount);
}

/// Applies events due at `time` or before; returns the time of the next one, or the largest.
int64_t applyDueEvents(struct Unit *unit, int64_t time) {
  uint32_t due = 0;
  while (due < unit->queueCount && unit->queue[due].sampleTime <= time) apply(unit, &unit->queue[due++]);
  memmove(unit->queue, unit->queue + due, (unit->queueCount - due) * sizeof unit->queue[0]);
  unit->queueCount -= due;
  return unit->queueCount > 0 ? unit->queue[0].sampleTime : INT64_MAX;
}
