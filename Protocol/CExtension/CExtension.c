// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The process around a unit in C: the control channel on the main thread, rendering and the view on their own threads.
//
// Sections, in this order: state, bodies of messages, the control channel, memory, the description, parameters and state, the
// render thread (events, sound, doorbells, requests, lifeline), resources, wirings, the view, the process.
#define _GNU_SOURCE
#include "CExtension.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// MARK: State

enum {
  controlDescriptor = 3,
  queueCapacity = 1024,
  /// The memories of a wiring: three doorbells and the inputs.
  mappingLimit = 3 + CWireLayout_maximumBusCount,
  stateEncoding = 2,
  /// The longest latency in frames.
  latencyLimit = 1 << 20,
};

/// The bits for "no value requested": a NaN that no parameter can have.
static const uint64_t nothingWanted = ~0ull;

struct AudioMemory {
  float *base;
  uint32_t slotCount, channelCount, frameStride;
};

/// Mapped memory, which must be unmapped.
struct Mapping {
  void *base;
  size_t byteCount;
};

/// The doorbells and the inputs that a request can choose.
struct Wiring {
  /// True if requests can name it. The control side clears this before it replaces a wiring.
  _Atomic bool exists;
  struct Mapping mappings[mappingLimit];
  struct AudioMemory inputs[CWireLayout_maximumBusCount];
  _Atomic uint32_t *doorbell, *hostDoorbell, *successorDoorbell;
};

/// The dry signal, and its share in the output.
struct Bypass {
  struct CExtension_Ramp share;
  bool isFresh;
  /// A ring of latencyFrameCount frames for each channel; NULL without latency.
  float *line;
  uint32_t position;
};

struct Unit {
  const struct CExtension_Description *description;
  uint32_t component[3];
  /// The parameters' indices in the order of their identifiers.
  uint32_t *order;

  // For both threads.
  /// The bits of the targets, and of the values that the control side requests.
  _Atomic uint64_t *values, *wanted;
  _Atomic bool mustStop, isReady, isGone;
  /// Wiring 0 comes with `allocate`.
  struct Wiring wirings[CWireLayout_wiringCount];
  /// The wiring in use, and the one that the render thread looks up; 0 for none, since wiring 0 is never replaced.
  _Atomic uint32_t wiring, soughtWiring;

  // For the control side, and for the render thread while it exists.
  bool isAllocated;
  void *state;
  struct CExtension_Setup setup;
  uint32_t inputChannelCounts[CWireLayout_maximumBusCount], outputChannelCounts[CWireLayout_maximumBusCount];
  uint8_t inputSpeakers[CWireLayout_maximumChannelCount], outputSpeakers[CWireLayout_maximumChannelCount];
  struct Mapping regionMapping, outputMapping;
  struct CWireLayout_RegionHeader header;
  uint8_t *region;
  struct AudioMemory output;
  float *silence;
  /// The bytes of the state beside the values: they are kept, but have no meaning here.
  uint8_t *custom;
  uint32_t customByteCount;

  // For the render thread: the doorbells of the wiring in use, and all that follows.
  _Atomic uint32_t *doorbell, *hostDoorbell, *successorDoorbell;
  uint64_t handled, eventsRead;
  uint32_t droppedEvents;
  struct CWireLayout_Event queue[queueCapacity];
  uint32_t queueCount;
  /// `lent` is the copy that the unit advances while it renders.
  struct CExtension_Ramp *ramps, *lent;
  struct Bypass bypass;
  const float *inputs[CWireLayout_maximumChannelCount];
  float *outputs[CWireLayout_maximumChannelCount];
  int32_t threadIdentifier;
  pthread_t thread;

  // For the control side: the newest view, whose thread may have ended.
  struct View *view;
};

struct Reader {
  const uint8_t *bytes;
  size_t count;
  bool failed;
};

/// A request of the host, which must be answered once.
struct Question {
  uint16_t kind;
  uint32_t serial;
  struct Reader body;
  /// The memory of a body that came in a descriptor.
  uint8_t *ownBody;
  int descriptors[CWireLayout_maximumDescriptorCount];
  int descriptorCount, descriptorsTaken;
};

static inline _Atomic uint64_t *regionWord(struct Unit *unit, uint64_t section, size_t offset) {
  return (_Atomic uint64_t *)(void *)(unit->region + section + offset);
}

#define HOST_WORD(unit, field) \
  regionWord(unit, (unit)->header.hostWordsOffset, offsetof(struct CWireLayout_HostWords, field))
#define PLUGIN_WORD(unit, field) \
  regionWord(unit, (unit)->header.pluginWordsOffset, offsetof(struct CWireLayout_PluginWords, field))

static void ring(struct Unit *unit, const struct CWireLayout_Request *request);

// A test names a header here that breaks the protocol on purpose. Plug-in authors can ignore it.
#ifdef CExtension_FAULTS
#include CExtension_FAULTS
#else
enum { newestVersion = CWireLayout_maximumVersion, offersLifeline = 1, rampsEarly = 0 };
enum { ignoresBypass = 0, ignoresEventCount = 0, ignoresRamps = 0, dropsLaterEvents = 0, keepsOrderOfRing = 0 };
enum { takesAnyValue = 0, takesAnyLocator = 0, ringsOnlyTheHost = 0, staysAfterHangUp = 0 };
enum { drawsNoView = 0, answersNoLook = 0, drawsOneSize = 0, keepsViewMemory = 0, staysInView = 0, setsAnyValue = 0 };
enum { saysDrawnOnce = 0 };
static inline uint32_t statusOfLargeBlock(void) { return CWireLayout_replyTooManyFrames; }
static inline bool takeOrder(const struct CWireLayout_Event *event) { return (void)event, false; }
static inline void faultInBlock(struct Unit *unit, const struct CWireLayout_Request *request) { (void)unit, (void)request; }
static inline void faultInReply(struct Unit *unit, struct CWireLayout_Reply *reply, uint64_t *completed) {
  (void)unit, (void)reply, (void)completed;
}
static inline bool faultInRing(struct Unit *unit, const struct CWireLayout_Request *request) {
  return (void)unit, (void)request, false;
}
static inline bool faultInAnswer(const struct Question *question) { return (void)question, false; }
static inline void faultInView(int channel) { (void)channel; }
#endif

// MARK: Bodies of messages

struct Writer {
  uint8_t *bytes;
  size_t count, capacity;
};

static void put(struct Writer *writer, const void *bytes, size_t count) {
  if (writer->count + count > writer->capacity) {
    writer->capacity = (writer->count + count) * 2;
    writer->bytes = realloc(writer->bytes, writer->capacity);
    if (!writer->bytes) _exit(1);
  }
  if (count > 0) memcpy(writer->bytes + writer->count, bytes, count);
  writer->count += count;
}

// Only for little-endian machines; a big-endian one would swap bytes here.
static void put8(struct Writer *writer, uint8_t number) { put(writer, &number, 1); }
static void put32(struct Writer *writer, uint32_t number) { put(writer, &number, 4); }
static void put64(struct Writer *writer, uint64_t number) { put(writer, &number, 8); }
static void putDouble(struct Writer *writer, double number) { put(writer, &number, 8); }

static void putBlob(struct Writer *writer, const void *bytes, uint32_t count) {
  put32(writer, count);
  put(writer, bytes, count);
}

static void putText(struct Writer *writer, const char *text) { putBlob(writer, text, (uint32_t)strlen(text)); }

/// The next bytes of a body; zeros once it has failed.
static const uint8_t *get(struct Reader *reader, size_t count) {
  static const uint8_t zeros[8];
  if (count > reader->count) reader->failed = true;
  if (reader->failed) return zeros;
  const uint8_t *bytes = reader->bytes;
  reader->bytes += count;
  reader->count -= count;
  return bytes;
}

static uint8_t get8(struct Reader *reader) { return *get(reader, 1); }

static uint32_t get32(struct Reader *reader) {
  uint32_t number;
  memcpy(&number, get(reader, 4), 4);
  return number;
}

static uint64_t get64(struct Reader *reader) {
  uint64_t number;
  memcpy(&number, get(reader, 8), 8);
  return number;
}

static double doubleFromBits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, 8);
  return value;
}

static uint64_t bitsFromDouble(double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  return bits;
}

static double getDouble(struct Reader *reader) { return doubleFromBits(get64(reader)); }

struct Blob {
  const uint8_t *bytes;
  uint32_t count;
};

static struct Blob getBlob(struct Reader *reader) {
  struct Blob blob = {NULL, get32(reader)};
  if (blob.count > reader->count) reader->failed = true;
  if (!reader->failed) blob.bytes = get(reader, blob.count);
  if (reader->failed) blob.count = 0;
  return blob;
}

/// Reads a count of items with at least so many bytes each; 0 if so many items cannot fit.
static uint32_t getCount(struct Reader *reader, size_t minimumByteCount) {
  uint32_t count = get32(reader);
  if (count > reader->count / minimumByteCount) reader->failed = true;
  return reader->failed ? 0 : count;
}

static bool isComplete(const struct Reader *reader) { return !reader->failed && reader->count == 0; }

// MARK: The control channel

enum Receipt {
  receivedQuestion,
  /// The host has closed its end.
  receivedEnd,
  /// A datagram that is no message of the protocol: the two sides no longer agree on the state of the channel.
  receivedNonsense,
};

static void takeDescriptors(struct msghdr *message, struct Question *question) {
  for (struct cmsghdr *entry = CMSG_FIRSTHDR(message); entry; entry = CMSG_NXTHDR(message, entry)) {
    if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SCM_RIGHTS) continue;
    size_t byteCount = entry->cmsg_len - CMSG_LEN(0);
    memcpy(question->descriptors, CMSG_DATA(entry), byteCount);
    question->descriptorCount = (int)(byteCount / sizeof(int));
  }
}

