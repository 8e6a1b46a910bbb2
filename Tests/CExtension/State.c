// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Parameters, the preset, and the state: what is set here takes effect at the next block. Main thread.
#include "Channel.h"

enum { stateEncoding = 2 };

/// The state's bytes beside the values: this unit does not understand them, and keeps them.
static uint8_t *custom;
static uint32_t customByteCount;

static void setValue(struct Unit *unit, int index, double value) {
  if (unit->isAllocated) atomic_store(&unit->wanted[index], bitsFromDouble(value));
  atomic_store(&unit->values[index], bitsFromDouble(value));
}

void setInitialValues(struct Unit *unit) {
  for (int index = 0; index < parameterCount; index++) setValue(unit, index, parameterRanges[index].initial);
}

static bool isInRange(int index, double value) {
  return value >= parameterRanges[index].lower && value <= parameterRanges[index].upper;
}

/// Takes all of the values, or none if one of them is bad.
void setParameters(struct Unit *unit, struct Question *question) {
  uint32_t count = getCount(&question->body, 16);
  struct Reader again = question->body;
  for (uint32_t setting = 0; setting < count; setting++) {
    int index = parameterIndex(get64(&question->body));
    double value = getDouble(&question->body);
    if (index < 0) return refuse(question, "it has no such parameter");
    if (!isInRange(index, value)) return refuse(question, "the value is out of range");
  }
  if (!isComplete(&question->body)) return refuse(question, "the message is malformed");
  for (uint32_t setting = 0; setting < count; setting++) {
    int index = parameterIndex(get64(&again));
    setValue(unit, index, getDouble(&again));
  }
  answerDone(question);
}

void selectPreset(struct Unit *unit, struct Question *question) {
  uint32_t preset = get32(&question->body);
  if (!isComplete(&question->body)) return refuse(question, "the message is malformed");
  if (preset != 0) return refuse(question, "it has no such preset");
  for (int index = 0; index < parameterCount; index++) setValue(unit, index, presetValues[index]);
  saveState(unit, question);
}

void saveState(const struct Unit *unit, const struct Question *question) {
  double values[parameterCount];
  for (int index = 0; index < parameterCount; index++) values[index] = doubleFromBits(atomic_load(&unit->values[index]));
  struct Writer body = {0};
  put32(&body, stateEncoding);
  putComponent(&body);
  put8(&body, 0);  // no classic identifier
  put32(&body, unitVersion);
  putValues(&body, values);
  put32(&body, 0);  // no texts
  putBlob(&body, custom, customByteCount);
  answer(question, CWireLayout_messageState, &body);
  free(body.bytes);
}

static int indexOf(struct Blob keyPath) {
  for (int index = 0; index < parameterCount; index++) {
    const char *identifier = parameterRanges[index].identifier;
    if (keyPath.count == strlen(identifier) && !memcmp(keyPath.bytes, identifier, keyPath.count)) return index;
  }
  return -1;
}

/// Reads values by key path: unknown ones are skipped, missing ones take their defaults.
static void getValues(struct Reader *body, double values[parameterCount]) {
  for (int index = 0; index < parameterCount; index++) values[index] = parameterRanges[index].initial;
  uint32_t count = getCount(body, 12);
  for (uint32_t pair = 0; pair < count && !body->failed; pair++) {
    int index = indexOf(getBlob(body));
    double value = getDouble(body);
    if (index >= 0) values[index] = value;
  }
}

static bool keepCustom(struct Blob kept) {
  uint8_t *copy = malloc(kept.count + 1);
  if (!copy) return false;
  if (kept.count > 0) memcpy(copy, kept.bytes, kept.count);
  free(custom);
  custom = copy;
  customByteCount = kept.count;
  return true;
}

void restoreState(struct Unit *unit, struct Question *question) {
  struct Reader *body = &question->body;
  double values[parameterCount];
  bool isKnown = get32(body) == stateEncoding, isOwn = getOwnComponent(body);
  isOwn &= get8(body) == 0;
  uint32_t version = get32(body);
  getValues(body, values);
  for (uint32_t texts = getCount(body, 8); texts > 0 && !body->failed; texts--) getBlob(body), getBlob(body);
  struct Blob kept = getBlob(body);
  if (!isComplete(body) || !isKnown) return refuse(question, "the state is malformed");
  if (!isOwn || version > unitVersion) return refuse(question, "the state is another's");
  for (int index = 0; index < parameterCount; index++) {
    if (!isInRange(index, values[index])) return refuse(question, "a value is out of range");
  }
  if (!keepCustom(kept)) return refuse(question, "there is no memory");
  for (int index = 0; index < parameterCount; index++) setValue(unit, index, values[index]);
  saveState(unit, question);
}
