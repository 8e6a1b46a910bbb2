// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Rings too early, too often, never, and dies at the worst moments. Render thread.
#include <math.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "Orders.h"

enum { ringCount = 10000 };

static void pass(uint64_t nanoseconds) {
  for (uint64_t end = now() + nanoseconds; now() < end;) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

/// Lets the next unit read NaN and then denies the ring; answers long after its deadline.
static void takeBackRing(struct Unit *unit, const struct CWireLayout_Request *request) {
  const struct AudioMemory *output = &unit->output;
  float *block = output->base + (size_t)request->outputSlot * output->channelCount * output->frameStride;
  for (uint32_t sample = 0; sample < output->channelCount * output->frameStride; sample++) block[sample] = NAN;
  ring(unit, request);
  pass(20000000);
  atomic_store_explicit(unit->successorDoorbell, request->successorRing - 1, memory_order_release);
  pass(230000000);
}

void ringEarly(struct Unit *unit, enum Order order, const struct CWireLayout_Request *request) {
  if (order == orderEndRenderThread) syscall(SYS_exit, 0);
  if (order == orderTakeBackRing && unit->successorDoorbell) takeBackRing(unit, request);
  if (order != orderRingEarly && order != orderCompleteEarly) return;
  if (order == orderCompleteEarly) {
    struct CWireLayout_Reply *replies = (void *)(unit->region + unit->header.repliesOffset);
    replies[request->sequence & (unit->header.slotCount - 1)] = (struct CWireLayout_Reply){
        .sequence = request->sequence,
        .outputFrameCount = request->outputFrameCount,
        .inputFrameCount = request->inputFrameCount};
    atomic_store_explicit(PLUGIN_WORD(unit, completedSequence), request->sequence, memory_order_release);
  }
  ring(unit, request);
  // Leaves a host or neighbour that believes it enough time to act on it.
  for (uint64_t end = now() + 1000000; now() < end;) {
  }
}

/// Stores the doorbell's number and dies before it wakes the sleeper.
static void dieBeforeTheWake(struct Unit *unit, const struct CWireLayout_Request *request) {
  if (request->flags & CWireLayout_requestRingSuccessor && unit->successorDoorbell) {
    atomic_store_explicit(unit->successorDoorbell, request->successorRing, memory_order_release);
  } else {
    atomic_fetch_add_explicit(unit->hostDoorbell, 0x40000000u, memory_order_release);
  }
  kill(getpid(), SIGKILL);
}

/// Spins until it is rung, so that threads of no higher rank do not run; naps every so often.
static void ringAndStayAwake(struct Unit *unit, uint8_t argument, const struct CWireLayout_Request *request) {
  static uint64_t nextNap;
  uint32_t bell = atomic_load_explicit(unit->doorbell, memory_order_acquire);
  ring(unit, request);
  while (atomic_load_explicit(unit->doorbell, memory_order_acquire) == bell) {
    if (argument == 127 || now() < nextNap) continue;
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    nextNap = endOf(argument);
  }
}

bool ringWrong(struct Unit *unit, enum Order order, uint8_t argument, const struct CWireLayout_Request *request) {
  int rings = order == orderRingTwice ? 1 : order == orderRingStorm ? ringCount : 0;
  while (rings-- > 0) ring(unit, request);
  if (order == orderDieBeforeTheWake) dieBeforeTheWake(unit, request);
  if (order == orderNeverSleep) ringAndStayAwake(unit, argument, request);
  return order == orderRingNobody || order == orderNeverSleep;
}
