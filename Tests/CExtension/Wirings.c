// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Wirings: doorbells and inputs, which a request changes between. Main thread and render thread.
#include "Mapping.h"

// MARK: Main thread

const char *getWiringWish(struct Reader *body, struct WiringWish *wish, uint32_t channelCount, uint32_t frameCount) {
  uint32_t connectionCount = get32(body);
  wish->isConnected = connectionCount == 1 && get8(body);
  if (wish->isConnected) {
    wish->inputByteCount = getLayout(body, &wish->input);
    wish->firstInputChannel = get32(body);
  }
  wish->hasSuccessor = get8(body);
  if (!isComplete(body) || connectionCount != 1 || (wish->isConnected && !wish->inputByteCount)) {
    return "the message is malformed";
  }
  const struct AudioMemory *input = &wish->input;
  if (wish->isConnected &&
      (wish->firstInputChannel + (uint64_t)channelCount > input->channelCount || input->frameStride < frameCount)) {
    return "its input does not fit";
  }
  return NULL;
}

bool mapDoorbells(struct Wiring *wiring, struct Question *question) {
  wiring->doorbell = mapNext(&wiring->mappings[0], question, sizeof *wiring->doorbell, false);
  wiring->hostDoorbell = mapNext(&wiring->mappings[1], question, sizeof *wiring->hostDoorbell, true);
  return wiring->doorbell && wiring->hostDoorbell;
}

bool mapRest(struct Wiring *wiring, struct Question *question, const struct WiringWish *wish) {
  wiring->input = wish->input;
  wiring->input.base = NULL;
  wiring->successorDoorbell = NULL;
  if (wish->hasSuccessor) {
    wiring->successorDoorbell = mapNext(&wiring->mappings[2], question, sizeof *wiring->successorDoorbell, true);
    if (!wiring->successorDoorbell) return false;
  }
  if (!wish->isConnected) return true;
  wiring->input.base = mapNext(&wiring->mappings[3], question, wish->inputByteCount, false);
  if (!wiring->input.base) return false;
  wiring->input.base += (size_t)wish->firstInputChannel * wiring->input.frameStride;
  return true;
}

void dropWiring(struct Wiring *wiring) {
  for (int index = 0; index < mappingLimit; index++) unmap(&wiring->mappings[index]);
}

/// Takes a wiring away; false if the render thread uses it.
///
/// The render thread announces what it looks up, and looks then. This looks at the announcement after it has taken the wiring
/// away. All that is sequentially consistent, so at least one side notices the other.
static bool takeAway(struct Unit *unit, uint32_t number) {
  struct Wiring *wiring = &unit->wirings[number];
  if (!atomic_exchange(&wiring->exists, false)) return true;
  if (atomic_load(&unit->soughtWiring) != number && atomic_load(&unit->wiring) != number) return true;
  atomic_store(&wiring->exists, true);
  return false;
}

/// Why the wiring cannot be had, or NULL.
static const char *acquireWiring(struct Unit *unit, struct Question *question) {
  uint32_t number = get32(&question->body);
  struct WiringWish wish = {0};
  const char *reason = getWiringWish(&question->body, &wish, unit->channelCount, unit->header.maximumFrameCount);
  if (reason) return reason;
  if (number < 1 || number >= CWireLayout_wiringCount) return "there is no such wiring";
  struct Wiring made = {0};
  if (!mapDoorbells(&made, question) || !mapRest(&made, question, &wish)) {
    dropWiring(&made);
    return "its memory cannot be mapped";
  }
  if (!takeAway(unit, number)) {
    dropWiring(&made);
    return "that wiring is in use";
  }
  struct Wiring *wiring = &unit->wirings[number];
  dropWiring(wiring);
  memcpy(wiring->mappings, made.mappings, sizeof made.mappings);
  wiring->input = made.input;
  wiring->doorbell = made.doorbell;
  wiring->hostDoorbell = made.hostDoorbell;
  wiring->successorDoorbell = made.successorDoorbell;
  // The render thread finds all of the wiring, or none.
  atomic_store(&wiring->exists, true);
  return NULL;
}

void wire(struct Unit *unit, struct Question *question) {
  if (!unit->isAllocated) return refuse(question, "it has no resources");
  const char *reason = acquireWiring(unit, question);
  if (reason) return refuse(question, reason);
  answerDone(question);
}

// MARK: Render thread

bool takeUpWiring(struct Unit *unit, uint32_t number) {
  if (number >= CWireLayout_wiringCount) return false;
  struct Wiring *wiring = &unit->wirings[number];
  atomic_store(&unit->soughtWiring, number);
  bool exists = atomic_load(&wiring->exists);
  if (exists) atomic_store(&unit->wiring, number);
  atomic_store(&unit->soughtWiring, 0);
  if (!exists) return false;
  unit->doorbell = wiring->doorbell;
  unit->hostDoorbell = wiring->hostDoorbell;
  unit->successorDoorbell = wiring->successorDoorbell;
  return true;
}

bool findInput(struct Unit *unit, const struct CWireLayout_Request *request, struct AudioMemory *memory, uint32_t *slot) {
  *memory = unit->wirings[0].input;
  *slot = request->inputSlots[0];
#ifndef TREMOLO_OF_VERSION_1
  if (*slot == CWireLayout_inputSlotSilent) return memory->base = NULL, true;
  if (*slot >= CWireLayout_inputSlotWired) {
    if (request->wiring == 0) return false;
    *memory = unit->wirings[request->wiring].input;
    *slot -= CWireLayout_inputSlotWired;
    if (!memory->base) return false;
  }
#endif
  return !memory->base || *slot < memory->slotCount;
}
