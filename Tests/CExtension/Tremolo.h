// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A tremolo in plain C, written from Protocol/README.md: what its control side and its render thread share.
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "CWireLayout.h"

enum {
  parameterCount = 2,
  parameterRate = 0,
  parameterDepth = 1,
  queueCapacity = 1024,
  channelLimit = 2,
};

struct ParameterRange {
  const char *identifier, *name;
  uint64_t address;
  double lower, upper, initial;
  uint32_t unit;
};
extern const struct ParameterRange parameterRanges[parameterCount];

/// The index of an address, or -1.
int parameterIndex(uint64_t address);

/// A value on its way to another, frame by frame.
struct Ramp {
  double current, target, step;
  uint32_t framesLeft;
};

struct AudioMemory {
  float *base;
  uint32_t slotCount, channelCount, frameStride;
};

/// Mapped memory, to be unmapped.
struct Mapping {
  void *base;
  size_t byteCount;
};

struct Unit {
  // Both threads.
  _Atomic uint64_t values[parameterCount];  // bits of the current targets
  _Atomic uint64_t wanted[parameterCount];  // bits that the control side asks for; all ones: nothing
  _Atomic bool mustStop, isReady, isGone;

  // Control side; the render thread while there is one.
  double sampleRate;
  uint32_t channelCount;
  struct CWireLayout_RegionHeader header;
  uint8_t *region;
  struct AudioMemory output, input;
  _Atomic uint32_t *doorbell, *hostDoorbell, *successorDoorbell;

  // Render thread.
  uint64_t handled, eventsRead;
  uint32_t droppedEvents;
  struct CWireLayout_Event queue[queueCapacity];
  uint32_t queueCount;
  struct Ramp ramps[parameterCount];
  double phase;
  int32_t threadIdentifier;
  pthread_t thread;
};

/// [control] Starts the render thread; 0, or an errno. It has registered its lifeline when this returns.
int startRenderThread(struct Unit *unit);
/// [control] Ends it.
void stopRenderThread(struct Unit *unit);

static inline double doubleFromBits(uint64_t bits) {
  union {
    uint64_t bits;
    double value;
  } both = {.bits = bits};
  return both.value;
}

static inline uint64_t bitsFromDouble(double value) {
  union {
    double value;
    uint64_t bits;
  } both = {.value = value};
  return both.bits;
}
