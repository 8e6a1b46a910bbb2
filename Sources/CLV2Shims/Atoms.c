// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sequences of atoms: written for a plug-in's inputs, and read from its outputs without trust. Render thread.
#include "CLV2Shims.h"

#include <lv2/atom/atom.h>
#include <math.h>
#include <string.h>

static uint32_t padded(uint32_t byteCount) { return (byteCount + 7u) & ~7u; }

void CLV2Shims_clearInput(void *buffer) {
  LV2_Atom_Sequence *sequence = buffer;
  sequence->atom.size = sizeof(LV2_Atom_Sequence_Body);
  sequence->atom.type = CLV2Shims_vocabulary()->sequence;
  sequence->body.unit = 0;
  sequence->body.pad = 0;
}

void CLV2Shims_clearOutput(void *buffer, uint32_t capacity) {
  LV2_Atom *atom = buffer;
  atom->size = capacity - (uint32_t)sizeof(LV2_Atom);
  atom->type = CLV2Shims_vocabulary()->chunk;
}

/// Makes room for an event and writes its header; NULL if there is no room.
static uint8_t *begin(void *buffer, uint32_t capacity, int64_t frame, uint32_t type, uint32_t byteCount) {
  LV2_Atom_Sequence *sequence = buffer;
  uint32_t used = (uint32_t)sizeof(LV2_Atom) + sequence->atom.size;
  if (used > capacity || byteCount > capacity) return NULL;
  if (capacity - used < sizeof(LV2_Atom_Event) + padded(byteCount)) return NULL;
  LV2_Atom_Event *event = (LV2_Atom_Event *)((uint8_t *)buffer + used);
  event->time.frames = frame;
  event->body.type = type;
  event->body.size = byteCount;
  sequence->atom.size += (uint32_t)sizeof(LV2_Atom_Event) + padded(byteCount);
  return (uint8_t *)(event + 1);
}

bool CLV2Shims_append(
    void *buffer, uint32_t capacity, int64_t frame, uint32_t type, const void *body, uint32_t byteCount) {
  uint8_t *room = begin(buffer, capacity, frame, type, byteCount);
  if (!room) return false;
  memcpy(room, body, byteCount);
  return true;
}

static uint32_t propertyByteCount(uint32_t byteCount) {
  return (uint32_t)sizeof(LV2_Atom_Property_Body) + padded(byteCount);
}

/// Begins an object of a type, with `byteCount` bytes of room for its properties.
static uint8_t *beginObject(void *buffer, uint32_t capacity, int64_t frame, uint32_t type, uint32_t byteCount) {
  uint32_t whole = (uint32_t)sizeof(LV2_Atom_Object_Body) + byteCount;
  uint8_t *room = begin(buffer, capacity, frame, CLV2Shims_vocabulary()->object, whole);
  if (!room) return NULL;
  LV2_Atom_Object_Body body = {0, type};
  memcpy(room, &body, sizeof body);
  return room + sizeof body;
}

static uint8_t *put(uint8_t *room, uint32_t key, uint32_t type, const void *body, uint32_t byteCount) {
  LV2_Atom_Property_Body property = {key, 0, {byteCount, type}};
  memcpy(room, &property, sizeof property);
  memcpy(room + sizeof property, body, byteCount);
  memset(room + sizeof property + byteCount, 0, padded(byteCount) - byteCount);
  return room + sizeof property + padded(byteCount);
}

bool CLV2Shims_appendPosition(void *buffer, uint32_t capacity, int64_t frame, const CLV2Shims_Position *position) {
  const CLV2Shims_Vocabulary *words = CLV2Shims_vocabulary();
  uint8_t *room = beginObject(buffer, capacity, frame, words->position, 8 * propertyByteCount(8));
  if (!room) return false;
  room = put(room, words->frame, words->longType, &position->frame, sizeof position->frame);
  room = put(room, words->speed, words->floatType, &position->speed, sizeof position->speed);
  room = put(room, words->beat, words->doubleType, &position->beat, sizeof position->beat);
  room = put(room, words->bar, words->longType, &position->bar, sizeof position->bar);
  room = put(room, words->barBeat, words->floatType, &position->barBeat, sizeof position->barBeat);
  room = put(room, words->beatUnit, words->intType, &position->beatUnit, sizeof position->beatUnit);
  room = put(room, words->beatsPerBar, words->floatType, &position->beatsPerBar, sizeof position->beatsPerBar);
  put(room, words->beatsPerMinute, words->floatType, &position->beatsPerMinute, sizeof position->beatsPerMinute);
  return true;
}

bool CLV2Shims_appendSet(void *buffer, uint32_t capacity, int64_t frame, const CLV2Shims_Change *change) {
  const CLV2Shims_Vocabulary *words = CLV2Shims_vocabulary();
  if (change->byteCount > capacity) return false;
  uint32_t byteCount = propertyByteCount(sizeof change->property) + propertyByteCount(change->byteCount);
  uint8_t *room = beginObject(buffer, capacity, frame, words->patchSet, byteCount);
  if (!room) return false;
  room = put(room, words->patchProperty, words->urid, &change->property, sizeof change->property);
  put(room, words->patchValue, change->type, change->body, change->byteCount);
  return true;
}