/// Reads a body from the last descriptor; NULL unless it is sealed and has the size that the header states.
static uint8_t *readBody(struct Question *question, size_t byteCount) {
  enum { bodySeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL };
  if (question->descriptorCount == 0) return NULL;
  int file = question->descriptors[--question->descriptorCount];
  int seals = fcntl(file, F_GET_SEALS);
  struct stat status;
  bool isSealed = seals >= 0 && (seals & bodySeals) == bodySeals;
  bool isWhole = isSealed && fstat(file, &status) == 0 && (size_t)status.st_size == byteCount;
  uint8_t *body = isWhole ? malloc(byteCount + 1) : NULL;
  for (size_t position = 0; body && position < byteCount;) {
    ssize_t count = pread(file, body + position, byteCount - position, (off_t)position);
    if (count <= 0) _exit(1);
    position += (size_t)count;
  }
  close(file);
  return body;
}

/// Parses a datagram; its bytes must live as long as the question.
static enum Receipt takeApart(struct msghdr *message, size_t byteCount, struct Question *question) {
  const uint8_t *bytes = message->msg_iov->iov_base;
  struct CWireLayout_MessageHeader header;
  if (byteCount < sizeof header || message->msg_flags & (MSG_TRUNC | MSG_CTRUNC)) return receivedNonsense;
  memcpy(&header, bytes, sizeof header);
  bool isInDescriptor = header.flags == CWireLayout_messageBodyInDescriptor;
  if (header.magic != CWireLayout_magic || (header.flags && !isInDescriptor)) return receivedNonsense;
  if (header.byteCount > CWireLayout_maximumBodyByteCount) return receivedNonsense;
  if (byteCount - sizeof header != (isInDescriptor ? 0 : header.byteCount)) return receivedNonsense;
  *question = (struct Question){.kind = header.kind, .serial = header.serial};
  takeDescriptors(message, question);
  question->ownBody = isInDescriptor ? readBody(question, header.byteCount) : NULL;
  if (isInDescriptor && !question->ownBody) return receivedNonsense;
  question->body.bytes = isInDescriptor ? question->ownBody : bytes + sizeof header;
  question->body.count = header.byteCount;
  return receivedQuestion;
}

/// Waits for the next message. The caller drops a question after its answer.
static enum Receipt receiveQuestion(struct Question *question) {
  static uint8_t buffer[sizeof(struct CWireLayout_MessageHeader) + CWireLayout_maximumInlineByteCount];
  union {
    char bytes[CMSG_SPACE(sizeof(int) * CWireLayout_maximumDescriptorCount)];
    struct cmsghdr align;
  } rights;
  struct iovec part = {buffer, sizeof buffer};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = rights.bytes, .msg_controllen = sizeof rights.bytes};
  ssize_t received;
  do received = recvmsg(controlDescriptor, &message, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  // A host that leaves answers unread has hung up, too.
  if (received == 0 || (received < 0 && errno == ECONNRESET)) return receivedEnd;
  return received < 0 ? receivedNonsense : takeApart(&message, (size_t)received, question);
}

static void dropQuestion(struct Question *question) {
  for (int index = 0; index < question->descriptorCount; index++) {
    // Some descriptors may have been taken.
    if (question->descriptors[index] >= 0) close(question->descriptors[index]);
  }
  free(question->ownBody);
}

