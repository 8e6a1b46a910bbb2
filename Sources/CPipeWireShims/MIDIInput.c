// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One cycle's incoming MIDI on PipeWire's data thread: bytes of MIDI 1.0, or packets. Allocates and locks nothing.
#include <string.h>

#include <spa/control/control.h>
#include <spa/pod/iter.h>

#include "Private.h"

/// Inserts a message after those of its frame, from any port.
static void insertMIDI(CPipeWireShims_Node *node, uint32_t count, const CPipeWireShims_MIDIEvent *event) {
  while (count > 0 && node->midi[count - 1].frameOffset > event->frameOffset) {
    node->midi[count] = node->midi[count - 1];
    count--;
  }
  node->midi[count] = *event;
}

/// Gives the same message of a port, which an ear has heard, too, the ear's number as its source.
static void attribute(CPipeWireShims_Node *node, uint32_t count, const CPipeWireShims_MIDIEvent *heard) {
  for (uint32_t index = 0; index < count; index++) {
    CPipeWireShims_MIDIEvent *event = &node->midi[index];
    if (event->port != heard->port || event->source != 0 || event->byteCount != heard->byteCount) continue;
    if (event->frameOffset != heard->frameOffset || memcmp(event->bytes, heard->bytes, heard->byteCount) != 0) continue;
    event->source = heard->source;
    return;
  }
}

/// Takes a message of a port, or with a source one that an ear has heard; returns the number of messages.
static uint32_t take(CPipeWireShims_Node *node, const CPipeWireShims_MIDIEvent *event, uint32_t count) {
  if (event->source == 0) {
    insertMIDI(node, count, event);
    return count + 1;
  }
  attribute(node, count, event);
  return count;
}

/// True for bytes of a system-exclusive message: its beginning, its data, or its end.
static bool isSystemExclusive(uint8_t first) { return first == 0xF0 || first == 0xF7 || first < 0x80; }

/// Reads a message. A system-exclusive one comes whole or in parts, and is handed on in messages of up to three bytes.
static uint32_t readBytes(
    CPipeWireShims_Node *node, const uint8_t *bytes, uint32_t size, CPipeWireShims_MIDIEvent event, uint32_t count) {
  if (size == 0 || (size > 3 && !isSystemExclusive(bytes[0]))) return count;
  // A message without room for its end is left out whole. A long one gets no source.
  if (size > 3 * (event.source == 0 ? CPipeWireShims_midiCapacity - count : 1)) return count;
  for (uint32_t start = 0; start < size; start += 3) {
    event.byteCount = (uint8_t)SPA_MIN(size - start, 3u);
    memcpy(event.bytes, bytes + start, event.byteCount);
    count = take(node, &event, count);
  }
  return count;
}

/// Reads packets. The memory is another program's, so each packet is copied before it is looked at.
static uint32_t readPackets(
    CPipeWireShims_Node *node, const uint8_t *bytes, uint32_t size, CPipeWireShims_MIDIEvent event, uint32_t count) {
  for (uint32_t start = 0; size - start >= sizeof(uint32_t);) {
    uint32_t words[4] = {0};
    memcpy(words, bytes + start, SPA_MIN(size - start, sizeof words));
    CPipeWireShims_MIDIMessage messages[CPipeWireShims_messagesOfPacket];
    uint32_t length = CPipeWireShims_packetWordCount(words[0]) * (uint32_t)sizeof(uint32_t);
    uint32_t found = length > size - start ? 0 : CPipeWireShims_translatePacket(words, messages);
    if (event.source == 0 && found > CPipeWireShims_midiCapacity - count) found = 0;
    for (uint32_t index = 0; index < found; index++) {
      event.byteCount = messages[index].byteCount;
      memcpy(event.bytes, messages[index].bytes, sizeof event.bytes);
      count = take(node, &event, count);
    }
    start += SPA_MIN(length, size - start);
  }
  return count;
}

static uint32_t readSequence(
    CPipeWireShims_Node *node, const struct spa_pod_sequence *sequence, CPipeWireShims_MIDIEvent event, uint32_t frameCount,
    uint32_t count) {
  const struct spa_pod_control *control;
  SPA_POD_SEQUENCE_FOREACH(sequence, control) {
    uint32_t size = SPA_POD_BODY_SIZE(&control->value), type = control->type;
    const uint8_t *bytes = SPA_POD_BODY(&control->value);
    event.frameOffset = SPA_MIN(control->offset, frameCount - 1);
    if (type == SPA_CONTROL_Midi) count = readBytes(node, bytes, size, event, count);
    if (type == CPipeWireShims_universalControl) count = readPackets(node, bytes, size, event, count);
  }
  return count;
}

/// Reads the messages of a port or an ear in a cycle; `event` says which one.
static uint32_t readMIDIPort(
    CPipeWireShims_Node *node, void *port, CPipeWireShims_MIDIEvent event, uint32_t frameCount, uint32_t count) {
  struct pw_buffer *buffer = pw_filter_dequeue_buffer(port);
  if (!buffer) return count;
  struct spa_data *data = &buffer->buffer->datas[0];
  struct spa_pod *pod =
      data->data ? spa_pod_from_data(data->data, data->maxsize, data->chunk->offset, data->chunk->size) : NULL;
  if (pod && spa_pod_is_sequence(pod)) count = readSequence(node, (struct spa_pod_sequence *)pod, event, frameCount, count);
  pw_filter_queue_buffer(port, buffer);
  return count;
}

uint32_t CPipeWireShims_readMIDI(CPipeWireShims_Node *node, uint32_t frameCount) {
  uint32_t count = 0;
  for (uint32_t port = 0; port < node->midiPortCount; port++) {
    CPipeWireShims_MIDIEvent event = {.port = (uint8_t)port};
    count = readMIDIPort(node, node->midiPorts[port], event, frameCount, count);
  }
  // The ears tell the sources of the messages that the ports have merged.
  for (uint32_t ear = 0; ear < CPipeWireShims_midiEarCapacity; ear++) {
    // Acquire: the ear's port is known. A removed ear is freed only after this thread has left the cycle.
    void *handle = atomic_load_explicit(&node->midiEars[ear].handle, memory_order_acquire);
    CPipeWireShims_MIDIEvent event = {.port = (uint8_t)node->midiEars[ear].port, .source = (uint8_t)(ear + 1)};
    if (handle) readMIDIPort(node, handle, event, frameCount, count);
  }
  return count;
}
