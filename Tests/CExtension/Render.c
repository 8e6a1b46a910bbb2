// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The render thread of the C tremolo: doorbells, lifeline, events, sound.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "Tremolo.h"

static const uint64_t nothingWanted = ~0ull;
#ifdef TREMOLO_WITHOUT_LIFELINE
static const bool offersLifeline = false;
#else
static const bool offersLifeline = true;
#endif

static void futexWait(_Atomic uint32_t *word, uint32_t expected) {
  syscall(SYS_futex, word, FUTEX_WAIT, expected, NULL, NULL, 0);
}

static void futexWake(_Atomic uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0); }

static uint64_t monotonicNanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// MARK: Words of the region

static _Atomic uint64_t *counter(struct Unit *unit, uint64_t section, size_t offset) {
  return (_Atomic uint64_t *)(void *)(unit->region + section + offset);
}

static _Atomic uint64_t *hostWord(struct Unit *unit, size_t offset) {
  return counter(unit, unit->header.hostWordsOffset, offset);
}

static _Atomic uint64_t *pluginWord(struct Unit *unit, size_t offset) {
  return counter(unit, unit->header.pluginWordsOffset, offset);
}

static _Atomic uint32_t *lifeline(struct Unit *unit) {
  return (_Atomic uint32_t *)(void *)pluginWord(unit, offsetof(struct CWireLayout_PluginWords, lifeline));
}

// MARK: Parameters

static void ramp(struct Unit *unit, int index, double value, uint32_t frameCount) {
  struct Ramp *ramp = &unit->ramps[index];
  ramp->target = value;
  ramp->framesLeft = frameCount;
  if (frameCount == 0) {
    ramp->current = value;
  } else {
    ramp->step = (value - ramp->current) / frameCount;
  }
  atomic_store_explicit(&unit->values[index], bitsFromDouble(value), memory_order_relaxed);
}

static double next(struct Ramp *ramp) {
  if (ramp->framesLeft > 0) {
    ramp->framesLeft--;
    ramp->current = ramp->framesLeft == 0 ? ramp->target : ramp->current + ramp->step;
  }
  return ramp->current;
}

static void takeWantedValues(struct Unit *unit) {
  for (int index = 0; index < parameterCount; index++) {
    uint64_t bits = atomic_exchange_explicit(&unit->wanted[index], nothingWanted, memory_order_relaxed);
    if (bits != nothingWanted) ramp(unit, index, doubleFromBits(bits), 0);
  }
}

// MARK: Events

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

static void takeEvents(struct Unit *unit, uint32_t count) {
  uint64_t capacity = unit->header.hostToPluginEventCapacity;
  uint64_t written = atomic_load_explicit(
      hostWord(unit, offsetof(struct CWireLayout_HostWords, hostToPluginWritten)), memory_order_acquire);
  uint64_t available = written - unit->eventsRead;
  if (available > capacity) return;
  struct CWireLayout_Event *slots = (void *)(unit->region + unit->header.hostToPluginEventsOffset);
  for (uint64_t taken = 0; taken < count && taken < available; taken++) {
    struct CWireLayout_Event event = slots[unit->eventsRead & (capacity - 1)];
    unit->eventsRead++;
    insert(unit, &event);
  }
  atomic_store_explicit(
      pluginWord(unit, offsetof(struct CWireLayout_PluginWords, hostToPluginRead)), unit->eventsRead,
      memory_order_release);
}

static void apply(struct Unit *unit, const struct CWireLayout_Event *event) {
  int index = event->kind == CWireLayout_eventParameter ? parameterIndex(event->address) : -1;
  double value = doubleFromBits(event->value);
  if (index < 0 || isnan(value)) {
    unit->droppedEvents++;
    return;
  }
  const struct ParameterRange *range = &parameterRanges[index];
  ramp(unit, index, value < range->lower ? range->lower : value > range->upper ? range->upper : value,
       event->rampFrameCount);
}

/// Applies what is due at `time` or before; the time of what comes next, or the largest.
static int64_t applyDueEvents(struct Unit *unit, int64_t time) {
  uint32_t due = 0;
  while (due < unit->queueCount && unit->queue[due].sampleTime <= time) apply(unit, &unit->queue[due++]);
  memmove(unit->queue, unit->queue + due, (unit->queueCount - due) * sizeof unit->queue[0]);
  unit->queueCount -= due;
  return unit->queueCount > 0 ? unit->queue[0].sampleTime : INT64_MAX;
}

// MARK: Sound

static float *channelOf(const struct AudioMemory *memory, uint32_t slot, uint32_t channel) {
  return memory->base + ((size_t)slot * memory->channelCount + channel) * memory->frameStride;
}

static void renderFrame(struct Unit *unit, const float *const *input, float *const *output, uint32_t frame) {
  double depth = next(&unit->ramps[parameterDepth]) * 0.01;
  double swing = unit->phase < 0.5 ? 2 * unit->phase : 2 - 2 * unit->phase;
  float gain = (float)(1 - depth * swing);
  for (uint32_t channel = 0; channel < unit->channelCount; channel++) {
    output[channel][frame] = (input[channel] ? input[channel][frame] : 0) * gain;
  }
  unit->phase += next(&unit->ramps[parameterRate]) / unit->sampleRate;
  if (unit->phase >= 1) unit->phase -= 1;
}