static void sendDatagram(struct msghdr *message) {
  ssize_t sent;
  do sent = sendmsg(controlDescriptor, message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  if (sent < 0) _exit(0);
}

static void answer(const struct Question *question, uint16_t kind, const struct Writer *body) {
  struct CWireLayout_MessageHeader header = {
      CWireLayout_magic, kind, 0, question->serial, (uint32_t)(body ? body->count : 0)};
  struct iovec parts[2] = {{&header, sizeof header}, {body ? body->bytes : NULL, header.byteCount}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  if (header.byteCount <= CWireLayout_maximumInlineByteCount) return sendDatagram(&message);
  header.flags = CWireLayout_messageBodyInPieces;
  message.msg_iovlen = 1;
  sendDatagram(&message);
  for (size_t sent = 0; sent < body->count; sent += parts[0].iov_len) {
    size_t left = body->count - sent;
    parts[0].iov_base = body->bytes + sent;
    parts[0].iov_len = left < CWireLayout_maximumInlineByteCount ? left : CWireLayout_maximumInlineByteCount;
    sendDatagram(&message);
  }
}

/// Answers, and frees the body.
static void answerWith(const struct Question *question, uint16_t kind, struct Writer *body) {
  answer(question, kind, body);
  free(body->bytes);
}

static void answerDone(const struct Question *question) { answer(question, CWireLayout_messageDone, NULL); }

/// Refuses a request; the reason follows "Couldn't …: ".
static void refuse(const struct Question *question, const char *reason) {
  struct Writer body = {0};
  putText(&body, reason);
  answerWith(question, CWireLayout_messageRefused, &body);
}

static const char malformed[] = "the message is malformed";

// MARK: Memory

/// Reads a layout; returns the least number of bytes of its memory, or 0 if it is not valid.
static size_t getLayout(struct Reader *reader, struct AudioMemory *memory) {
  memory->slotCount = get32(reader);
  memory->channelCount = get32(reader);
  memory->frameStride = get32(reader);
  if (memory->slotCount < 1 || memory->slotCount > CWireLayout_maximumSlotCount) return 0;
  if (memory->channelCount > CWireLayout_maximumChannelCount) return 0;
  if (memory->frameStride < 16 || memory->frameStride > CWireLayout_maximumFrameCount) return 0;
  if (memory->frameStride % 16 != 0) return 0;
  size_t byteCount = 4 * (size_t)memory->slotCount * memory->channelCount * memory->frameStride;
  return byteCount < CWireLayout_pageByteCount ? CWireLayout_pageByteCount : byteCount;
}

/// Maps the question's next descriptor; NULL unless its size is sealed and large enough.
static void *mapNext(struct Mapping *mapping, struct Question *question, size_t minimumByteCount, bool isWritable) {
  if (question->descriptorsTaken == question->descriptorCount) return NULL;
  int file = question->descriptors[question->descriptorsTaken++];
  int seals = fcntl(file, F_GET_SEALS), wanted = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  struct stat status;
  if (seals < 0 || (seals & wanted) != wanted || fstat(file, &status) < 0) return NULL;
  if (status.st_size <= 0 || (size_t)status.st_size < minimumByteCount) return NULL;
  int protection = isWritable ? PROT_READ | PROT_WRITE : PROT_READ;
  // The memory is populated, because the first access to a page would cost time while rendering.
  void *base = mmap(NULL, (size_t)status.st_size, protection, MAP_SHARED | MAP_POPULATE, file, 0);
  if (base == MAP_FAILED) return NULL;
  *mapping = (struct Mapping){base, (size_t)status.st_size};
  return base;
}

static void unmap(struct Mapping *mapping) {
  if (mapping->base) munmap(mapping->base, mapping->byteCount);
  mapping->base = NULL;
}

static bool isPowerOfTwo(uint32_t number, uint32_t limit) {
  return number > 0 && number <= limit && (number & (number - 1)) == 0;
}

static bool sectionsFit(const struct CWireLayout_RegionHeader *header) {
  const uint64_t sections[6][2] = {
      {header->hostWordsOffset, sizeof(struct CWireLayout_HostWords)},
      {header->pluginWordsOffset, sizeof(struct CWireLayout_PluginWords)},
      {header->requestsOffset, header->slotCount * sizeof(struct CWireLayout_Request)},
      {header->repliesOffset, header->slotCount * sizeof(struct CWireLayout_Reply)},
      {header->hostToPluginEventsOffset, header->hostToPluginEventCapacity * sizeof(struct CWireLayout_Event)},
      {header->pluginToHostEventsOffset, header->pluginToHostEventCapacity * sizeof(struct CWireLayout_Event)},
  };
  uint64_t end = sizeof *header;
  for (int index = 0; index < 6; index++) {
    uint64_t offset = sections[index][0], size = sections[index][1];
    if (offset % CWireLayout_cacheLineByteCount != 0 || offset < end) return false;
    if (offset > header->byteCount || size > header->byteCount - offset) return false;
    end = offset + size;
  }
  return true;
}

/// True if the header, copied from the region, is one that this unit supports.
static bool isHeaderValid(const struct Unit *unit) {
  const struct CWireLayout_RegionHeader *header = &unit->header;
  const struct CExtension_Setup *setup = &unit->setup;
  return header->magic == CWireLayout_magic && header->version == CWireLayout_layoutVersion &&
         header->byteCount == unit->regionMapping.byteCount && header->sampleRate == setup->sampleRate &&
         header->maximumFrameCount == setup->maximumFrameCount &&
         isPowerOfTwo(header->slotCount, CWireLayout_maximumSlotCount) &&
         header->inputBusCount == unit->description->inputCount &&
         header->outputBusCount == unit->description->outputCount &&
         isPowerOfTwo(header->hostToPluginEventCapacity, CWireLayout_maximumEventCapacity) &&
         isPowerOfTwo(header->pluginToHostEventCapacity, CWireLayout_maximumEventCapacity) && sectionsFit(header);
}

// MARK: The description

static uint32_t fourCharacters(const char *text) {
  return (uint32_t)(uint8_t)text[0] << 24 | (uint32_t)(uint8_t)text[1] << 16 | (uint32_t)(uint8_t)text[2] << 8 |
         (uint32_t)(uint8_t)text[3];
}

static void putComponent(struct Writer *writer, const struct Unit *unit) {
  for (int part = 0; part < 3; part++) put32(writer, unit->component[part]);
}

/// Writes values by key path, in the order of the key paths.
static void putValues(struct Writer *writer, const struct Unit *unit, const double *values) {
  put32(writer, unit->description->parameterCount);
  for (uint32_t place = 0; place < unit->description->parameterCount; place++) {
    putText(writer, unit->description->parameters[unit->order[place]].identifier);
    putDouble(writer, values[unit->order[place]]);
  }
}

static void putBus(struct Writer *writer, const struct CExtension_Bus *bus) {
  uint32_t countCount = 0;
  while (bus->channelCounts && bus->channelCounts[countCount]) countCount++;
  putText(writer, bus->name);
  put32(writer, bus->channelCount);
  put8(writer, bus->isOptional);
  put32(writer, countCount);
  for (uint32_t index = 0; index < countCount; index++) put32(writer, bus->channelCounts[index]);
}

static void putParameter(struct Writer *writer, const struct CExtension_Parameter *parameter) {
  put8(writer, 0);  // a parameter, no group
  putText(writer, parameter->identifier);
  putText(writer, parameter->name);
  put64(writer, parameter->address);
  putDouble(writer, parameter->lowerBound);
  putDouble(writer, parameter->upperBound);
  putDouble(writer, parameter->defaultValue);
  put32(writer, parameter->unit);
  put32(writer, parameter->flags);
  put32(writer, 0);  // no value strings
}

static void putDescription(struct Writer *writer, const struct Unit *unit) {
  const struct CExtension_Description *description = unit->description;
  uint32_t tagCount = 0;
  while (description->tags && description->tags[tagCount]) tagCount++;
  putComponent(writer, unit);
  put8(writer, 0);  // no classic identifier
  put32(writer, description->version);
  put32(writer, (description->handle ? 1 << 1 : 0) | (description->drawView ? 1 << 7 : 0));  // takes MIDI, has a view
  put8(writer, description->channelCountsMatch);
  putText(writer, description->name);
  putText(writer, description->manufacturerName);
  put32(writer, tagCount);
  for (uint32_t index = 0; index < tagCount; index++) putText(writer, description->tags[index]);
  put32(writer, description->inputCount);
  for (uint32_t bus = 0; bus < description->inputCount; bus++) putBus(writer, &description->inputs[bus]);
  put32(writer, description->outputCount);
  for (uint32_t bus = 0; bus < description->outputCount; bus++) putBus(writer, &description->outputs[bus]);
}

/// Writes the answer to `hello`; `version` is the newest one that the host supports.
static void putWelcome(struct Writer *writer, const struct Unit *unit, uint32_t version) {
  const struct CExtension_Description *description = unit->description;
  put32(writer, version < newestVersion ? version : newestVersion);
  putDescription(writer, unit);
  put32(writer, description->parameterCount);
  for (uint32_t index = 0; index < description->parameterCount; index++) putParameter(writer, &description->parameters[index]);
  put32(writer, 0);  // no texts
  put32(writer, description->presetCount);
  for (uint32_t index = 0; index < description->presetCount; index++) {
    putText(writer, description->presets[index].name);
    putValues(writer, unit, description->presets[index].values);
  }
}

/// Answers `hello`; false if host and unit share no version.
static bool greet(const struct Unit *unit, struct Question *question) {
  uint32_t minimum = get32(&question->body), maximum = get32(&question->body);
  getBlob(&question->body);  // the host's name
  uint32_t wordCount = get32(&question->body);
  struct Writer body = {0};
  // A later version may add fields after these.
  if (question->body.failed) return refuse(question, malformed), true;
  if (minimum > newestVersion || maximum < CWireLayout_minimumVersion) {
    put32(&body, CWireLayout_minimumVersion);
    put32(&body, newestVersion);
    putText(&body, unit->description->name);
    return answerWith(question, CWireLayout_messageVersionRefused, &body), false;
  }
  if (wordCount > 0 && !takesAnyLocator) return refuse(question, "there is one unit here, and nothing to choose"), true;
  putWelcome(&body, unit, maximum);
  return answerWith(question, CWireLayout_messageWelcome, &body), true;
}

// MARK: Parameters and state, control side

/// The index of an address, or -1.
static int parameterIndex(const struct Unit *unit, uint64_t address) {
  for (uint32_t index = 0; index < unit->description->parameterCount; index++) {
    if (unit->description->parameters[index].address == address) return (int)index;
  }
  return -1;
}

/// Sets a value. While the unit is allocated, the render thread takes the value at its next block.
static void setValue(struct Unit *unit, uint32_t index, double value) {
  // This store is first: an event that the render thread applies after it has taken `wanted` is the newer value.
  atomic_store(&unit->values[index], bitsFromDouble(value));
  if (unit->isAllocated) atomic_store(&unit->wanted[index], bitsFromDouble(value));
}

static bool isInRange(const struct Unit *unit, uint32_t index, double value) {
  const struct CExtension_Parameter *parameter = &unit->description->parameters[index];
  return value >= parameter->lowerBound && value <= parameter->upperBound;
}

/// Takes all values, or none if one of them is invalid.
static void setParameters(struct Unit *unit, struct Question *question) {
  uint32_t count = getCount(&question->body, 16);
  struct Reader again = question->body;
  for (uint32_t setting = 0; setting < count; setting++) {
    int index = parameterIndex(unit, get64(&question->body));
    double value = getDouble(&question->body);
    if (index < 0) return refuse(question, "it has no such parameter");
    if (!isInRange(unit, (uint32_t)index, value)) return refuse(question, "the value is out of range");
  }
  if (!isComplete(&question->body)) return refuse(question, malformed);
  for (uint32_t setting = 0; setting < count; setting++) {
    int index = parameterIndex(unit, get64(&again));
    setValue(unit, (uint32_t)index, getDouble(&again));
  }
  answerDone(question);
}

/// Allocates a value for each parameter.
static double *allocateValues(const struct Unit *unit) {
  double *values = calloc(unit->description->parameterCount + 1, sizeof *values);
  if (!values) _exit(1);
  return values;
}

/// Answers with the state. The values are the targets: a ramp counts as done once it has begun.
static void saveState(const struct Unit *unit, const struct Question *question) {
  double *values = allocateValues(unit);
  for (uint32_t index = 0; index < unit->description->parameterCount; index++) {
    values[index] = doubleFromBits(atomic_load(&unit->values[index]));
  }
  struct Writer body = {0};
  put32(&body, stateEncoding);
  putComponent(&body, unit);
  put8(&body, 0);  // no classic identifier
  put32(&body, unit->description->version);
  putValues(&body, unit, values);
  put32(&body, 0);  // no texts
  putBlob(&body, unit->custom, unit->customByteCount);
  answerWith(question, CWireLayout_messageState, &body);
  free(values);
}

static void selectPreset(struct Unit *unit, struct Question *question) {
  uint32_t preset = get32(&question->body);
  if (!isComplete(&question->body)) return refuse(question, malformed);
  if (preset >= unit->description->presetCount) return refuse(question, "it has no such preset");
  for (uint32_t index = 0; index < unit->description->parameterCount; index++) {
    setValue(unit, index, unit->description->presets[preset].values[index]);
  }
  saveState(unit, question);
}

static int indexOfKeyPath(const struct Unit *unit, struct Blob keyPath) {
  for (uint32_t index = 0; index < unit->description->parameterCount; index++) {
    const char *identifier = unit->description->parameters[index].identifier;
    if (keyPath.count == strlen(identifier) && !memcmp(keyPath.bytes, identifier, keyPath.count)) return (int)index;
  }
  return -1;
}

/// Reads values by key path: unknown key paths are skipped, missing ones take their defaults.
static void getValues(const struct Unit *unit, struct Reader *body, double *values) {
  for (uint32_t index = 0; index < unit->description->parameterCount; index++) {
    values[index] = unit->description->parameters[index].defaultValue;
  }
  uint32_t count = getCount(body, 12);
  for (uint32_t pair = 0; pair < count && !body->failed; pair++) {
    struct Blob keyPath = getBlob(body);
    int index = body->failed ? -1 : indexOfKeyPath(unit, keyPath);
    double value = getDouble(body);
    if (index >= 0) values[index] = value;
  }
}

static bool keepCustom(struct Unit *unit, struct Blob kept) {
  uint8_t *copy = malloc((size_t)kept.count + 1);
  if (!copy) return false;
  if (kept.count > 0) memcpy(copy, kept.bytes, kept.count);
  free(unit->custom);
  unit->custom = copy;
  unit->customByteCount = kept.count;
  return true;
}

/// Reads a state, and keeps all of it but the values; returns the reason for a refusal, or NULL.
static const char *getState(struct Unit *unit, struct Reader *body, double *values) {
  bool isKnown = get32(body) == stateEncoding, isOwn = true;
  for (int part = 0; part < 3; part++) isOwn &= get32(body) == unit->component[part];
  if (get8(body)) isOwn = false, getBlob(body);  // a classic identifier, which this unit has not
  uint32_t version = get32(body);
  getValues(unit, body, values);
  for (uint32_t texts = getCount(body, 8); texts > 0 && !body->failed; texts--) getBlob(body), getBlob(body);
  struct Blob kept = getBlob(body);
  if (!isComplete(body) || !isKnown) return "the state is malformed";
  if (!isOwn || version > unit->description->version) return "the state is another's";
  for (uint32_t index = 0; index < unit->description->parameterCount; index++) {
    if (!isInRange(unit, index, values[index])) return "a value is out of range";
  }
  return keepCustom(unit, kept) ? NULL : "there is no memory";
}

static void restoreState(struct Unit *unit, struct Question *question) {
  double *values = allocateValues(unit);
  const char *reason = getState(unit, &question->body, values);
  for (uint32_t index = 0; !reason && index < unit->description->parameterCount; index++) {
    setValue(unit, index, values[index]);
  }
  free(values);
  if (reason) return refuse(question, reason);
  saveState(unit, question);
}

// MARK: Events, render thread

static void setTarget(struct CExtension_Ramp *ramp, double value, uint32_t frameCount) {
  ramp->target = value;
  ramp->framesLeft = frameCount;
  if (frameCount == 0) ramp->current = value;
  ramp->step = frameCount == 0 ? 0 : (value - ramp->current) / frameCount;
  if (rampsEarly) CExtension_advance(ramp, 1);
}

static void setParameter(struct Unit *unit, uint32_t index, double value, uint32_t frameCount) {
  setTarget(&unit->ramps[index], value, frameCount);
  atomic_store_explicit(&unit->values[index], bitsFromDouble(value), memory_order_relaxed);
}

/// Inserts an event by its time; events of the same time keep their order.
static void insert(struct Unit *unit, const struct CWireLayout_Event *event) {
  if (unit->queueCount == queueCapacity) {
    unit->droppedEvents++;
    return;
  }
  uint32_t position = unit->queueCount++;
  while (position > 0 && unit->queue[position - 1].sampleTime > event->sampleTime && !keepsOrderOfRing) {
    unit->queue[position] = unit->queue[position - 1];
    position--;
  }
  unit->queue[position] = *event;
}

/// Takes the requested number of events from the ring, or as many as are there.
static void takeEvents(struct Unit *unit, uint32_t count) {
  uint64_t capacity = unit->header.hostToPluginEventCapacity;
  uint64_t written = atomic_load_explicit(HOST_WORD(unit, hostToPluginWritten), memory_order_acquire);
  uint64_t available = written - unit->eventsRead;
  if (available > capacity) return;
  struct CWireLayout_Event *slots = (void *)(unit->region + unit->header.hostToPluginEventsOffset);
  for (uint64_t taken = 0; (taken < count || ignoresEventCount) && taken < available; taken++) {
    struct CWireLayout_Event event = slots[unit->eventsRead & (capacity - 1)];
    unit->eventsRead++;
    if (!takeOrder(&event)) insert(unit, &event);
  }
  // Release: the host overwrites only events that have been copied.
  atomic_store_explicit(PLUGIN_WORD(unit, hostToPluginRead), unit->eventsRead, memory_order_release);
}

static bool applyParameter(struct Unit *unit, const struct CWireLayout_Event *event) {
  int index = parameterIndex(unit, event->address);
  double value = doubleFromBits(event->value);
  if (index < 0 || isnan(value)) return false;
  const struct CExtension_Parameter *parameter = &unit->description->parameters[index];
  if (value < parameter->lowerBound && !takesAnyValue) value = parameter->lowerBound;
  if (value > parameter->upperBound && !takesAnyValue) value = parameter->upperBound;
  setParameter(unit, (uint32_t)index, value, ignoresRamps ? 0 : event->rampFrameCount);
  return true;
}

static bool applyMIDI(struct Unit *unit, const struct CWireLayout_Event *event) {
  if (!unit->description->handle) return false;
  uint8_t bytes[16];
  memcpy(bytes, &event->address, 8);
  memcpy(bytes + 8, &event->value, 8);
  unit->description->handle(unit->state, bytes, event->byteCount < 16 ? event->byteCount : 16);
  return true;
}

/// Applies the events due at `time` or before; returns the frames until the next one, or the largest number.
static uint64_t applyDueEvents(struct Unit *unit, int64_t time) {
  uint32_t due = 0;
  for (; due < unit->queueCount && unit->queue[due].sampleTime <= time; due++) {
    const struct CWireLayout_Event *event = &unit->queue[due];
    bool isTaken = event->kind == CWireLayout_eventParameter ? applyParameter(unit, event)
                                                             : event->kind == CWireLayout_eventMIDI && applyMIDI(unit, event);
    if (!isTaken) unit->droppedEvents++;
  }
  unit->queueCount -= due;
  if (due > 0) memmove(unit->queue, unit->queue + due, unit->queueCount * sizeof unit->queue[0]);
  return unit->queueCount > 0 ? (uint64_t)unit->queue[0].sampleTime - (uint64_t)time : UINT64_MAX;
}

// MARK: Sound, render thread

static float *channelOf(const struct AudioMemory *memory, uint32_t slot, uint32_t channel) {
  return memory->base + ((size_t)slot * memory->channelCount + channel) * memory->frameStride;
}

/// Finds the memory and the block of an input bus in a request; false if the request names none. No base means silence.
static bool findInput(struct Unit *unit, const struct CWireLayout_Request *request, uint32_t bus, struct AudioMemory *memory,
                      uint32_t *slot) {
  *memory = unit->wirings[0].inputs[bus];
  *slot = request->inputSlots[bus];
  if (newestVersion > 1 && *slot == CWireLayout_inputSlotSilent) return memory->base = NULL, true;
  if (newestVersion > 1 && *slot >= CWireLayout_inputSlotWired) {
    if (request->wiring == 0) return false;
    *memory = unit->wirings[request->wiring].inputs[bus];
    *slot -= CWireLayout_inputSlotWired;
    if (!memory->base) return false;
  }
  return !memory->base || *slot < memory->slotCount;
}

/// Points all channels at the audio of a request; false if the request names none.
static bool pointAtAudio(struct Unit *unit, const struct CWireLayout_Request *request) {
  uint32_t channel = 0;
  for (uint32_t bus = 0; bus < unit->description->inputCount; bus++) {
    struct AudioMemory memory;
    uint32_t slot;
    if (!findInput(unit, request, bus, &memory, &slot)) return false;
    for (uint32_t index = 0; index < unit->inputChannelCounts[bus]; index++) {
      unit->inputs[channel++] = memory.base ? channelOf(&memory, slot, index) : unit->silence;
    }
  }
  if (request->outputSlot >= unit->output.slotCount) return false;
  for (uint32_t index = 0; index < unit->setup.outputChannelCount; index++) {
    unit->outputs[index] = channelOf(&unit->output, request->outputSlot, index);
  }
  return true;
}

/// The input of bus 0 for the dry signal of an output channel; a single input channel goes to the left and the right.
static int drySource(const struct Unit *unit, uint32_t channel) {
  uint32_t count = unit->description->inputCount > 0 ? unit->inputChannelCounts[0] : 0;
  if (unit->description->outputCount == 0 || channel >= unit->outputChannelCounts[0]) return -1;
  if (count == 1 && channel == 1) return 0;
  return channel < count ? (int)channel : -1;
}

/// Stores a sample in the delay line, and returns the one from as long ago as the latency.
static float delayed(struct Unit *unit, uint32_t channel, float sample) {
  if (!unit->bypass.line) return sample;
  float *place = &unit->bypass.line[(size_t)channel * unit->setup.latencyFrameCount + unit->bypass.position];
  float before = *place;
  *place = sample;
  return before;
}

/// Mixes the dry signal of one frame into the output.
static void mixDry(struct Unit *unit, uint32_t frame, double share) {
  float dry[CWireLayout_maximumChannelCount];
  uint32_t dryCount = unit->description->inputCount > 0 ? unit->inputChannelCounts[0] : 0;
  for (uint32_t channel = 0; channel < dryCount; channel++) dry[channel] = delayed(unit, channel, unit->inputs[channel][frame]);
  if (unit->bypass.line && ++unit->bypass.position == unit->setup.latencyFrameCount) unit->bypass.position = 0;
  if (share == 0) return;
  for (uint32_t channel = 0; channel < unit->setup.outputChannelCount; channel++) {
    int source = drySource(unit, channel);
    float sample = source < 0 ? 0 : dry[source], wet = unit->outputs[channel][frame];
    // No sum of products at the end of the fade: NaN from the unit must not be heard then.
    unit->outputs[channel][frame] = share == 1 ? sample : (float)(wet * (1 - share) + sample * share);
  }
}

/// Fades to the dry signal and back in 10 ms.
static void applyBypass(struct Unit *unit, const struct CWireLayout_Request *request) {
  struct CExtension_Ramp *share = &unit->bypass.share;
  double target = request->flags & CWireLayout_requestBypass && !ignoresBypass ? 1 : 0;
  if (share->target != target) setTarget(share, target, unit->bypass.isFresh ? 0 : (uint32_t)(unit->setup.sampleRate * 0.01));
  unit->bypass.isFresh = false;
  if (!unit->bypass.line && share->current == 0 && share->framesLeft == 0) return;
  for (uint32_t frame = 0; frame < request->outputFrameCount; frame++) {
    mixDry(unit, frame, share->current);
    CExtension_advance(share, 1);
  }
}

static void resetSound(struct Unit *unit) {
  setTarget(&unit->bypass.share, unit->bypass.share.target, 0);
  size_t sampleCount = (size_t)unit->setup.inputChannelCount * unit->setup.latencyFrameCount;
  if (unit->bypass.line) memset(unit->bypass.line, 0, sampleCount * sizeof(float));
  if (unit->description->reset) unit->description->reset(unit->state);
}

static void takeWantedValues(struct Unit *unit) {
  for (uint32_t index = 0; index < unit->description->parameterCount; index++) {
    uint64_t bits = atomic_exchange_explicit(&unit->wanted[index], nothingWanted, memory_order_relaxed);
    if (bits != nothingWanted) setParameter(unit, index, doubleFromBits(bits), 0);
  }
}

/// Renders frames between two events. The unit advances copies of the ramps, so that it may read them in any way.
static void renderFrames(struct Unit *unit, const struct CExtension_Block *block, uint32_t from, uint32_t to) {
  uint32_t count = unit->description->parameterCount;
  for (uint32_t index = 0; index < count; index++) unit->lent[index] = unit->ramps[index];
  unit->description->render(unit->state, block, from, to);
  for (uint32_t index = 0; index < count; index++) CExtension_advance(&unit->ramps[index], to - from);
}

static void renderBlock(struct Unit *unit, const struct CWireLayout_Request *request) {
  struct CExtension_Block block = {
      .sampleTime = request->sampleTime,
      .inputs = unit->inputs,
      .outputs = unit->outputs,
      .inputChannelCount = unit->setup.inputChannelCount,
      .outputChannelCount = unit->setup.outputChannelCount,
      .parameters = unit->lent,
      .tempo = request->tempo,
      .beatPosition = request->beatPosition,
      .isPlaying = request->transportFlags & CWireLayout_transportPlaying,
      .isOffline = request->flags & CWireLayout_requestOffline,
  };
  if (request->flags & CWireLayout_requestReset) resetSound(unit);
  takeWantedValues(unit);
  for (uint32_t from = 0, to; from < request->outputFrameCount; from = to) {
    uint64_t frameCount = applyDueEvents(unit, (int64_t)((uint64_t)request->sampleTime + from));
    uint32_t left = request->outputFrameCount - from;
    to = from + (frameCount < left ? (uint32_t)frameCount : left);
    renderFrames(unit, &block, from, to);
  }
  if (dropsLaterEvents) unit->queueCount = 0;
  applyBypass(unit, request);
}

// MARK: Doorbells, render thread

static void futexWait(_Atomic uint32_t *word, uint32_t expected) {
  syscall(SYS_futex, word, FUTEX_WAIT, expected, NULL, NULL, 0);
}

static void futexWake(_Atomic uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0); }

static void ringSuccessor(_Atomic uint32_t *bell, uint32_t value) {
  uint32_t now = atomic_load_explicit(bell, memory_order_relaxed);
  while (value - now - 1 < 64) {
    // Release: the successor sees the audio, and the request that this thread has seen.
    if (!atomic_compare_exchange_weak_explicit(bell, &now, value, memory_order_release, memory_order_relaxed)) continue;
    futexWake(bell);
    return;
  }
}

/// Rings the next unit, or the host after the last one.
static void ring(struct Unit *unit, const struct CWireLayout_Request *request) {
  if (request->flags & CWireLayout_requestRingSuccessor && unit->successorDoorbell && !ringsOnlyTheHost) {
    ringSuccessor(unit->successorDoorbell, request->successorRing);
  } else {
    // Release: the host sees all answers.
    atomic_fetch_add_explicit(unit->hostDoorbell, 0x40000000u, memory_order_release);
    futexWake(unit->hostDoorbell);
  }
}

// MARK: The lifeline, render thread

/// The robust list of this process's only render thread; it lives as long as the process.
static struct {
  struct robust_list_head head;
  struct robust_list entry;
} lastWill;

static _Atomic uint32_t *lifelineOf(struct Unit *unit) { return (_Atomic uint32_t *)(void *)PLUGIN_WORD(unit, lifeline); }

/// Registers a lifeline to the host's doorbell of the wiring in use.
static void pointLifeline(struct Unit *unit) {
  lastWill.head.list_op_pending = (void *)((char *)unit->hostDoorbell - lastWill.head.futex_offset);
}

static void registerLifeline(struct Unit *unit) {
  _Atomic uint32_t *lifeline = lifelineOf(unit);
  lastWill.head.list.next = &lastWill.entry;
  lastWill.entry.next = &lastWill.head.list;
  lastWill.head.futex_offset = (char *)lifeline - (char *)&lastWill.entry;
  pointLifeline(unit);
  atomic_store(lifeline, FUTEX_WAITERS | (uint32_t)unit->threadIdentifier);
  syscall(SYS_set_robust_list, &lastWill.head, sizeof lastWill.head);
}

static void withdrawLifeline(struct Unit *unit) {
  atomic_store(lifelineOf(unit), 0);
  lastWill.head.list.next = &lastWill.head.list;
  lastWill.head.list_op_pending = NULL;
}

// MARK: Requests, render thread

/// The marks by which the validation's library watches the render thread; null otherwise.
extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));

