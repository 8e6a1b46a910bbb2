// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The render thread: sleeps until a request is granted, answers it, rings the next unit or the host.
#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "Region.h"
#include "Sabotage.h"

#ifdef TREMOLO_WITHOUT_LIFELINE
static const bool offersLifeline = false;
#else
static const bool offersLifeline = true;
#endif

// MARK: Doorbells

static void futexWait(_Atomic uint32_t *word, uint32_t expected) {
  syscall(SYS_futex, word, FUTEX_WAIT, expected, NULL, NULL, 0);
}

static void futexWake(_Atomic uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0); }

static void ringSuccessor(_Atomic uint32_t *bell, uint32_t value) {
  uint32_t now = atomic_load_explicit(bell, memory_order_relaxed);
  while (value - now - 1 < 64) {
    if (!atomic_compare_exchange_weak_explicit(bell, &now, value, memory_order_release, memory_order_relaxed)) continue;
    futexWake(bell);
    return;
  }
}

void ring(struct Unit *unit, const struct CWireLayout_Request *request) {
  if (request->flags & CWireLayout_requestRingSuccessor && unit->successorDoorbell) {
    ringSuccessor(unit->successorDoorbell, request->successorRing);
  } else {
    atomic_fetch_add_explicit(unit->hostDoorbell, 0x40000000u, memory_order_release);
    futexWake(unit->hostDoorbell);
  }
}

// MARK: Requests

static uint64_t monotonicNanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/// Uses the wiring that a request names; false if there is none.
static bool changeOver(struct Unit *unit, const struct CWireLayout_Request *request) {
#ifndef TREMOLO_OF_VERSION_1
  if (request->wiring != atomic_load_explicit(&unit->wiring, memory_order_relaxed)) {
    if (!takeUpWiring(unit, request->wiring)) return false;
    if (offersLifeline) pointLifeline(unit);
  }
#endif
  return (void)unit, (void)request, true;
}

static uint32_t statusOf(struct Unit *unit, const struct CWireLayout_Request *request, uint64_t sequence) {
#ifdef TREMOLO_RENDERS_ANY_SIZE
  uint32_t maximum = UINT32_MAX;
#else
  uint32_t maximum = unit->header.maximumFrameCount;
#endif
  if (request->outputFrameCount > maximum || request->inputFrameCount > maximum) return CWireLayout_replyTooManyFrames;
  if (request->sequence != sequence || request->inputFrameCount != request->outputFrameCount) {
    return CWireLayout_replyMalformed;
  }
  if (request->outputSlot >= unit->output.slotCount) return CWireLayout_replyMalformed;
  return CWireLayout_replyOK;
}

static void answerRequest(struct Unit *unit, const struct CWireLayout_Request *request, uint64_t sequence, uint64_t started) {
  struct CWireLayout_Reply reply = {.sequence = sequence, .status = statusOf(unit, request, sequence)};
  struct AudioMemory input;
  uint32_t slot;
  bool canRender = changeOver(unit, request) && findInput(unit, request, &input, &slot);
  if (reply.status == CWireLayout_replyOK && !canRender) reply.status = CWireLayout_replyMalformed;
  takeEvents(unit, request->eventCount);
  sabotageBlock(unit, request);
  if (reply.status == CWireLayout_replyOK) {
    renderBlock(unit, request, &input, slot);
    reply.outputFrameCount = request->outputFrameCount;
    reply.inputFrameCount = request->inputFrameCount;
  }
  reply.droppedEventCount = unit->droppedEvents;
  reply.renderNanoseconds = monotonicNanoseconds() - started;
  uint64_t completed = sequence;
  sabotageReply(unit, &reply, &completed);
  struct CWireLayout_Reply *replies = (void *)(unit->region + unit->header.repliesOffset);
  replies[sequence & (unit->header.slotCount - 1)] = reply;
  // Release: a thread that sees the number sees reply and audio.
  atomic_store_explicit(PLUGIN_WORD(unit, completedSequence), completed, memory_order_release);
}

static void renderGranted(struct Unit *unit, uint64_t granted) {
  const _Atomic uint32_t *bell = unit->doorbell;
  const struct CWireLayout_Request *requests = (void *)(unit->region + unit->header.requestsOffset);
  // What the former doorbell grants beyond a change of the wiring does not count any more.
  while (unit->handled < granted && unit->doorbell == bell) {
    uint64_t started = monotonicNanoseconds();
    uint64_t sequence = ++unit->handled;
    struct CWireLayout_Request request;
    memcpy(&request, &requests[sequence & (unit->header.slotCount - 1)], sizeof request);
    answerRequest(unit, &request, sequence, started);
    if (!sabotageRing(unit, &request)) ring(unit, &request);
  }
}

static void renderUntilStopped(struct Unit *unit) {
  while (!atomic_load_explicit(&unit->mustStop, memory_order_acquire)) {
    uint32_t bell = atomic_load_explicit(unit->doorbell, memory_order_acquire);
    uint32_t ahead = bell - (uint32_t)unit->handled;
    uint64_t published = atomic_load_explicit(HOST_WORD(unit, publishedSequence), memory_order_acquire);
    if (ahead > 0 && ahead <= unit->header.slotCount && unit->handled + ahead <= published) {
      renderGranted(unit, unit->handled + ahead);
    } else {
      futexWait(unit->doorbell, bell);
    }
  }
}

// MARK: The thread

/// Numbers next to zero take many processors a hundred times as long as others.
static void flushDenormalsToZero(void) {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#elif defined(__aarch64__)
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  __asm__ volatile("msr fpcr, %0" : : "r"(control | 1ull << 24));
#endif
}

static void *renderMain(void *context) {
  struct Unit *unit = context;
  flushDenormalsToZero();
  unit->threadIdentifier = (int32_t)syscall(SYS_gettid);
  if (offersLifeline) registerLifeline(unit);
  atomic_store_explicit(&unit->isReady, true, memory_order_release);
  renderUntilStopped(unit);
  if (offersLifeline) withdrawLifeline(unit);
  atomic_store_explicit(&unit->isGone, true, memory_order_release);
  return NULL;
}

static void prepare(struct Unit *unit) {
  unit->handled = 0;
  unit->eventsRead = 0;
  unit->droppedEvents = 0;
  unit->queueCount = 0;
  prepareSound(unit);
  atomic_store(&unit->mustStop, false);
  atomic_store(&unit->isReady, false);
  atomic_store(&unit->isGone, false);
}

static void pauseBriefly(void) { nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); }

int startRenderThread(struct Unit *unit) {
  prepare(unit);
  int error = pthread_create(&unit->thread, NULL, renderMain, unit);
  while (!error && !atomic_load_explicit(&unit->isReady, memory_order_acquire)) pauseBriefly();
  return error;
}

void stopRenderThread(struct Unit *unit) {
  atomic_store_explicit(&unit->mustStop, true, memory_order_release);
  while (!atomic_load_explicit(&unit->isGone, memory_order_acquire)) {
    futexWake(unit->wirings[atomic_load(&unit->wiring)].doorbell);
    pauseBriefly();
  }
  pthread_join(unit->thread, NULL);
}
