// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The body of a control message, written and read field by field. Main thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "Tremolo.h"

// MARK: Writing

struct Writer {
  uint8_t *bytes;
  size_t count, capacity;
};

static inline void put(struct Writer *writer, const void *bytes, size_t count) {
  if (writer->count + count > writer->capacity) {
    writer->capacity = (writer->count + count) * 2;
    writer->bytes = realloc(writer->bytes, writer->capacity);
    if (!writer->bytes) abort();
  }
  if (count > 0) memcpy(writer->bytes + writer->count, bytes, count);
  writer->count += count;
}

// For little-endian machines only; a big-endian one would swap here.
static inline void put8(struct Writer *writer, uint8_t number) { put(writer, &number, 1); }
static inline void put32(struct Writer *writer, uint32_t number) { put(writer, &number, 4); }
static inline void put64(struct Writer *writer, uint64_t number) { put(writer, &number, 8); }
static inline void putDouble(struct Writer *writer, double number) { put(writer, &number, 8); }

static inline void putBlob(struct Writer *writer, const void *bytes, uint32_t count) {
  put32(writer, count);
  put(writer, bytes, count);
}

static inline void putText(struct Writer *writer, const char *text) { putBlob(writer, text, (uint32_t)strlen(text)); }

// MARK: Reading

struct Reader {
  const uint8_t *bytes;
  size_t count;
  bool failed;
};

static inline const uint8_t *get(struct Reader *reader, size_t count) {
  static const uint8_t zeros[8];
  if (count > reader->count) reader->failed = true;
  if (reader->failed) return zeros;
  const uint8_t *bytes = reader->bytes;
  reader->bytes += count;
  reader->count -= count;
  return bytes;
}

static inline uint8_t get8(struct Reader *reader) { return *get(reader, 1); }

static inline uint32_t get32(struct Reader *reader) {
  uint32_t number;
  memcpy(&number, get(reader, 4), 4);
  return number;
}

static inline uint64_t get64(struct Reader *reader) {
  uint64_t number;
  memcpy(&number, get(reader, 8), 8);
  return number;
}

static inline double getDouble(struct Reader *reader) { return doubleFromBits(get64(reader)); }

struct Blob {
  const uint8_t *bytes;
  uint32_t count;
};

static inline struct Blob getBlob(struct Reader *reader) {
  struct Blob blob = {NULL, get32(reader)};
  if (blob.count > reader->count) reader->failed = true;
  if (!reader->failed) blob.bytes = get(reader, blob.count);
  if (reader->failed) blob.count = 0;
  return blob;
}

static inline uint32_t getCount(struct Reader *reader, size_t minimumByteCount) {
  uint32_t count = get32(reader);
  if (count > reader->count / minimumByteCount) reader->failed = true;
  return reader->failed ? 0 : count;
}

static inline bool isComplete(const struct Reader *reader) { return !reader->failed && reader->count == 0; }