static uint64_t monotonicNanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/// Uses the wiring of this number from now on; false if there is none.
static bool takeUpWiring(struct Unit *unit, uint32_t number) {
  if (number >= CWireLayout_wiringCount) return false;
  struct Wiring *wiring = &unit->wirings[number];
  atomic_store(&unit->soughtWiring, number);
  bool exists = atomic_load(&wiring->exists);
  if (exists) atomic_store(&unit->wiring, number);
  atomic_store(&unit->soughtWiring, 0);
  if (!exists) return false;
  unit->doorbell = wiring->doorbell;
  unit->hostDoorbell = wiring->hostDoorbell;
  unit->successorDoorbell = wiring->successorDoorbell;
  return true;
}

/// Uses the wiring that a request names; false if there is none.
static bool changeOver(struct Unit *unit, const struct CWireLayout_Request *request) {
  if (newestVersion < 2 || request->wiring == atomic_load_explicit(&unit->wiring, memory_order_relaxed)) return true;
  if (!takeUpWiring(unit, request->wiring)) return false;
  if (offersLifeline) pointLifeline(unit);
  return true;
}

static uint32_t statusOf(struct Unit *unit, const struct CWireLayout_Request *request, uint64_t sequence) {
  uint32_t maximum = unit->header.maximumFrameCount;
  bool isWired = changeOver(unit, request);
  if (request->outputFrameCount > maximum || request->inputFrameCount > maximum) {
    uint32_t status = statusOfLargeBlock();
    if (status != CWireLayout_replyOK) return status;
  }
  if (request->sequence != sequence || request->inputFrameCount != request->outputFrameCount) {
    return CWireLayout_replyMalformed;
  }
  return isWired && pointAtAudio(unit, request) ? CWireLayout_replyOK : CWireLayout_replyMalformed;
}