bool CLV2Shims_appendGet(void *buffer, uint32_t capacity, int64_t frame) {
  return beginObject(buffer, capacity, frame, CLV2Shims_vocabulary()->patchGet, 0) != NULL;
}

bool CLV2Shims_nextEvent(const void *buffer, uint32_t capacity, uint32_t *offset, CLV2Shims_Event *event) {
  LV2_Atom header;
  memcpy(&header, buffer, sizeof header);
  if (header.type != CLV2Shims_vocabulary()->sequence || header.size > capacity - sizeof header) return false;
  uint32_t end = (uint32_t)sizeof header + header.size;
  uint32_t start = *offset ? *offset : (uint32_t)sizeof(LV2_Atom_Sequence);
  if (start > end || end - start < sizeof(LV2_Atom_Event)) return false;
  LV2_Atom_Event found;
  memcpy(&found, (const uint8_t *)buffer + start, sizeof found);
  uint32_t room = end - start - (uint32_t)sizeof found;
  if (found.body.size > room) return false;
  event->frame = found.time.frames;
  event->type = found.body.type;
  event->byteCount = found.body.size;
  event->body = (const uint8_t *)buffer + start + sizeof found;
  // The last event may lack its padding.
  *offset = padded(found.body.size) > room ? end : start + (uint32_t)sizeof found + padded(found.body.size);
  return true;
}

/// Finds the property at `*offset` of an object's body, and moves on.
static bool nextProperty(const uint8_t *body, uint32_t byteCount, uint32_t *offset, CLV2Shims_Change *property) {
  uint32_t start = *offset ? *offset : (uint32_t)sizeof(LV2_Atom_Object_Body);
  LV2_Atom_Property_Body found;
  if (start > byteCount || byteCount - start < sizeof found) return false;
  memcpy(&found, body + start, sizeof found);
  uint32_t room = byteCount - start - (uint32_t)sizeof found;
  if (found.value.size > room) return false;
  *property = (CLV2Shims_Change){found.key, found.value.type, found.value.size, body + start + sizeof found};
  *offset = padded(found.value.size) > room ? byteCount : start + (uint32_t)sizeof found + padded(found.value.size);
  return true;
}

static bool isObject(uint32_t type, const uint8_t *body, uint32_t byteCount, uint32_t kind) {
  LV2_Atom_Object_Body object;
  if (type != CLV2Shims_vocabulary()->object || byteCount < sizeof object) return false;
  memcpy(&object, body, sizeof object);
  return kind == 0 || object.otype == kind;
}

/// Reads a patch:Set as a single change.
static bool setChange(const CLV2Shims_Event *event, CLV2Shims_Change *change) {
  const CLV2Shims_Vocabulary *words = CLV2Shims_vocabulary();
  CLV2Shims_Change part;
  uint32_t offset = 0, property = 0;
  bool hasValue = false;
  while (nextProperty(event->body, event->byteCount, &offset, &part)) {
    if (part.property == words->patchProperty && part.byteCount >= sizeof property) {
      memcpy(&property, part.body, sizeof property);
    } else if (part.property == words->patchValue) {
      *change = part;
      hasValue = true;
    }
  }
  change->property = property;
  return hasValue && property != 0;
}

bool CLV2Shims_nextChange(const CLV2Shims_Event *event, uint32_t *offset, CLV2Shims_Change *change) {
  const CLV2Shims_Vocabulary *words = CLV2Shims_vocabulary();
  if (isObject(event->type, event->body, event->byteCount, words->patchSet)) {
    if (*offset) return false;
    *offset = 1;
    return setChange(event, change);
  }
  if (!isObject(event->type, event->body, event->byteCount, words->patchPut)) return false;
  CLV2Shims_Change part;
  for (uint32_t place = 0; nextProperty(event->body, event->byteCount, &place, &part);) {
    if (part.property != words->patchBody || !isObject(part.type, part.body, part.byteCount, 0)) continue;
    return nextProperty(part.body, part.byteCount, offset, change);
  }
  return false;
}

double CLV2Shims_number(uint32_t type, const void *body, uint32_t byteCount) {
  const CLV2Shims_Vocabulary *words = CLV2Shims_vocabulary();
  union {
    float floatValue;
    double doubleValue;
    int32_t intValue;
    int64_t longValue;
  } value;
  if (byteCount < 4 || byteCount > sizeof value) return NAN;
  memcpy(&value, body, byteCount);
  if (type == words->floatType) return value.floatValue;
  if (type == words->intType) return value.intValue;
  if (type == words->boolean) return value.intValue != 0;
  if (byteCount < 8) return NAN;
  if (type == words->doubleType) return value.doubleValue;
  return type == words->longType ? (double)value.longValue : NAN;
}
