// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Maps the descriptors of a message, and checks their seals and sizes. Main thread.
#define _GNU_SOURCE
#include "Mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

size_t getLayout(struct Reader *reader, struct AudioMemory *memory) {
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

void *mapNext(struct Mapping *mapping, struct Question *question, size_t minimumByteCount, bool isWritable) {
  if (question->descriptorsTaken == question->descriptorCount) return NULL;
  int file = question->descriptors[question->descriptorsTaken++];
  int seals = fcntl(file, F_GET_SEALS), wanted = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  struct stat status;
  if (seals < 0 || (seals & wanted) != wanted || fstat(file, &status) < 0) return NULL;
  if (status.st_size <= 0 || (size_t)status.st_size < minimumByteCount) return NULL;
  int protection = isWritable ? PROT_READ | PROT_WRITE : PROT_READ;
  void *base = mmap(NULL, (size_t)status.st_size, protection, MAP_SHARED | MAP_POPULATE, file, 0);
  if (base == MAP_FAILED) return NULL;
  *mapping = (struct Mapping){base, (size_t)status.st_size};
  return base;
}

void unmap(struct Mapping *mapping) {
  if (mapping->base) munmap(mapping->base, mapping->byteCount);
  mapping->base = NULL;
}