static void answerRequest(struct Unit *unit, const struct CWireLayout_Request *request, uint64_t sequence, uint64_t started) {
  struct CWireLayout_Reply reply = {
      .sequence = sequence,
      .status = statusOf(unit, request, sequence),
      .latencyFrameCount = unit->setup.latencyFrameCount,
      .tailFrameCount = unit->setup.tailFrameCount,
  };
  // Even if the request is refused: the next one counts from there.
  takeEvents(unit, request->eventCount);
  faultInBlock(unit, request);
  if (reply.status == CWireLayout_replyOK) {
    if (__rtsan_realtime_enter) __rtsan_realtime_enter();
    renderBlock(unit, request);
    if (__rtsan_realtime_exit) __rtsan_realtime_exit();
    reply.outputFrameCount = request->outputFrameCount;
    reply.inputFrameCount = request->inputFrameCount;
  }
  reply.droppedEventCount = unit->droppedEvents;
  reply.renderNanoseconds = monotonicNanoseconds() - started;
  uint64_t completed = sequence;
  faultInReply(unit, &reply, &completed);
  struct CWireLayout_Reply *replies = (void *)(unit->region + unit->header.repliesOffset);
  replies[sequence & (unit->header.slotCount - 1)] = reply;
  // Release: a thread that sees the number sees reply and audio.
  atomic_store_explicit(PLUGIN_WORD(unit, completedSequence), completed, memory_order_release);
}

static void renderGranted(struct Unit *unit, uint64_t granted) {
  const _Atomic uint32_t *bell = unit->doorbell;
  const struct CWireLayout_Request *requests = (void *)(unit->region + unit->header.requestsOffset);
  // After a change of the wiring, further grants of the former doorbell no longer count.
  while (unit->handled < granted && unit->doorbell == bell) {
    uint64_t started = monotonicNanoseconds();
    uint64_t sequence = ++unit->handled;
    struct CWireLayout_Request request;
    memcpy(&request, &requests[sequence & (unit->header.slotCount - 1)], sizeof request);
    answerRequest(unit, &request, sequence, started);
    if (!faultInRing(unit, &request)) ring(unit, &request);
  }
}

static void renderUntilStopped(struct Unit *unit) {
  while (!atomic_load_explicit(&unit->mustStop, memory_order_acquire)) {
    uint32_t bell = atomic_load_explicit(unit->doorbell, memory_order_acquire);
    uint32_t ahead = bell - (uint32_t)unit->handled;
    uint64_t published = atomic_load_explicit(HOST_WORD(unit, publishedSequence), memory_order_acquire);
    if (ahead > 0 && ahead <= unit->header.slotCount && unit->handled + ahead <= published) {
      renderGranted(unit, unit->handled + ahead);
    } else {
      futexWait(unit->doorbell, bell);
    }
  }
}

/// Turns denormals off: many processors take a hundred times as long for them.
static void flushDenormalsToZero(void) {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#elif defined(__aarch64__)
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  __asm__ volatile("msr fpcr, %0" : : "r"(control | 1ull << 24));
#endif
}

static void *renderMain(void *context) {
  struct Unit *unit = context;
  flushDenormalsToZero();
  unit->threadIdentifier = (int32_t)syscall(SYS_gettid);
  if (offersLifeline) registerLifeline(unit);
  atomic_store_explicit(&unit->isReady, true, memory_order_release);
  renderUntilStopped(unit);
  if (offersLifeline) withdrawLifeline(unit);
  atomic_store_explicit(&unit->isGone, true, memory_order_release);
  return NULL;
}

// MARK: Resources, control side

static void pauseBriefly(void) { nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); }

/// Starts the render thread, and waits until it has registered its lifeline; false if it cannot start.
static bool startRenderThread(struct Unit *unit) {
  unit->handled = unit->eventsRead = 0;
  unit->droppedEvents = unit->queueCount = 0;
  for (uint32_t index = 0; index < unit->description->parameterCount; index++) {
    atomic_store(&unit->wanted[index], nothingWanted);
    setTarget(&unit->ramps[index], doubleFromBits(atomic_load(&unit->values[index])), 0);
  }
  unit->bypass.share = (struct CExtension_Ramp){0};
  unit->bypass.isFresh = true;
  resetSound(unit);
  atomic_store(&unit->mustStop, false);
  atomic_store(&unit->isReady, false);
  atomic_store(&unit->isGone, false);
  if (pthread_create(&unit->thread, NULL, renderMain, unit) != 0) return false;
  while (!atomic_load_explicit(&unit->isReady, memory_order_acquire)) pauseBriefly();
  return true;
}

/// Ends the render thread.
///
/// The control side cannot change the doorbell, and a wake-up may come just before the thread sleeps. So it is woken again and
/// again.
static void stopRenderThread(struct Unit *unit) {
  atomic_store_explicit(&unit->mustStop, true, memory_order_release);
  while (!atomic_load_explicit(&unit->isGone, memory_order_acquire)) {
    futexWake(unit->wirings[atomic_load(&unit->wiring)].doorbell);
    pauseBriefly();
  }
  pthread_join(unit->thread, NULL);
}

/// The contents of a message about a wiring.
struct WiringWish {
  struct AudioMemory inputs[CWireLayout_maximumBusCount];
  /// 0 if the bus is not connected.
  size_t inputByteCounts[CWireLayout_maximumBusCount];
  uint32_t firstChannels[CWireLayout_maximumBusCount];
  bool hasSuccessor;
};

/// Reads one connection; returns the reason why it is invalid, or NULL.
static const char *getConnection(struct Unit *unit, struct Reader *body, struct WiringWish *wish, uint32_t bus) {
  if (!get8(body)) return NULL;
  struct AudioMemory *input = &wish->inputs[bus];
  wish->inputByteCounts[bus] = getLayout(body, input);
  wish->firstChannels[bus] = get32(body);
  if (body->failed || wish->inputByteCounts[bus] == 0) return malformed;
  uint64_t end = wish->firstChannels[bus] + (uint64_t)unit->inputChannelCounts[bus];
  bool fits = end <= input->channelCount && input->frameStride >= unit->setup.maximumFrameCount;
  return fits ? NULL : "its input does not fit";
}

