// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The unit's identity, its buses, its parameters, its preset. Main thread.
#include "Channel.h"

#ifdef TREMOLO_OF_VERSION_1
enum { ownVersion = 1 };
#else
enum { ownVersion = 2 };
#endif

#ifdef TREMOLO_WITHOUT_LIFELINE
const char unitName[] = "Tremolo without lifeline";
static const char unitSubtype[] = "trmu";
#elif defined(SABOTEUR)
const char unitName[] = "Saboteur";
static const char unitSubtype[] = "sabo";
#elif defined(TREMOLO_RENDERS_ANY_SIZE)
const char unitName[] = "Tremolo of any size";
static const char unitSubtype[] = "trms";
#else
const char unitName[] = "Tremolo";
static const char unitSubtype[] = "trml";
#endif

const struct ParameterRange parameterRanges[parameterCount] = {
    {"rate", "Rate", 7001, 0.1, 20, 4, 7},
    {"depth", "Depth", 7002, 0, 100, 0, 3},
};

const double presetValues[parameterCount] = {1, 60};

int parameterIndex(uint64_t address) {
  for (int index = 0; index < parameterCount; index++) {
    if (parameterRanges[index].address == address) return index;
  }
  return -1;
}

static uint32_t fourCharacters(const char *text) {
  return (uint32_t)text[0] << 24 | (uint32_t)text[1] << 16 | (uint32_t)text[2] << 8 | (uint32_t)text[3];
}

void putComponent(struct Writer *writer) {
  put32(writer, fourCharacters("aufx"));
  put32(writer, fourCharacters(unitSubtype));
  put32(writer, fourCharacters("test"));
}

bool getOwnComponent(struct Reader *reader) {
  bool isEffect = get32(reader) == fourCharacters("aufx");
  bool isTremolo = get32(reader) == fourCharacters(unitSubtype);
  bool isOurs = get32(reader) == fourCharacters("test");
  return isEffect && isTremolo && isOurs;
}

/// Sorted by key path: depth, rate.
void putValues(struct Writer *writer, const double values[parameterCount]) {
  put32(writer, parameterCount);
  putText(writer, parameterRanges[parameterDepth].identifier);
  putDouble(writer, values[parameterDepth]);
  putText(writer, parameterRanges[parameterRate].identifier);
  putDouble(writer, values[parameterRate]);
}

static void putBus(struct Writer *writer, const char *name) {
  putText(writer, name);
  put32(writer, 2);  // channels by default
  put8(writer, 0);   // not optional
  put32(writer, 2);  // two counts that it takes: 1, 2
  put32(writer, 1);
  put32(writer, 2);
}

static void putParameter(struct Writer *writer, const struct ParameterRange *range) {
  put8(writer, 0);  // a parameter, no group
  putText(writer, range->identifier);
  putText(writer, range->name);
  put64(writer, range->address);
  putDouble(writer, range->lower);
  putDouble(writer, range->upper);
  putDouble(writer, range->initial);
  put32(writer, range->unit);
  put32(writer, 1);  // can ramp
  put32(writer, 0);  // no value strings
}

static void putDescription(struct Writer *writer) {
  putComponent(writer);
  put8(writer, 0);  // no classic identifier
  put32(writer, unitVersion);
  put32(writer, 0);  // no flags
  put8(writer, 1);   // as many channels out as in
  putText(writer, unitName);
  putText(writer, "Bulkhead's tests");
  put32(writer, 1);
  putText(writer, "Modulation");
  put32(writer, 1);
  putBus(writer, "Input");
  put32(writer, 1);
  putBus(writer, "Output");
}

/// `version` is the newest one that the host speaks.
static void putWelcome(struct Writer *writer, uint32_t version) {
  put32(writer, version < ownVersion ? version : ownVersion);
  putDescription(writer);
  put32(writer, parameterCount);
  for (int index = 0; index < parameterCount; index++) putParameter(writer, &parameterRanges[index]);
  put32(writer, 0);  // no texts
  put32(writer, 1);  // one preset
  putText(writer, "Slow");
  putValues(writer, presetValues);
}

static void answerVersionRefused(const struct Question *question) {
  struct Writer body = {0};
  put32(&body, CWireLayout_minimumVersion);
  put32(&body, ownVersion);
  putText(&body, unitName);
  answer(question, CWireLayout_messageVersionRefused, &body);
  free(body.bytes);
}

bool greet(struct Question *question) {
  uint32_t minimum = get32(&question->body), maximum = get32(&question->body);
  getBlob(&question->body);  // the host's name
  uint32_t wordCount = get32(&question->body);
  // A later version may add fields after these.
  if (question->body.failed) return refuse(question, "the message is malformed"), true;
  if (minimum > ownVersion || maximum < CWireLayout_minimumVersion) {
    return answerVersionRefused(question), false;
  }
  if (wordCount > 0) return refuse(question, "there is one unit here, and nothing to choose"), true;
  struct Writer body = {0};
  putWelcome(&body, maximum);
  answer(question, CWireLayout_messageWelcome, &body);
  free(body.bytes);
  return true;
}
