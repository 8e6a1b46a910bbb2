// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One cycle on PipeWire's data thread: gathers the port buffers and calls the host. Allocates and locks nothing.
#include <string.h>
#include <time.h>

#include "Private.h"

/// True if the nodes of this process hear silence instead of their inputs.
static atomic_bool isInputMuted;

// Relaxed: only the flag itself is passed.
void CPipeWireShims_setInputMuted(bool isMuted) { atomic_store_explicit(&isInputMuted, isMuted, memory_order_relaxed); }
bool CPipeWireShims_isInputMuted(void) { return atomic_load_explicit(&isInputMuted, memory_order_relaxed); }

/// Gives memory to every port place, even without a port or a link, so that the host need not check.
static void gather(CPipeWireShims_Node *node, uint32_t direction, uint32_t frameCount) {
  bool isMuted = direction == PW_DIRECTION_INPUT && CPipeWireShims_isInputMuted();
  // Acquire: the memory of these places was allocated before.
  node->cycleCount[direction] = atomic_load_explicit(&node->portCount[direction], memory_order_acquire);
  for (uint32_t index = 0; index < node->cycleCount[direction]; index++) {
    Port *port = &node->ports[direction][index];
    // Acquire: the port was made before. A removed port is freed only after this thread has left the cycle.
    void *handle = atomic_load_explicit(&port->handle, memory_order_acquire);
    float *buffer = handle ? pw_filter_get_dsp_buffer(handle, frameCount) : NULL;
    if (isMuted) buffer = NULL;
    if (!buffer && direction == PW_DIRECTION_INPUT) memset(port->scratch, 0, frameCount * sizeof(float));
    node->buffers[direction][index] = buffer ? buffer : port->scratch;
  }
}

/// The factor of each of the channels that share a port, and 1 for channels with a port of their own.
static float share(CPipeWireShims_Node *node, enum pw_direction direction) {
  return 1.0f / (float)atomic_load_explicit(&node->sharing[direction], memory_order_relaxed);
}

/// Lowers the only main input if several channels are added up in it. PipeWire's memory stays as it is.
static void lowerInput(CPipeWireShims_Node *node, uint32_t frameCount) {
  float factor = share(node, PW_DIRECTION_INPUT), *from = node->buffers[PW_DIRECTION_INPUT][0];
  if (factor == 1 || node->cycleCount[PW_DIRECTION_INPUT] == 0) return;
  float *to = node->ports[PW_DIRECTION_INPUT][0].scratch;
  for (uint32_t frame = 0; frame < frameCount; frame++) to[frame] = from[frame] * factor;
  node->buffers[PW_DIRECTION_INPUT][0] = to;
}

/// Lowers the main outputs if PipeWire adds them up in one port.
static void lowerOutputs(CPipeWireShims_Node *node, uint32_t frameCount) {
  float factor = share(node, PW_DIRECTION_OUTPUT);
  if (factor == 1) return;
  uint32_t count = SPA_MIN(node->mainCount[PW_DIRECTION_OUTPUT], node->cycleCount[PW_DIRECTION_OUTPUT]);
  for (uint32_t index = 0; index < count; index++)
    for (uint32_t frame = 0; frame < frameCount; frame++) node->buffers[PW_DIRECTION_OUTPUT][index][frame] *= factor;
}

static void silence(CPipeWireShims_Node *node, uint32_t frameCount) {
  for (uint32_t index = 0; index < node->cycleCount[PW_DIRECTION_OUTPUT]; index++)
    memset(node->buffers[PW_DIRECTION_OUTPUT][index], 0, frameCount * sizeof(float));
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return SPA_TIMESPEC_TO_NSEC(&time);
}

static bool isLate(const struct spa_io_clock *clock) {
  if (clock->flags & SPA_IO_CLOCK_FLAG_FREEWHEEL) return false;
  return clock->next_nsec > clock->nsec && now() > clock->next_nsec;
}

static CPipeWireShims_Cycle describe(CPipeWireShims_Node *node, const struct spa_io_clock *clock) {
  return (CPipeWireShims_Cycle){
      .position = clock->position,
      .clockIdentifier = clock->id,
      .nanoseconds = clock->nsec,
      .startNanoseconds = now(),
      .frameCount = (uint32_t)clock->duration,
      // The rate is a fraction such as 1/48000: seconds per frame.
      .sampleRate = clock->rate.denom,
      // Relaxed: only the flag itself is passed.
      .isDiscontinuous = atomic_exchange_explicit(&node->isDiscontinuous, false, memory_order_relaxed),
      .wasLate = node->wasLate,
      .isFreewheeling = (clock->flags & SPA_IO_CLOCK_FLAG_FREEWHEEL) != 0,
      .inputCount = node->cycleCount[PW_DIRECTION_INPUT],
      .outputCount = node->cycleCount[PW_DIRECTION_OUTPUT],
      .mainInputCount = node->mainCount[PW_DIRECTION_INPUT],
      .mainOutputCount = node->mainCount[PW_DIRECTION_OUTPUT],
      .inputs = node->buffers[PW_DIRECTION_INPUT],
      .outputs = node->buffers[PW_DIRECTION_OUTPUT],
      .midi = node->midi,
  };
}

void CPipeWireShims_process(void *data, struct spa_io_position *position) {
  CPipeWireShims_Node *node = data;
  if (!position || position->clock.duration == 0 || position->clock.duration > maximumFrameCount) return;
  if (position->clock.rate.denom == 0) return;
  uint32_t frameCount = (uint32_t)position->clock.duration;
  gather(node, PW_DIRECTION_INPUT, frameCount);
  gather(node, PW_DIRECTION_OUTPUT, frameCount);
  // Acquire: this thread sees what the control thread set up before it let the node run.
  if (!atomic_load_explicit(&node->isRunning, memory_order_acquire)) return silence(node, frameCount);
  lowerInput(node, frameCount);
  CPipeWireShims_Cycle cycle = describe(node, &position->clock);
  cycle.midiCount = CPipeWireShims_readMIDI(node, frameCount);
  // Acquire: no more messages of these sources come.
  cycle.endedMIDIPorts = atomic_exchange_explicit(&node->endedMIDIPorts, 0, memory_order_acquire);
  cycle.endedMIDIEars = atomic_exchange_explicit(&node->endedMIDIEars, 0, memory_order_acquire);
  node->process(node->context, &cycle);
  lowerOutputs(node, frameCount);
  CPipeWireShims_writeMIDI(&node->midiOutput);
  node->wasLate = isLate(&position->clock);
}