/// Reads the connections, and whether there is a successor; returns the reason why they are invalid, or NULL.
static const char *getWiringWish(struct Unit *unit, struct Reader *body, struct WiringWish *wish) {
  if (get32(body) != unit->description->inputCount) return malformed;
  for (uint32_t bus = 0; bus < unit->description->inputCount; bus++) {
    const char *reason = getConnection(unit, body, wish, bus);
    if (reason) return reason;
  }
  wish->hasSuccessor = get8(body);
  return body->failed ? malformed : NULL;
}

/// Maps a wiring's own doorbell and the host's; false if one is missing.
static bool mapDoorbells(struct Wiring *wiring, struct Question *question) {
  wiring->doorbell = mapNext(&wiring->mappings[0], question, sizeof *wiring->doorbell, false);
  wiring->hostDoorbell = mapNext(&wiring->mappings[1], question, sizeof *wiring->hostDoorbell, true);
  return wiring->doorbell && wiring->hostDoorbell;
}

/// Maps a wiring's successor and inputs; false if one is missing.
static bool mapRest(struct Wiring *wiring, struct Question *question, const struct WiringWish *wish) {
  wiring->successorDoorbell = NULL;
  memset(wiring->inputs, 0, sizeof wiring->inputs);
  if (wish->hasSuccessor) {
    wiring->successorDoorbell = mapNext(&wiring->mappings[2], question, sizeof *wiring->successorDoorbell, true);
    if (!wiring->successorDoorbell) return false;
  }
  for (int bus = 0; bus < CWireLayout_maximumBusCount; bus++) {
    if (wish->inputByteCounts[bus] == 0) continue;
    wiring->inputs[bus] = wish->inputs[bus];
    wiring->inputs[bus].base = mapNext(&wiring->mappings[3 + bus], question, wish->inputByteCounts[bus], false);
    if (!wiring->inputs[bus].base) return false;
    wiring->inputs[bus].base += (size_t)wish->firstChannels[bus] * wiring->inputs[bus].frameStride;
  }
  return true;
}

/// Unmaps all memory of a wiring.
static void dropWiring(struct Wiring *wiring) {
  for (int index = 0; index < mappingLimit; index++) unmap(&wiring->mappings[index]);
}

/// Reads the channels of the buses of one direction; returns their sum, or a number above the limit if they are not supported.
static uint32_t getChannels(struct Reader *body, const struct CExtension_Bus *buses, uint32_t busCount, uint32_t *counts) {
  const uint32_t never = CWireLayout_maximumChannelCount + 1;
  if (get32(body) != busCount) return never;
  uint32_t sum = 0;
  for (uint32_t bus = 0; bus < busCount; bus++) {
    counts[bus] = get32(body);
    const uint32_t *taken = buses[bus].channelCounts;
    while (taken && *taken && *taken != counts[bus]) taken++;
    bool isTaken = counts[bus] == 0 ? buses[bus].isOptional : !taken || *taken;
    if (!isTaken || counts[bus] > CWireLayout_maximumChannelCount - sum) return never;
    sum += counts[bus];
  }
  return sum;
}

/// Reads the speakers of the buses of one direction; false if they do not fit the number of channels.
static bool getSpeakers(struct Reader *body, uint32_t busCount, const uint32_t *counts, uint8_t *speakers) {
  if (get32(body) != busCount) return false;
  for (uint32_t bus = 0; bus < busCount; speakers += counts[bus++]) {
    uint32_t count = getCount(body, 1), seen = 0;
    if (count != 0 && count != counts[bus]) return false;
    for (uint32_t channel = 0; channel < count; channel++) {
      uint8_t speaker = get8(body);
      if (speaker >= CWireLayout_speakerCount || (seen & 1u << speaker) != 0) return false;
      seen |= 1u << speaker;
      speakers[channel] = speaker;
    }
  }
  return !body->failed;
}

/// Reads the speakers of all channels; a host may omit them.
static bool getAllSpeakers(struct Unit *unit, struct Reader *body) {
  const struct CExtension_Description *description = unit->description;
  memset(unit->inputSpeakers, CExtension_noSpeaker, sizeof unit->inputSpeakers);
  memset(unit->outputSpeakers, CExtension_noSpeaker, sizeof unit->outputSpeakers);
  unit->setup.inputSpeakers = unit->inputSpeakers;
  unit->setup.outputSpeakers = unit->outputSpeakers;
  if (isComplete(body)) return true;
  return getSpeakers(body, description->inputCount, unit->inputChannelCounts, unit->inputSpeakers) &&
         getSpeakers(body, description->outputCount, unit->outputChannelCounts, unit->outputSpeakers) && isComplete(body);
}

/// Reads format and connections; returns the reason for a refusal, or NULL.
static const char *getAllocation(struct Unit *unit, struct Reader *body, size_t *outputByteCount, struct WiringWish *wish) {
  const struct CExtension_Description *description = unit->description;
  struct CExtension_Setup *setup = &unit->setup;
  *setup = (struct CExtension_Setup){.sampleRate = getDouble(body), .maximumFrameCount = get32(body)};
  setup->inputChannelCount = getChannels(body, description->inputs, description->inputCount, unit->inputChannelCounts);
  if (setup->inputChannelCount > CWireLayout_maximumChannelCount) return "its inputs take other channel counts";
  setup->outputChannelCount = getChannels(body, description->outputs, description->outputCount, unit->outputChannelCounts);
  if (setup->outputChannelCount > CWireLayout_maximumChannelCount) return "its outputs take other channel counts";
  setup->inputChannelCounts = unit->inputChannelCounts;
  setup->outputChannelCounts = unit->outputChannelCounts;
  if (description->channelCountsMatch && unit->inputChannelCounts[0] != unit->outputChannelCounts[0]) {
    return "it has as many channels out as in";
  }
  *outputByteCount = getLayout(body, &unit->output);
  const char *reason = getWiringWish(unit, body, wish);
  if (reason) return reason;
  if (!getAllSpeakers(unit, body)) return malformed;
  bool isFormat = isfinite(setup->sampleRate) && setup->sampleRate > 0 && setup->maximumFrameCount > 0 &&
                  setup->maximumFrameCount <= CWireLayout_maximumFrameCount;
  if (!isFormat || *outputByteCount == 0) return malformed;
  bool fits =
      unit->output.channelCount >= setup->outputChannelCount && unit->output.frameStride >= setup->maximumFrameCount;
  return fits ? NULL : "its output does not fit";
}

/// Maps the descriptors in order; false if one is missing.
static bool mapAll(struct Unit *unit, struct Question *question, size_t outputByteCount, const struct WiringWish *wish) {
  struct Wiring *wiring = &unit->wirings[0];
  unit->region = mapNext(&unit->regionMapping, question, CWireLayout_pageByteCount, true);
  if (!unit->region || !mapDoorbells(wiring, question)) return false;
  unit->output.base = mapNext(&unit->outputMapping, question, outputByteCount, true);
  if (!unit->output.base || !mapRest(wiring, question, wish)) return false;
  atomic_store(&wiring->exists, true);
  return takeUpWiring(unit, 0);
}

/// Makes the unit's own state and the memory beside it; returns the reason if that is impossible, or NULL.
static const char *makeState(struct Unit *unit) {
  struct CExtension_Setup *setup = &unit->setup;
  unit->silence = calloc(setup->maximumFrameCount, sizeof *unit->silence);
  unit->state = unit->silence ? unit->description->create(setup) : NULL;
  if (!unit->state) return setup->refusal ? setup->refusal : "there is no memory";
  if (setup->latencyFrameCount > latencyLimit) return "its latency is too long";
  size_t sampleCount = (size_t)setup->inputChannelCount * setup->latencyFrameCount;
  unit->bypass = (struct Bypass){.line = sampleCount > 0 ? calloc(sampleCount, sizeof(float)) : NULL};
  return sampleCount > 0 && !unit->bypass.line ? "there is no memory" : NULL;
}

/// Frees all that `allocate` has made so far.
static void dropAll(struct Unit *unit) {
  for (int number = 0; number < CWireLayout_wiringCount; number++) {
    atomic_store(&unit->wirings[number].exists, false);
    dropWiring(&unit->wirings[number]);
  }
  unmap(&unit->regionMapping);
  unmap(&unit->outputMapping);
  if (unit->state) unit->description->destroy(unit->state);
  free(unit->silence);
  free(unit->bypass.line);
  unit->state = NULL;
  unit->silence = unit->bypass.line = NULL;
}

/// Takes the resources of a request; returns the reason if that is impossible, or NULL.
static const char *acquire(struct Unit *unit, struct Question *question) {
  struct WiringWish wish = {0};
  size_t outputByteCount;
  const char *reason = getAllocation(unit, &question->body, &outputByteCount, &wish);
  if (reason) return reason;
  if (!mapAll(unit, question, outputByteCount, &wish)) return "its memory cannot be mapped";
  // Copied once, so that the unit uses the header that it has checked.
  memcpy(&unit->header, unit->region, sizeof unit->header);
  if (!isHeaderValid(unit)) return "the region's header is not valid";
  reason = makeState(unit);
  if (reason) return reason;
  return startRenderThread(unit) ? NULL : "it cannot start a thread";
}

static void allocate(struct Unit *unit, struct Question *question) {
  if (unit->isAllocated) return refuse(question, "its resources are allocated");
  const char *reason = acquire(unit, question);
  if (reason) {
    dropAll(unit);
    return refuse(question, reason);
  }
  unit->isAllocated = true;
  struct Writer body = {0};
  put32(&body, unit->setup.latencyFrameCount);
  put32(&body, unit->setup.tailFrameCount);
  put32(&body, (uint32_t)unit->threadIdentifier);
  answerWith(question, CWireLayout_messageAllocated, &body);
}

/// Frees the render resources, if there are any.
static void releaseResources(struct Unit *unit) {
  if (!unit->isAllocated) return;
  stopRenderThread(unit);
  dropAll(unit);
  unit->isAllocated = false;
}

// MARK: Wirings, control side

