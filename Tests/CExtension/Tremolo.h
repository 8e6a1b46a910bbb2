// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A tremolo in plain C, written from Protocol/README.md: the unit, and what each file does.
//
// Main.c        the process from its start to its end, and which function answers which question
// Channel.c     messages: framing, descriptors, sealed bodies. Payload.h writes and reads the bodies
// Greeting.c    the unit's identity: its answer to `hello`
// State.c       parameters, the preset, the state
// Resources.c   `allocate` and `deallocate`: the region and the output, and refuses what cannot be right
// Wirings.c     what `allocate` and `wire` both bring: doorbells and inputs, and the change from one wiring to another
// Mapping.c     maps descriptors
// Region.c      the shared state in the region, and the check of its header
// Render.c      the render thread: doorbells, requests, replies
// Lifeline.c    how the host learns of this process's death
// Events.c      the ring of events, and those that wait for their frame
// Sound.c       the tremolo itself
// Sabotage.h    nothing: where a test plug-in that is made of these files breaks the protocol
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
  /// Of a wiring: three doorbells, one input.
  mappingLimit = 4,
  unitVersion = 1 << 20 | 2 << 10 | 3,
};

extern const char unitName[];

struct ParameterRange {
  const char *identifier, *name;
  uint64_t address;
  double lower, upper, initial;
  uint32_t unit;
};
extern const struct ParameterRange parameterRanges[parameterCount];

/// The values of the one preset.
extern const double presetValues[parameterCount];

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

/// Mapped memory, which must be unmapped.
struct Mapping {
  void *base;
  size_t byteCount;
};

/// The doorbells and the input that requests use when they name it.
struct Wiring {
  /// Whether requests can name it. The control side takes that back before it replaces a wiring.
  _Atomic bool exists;
  struct Mapping mappings[mappingLimit];
  struct AudioMemory input;
  _Atomic uint32_t *doorbell, *hostDoorbell, *successorDoorbell;
};

struct Unit {
  // Both threads.
  _Atomic uint64_t values[parameterCount];  // bits of the current targets
  _Atomic uint64_t wanted[parameterCount];  // bits that the control side asks for; all ones mean none
  _Atomic bool mustStop, isReady, isGone;
  /// Number 0 comes with `allocate`.
  struct Wiring wirings[CWireLayout_wiringCount];
  /// The wiring in use, and the one that the render thread looks up; 0 for none, since wiring 0 is never replaced.
  _Atomic uint32_t wiring, soughtWiring;

  // Control side; the render thread while there is one.
  bool isAllocated;
  struct Mapping regionMapping, outputMapping;
  double sampleRate;
  uint32_t channelCount;
  struct CWireLayout_RegionHeader header;
  uint8_t *region;
  struct AudioMemory output;

  // Render thread: the doorbells of the wiring in use.
  _Atomic uint32_t *doorbell, *hostDoorbell, *successorDoorbell;
  uint64_t handled, eventsRead;
  uint32_t droppedEvents;
  struct CWireLayout_Event queue[queueCapacity];
  uint32_t queueCount;
  struct Ramp ramps[parameterCount];
  double phase;
  int32_t threadIdentifier;
  pthread_t thread;
};

struct Question;
struct Writer;

// MARK: Control side. Each of these answers a question.

/// False when host and unit share no version.
bool greet(struct Question *question);
void setParameters(struct Unit *unit, struct Question *question);
void selectPreset(struct Unit *unit, struct Question *question);
void saveState(const struct Unit *unit, const struct Question *question);
void restoreState(struct Unit *unit, struct Question *question);
void allocate(struct Unit *unit, struct Question *question);
void wire(struct Unit *unit, struct Question *question);

/// Gives the render resources back, if there are any.
void releaseResources(struct Unit *unit);

void setInitialValues(struct Unit *unit);
/// Writes the twelve bytes that identify this unit.
void putComponent(struct Writer *writer);
struct Reader;
/// Whether the next twelve bytes identify this unit.
bool getOwnComponent(struct Reader *reader);
/// Writes parameter values by key path.
void putValues(struct Writer *writer, const double values[parameterCount]);

/// Starts the render thread; returns 0 or an errno. The thread has then registered its lifeline.
int startRenderThread(struct Unit *unit);
/// Ends it.
void stopRenderThread(struct Unit *unit);

// MARK: Render thread

void registerLifeline(struct Unit *unit);
void withdrawLifeline(struct Unit *unit);
/// Has the host's doorbell of the wiring in use rung at this thread's death.
void pointLifeline(struct Unit *unit);

/// Uses the wiring of this number from now on; false if there is none.
bool takeUpWiring(struct Unit *unit, uint32_t number);
/// The memory and the block in it that a request names as input; false if it names none. No base means silence.
bool findInput(struct Unit *unit, const struct CWireLayout_Request *request, struct AudioMemory *memory, uint32_t *slot);

/// Takes as many events out of the ring as the request says.
void takeEvents(struct Unit *unit, uint32_t count);
/// Applies events due at `time` or before; returns the time of the next one, or the largest.
int64_t applyDueEvents(struct Unit *unit, int64_t time);

/// Moves a parameter to a value, over `frameCount` frames, or at once at 0.
void setTarget(struct Unit *unit, int index, double value, uint32_t frameCount);
/// Forgets sound, and puts the parameters at their last targets.
void prepareSound(struct Unit *unit);
/// Renders from a block of the input; memory without a base is silence.
void renderBlock(struct Unit *unit, const struct CWireLayout_Request *request, const struct AudioMemory *from, uint32_t slot);
/// Rings the next unit, or the host after the last.
void ring(struct Unit *unit, const struct CWireLayout_Request *request);

// MARK: Both

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
