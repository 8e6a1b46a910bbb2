// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The lifeline: the kernel wakes the host when this thread dies, because it finds the host's doorbell in the thread's list of
// robust futexes. Render thread.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Region.h"

static _Atomic uint32_t *lifelineOf(struct Unit *unit) { return (_Atomic uint32_t *)(void *)PLUGIN_WORD(unit, lifeline); }

/// The list of the one render thread that this process has at a time; it lives as long as the process.
static struct {
  struct robust_list_head head;
  struct robust_list entry;
} lastWill;

void pointLifeline(struct Unit *unit) {
  lastWill.head.list_op_pending = (void *)((char *)unit->hostDoorbell - lastWill.head.futex_offset);
}

void registerLifeline(struct Unit *unit) {
  _Atomic uint32_t *lifeline = lifelineOf(unit);
  lastWill.head.list.next = &lastWill.entry;
  lastWill.entry.next = &lastWill.head.list;
  lastWill.head.futex_offset = (char *)lifeline - (char *)&lastWill.entry;
  pointLifeline(unit);
  atomic_store(lifeline, FUTEX_WAITERS | (uint32_t)unit->threadIdentifier);
  syscall(SYS_set_robust_list, &lastWill.head, sizeof lastWill.head);
}

void withdrawLifeline(struct Unit *unit) {
  atomic_store(lifelineOf(unit), 0);
  lastWill.head.list.next = &lastWill.head.list;
  lastWill.head.list_op_pending = NULL;
}
