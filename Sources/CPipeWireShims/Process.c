// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One cycle on PipeWire's data thread: gathers the port buffers and calls the host. Allocates and locks nothing.
#include <string.h>
#include <time.h>

#include <spa/control/control.h>
#include <spa/pod/iter.h>

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

/// Inserts a message after those of its frame, from any port.
static void insertMIDI(CPipeWireShims_Node *node, uint32_t count, const CPipeWireShims_MIDIEvent *event) {
  while (count > 0 && node->midi[count - 1].frameOffset > event->frameOffset) {
    node->midi[count] = node->midi[count - 1];
    count--;
  }
  node->midi[count] = *event;
}

/// True for bytes of a system-exclusive message: its beginning, its data, or its end.
static bool isSystemExclusive(uint8_t first) { return first == 0xF0 || first == 0xF7 || first < 0x80; }

/// Reads MIDI messages. A system-exclusive one comes whole or in parts, and is handed on in packets of up to three bytes.
static uint32_t readSequence(
    CPipeWireShims_Node *node, const struct spa_pod_sequence *sequence, uint32_t port, uint32_t frameCount, uint32_t count) {
  const struct spa_pod_control *control;
  SPA_POD_SEQUENCE_FOREACH(sequence, control) {
    uint32_t size = SPA_POD_BODY_SIZE(&control->value);
    const uint8_t *bytes = SPA_POD_BODY(&control->value);
    if (control->type != SPA_CONTROL_Midi || size == 0 || (size > 3 && !isSystemExclusive(bytes[0]))) continue;
    // A message without room for its end is left out whole.
    if (size > 3 * (CPipeWireShims_midiCapacity - count)) continue;
    for (uint32_t start = 0; start < size; start += 3) {
      CPipeWireShims_MIDIEvent event = {.frameOffset = SPA_MIN(control->offset, frameCount - 1)};
      event.port = (uint8_t)port;
      event.byteCount = (uint8_t)SPA_MIN(size - start, 3u);
      memcpy(event.bytes, bytes + start, event.byteCount);
      insertMIDI(node, count++, &event);
    }
  }
  return count;
}

/// The events in a buffer; NULL without any.
static struct spa_pod *content(struct pw_buffer *buffer) {
  struct spa_data *data = &buffer->buffer->datas[0];
  struct spa_pod *pod =
      data->data ? spa_pod_from_data(data->data, data->maxsize, data->chunk->offset, data->chunk->size) : NULL;
  return pod && spa_pod_is_sequence(pod) ? pod : NULL;
}

static uint32_t readMIDIPort(CPipeWireShims_Node *node, uint32_t port, uint32_t frameCount, uint32_t count) {
  struct pw_buffer *buffer = pw_filter_dequeue_buffer(node->midiPorts[port]);
  if (!buffer) return count;
  struct spa_pod *pod = content(buffer);
  if (pod) count = readSequence(node, (struct spa_pod_sequence *)pod, port, frameCount, count);
  pw_filter_queue_buffer(node->midiPorts[port], buffer);
  return count;
}

static uint32_t readMIDI(CPipeWireShims_Node *node, uint32_t frameCount) {
  uint32_t count = 0;
  for (uint32_t port = 0; port < node->midiPortCount; port++) count = readMIDIPort(node, port, frameCount, count);
  return count;
}

/// Gives the events of a port that an ear has heard, too, the ear's number as their source.
static void attribute(CPipeWireShims_Node *node, uint32_t count, uint32_t ear, const struct spa_pod_sequence *sequence, uint32_t frameCount) {
  const struct spa_pod_control *control;
  SPA_POD_SEQUENCE_FOREACH(sequence, control) {
    uint32_t size = SPA_POD_BODY_SIZE(&control->value);
    if (control->type != SPA_CONTROL_Midi || size == 0 || size > 3) continue;
    for (uint32_t index = 0; index < count; index++) {
      CPipeWireShims_MIDIEvent *event = &node->midi[index];
      if (event->port != node->midiEars[ear].port || event->source != 0 || event->byteCount != size) continue;
      if (event->frameOffset != SPA_MIN(control->offset, frameCount - 1)) continue;
      if (memcmp(event->bytes, SPA_POD_BODY(&control->value), size) != 0) continue;
      event->source = (uint8_t)(ear + 1);
      break;
    }
  }
}

/// Asks all ears for the sources of the events that the ports have merged.
static void attributeMIDI(CPipeWireShims_Node *node, uint32_t count, uint32_t frameCount) {
  for (uint32_t ear = 0; ear < CPipeWireShims_midiEarCapacity; ear++) {
    // Acquire: the ear's port is known. A removed ear is freed only after this thread has left the cycle.
    void *handle = atomic_load_explicit(&node->midiEars[ear].handle, memory_order_acquire);
    struct pw_buffer *buffer = handle ? pw_filter_dequeue_buffer(handle) : NULL;
    if (!buffer) continue;
    struct spa_pod *pod = content(buffer);
    if (pod) attribute(node, count, ear, (struct spa_pod_sequence *)pod, frameCount);
    pw_filter_queue_buffer(handle, buffer);
  }
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
  cycle.midiCount = readMIDI(node, frameCount);
  attributeMIDI(node, cycle.midiCount, frameCount);
  // Acquire: no more messages of these sources come.
  cycle.endedMIDIPorts = atomic_exchange_explicit(&node->endedMIDIPorts, 0, memory_order_acquire);
  cycle.endedMIDIEars = atomic_exchange_explicit(&node->endedMIDIEars, 0, memory_order_acquire);
  node->process(node->context, &cycle);
  lowerOutputs(node, frameCount);
  CPipeWireShims_writeMIDI(&node->midiOutput);
  node->wasLate = isLate(&position->clock);
}