/// Takes a wiring away; false if the render thread uses it.
///
/// The render thread announces the wiring that it looks up, and then looks. This function takes the wiring away, and then looks
/// at the announcement. All steps are sequentially consistent, so at least one side notices the other.
static bool takeAway(struct Unit *unit, uint32_t number) {
  struct Wiring *wiring = &unit->wirings[number];
  if (!atomic_exchange(&wiring->exists, false)) return true;
  if (atomic_load(&unit->soughtWiring) != number && atomic_load(&unit->wiring) != number) return true;
  atomic_store(&wiring->exists, true);
  return false;
}

/// Takes the wiring of a request; returns the reason if that is impossible, or NULL.
static const char *acquireWiring(struct Unit *unit, struct Question *question) {
  uint32_t number = get32(&question->body);
  struct WiringWish wish = {0};
  const char *reason = getWiringWish(unit, &question->body, &wish);
  if (reason) return reason;
  if (!isComplete(&question->body)) return malformed;
  if (number < 1 || number >= CWireLayout_wiringCount) return "there is no such wiring";
  struct Wiring made = {0};
  reason = !mapDoorbells(&made, question) || !mapRest(&made, question, &wish) ? "its memory cannot be mapped"
           : !takeAway(unit, number)                                          ? "that wiring is in use"
                                                                              : NULL;
  if (reason) return dropWiring(&made), reason;
  struct Wiring *wiring = &unit->wirings[number];
  dropWiring(wiring);
  memcpy(wiring->mappings, made.mappings, sizeof made.mappings);
  memcpy(wiring->inputs, made.inputs, sizeof made.inputs);
  wiring->doorbell = made.doorbell;
  wiring->hostDoorbell = made.hostDoorbell;
  wiring->successorDoorbell = made.successorDoorbell;
  // The render thread finds all of the wiring, or none of it.
  atomic_store(&wiring->exists, true);
  return NULL;
}

static void wire(struct Unit *unit, struct Question *question) {
  if (!unit->isAllocated) return refuse(question, "it has no resources");
  const char *reason = acquireWiring(unit, question);
  if (reason) return refuse(question, reason);
  answerDone(question);
}

// MARK: The view, its own thread

/// A view and its thread, which owns all fields but `lock`, `thread` and `isGone`.
struct View {
  /// The first member, so that a pointer to an author's view also points here.
  struct CExtension_View shown;
  const struct Unit *unit;
  struct Mapping mapping;
  uint32_t capacity, generation;
  double *values;
  /// The cells in which the author draws, and a copy of the cells in the host's memory.
  struct CWireLayout_Cell *cells, *picture;
  /// True if the view has a size, whether the whole picture must be sent, and whether it must be drawn.
  bool isSized, isWhole, isStale;
  /// The earliest time of the next picture, in milliseconds.
  uint64_t nextPicture;

  /// Guards the channel: the view's thread closes it, and the main thread shuts it down.
  pthread_mutex_t lock;
  int channel;
  pthread_t thread;
  _Atomic bool isGone;
};

/// The least milliseconds between two pictures: the host takes at most 30 a second.
enum { pictureMilliseconds = 33 };

static uint64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/// The changed part of a picture; empty without columns.
struct Damage {
  uint32_t column, row, columnCount, rowCount;
};

static void sayInView(struct View *view, struct CWireLayout_ViewMessage message) {
  // A closed channel is noticed when it is read.
  while (send(view->channel, &message, sizeof message, MSG_NOSIGNAL) < 0 && errno == EINTR) continue;
}

void CExtension_set(struct CExtension_View *shown, uint32_t index, double value) {
  struct View *view = (struct View *)(void *)shown;
  const struct CExtension_Parameter *parameter = &view->unit->description->parameters[index];
  if (isnan(value)) return;
  if (value < parameter->lowerBound && !setsAnyValue) value = parameter->lowerBound;
  if (value > parameter->upperBound && !setsAnyValue) value = parameter->upperBound;
  view->values[index] = value;
  view->isStale = true;
  sayInView(view, (struct CWireLayout_ViewMessage){.kind = CWireLayout_viewSet, .address = parameter->address, .value = value});
}

void CExtension_touch(struct CExtension_View *shown, uint32_t index, bool isTaken) {
  struct View *view = (struct View *)(void *)shown;
  uint64_t address = view->unit->description->parameters[index].address;
  sayInView(view, (struct CWireLayout_ViewMessage){.kind = CWireLayout_viewTouch, .a = isTaken, .address = address});
}

void CExtension_put(struct CExtension_View *view, int32_t column, int32_t row, uint32_t codePoint, uint32_t foreground) {
  struct CWireLayout_Cell *cell = CExtension_cell(view, column, row);
  if (!cell) return;
  cell->codePoint = codePoint;
  cell->foreground = foreground;
}

/// The next character of valid UTF-8.
static uint32_t nextCharacter(const char **text) {
  uint8_t first = (uint8_t)*(*text)++;
  int left = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  uint32_t codePoint = left == 0 ? first : first & (0x3Fu >> left);
  for (; left > 0 && **text; left--) codePoint = codePoint << 6 | ((uint8_t)*(*text)++ & 0x3F);
  return codePoint;
}

void CExtension_print(struct CExtension_View *view, int32_t column, int32_t row, const char *text, uint32_t foreground) {
  while (*text) CExtension_put(view, column++, row, nextCharacter(&text), foreground);
}

/// The smallest part with all changes since the last picture.
static struct Damage findDamage(const struct View *view) {
  const uint32_t columnCount = view->shown.columnCount, rowCount = view->shown.rowCount;
  if (view->isWhole) return (struct Damage){0, 0, columnCount, rowCount};
  uint32_t left = columnCount, right = 0, top = rowCount, bottom = 0;
  for (uint32_t row = 0; row < rowCount; row++) {
    for (uint32_t column = 0; column < columnCount; column++) {
      size_t place = (size_t)row * columnCount + column;
      if (!memcmp(&view->cells[place], &view->picture[place], sizeof view->cells[place])) continue;
      if (column < left) left = column;
      if (column >= right) right = column + 1;
      if (row < top) top = row;
      bottom = row + 1;
    }
  }
  return right > 0 ? (struct Damage){left, top, right - left, bottom - top} : (struct Damage){0};
}

/// Copies a part of the picture to the host's memory; the generation is odd meanwhile.
static void showPicture(struct View *view, struct Damage damage) {
  struct CWireLayout_ViewHeader *header = view->mapping.base;
  struct CWireLayout_Cell *cells = (void *)(header + 1);
  _Atomic uint32_t *generation = (void *)&header->generation;
  atomic_store_explicit(generation, ++view->generation, memory_order_relaxed);
  // Release: a host that sees any of the following also sees the odd number.
  atomic_thread_fence(memory_order_release);
  header->columnCount = (uint16_t)view->shown.columnCount;
  header->rowCount = (uint16_t)view->shown.rowCount;
  header->damageColumn = (uint16_t)damage.column;
  header->damageRow = (uint16_t)damage.row;
  header->damageColumnCount = (uint16_t)damage.columnCount;
  header->damageRowCount = (uint16_t)damage.rowCount;
  for (uint32_t row = damage.row; row < damage.row + damage.rowCount; row++) {
    size_t place = (size_t)row * view->shown.columnCount + damage.column;
    memcpy(&cells[place], &view->cells[place], damage.columnCount * sizeof *cells);
    memcpy(&view->picture[place], &view->cells[place], damage.columnCount * sizeof *cells);
  }
  // Release: a host that sees the even number sees the whole picture.
  atomic_store_explicit(generation, ++view->generation, memory_order_release);
}

/// Lets the author draw, and shows the changes.
static void drawPicture(struct View *view) {
  view->nextPicture = milliseconds() + pictureMilliseconds;
  const size_t count = (size_t)view->shown.columnCount * view->shown.rowCount;
  for (size_t place = 0; place < count; place++) view->cells[place] = (struct CWireLayout_Cell){.codePoint = ' '};
  view->unit->description->drawView(&view->shown);
  view->isStale = false;
  struct Damage damage = findDamage(view);
  if (!view->isWhole && damage.columnCount == 0) return;
  if (drawsNoView || (drawsOneSize && view->isWhole && view->generation > 0)) return;
  showPicture(view, damage);
  view->isWhole = false;
  if (saysDrawnOnce && view->generation > 2) return;
  sayInView(view, (struct CWireLayout_ViewMessage){.kind = CWireLayout_viewDrawn});
  faultInView(view->channel);
}

static void takeViewSize(struct View *view, const struct CWireLayout_ViewMessage *message) {
  const uint64_t cellCount = (uint64_t)message->a * message->b;
  if (message->a > UINT16_MAX || message->b > UINT16_MAX || cellCount == 0 || cellCount > view->capacity) return;
  view->shown.columnCount = message->a;
  view->shown.rowCount = message->b;
  view->shown.colorCount = message->c;
  view->isSized = view->isWhole = view->isStale = true;
}

static void takeViewValue(struct View *view, const struct CWireLayout_ViewMessage *message) {
  int index = parameterIndex(view->unit, message->address);
  if (index < 0 || isnan(message->value)) return;
  view->values[index] = message->value;
  view->isStale = true;
}

static void takeViewInput(struct View *view, const struct CWireLayout_ViewMessage *message) {
  const bool isKey = message->kind == CWireLayout_viewKey;
  struct CExtension_Input input = {.modifiers = message->modifiers};
  if (!isKey && message->a > CExtension_wheelDown - CExtension_mousePressed) return;
  if (isKey) {
    input.key = message->a;
  } else {
    input.act = (enum CExtension_Act)(CExtension_mousePressed + message->a);
    input.column = (int32_t)message->b;
    input.row = (int32_t)message->c;
  }
  if (!view->isSized || !view->unit->description->takeInput) return;
  view->unit->description->takeInput(&view->shown, &input);
  view->isStale = true;
}

static void takeViewMessage(struct View *view, const struct CWireLayout_ViewMessage *message) {
  switch (message->kind) {
    case CWireLayout_viewSize: takeViewSize(view, message); break;
    case CWireLayout_viewKey:
    case CWireLayout_viewMouse: takeViewInput(view, message); break;
    case CWireLayout_viewFocus:
      view->shown.hasFocus = message->a != 0;
      view->isStale = true;
      break;
    case CWireLayout_viewValue: takeViewValue(view, message); break;
    case CWireLayout_viewLook:
      if (!answersNoLook) sayInView(view, (struct CWireLayout_ViewMessage){.kind = CWireLayout_viewHere, .a = message->a});
      break;
    default: break;
  }
}

