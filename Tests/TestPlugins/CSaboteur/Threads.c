// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Threads that write where they must not while the unit renders, and that sleep where the host does. Threads of their own.
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Orders.h"

/// Memory that is overwritten again and again, 4 bytes at a time, so that a doorbell can be an area too.
struct Area {
  volatile uint32_t *words;
  size_t wordCount;
  /// A word that is left as it is, or NULL.
  volatile uint32_t *spared;
  uint64_t end;
};

enum { areaLimit = 16, sleeperCount = 8 };
static struct Area areas[areaLimit];
static int areaCount;

static void *scribble(void *context) {
  struct Area area = *(struct Area *)context;
  uint64_t random = 0x9E3779B97F4A7C15ull + (uintptr_t)area.words;
  // The clock is not read for each of the few words of a doorbell.
  while (now() < area.end) {
    for (size_t count = 0; count < 4096 || count < area.wordCount; count++) {
      volatile uint32_t *word = &area.words[count % area.wordCount];
      if (word != area.spared) *word = (uint32_t)(nextRandom(&random) >> 16);
    }
  }
  return NULL;
}

static void startScribbling(volatile void *base, size_t byteCount, volatile void *spared, uint64_t end) {
  pthread_t thread;
  if (!base || areaCount == areaLimit) return;
  struct Area *area = &areas[areaCount++];
  *area = (struct Area){base, byteCount / sizeof(uint32_t), spared, end};
  if (pthread_create(&thread, NULL, scribble, area) == 0) pthread_detach(thread);
}

/// Sleeps at a doorbell again and again, so that a wake-up for one sleeper may reach this one.
static void *sleepAt(void *doorbell) {
  for (;;) {
    uint32_t value = *(volatile uint32_t *)doorbell;
    syscall(SYS_futex, doorbell, FUTEX_WAIT, value, NULL, NULL, 0);
  }
  return NULL;
}

static void startSleeping(void *doorbell) {
  pthread_t thread;
  if (!doorbell) return;
  for (int index = 0; index < sleeperCount; index++) {
    if (pthread_create(&thread, NULL, sleepAt, doorbell) == 0) pthread_detach(thread);
  }
}

void startThreads(struct Unit *unit, enum Order order, uint8_t argument) {
  const uint64_t end = endOf(argument);
  const struct AudioMemory *output = &unit->output;
  const size_t outputByteCount = sizeof(float) * output->slotCount * output->channelCount * output->frameStride;
  switch (order) {
    case orderScribbleRegion: startScribbling(unit->region, unit->header.byteCount, NULL, end); break;
    case orderScribbleButLifeline:
      startScribbling(unit->region, unit->header.byteCount, (volatile void *)PLUGIN_WORD(unit, lifeline), end);
      break;
    case orderScribbleOutput: startScribbling(output->base, outputByteCount, NULL, end); break;
    case orderScribbleHostDoorbell: startScribbling(unit->hostDoorbell, sizeof(uint32_t), NULL, end); break;
    case orderScribbleSuccessor: startScribbling(unit->successorDoorbell, sizeof(uint32_t), NULL, end); break;
    case orderScribbleOwnDoorbell:
      // The doorbell is mapped for reading only.
      mprotect(unit->doorbell, CWireLayout_pageByteCount, PROT_READ | PROT_WRITE);
      startScribbling(unit->doorbell, sizeof(uint32_t), NULL, end);
      break;
    case orderSleepAtDoorbells:
      startSleeping(unit->hostDoorbell);
      startSleeping(unit->successorDoorbell);
      break;
    default: break;
  }
}
