// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Render resources: maps the memory and starts the render thread, or refuses and leaves nothing behind. Main thread.
#include "Mapping.h"
#include "Region.h"

/// The body of `allocate`.
struct Wish {
  double sampleRate;
  uint32_t frameCount, channelCount;
  size_t outputByteCount;
  struct WiringWish wiring;
};

/// Why the wish cannot be granted, or NULL.
static const char *getWish(struct Reader *body, struct Wish *wish, struct Unit *unit) {
  wish->sampleRate = getDouble(body);
  wish->frameCount = get32(body);
  if (get32(body) != 1) return "it has one input bus";
  wish->channelCount = get32(body);
  if (get32(body) != 1) return "it has one output bus";
  if (get32(body) != wish->channelCount || wish->channelCount < 1 || wish->channelCount > channelLimit) {
    return "it takes one channel or two, in and out alike";
  }
  wish->outputByteCount = getLayout(body, &unit->output);
  const char *reason = getWiringWish(body, &wish->wiring, wish->channelCount, wish->frameCount);
  if (reason) return reason;
  if (!wish->outputByteCount) return "the message is malformed";
  if (unit->output.channelCount < wish->channelCount || unit->output.frameStride < wish->frameCount) {
    return "its output does not fit";
  }
  return NULL;
}

/// Maps the descriptors in their order; false when anything is missing.
static bool mapAll(struct Unit *unit, struct Question *question, const struct Wish *wish) {
  struct Wiring *wiring = &unit->wirings[0];
  unit->region = mapNext(&unit->regionMapping, question, CWireLayout_pageByteCount, true);
  if (!unit->region || !mapDoorbells(wiring, question)) return false;
  unit->output.base = mapNext(&unit->outputMapping, question, wish->outputByteCount, true);
  if (!unit->output.base || !mapRest(wiring, question, &wish->wiring)) return false;
  atomic_store(&wiring->exists, true);
  return takeUpWiring(unit, 0);
}

static void unmapAll(struct Unit *unit) {
  for (int number = 0; number < CWireLayout_wiringCount; number++) {
    atomic_store(&unit->wirings[number].exists, false);
    dropWiring(&unit->wirings[number]);
  }
  unmap(&unit->regionMapping);
  unmap(&unit->outputMapping);
}

/// Why the resources cannot be had, or NULL.
static const char *acquire(struct Unit *unit, struct Question *question) {
  struct Wish wish = {0};
  const char *reason = getWish(&question->body, &wish, unit);
  if (reason) return reason;
  if (!mapAll(unit, question, &wish)) return "its memory cannot be mapped";
  // Copied once, so that the unit uses what it has checked.
  memcpy(&unit->header, unit->region, sizeof unit->header);
  if (!isValidHeader(&unit->header, unit->regionMapping.byteCount, wish.sampleRate, wish.frameCount)) {
    return "the region's header is not valid";
  }
  unit->sampleRate = wish.sampleRate;
  unit->channelCount = wish.channelCount;
  return startRenderThread(unit) ? "it cannot start a thread" : NULL;
}

void allocate(struct Unit *unit, struct Question *question) {
  if (unit->isAllocated) return refuse(question, "its resources are allocated");
  const char *reason = acquire(unit, question);
  if (reason) {
    unmapAll(unit);
    return refuse(question, reason);
  }
  unit->isAllocated = true;
  struct Writer body = {0};
  put32(&body, 0);  // latency
  put32(&body, 0);  // tail
  put32(&body, (uint32_t)unit->threadIdentifier);
  answer(question, CWireLayout_messageAllocated, &body);
  free(body.bytes);
}

void releaseResources(struct Unit *unit) {
  if (!unit->isAllocated) return;
  stopRenderThread(unit);
  unmapAll(unit);
  unit->isAllocated = false;
}