static void renderBlock(struct Unit *unit, const struct CWireLayout_Request *request) {
  const float *input[channelLimit] = {NULL};
  float *output[channelLimit] = {NULL};
  for (uint32_t channel = 0; channel < unit->channelCount; channel++) {
    if (unit->input.base) input[channel] = channelOf(&unit->input, request->inputSlots[0], channel);
    output[channel] = channelOf(&unit->output, request->outputSlot, channel);
  }
  if (request->flags & CWireLayout_requestReset) unit->phase = 0;
  takeWantedValues(unit);
  int64_t nextEvent = INT64_MIN;
  for (uint32_t frame = 0; frame < request->outputFrameCount; frame++) {
    int64_t now = (int64_t)((uint64_t)request->sampleTime + frame);
    if (nextEvent <= now) nextEvent = applyDueEvents(unit, now);
    renderFrame(unit, input, output, frame);
    if (!(request->flags & CWireLayout_requestBypass)) continue;
    for (uint32_t channel = 0; channel < unit->channelCount; channel++) {
      output[channel][frame] = input[channel] ? input[channel][frame] : 0;
    }
  }
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
  if (unit->input.base && request->inputSlots[0] >= unit->input.slotCount) return CWireLayout_replyMalformed;
  return CWireLayout_replyOK;
}

// MARK: The thread

static void answer(struct Unit *unit, const struct CWireLayout_Request *request, uint64_t sequence, uint64_t started) {
  struct CWireLayout_Reply reply = {.sequence = sequence, .status = statusOf(unit, request, sequence)};
  takeEvents(unit, request->eventCount);
  if (reply.status == CWireLayout_replyOK) {
    renderBlock(unit, request);
    reply.outputFrameCount = request->outputFrameCount;
    reply.inputFrameCount = request->inputFrameCount;
  }
  reply.droppedEventCount = unit->droppedEvents;
  reply.renderNanoseconds = monotonicNanoseconds() - started;
  struct CWireLayout_Reply *replies = (void *)(unit->region + unit->header.repliesOffset);
  replies[sequence & (unit->header.slotCount - 1)] = reply;
  atomic_store_explicit(
      pluginWord(unit, offsetof(struct CWireLayout_PluginWords, completedSequence)), sequence, memory_order_release);
}

static void ringSuccessor(_Atomic uint32_t *bell, uint32_t value) {
  uint32_t now = atomic_load_explicit(bell, memory_order_relaxed);
  while (value - now - 1 < 64) {
    if (!atomic_compare_exchange_weak_explicit(bell, &now, value, memory_order_release, memory_order_relaxed)) continue;
#ifdef TREMOLO_DIES_BEFORE_THE_WAKE
    if (value >= 20) kill(getpid(), SIGKILL);
#endif
    futexWake(bell);
    return;
  }
}

static void ring(struct Unit *unit, const struct CWireLayout_Request *request) {
#ifdef TREMOLO_RINGS_NOBODY
  if (request->flags & CWireLayout_requestRingSuccessor) return;
#endif
  if (request->flags & CWireLayout_requestRingSuccessor && unit->successorDoorbell) {
    ringSuccessor(unit->successorDoorbell, request->successorRing);
  } else {
    atomic_fetch_add_explicit(unit->hostDoorbell, 0x40000000u, memory_order_release);
    futexWake(unit->hostDoorbell);
  }
}

static void renderGranted(struct Unit *unit, uint64_t granted) {
  const struct CWireLayout_Request *requests = (void *)(unit->region + unit->header.requestsOffset);
  while (unit->handled < granted) {
    uint64_t started = monotonicNanoseconds();
    uint64_t sequence = ++unit->handled;
    struct CWireLayout_Request request;
    memcpy(&request, &requests[sequence & (unit->header.slotCount - 1)], sizeof request);
    answer(unit, &request, sequence, started);
    ring(unit, &request);
  }
}

static void renderUntilStopped(struct Unit *unit) {
  while (!atomic_load_explicit(&unit->mustStop, memory_order_acquire)) {
    uint32_t bell = atomic_load_explicit(unit->doorbell, memory_order_acquire);
    uint32_t ahead = bell - (uint32_t)unit->handled;
    uint64_t published = atomic_load_explicit(
        hostWord(unit, offsetof(struct CWireLayout_HostWords, publishedSequence)), memory_order_acquire);
    if (ahead > 0 && ahead <= unit->header.slotCount && unit->handled + ahead <= published) {
      renderGranted(unit, unit->handled + ahead);
    } else {
      futexWait(unit->doorbell, bell);
    }
  }
}

/// The list of the one render thread that this process has at a time; it lives as long as the process.
static struct {
  struct robust_list_head head;
  struct robust_list entry;
} lastWill;

static void registerLifeline(struct Unit *unit) {
  char *futex = (char *)lifeline(unit);
  lastWill.head.list.next = &lastWill.entry;
  lastWill.entry.next = &lastWill.head.list;
  lastWill.head.futex_offset = futex - (char *)&lastWill.entry;
  lastWill.head.list_op_pending = (void *)((char *)unit->hostDoorbell - lastWill.head.futex_offset);
  atomic_store(lifeline(unit), FUTEX_WAITERS | (uint32_t)unit->threadIdentifier);
  syscall(SYS_set_robust_list, &lastWill.head, sizeof lastWill.head);
}

static void withdrawLifeline(struct Unit *unit) {
  atomic_store(lifeline(unit), 0);
  lastWill.head.list.next = &lastWill.head.list;
  lastWill.head.list_op_pending = NULL;
}

static void *renderMain(void *context) {
  struct Unit *unit = context;
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
  unit->phase = 0;
  for (int index = 0; index < parameterCount; index++) {
    atomic_store(&unit->wanted[index], nothingWanted);
    ramp(unit, index, doubleFromBits(atomic_load(&unit->values[index])), 0);
  }
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
    futexWake(unit->doorbell);
    pauseBriefly();
  }
  pthread_join(unit->thread, NULL);
}
