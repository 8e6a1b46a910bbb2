// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A ring of messages with one writer and one reader, neither of which ever waits. Any two threads.
#include "CLV2Shims.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct CLV2Shims_Ring {
  uint32_t capacity;
  /// The bytes written and read so far; the counts wrap, and the capacity is a power of two.
  _Atomic uint32_t written;
  _Atomic uint32_t read;
  uint8_t *bytes;
};

CLV2Shims_Ring *CLV2Shims_makeRing(uint32_t byteCount) {
  uint32_t capacity = 64;
  while (capacity < byteCount) capacity *= 2;
  CLV2Shims_Ring *ring = calloc(1, sizeof(CLV2Shims_Ring));
  if (!ring) return NULL;
  ring->capacity = capacity;
  ring->bytes = calloc(1, capacity);
  if (ring->bytes) return ring;
  free(ring);
  return NULL;
}

void CLV2Shims_freeRing(CLV2Shims_Ring *ring) {
  free(ring->bytes);
  free(ring);
}

static uint32_t copyIn(CLV2Shims_Ring *ring, uint32_t position, const void *bytes, uint32_t byteCount) {
  uint32_t start = position & (ring->capacity - 1);
  uint32_t first = byteCount < ring->capacity - start ? byteCount : ring->capacity - start;
  if (byteCount) {
    memcpy(ring->bytes + start, bytes, first);
    memcpy(ring->bytes, (const uint8_t *)bytes + first, byteCount - first);
  }
  return position + byteCount;
}

static uint32_t copyOut(CLV2Shims_Ring *ring, uint32_t position, void *bytes, uint32_t byteCount) {
  uint32_t start = position & (ring->capacity - 1);
  uint32_t first = byteCount < ring->capacity - start ? byteCount : ring->capacity - start;
  memcpy(bytes, ring->bytes + start, first);
  memcpy((uint8_t *)bytes + first, ring->bytes, byteCount - first);
  return position + byteCount;
}

bool CLV2Shims_write(
    CLV2Shims_Ring *ring, const void *first, uint32_t firstByteCount, const void *second, uint32_t secondByteCount) {
  uint32_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
  // Acquire: the room that the reader has released may be overwritten.
  uint32_t room = ring->capacity - (written - atomic_load_explicit(&ring->read, memory_order_acquire));
  uint64_t byteCount = (uint64_t)firstByteCount + secondByteCount;
  if (byteCount + sizeof(uint32_t) > room) return false;
  uint32_t length = (uint32_t)byteCount;
  written = copyIn(ring, written, &length, sizeof length);
  written = copyIn(ring, written, first, firstByteCount);
  written = copyIn(ring, written, second, secondByteCount);
  // Release: a thread that sees the number sees a complete message.
  atomic_store_explicit(&ring->written, written, memory_order_release);
  return true;
}

bool CLV2Shims_read(CLV2Shims_Ring *ring, void *body, uint32_t *byteCount) {
  uint32_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
  if (read == atomic_load_explicit(&ring->written, memory_order_acquire)) return false;
  read = copyOut(ring, read, byteCount, sizeof *byteCount);
  read = copyOut(ring, read, body, *byteCount);
  atomic_store_explicit(&ring->read, read, memory_order_release);
  return true;
}
