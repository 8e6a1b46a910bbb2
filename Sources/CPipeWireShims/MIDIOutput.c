// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Outgoing MIDI: a control thread puts messages into a ring, PipeWire's data thread puts them into the port's buffer.
#include <string.h>

#include <spa/control/control.h>
#include <spa/pod/builder.h>

#include "Private.h"

/// The most bytes that a message takes in a buffer.
enum { messageByteCount = 32 };

bool CPipeWireShims_sendMIDI(CPipeWireShims_Node *node, const uint8_t *bytes, uint32_t byteCount) {
  MIDIOutput *output = &node->midiOutput;
  if (!output->port || byteCount == 0 || byteCount > 3) return false;
  // Relaxed: only the flag itself is passed.
  if (!atomic_load_explicit(&output->isLinked, memory_order_relaxed)) return false;
  unsigned written = atomic_load_explicit(&output->written, memory_order_relaxed);
  // Acquire: the data thread is done with the slot.
  if (written - atomic_load_explicit(&output->read, memory_order_acquire) >= CPipeWireShims_midiCapacity) return false;
  OutgoingMIDI *message = &output->messages[written % CPipeWireShims_midiCapacity];
  message->byteCount = (uint8_t)byteCount;
  memcpy(message->bytes, bytes, byteCount);
  // Release: the message is complete.
  atomic_store_explicit(&output->written, written + 1, memory_order_release);
  return true;
}

static void put(struct spa_pod_builder *builder, const OutgoingMIDI *message, bool isUniversal) {
  uint32_t words[2];
  if (isUniversal) {
    uint32_t count = CPipeWireShims_packMessage(message->bytes, message->byteCount, words);
    spa_pod_builder_control(builder, 0, CPipeWireShims_universalControl);
    spa_pod_builder_bytes(builder, words, count * (uint32_t)sizeof *words);
  } else {
    spa_pod_builder_control(builder, 0, SPA_CONTROL_Midi);
    spa_pod_builder_bytes(builder, message->bytes, message->byteCount);
  }
}

/// Puts the waiting messages into a buffer, as far as there is room.
static void putWaiting(MIDIOutput *output, struct spa_data *data) {
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(data->data, data->maxsize);
  struct spa_pod_frame frame;
  spa_pod_builder_push_sequence(&builder, &frame, 0);
  unsigned read = atomic_load_explicit(&output->read, memory_order_relaxed);
  // Acquire: the messages are complete.
  unsigned written = atomic_load_explicit(&output->written, memory_order_acquire);
  for (; read != written && builder.state.offset + messageByteCount <= data->maxsize; read++) {
    const OutgoingMIDI *message = &output->messages[read % CPipeWireShims_midiCapacity];
    put(&builder, message, output->isUniversal);
  }
  // Release: the slots have been read.
  atomic_store_explicit(&output->read, read, memory_order_release);
  spa_pod_builder_pop(&builder, &frame);
  data->chunk->offset = 0;
  data->chunk->stride = 1;
  data->chunk->size = builder.state.offset;
}

void CPipeWireShims_writeMIDI(MIDIOutput *output) {
  if (!output->port) return;
  struct pw_buffer *buffer = pw_filter_dequeue_buffer(output->port);
  // Relaxed: only the flag itself is passed.
  atomic_store_explicit(&output->isLinked, buffer != NULL, memory_order_relaxed);
  if (!buffer) return;
  struct spa_data *data = &buffer->buffer->datas[0];
  if (data->data && data->maxsize >= 2 * messageByteCount) putWaiting(output, data);
  pw_filter_queue_buffer(output->port, buffer);
}