/// Takes a waiting datagram; false if there is none, or if the channel has ended.
static bool receiveInView(struct View *view, bool *hasEnded) {
  struct CWireLayout_ViewMessage message;
  ssize_t received;
  // MSG_TRUNC returns the true length, even of a datagram that is too long.
  do received = recv(view->channel, &message, sizeof message, MSG_DONTWAIT | MSG_TRUNC);
  while (received < 0 && errno == EINTR);
  *hasEnded = received == 0 || (received < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
  if (received <= 0) return false;
  if (received == sizeof message) takeViewMessage(view, &message);
  return true;
}

/// Frees everything but the view itself, which the main thread frees.
static void dropView(struct View *view) {
  if (!keepsViewMemory) unmap(&view->mapping);
  free(view->values);
  free(view->cells);
  free(view->picture);
  free(view->shown.state);
  pthread_mutex_lock(&view->lock);
  close(view->channel);
  view->channel = -1;
  pthread_mutex_unlock(&view->lock);
}

/// Milliseconds until a picture is due; -1 if only a datagram makes one necessary.
static int timeUntilPicture(const struct View *view) {
  if (!view->isSized || !view->isStale) return -1;
  const uint64_t now = milliseconds();
  return now < view->nextPicture ? (int)(view->nextPicture - now) : 0;
}

/// Waits for a datagram, at most until the next picture.
static void waitInView(const struct View *view) {
  struct pollfd wait = {.fd = view->channel, .events = POLLIN};
  poll(&wait, 1, timeUntilPicture(view));
}

static void *viewMain(void *context) {
  struct View *view = context;
  bool hasEnded = false;
  while (!hasEnded) {
    waitInView(view);
    // All datagrams so far go into the same picture. A flood of them cannot delay it for ever.
    for (int count = 0; count < 256 && receiveInView(view, &hasEnded); count++) continue;
    if (!hasEnded && timeUntilPicture(view) == 0) drawPicture(view);
  }
  while (staysInView) pauseBriefly();
  dropView(view);
  atomic_store_explicit(&view->isGone, true, memory_order_release);
  return NULL;
}

// MARK: The view, main thread

/// Ends the view, if there is one; false if its thread is still busy after a second.
static bool closeView(struct Unit *unit) {
  struct View *view = unit->view;
  if (!view) return true;
  pthread_mutex_lock(&view->lock);
  // Unlike `close`, this wakes the thread.
  if (view->channel >= 0) shutdown(view->channel, SHUT_RDWR);
  pthread_mutex_unlock(&view->lock);
  const uint64_t deadline = milliseconds() + 1000;
  while (!atomic_load_explicit(&view->isGone, memory_order_acquire)) {
    if (milliseconds() > deadline) return false;
    pauseBriefly();
  }
  pthread_join(view->thread, NULL);
  pthread_mutex_destroy(&view->lock);
  free(view);
  unit->view = NULL;
  return true;
}

/// True if the header, copied from the memory, is that of a view with room for so many cells.
static bool isViewHeaderValid(const struct CWireLayout_ViewHeader *header, size_t byteCount, uint64_t cellCount) {
  return header->magic == CWireLayout_magic && header->version == CWireLayout_viewVersion &&
         header->capacity <= CWireLayout_maximumViewCellCount && cellCount > 0 && cellCount <= header->capacity &&
         header->pixelCapacity <= CWireLayout_maximumViewPixelCount &&
         byteCount >= sizeof *header + header->capacity * sizeof(struct CWireLayout_Cell) + header->pixelCapacity * sizeof(uint32_t);
}

/// Takes memory and channel from a question; returns the reason if that is impossible, or NULL.
static const char *acquireView(struct Unit *unit, struct View *view, struct Question *question) {
  const struct CExtension_Description *description = unit->description;
  uint64_t cellCount = get32(&question->body);
  cellCount *= get32(&question->body);
  get32(&question->body);  // the colours, which come with the size as well
  if (!isComplete(&question->body) || question->descriptorCount != 2) return malformed;
  struct CWireLayout_ViewHeader header;
  if (!mapNext(&view->mapping, question, sizeof header, true)) return "the view's memory cannot be mapped";
  memcpy(&header, view->mapping.base, sizeof header);
  if (!isViewHeaderValid(&header, view->mapping.byteCount, cellCount)) return "the view's memory is not valid";
  view->capacity = header.capacity;
  view->generation = header.generation & ~1u;
  view->values = allocateValues(unit);
  for (uint32_t index = 0; index < description->parameterCount; index++) {
    view->values[index] = doubleFromBits(atomic_load(&unit->values[index]));
  }
  view->cells = calloc((size_t)view->capacity + 1, sizeof *view->cells);
  view->picture = calloc((size_t)view->capacity + 1, sizeof *view->picture);
  view->shown.state = calloc(1, description->viewByteCount + 1);
  view->shown.cells = view->cells;
  view->shown.values = view->values;
  if (!view->cells || !view->picture || !view->shown.state) return "there is no memory";
  // From now on the view closes it.
  view->channel = question->descriptors[question->descriptorsTaken];
  question->descriptors[question->descriptorsTaken++] = -1;
  return pthread_create(&view->thread, NULL, viewMain, view) == 0 ? NULL : "it cannot start a thread";
}

static void openView(struct Unit *unit, struct Question *question) {
  const struct CExtension_Description *description = unit->description;
  if (!description->drawView) return refuse(question, "it has no view");
  if (!closeView(unit)) return refuse(question, "its former view has not ended");
  struct View *view = calloc(1, sizeof *view);
  if (!view) return refuse(question, "there is no memory");
  *view = (struct View){.unit = unit, .channel = -1};
  pthread_mutex_init(&view->lock, NULL);
  const char *reason = acquireView(unit, view, question);
  if (reason) {
    dropView(view);
    free(view);
    return refuse(question, reason);
  }
  unit->view = view;
  struct Writer body = {0};
  put32(&body, description->viewSizeCount);
  for (uint32_t index = 0; index < description->viewSizeCount; index++) {
    put32(&body, description->viewSizes[index].columnCount);
    put32(&body, description->viewSizes[index].rowCount);
  }
  answerWith(question, CWireLayout_messageViewOpened, &body);
}

// MARK: The process, main thread

/// Answers questions without a body.
static void answerPlainQuestion(struct Unit *unit, const struct Question *question) {
  if (question->body.count > 0) return refuse(question, malformed);
  if (question->kind == CWireLayout_messageSaveState) return saveState(unit, question);
  bool isShutdown = question->kind == CWireLayout_messageShutdown;
  bool isDeallocate = question->kind == CWireLayout_messageDeallocate && unit->isAllocated;
  // While the unit has resources, a flag of the requests does this instead.
  bool isReset = question->kind == CWireLayout_messageReset && !unit->isAllocated;
  if (!isShutdown && !isDeallocate && !isReset) return refuse(question, "that is not possible now");
  if (!isReset) releaseResources(unit);
  answerDone(question);
}

/// Answers a question; false if the process must end.
static bool answerQuestion(struct Unit *unit, struct Question *question) {
  if (question->kind == CWireLayout_messageWire && newestVersion > 1) return wire(unit, question), true;
  switch (question->kind) {
    case CWireLayout_messageHello: return greet(unit, question);
    case CWireLayout_messageAllocate: allocate(unit, question); break;
    case CWireLayout_messageSetParameters: setParameters(unit, question); break;
    case CWireLayout_messageSelectPreset: selectPreset(unit, question); break;
    case CWireLayout_messageRestoreState: restoreState(unit, question); break;
    case CWireLayout_messageSetText: refuse(question, "it has no such text"); break;
    case CWireLayout_messageListUnits: refuse(question, "it knows of no other units"); break;
    case CWireLayout_messageOpenView: openView(unit, question); break;
    default: answerPlainQuestion(unit, question); break;
  }
  return true;
}

/// Sorts the parameters' indices by their identifiers.
static void sortParameters(struct Unit *unit) {
  const struct CExtension_Parameter *parameters = unit->description->parameters;
  for (uint32_t count = 0; count < unit->description->parameterCount; count++) {
    uint32_t place = count;
    for (; place > 0 && strcmp(parameters[unit->order[place - 1]].identifier, parameters[count].identifier) > 0; place--) {
      unit->order[place] = unit->order[place - 1];
    }
    unit->order[place] = count;
  }
}

/// Allocates the memory that lives as long as the process.
static void prepare(struct Unit *unit, const struct CExtension_Description *description) {
  const size_t count = description->parameterCount + 1;
  unit->description = description;
  for (int part = 0; part < 3; part++) unit->component[part] = fourCharacters(description->component + 5 * part);
  unit->order = calloc(count, sizeof *unit->order);
  unit->values = calloc(count, sizeof *unit->values);
  unit->wanted = calloc(count, sizeof *unit->wanted);
  unit->ramps = calloc(count, sizeof *unit->ramps);
  unit->lent = calloc(count, sizeof *unit->lent);
  if (!unit->order || !unit->values || !unit->wanted || !unit->ramps || !unit->lent) _exit(1);
  sortParameters(unit);
  for (uint32_t index = 0; index < description->parameterCount; index++) {
    setValue(unit, index, description->parameters[index].defaultValue);
  }
}

int CExtension_run(const struct CExtension_Description *description) {
  static struct Unit unit;
  if (fcntl(controlDescriptor, F_GETFD) < 0) {
    fprintf(stderr, "This is a Bulkhead extension; a host starts it.\n");
    return 2;
  }
  prepare(&unit, description);
  for (;;) {
    struct Question question;
    enum Receipt receipt = receiveQuestion(&question);
    while (receipt == receivedEnd && staysAfterHangUp) pauseBriefly();
    // The render thread may be stuck, so the process ends without waiting for it.
    if (receipt != receivedQuestion) _exit(receipt == receivedEnd ? 0 : 1);
    bool goesOn = faultInAnswer(&question) || answerQuestion(&unit, &question);
    dropQuestion(&question);
    if (!goesOn) _exit(1);
  }
}
