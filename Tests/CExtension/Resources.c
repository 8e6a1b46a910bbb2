// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Render resources: maps the memory and starts the render thread, or refuses and leaves nothing behind. Main thread.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "Channel.h"
#include "Region.h"

/// The body of `allocate`.
struct Wish {
  double sampleRate;
  uint32_t frameCount, channelCount;
  size_t outputByteCount, inputByteCount;
  uint32_t firstInputChannel;
  bool isConnected, hasSuccessor;
};

/// Reads a layout; returns the least number of bytes of its memory, or 0 when it is not valid.
static size_t getLayout(struct Reader *reader, struct AudioMemory *memory) {
  memory->slotCount = get32(reader);
  memory->channelCount = get32(reader);
  memory->frameStride = get32(reader);
  if (memory->slotCount < 1 || memory->slotCount > CWireLayout_maximumSlotCount) return 0;
  if (memory->channelCount > CWireLayout_maximumChannelCount) return 0;
  if (memory->frameStride < 16 || memory->frameStride > CWireLayout_maximumFrameCount) return 0;
  if (memory->frameStride % 16 != 0) return 0;
  size_t byteCount = 4 * (size_t)memory->slotCount * memory->channelCount * memory->frameStride;
  return byteCount < CWireLayout_pageByteCount ? CWireLayout_pageByteCount : byteCount;
}

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
  uint32_t connectionCount = get32(body);
  wish->isConnected = connectionCount == 1 && get8(body);
  if (wish->isConnected) {
    wish->inputByteCount = getLayout(body, &unit->input);
    wish->firstInputChannel = get32(body);
  }
  wish->hasSuccessor = get8(body);
  if (!isComplete(body) || connectionCount != 1 || !wish->outputByteCount || (wish->isConnected && !wish->inputByteCount)) {
    return "the message is malformed";
  }
  if (unit->output.channelCount < wish->channelCount || unit->output.frameStride < wish->frameCount) {
    return "its output does not fit";
  }
  const struct AudioMemory *input = &unit->input;
  if (wish->isConnected &&
      (wish->firstInputChannel + (uint64_t)wish->channelCount > input->channelCount || input->frameStride < wish->frameCount)) {
    return "its input does not fit";
  }
  return NULL;
}

/// Maps the question's next descriptor; NULL unless its size is sealed and large enough.
static void *mapNext(struct Unit *unit, struct Question *question, size_t minimumByteCount, int protection) {
  if (question->descriptorsTaken == question->descriptorCount || question->descriptorsTaken == mappingLimit) return NULL;
  struct Mapping *mapping = &unit->mappings[question->descriptorsTaken];
  int file = question->descriptors[question->descriptorsTaken++];
  int seals = fcntl(file, F_GET_SEALS), wanted = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  struct stat status;
  if (seals < 0 || (seals & wanted) != wanted || fstat(file, &status) < 0) return NULL;
  if (status.st_size <= 0 || (size_t)status.st_size < minimumByteCount) return NULL;
  void *base = mmap(NULL, (size_t)status.st_size, protection, MAP_SHARED | MAP_POPULATE, file, 0);
  if (base == MAP_FAILED) return NULL;
  *mapping = (struct Mapping){base, (size_t)status.st_size};
  return base;
}

/// Maps the descriptors in their order; false when anything is missing.
static bool mapAll(struct Unit *unit, struct Question *question, const struct Wish *wish) {
  const int both = PROT_READ | PROT_WRITE;
  unit->region = mapNext(unit, question, CWireLayout_pageByteCount, both);
  unit->doorbell = mapNext(unit, question, sizeof *unit->doorbell, PROT_READ);
  unit->hostDoorbell = mapNext(unit, question, sizeof *unit->hostDoorbell, both);
  unit->output.base = mapNext(unit, question, wish->outputByteCount, both);
  unit->successorDoorbell = wish->hasSuccessor ? mapNext(unit, question, sizeof *unit->successorDoorbell, both) : NULL;
  unit->input.base = wish->isConnected ? mapNext(unit, question, wish->inputByteCount, PROT_READ) : NULL;
  if (!unit->region || !unit->doorbell || !unit->hostDoorbell || !unit->output.base) return false;
  return (!wish->hasSuccessor || unit->successorDoorbell) && (!wish->isConnected || unit->input.base);
}

static void unmapAll(struct Unit *unit) {
  for (int index = 0; index < mappingLimit; index++) {
    if (unit->mappings[index].base) munmap(unit->mappings[index].base, unit->mappings[index].byteCount);
    unit->mappings[index].base = NULL;
  }
}

/// Why the resources cannot be had, or NULL.
static const char *acquire(struct Unit *unit, struct Question *question) {
  struct Wish wish = {0};
  const char *reason = getWish(&question->body, &wish, unit);
  if (reason) return reason;
  if (!mapAll(unit, question, &wish)) return "its memory cannot be mapped";
  // Copied once, so that the unit uses what it has checked.
  memcpy(&unit->header, unit->region, sizeof unit->header);
  if (!isValidHeader(&unit->header, unit->mappings[0].byteCount, wish.sampleRate, wish.frameCount)) {
    return "the region's header is not valid";
  }
  if (unit->input.base) unit->input.base += (size_t)wish.firstInputChannel * unit->input.frameStride;
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
