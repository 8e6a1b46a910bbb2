// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The control side of the C tremolo: handshake, allocation, parameters, preset, state. Main thread.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Payload.h"
#include "Tremolo.h"

enum { controlDescriptor = 3, unitVersion = 1 << 20 | 2 << 10 | 3, encodingVersion = 2, mappingLimit = 6 };

#ifdef TREMOLO_WITHOUT_LIFELINE
static const char unitName[] = "Tremolo without lifeline", unitSubtype[] = "trmu";
#elif defined(TREMOLO_RINGS_NOBODY)
static const char unitName[] = "Tremolo that rings nobody", unitSubtype[] = "trmn";
#elif defined(TREMOLO_DIES_BEFORE_THE_WAKE)
static const char unitName[] = "Tremolo that dies before the wake", unitSubtype[] = "trmd";
#elif defined(TREMOLO_RENDERS_ANY_SIZE)
static const char unitName[] = "Tremolo of any size", unitSubtype[] = "trms";
#else
static const char unitName[] = "Tremolo", unitSubtype[] = "trml";
#endif

const struct ParameterRange parameterRanges[parameterCount] = {
    {"rate", "Rate", 7001, 0.1, 20, 4, 7},
    {"depth", "Depth", 7002, 0, 100, 0, 3},
};
static const double presetValues[parameterCount] = {1, 60};

static struct Unit unit;
static struct Mapping mappings[mappingLimit];
static bool isAllocated;
static uint8_t *custom;
static uint32_t customByteCount;

int parameterIndex(uint64_t address) {
  for (int index = 0; index < parameterCount; index++) {
    if (parameterRanges[index].address == address) return index;
  }
  return -1;
}

// MARK: What it says of itself

static uint32_t fourCharacters(const char *text) {
  return (uint32_t)text[0] << 24 | (uint32_t)text[1] << 16 | (uint32_t)text[2] << 8 | (uint32_t)text[3];
}

static void putComponent(struct Writer *writer) {
  put32(writer, fourCharacters("aufx"));
  put32(writer, fourCharacters(unitSubtype));
  put32(writer, fourCharacters("test"));
}

/// Values are sorted by key path: depth, rate.
static void putValues(struct Writer *writer, double depth, double rate) {
  put32(writer, parameterCount);
  putText(writer, parameterRanges[parameterDepth].identifier);
  putDouble(writer, depth);
  putText(writer, parameterRanges[parameterRate].identifier);
  putDouble(writer, rate);
}

static double currentValue(int index) { return doubleFromBits(atomic_load(&unit.values[index])); }

static void putState(struct Writer *writer) {
  put32(writer, encodingVersion);
  putComponent(writer);
  put8(writer, 0);
  put32(writer, unitVersion);
  putValues(writer, currentValue(parameterDepth), currentValue(parameterRate));
  put32(writer, 0);
  putBlob(writer, custom, customByteCount);
}

static void putBus(struct Writer *writer, const char *name) {
  putText(writer, name);
  put32(writer, 2);
  put8(writer, 0);
  put32(writer, 2);
  put32(writer, 1);
  put32(writer, 2);
}

static void putParameter(struct Writer *writer, const struct ParameterRange *range) {
  put8(writer, 0);
  putText(writer, range->identifier);
  putText(writer, range->name);
  put64(writer, range->address);
  putDouble(writer, range->lower);
  putDouble(writer, range->upper);
  putDouble(writer, range->initial);
  put32(writer, range->unit);
  put32(writer, 1);
  put32(writer, 0);
}

static void putWelcome(struct Writer *writer) {
  put32(writer, CWireLayout_maximumVersion);
  putComponent(writer);
  put8(writer, 0);
  put32(writer, unitVersion);
  put32(writer, 0);
  put8(writer, 1);
  putText(writer, unitName);
  putText(writer, "Bulkhead's tests");
  put32(writer, 1);
  putText(writer, "Modulation");
  put32(writer, 1);
  putBus(writer, "Input");
  put32(writer, 1);
  putBus(writer, "Output");
  put32(writer, parameterCount);
  for (int index = 0; index < parameterCount; index++) putParameter(writer, &parameterRanges[index]);
  put32(writer, 0);
  put32(writer, 1);
  putText(writer, "Slow");
  putValues(writer, presetValues[parameterDepth], presetValues[parameterRate]);
}

// MARK: Answers

struct Question {
  uint16_t kind;
  uint32_t serial;
  struct Reader body;
  int descriptors[CWireLayout_maximumDescriptorCount];
  int descriptorCount, descriptorsTaken;
};

static int sealedBody(const struct Writer *body) {
  int file = memfd_create("tremolo message", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  for (size_t written = 0; file >= 0 && written < body->count;) {
    ssize_t count = write(file, body->bytes + written, body->count - written);
    if (count <= 0) exit(1);
    written += (size_t)count;
  }
  if (file < 0 || fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) < 0) exit(1);
  return file;
}

static void send1(struct msghdr *message) {
  ssize_t sent;
  do sent = sendmsg(controlDescriptor, message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  if (sent < 0) exit(0);
}

static void answerWith(const struct Question *question, uint16_t kind, const struct Writer *body) {
  struct CWireLayout_MessageHeader header = {
      CWireLayout_magic, kind, 0, question->serial, (uint32_t)(body ? body->count : 0)};
  struct iovec parts[2] = {{&header, sizeof header}, {body ? body->bytes : NULL, header.byteCount}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
  } rights = {{0}};
  int file = -1;
  if (header.byteCount > CWireLayout_maximumInlineByteCount) {
    header.flags = CWireLayout_messageBodyInDescriptor;
    message.msg_iovlen = 1;
    file = sealedBody(body);
    message.msg_control = rights.bytes;
    message.msg_controllen = sizeof rights.bytes;
    struct cmsghdr *entry = CMSG_FIRSTHDR(&message);
    *entry = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof file), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(entry), &file, sizeof file);
  }
  send1(&message);
  if (file >= 0) close(file);
}

static void done(const struct Question *question) { answerWith(question, CWireLayout_messageDone, NULL); }

static void refuse(const struct Question *question, const char *reason) {
  struct Writer body = {0};
  putText(&body, reason);
  answerWith(question, CWireLayout_messageRefused, &body);
  free(body.bytes);
}

static void answerState(const struct Question *question) {
  struct Writer body = {0};
  putState(&body);
  answerWith(question, CWireLayout_messageState, &body);
  free(body.bytes);
}

static bool greet(struct Question *question) {
  uint32_t minimum = get32(&question->body), maximum = get32(&question->body);
  struct Writer body = {0};
  bool isCommon = minimum <= CWireLayout_maximumVersion && maximum >= CWireLayout_minimumVersion;
  if (isCommon) {
    putWelcome(&body);
  } else {
    put32(&body, CWireLayout_minimumVersion);
    put32(&body, CWireLayout_maximumVersion);
    putText(&body, unitName);
  }
  answerWith(question, isCommon ? CWireLayout_messageWelcome : CWireLayout_messageVersionRefused, &body);
  free(body.bytes);
  return isCommon;
}

// MARK: Parameters and state

static void setValue(int index, double value) {
  if (isAllocated) atomic_store(&unit.wanted[index], bitsFromDouble(value));
  atomic_store(&unit.values[index], bitsFromDouble(value));
}

static bool isInRange(int index, double value) {
  return value >= parameterRanges[index].lower && value <= parameterRanges[index].upper;
}

static void setParameters(struct Question *question) {
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
    setValue(index, getDouble(&again));
  }
  done(question);
}

static void selectPreset(struct Question *question) {
  uint32_t index = get32(&question->body);
  if (!isComplete(&question->body)) return refuse(question, "the message is malformed");
  if (index != 0) return refuse(question, "it has no such preset");
  for (int parameter = 0; parameter < parameterCount; parameter++) setValue(parameter, presetValues[parameter]);
  answerState(question);
}

static int indexOf(struct Blob keyPath) {
  for (int index = 0; index < parameterCount; index++) {
    const char *identifier = parameterRanges[index].identifier;
    if (keyPath.count == strlen(identifier) && !memcmp(keyPath.bytes, identifier, keyPath.count)) return index;
  }
  return -1;
}

static void restoreState(struct Question *question) {
  struct Reader *body = &question->body;
  double values[parameterCount];
  for (int index = 0; index < parameterCount; index++) values[index] = parameterRanges[index].initial;
  bool isKnown = get32(body) == encodingVersion, isOwn = get32(body) == fourCharacters("aufx");
  isOwn &= get32(body) == fourCharacters(unitSubtype);
  isOwn &= get32(body) == fourCharacters("test");
  isOwn &= get8(body) == 0;
  uint32_t version = get32(body), count = getCount(body, 12);
  for (uint32_t pair = 0; pair < count && !body->failed; pair++) {
    int index = indexOf(getBlob(body));
    double value = getDouble(body);
    if (index >= 0) values[index] = value;
  }
  for (uint32_t texts = getCount(body, 8); texts > 0 && !body->failed; texts--) getBlob(body), getBlob(body);
  struct Blob kept = getBlob(body);
  if (!isComplete(body) || !isKnown) return refuse(question, "the state is malformed");
  if (!isOwn || version > unitVersion) return refuse(question, "the state is another's");
  for (int index = 0; index < parameterCount; index++) {
    if (!isInRange(index, values[index])) return refuse(question, "a value is out of range");
  }
  for (int index = 0; index < parameterCount; index++) setValue(index, values[index]);
  uint8_t *copy = malloc(kept.count + 1);
  if (!copy) return refuse(question, "there is no memory");
  if (kept.count > 0) memcpy(copy, kept.bytes, kept.count);
  free(custom);
  custom = copy;
  customByteCount = kept.count;
  answerState(question);
}

// MARK: Render resources

/// Maps the question's next descriptor; NULL unless its size is sealed and large enough.
static void *mapNext(struct Question *question, int index, size_t minimumByteCount, int protection) {
  if (question->descriptorsTaken == question->descriptorCount) return NULL;
  int file = question->descriptors[question->descriptorsTaken++];
  int seals = fcntl(file, F_GET_SEALS), wanted = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  struct stat status;
  if (seals < 0 || (seals & wanted) != wanted || fstat(file, &status) < 0) return NULL;
  if (status.st_size <= 0 || (size_t)status.st_size < minimumByteCount) return NULL;
  void *base = mmap(NULL, (size_t)status.st_size, protection, MAP_SHARED | MAP_POPULATE, file, 0);
  if (base == MAP_FAILED) return NULL;
  mappings[index] = (struct Mapping){base, (size_t)status.st_size};
  return base;
}

static void unmapAll(void) {
  for (int index = 0; index < mappingLimit; index++) {
    if (mappings[index].base) munmap(mappings[index].base, mappings[index].byteCount);
    mappings[index].base = NULL;
  }
}

static bool isPowerOfTwo(uint32_t number, uint32_t limit) {
  return number > 0 && number <= limit && (number & (number - 1)) == 0;
}

static bool sectionsFit(const struct CWireLayout_RegionHeader *header) {
  const uint64_t page = CWireLayout_pageByteCount;
  const uint64_t sections[6][2] = {
      {header->hostWordsOffset, sizeof(struct CWireLayout_HostWords)},
      {header->pluginWordsOffset, sizeof(struct CWireLayout_PluginWords)},
      {header->requestsOffset, header->slotCount * sizeof(struct CWireLayout_Request)},
      {header->repliesOffset, header->slotCount * sizeof(struct CWireLayout_Reply)},
      {header->hostToPluginEventsOffset, header->hostToPluginEventCapacity * sizeof(struct CWireLayout_Event)},
      {header->pluginToHostEventsOffset, header->pluginToHostEventCapacity * sizeof(struct CWireLayout_Event)},
  };
  uint64_t end = page;
  for (int index = 0; index < 6; index++) {
    uint64_t offset = sections[index][0], size = sections[index][1];
    if (offset % page != 0 || offset < end || offset > header->byteCount || size > header->byteCount - offset) return false;
    end = offset + size;
  }
  return true;
}

static bool isValid(const struct CWireLayout_RegionHeader *header, size_t byteCount, double rate, uint32_t frameCount) {
  return header->magic == CWireLayout_magic && header->version == 1 && header->byteCount == byteCount &&
         header->sampleRate == rate && header->maximumFrameCount == frameCount &&
         isPowerOfTwo(header->slotCount, CWireLayout_maximumSlotCount) && header->inputBusCount == 1 &&
         header->outputBusCount == 1 &&
         isPowerOfTwo(header->hostToPluginEventCapacity, CWireLayout_maximumEventCapacity) &&
         isPowerOfTwo(header->pluginToHostEventCapacity, CWireLayout_maximumEventCapacity) && sectionsFit(header);
}

/// Reads a layout; how many bytes its memory has at least, or 0 when it is not valid.
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

/// Why the allocation cannot be made, or NULL.
static const char *tryToAllocate(struct Question *question) {
  struct Reader *body = &question->body;
  double rate = getDouble(body);
  uint32_t frameCount = get32(body);
  if (get32(body) != 1) return "it has one input bus";
  uint32_t inputChannels = get32(body);
  if (get32(body) != 1) return "it has one output bus";
  uint32_t outputChannels = get32(body);
  if (inputChannels != outputChannels || inputChannels < 1 || inputChannels > channelLimit) {
    return "it takes one channel or two, in and out alike";
  }
  size_t outputSize = getLayout(body, &unit.output), inputSize = 0;
  uint32_t connections = get32(body), firstChannel = 0;
  bool isConnected = connections == 1 && get8(body);
  if (isConnected) {
    inputSize = getLayout(body, &unit.input);
    firstChannel = get32(body);
  }
  bool hasSuccessor = get8(body);
  if (!isComplete(body) || connections != 1 || !outputSize || (isConnected && !inputSize)) return "the message is malformed";
  if (unit.output.channelCount < outputChannels || unit.output.frameStride < frameCount) return "its output does not fit";
  if (isConnected && (firstChannel + inputChannels > unit.input.channelCount || unit.input.frameStride < frameCount)) {
    return "its input does not fit";
  }
  const int both = PROT_READ | PROT_WRITE;
  unit.region = mapNext(question, 0, CWireLayout_pageByteCount, both);
  unit.doorbell = mapNext(question, 1, sizeof *unit.doorbell, both);
  unit.hostDoorbell = mapNext(question, 2, sizeof *unit.hostDoorbell, both);
  unit.output.base = mapNext(question, 3, outputSize, both);
  unit.successorDoorbell = hasSuccessor ? mapNext(question, 4, sizeof *unit.successorDoorbell, both) : NULL;
  unit.input.base = isConnected ? mapNext(question, 5, inputSize, PROT_READ) : NULL;
  if (!unit.region || !unit.doorbell || !unit.hostDoorbell || !unit.output.base) return "its memory cannot be mapped";
  if ((hasSuccessor && !unit.successorDoorbell) || (isConnected && !unit.input.base)) return "its memory cannot be mapped";
  memcpy(&unit.header, unit.region, sizeof unit.header);
  if (!isValid(&unit.header, mappings[0].byteCount, rate, frameCount)) return "the region's header is not valid";
  if (unit.input.base) unit.input.base += (size_t)firstChannel * unit.input.frameStride;
  unit.sampleRate = rate;
  unit.channelCount = outputChannels;
  return startRenderThread(&unit) ? "it cannot start a thread" : NULL;
}

static void allocate(struct Question *question) {
  if (isAllocated) return refuse(question, "its resources are allocated");
  const char *reason = tryToAllocate(question);
  if (reason) {
    unmapAll();
    return refuse(question, reason);
  }
  isAllocated = true;
  struct Writer body = {0};
  put32(&body, 0);
  put32(&body, 0);
  put32(&body, (uint32_t)unit.threadIdentifier);
  answerWith(question, CWireLayout_messageAllocated, &body);
  free(body.bytes);
}

static void deallocate(void) {
  if (!isAllocated) return;
  stopRenderThread(&unit);
  unmapAll();
  isAllocated = false;
}

// MARK: The loop

static bool answerQuestion(struct Question *question) {
  switch (question->kind) {
    case CWireLayout_messageHello: return greet(question);
    case CWireLayout_messageAllocate: allocate(question); return true;
    case CWireLayout_messageSetParameters: setParameters(question); return true;
    case CWireLayout_messageSelectPreset: selectPreset(question); return true;
    case CWireLayout_messageRestoreState: restoreState(question); return true;
    default: break;
  }
  if (question->body.count > 0) {
    refuse(question, "the message is malformed");
  } else if (question->kind == CWireLayout_messageSaveState) {
    answerState(question);
  } else if (question->kind == CWireLayout_messageShutdown) {
    deallocate();
    done(question);
  } else if (question->kind == CWireLayout_messageDeallocate && isAllocated) {
    deallocate();
    done(question);
  } else if (question->kind == CWireLayout_messageReset && !isAllocated) {
    done(question);
  } else {
    refuse(question, "that is not possible now");
  }
  return true;
}

static void takeDescriptors(struct msghdr *message, struct Question *question) {
  for (struct cmsghdr *entry = CMSG_FIRSTHDR(message); entry; entry = CMSG_NXTHDR(message, entry)) {
    if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SCM_RIGHTS) continue;
    size_t byteCount = entry->cmsg_len - CMSG_LEN(0);
    memcpy(question->descriptors, CMSG_DATA(entry), byteCount);
    question->descriptorCount = (int)(byteCount / sizeof(int));
  }
}

/// Reads a body out of the last descriptor; NULL unless it is sealed and of the size that the header says.
static uint8_t *readBody(struct Question *question, size_t byteCount) {
  if (question->descriptorCount == 0) return NULL;
  int file = question->descriptors[--question->descriptorCount];
  int seals = fcntl(file, F_GET_SEALS), wanted = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;
  struct stat status;
  uint8_t *body = NULL;
  if (seals >= 0 && (seals & wanted) == wanted && fstat(file, &status) == 0 && (size_t)status.st_size == byteCount) {
    body = malloc(byteCount + 1);
  }
  for (size_t position = 0; body && position < byteCount;) {
    ssize_t count = pread(file, body + position, byteCount - position, (off_t)position);
    if (count <= 0) exit(1);
    position += (size_t)count;
  }
  close(file);
  return body;
}

/// Receives and answers one message; false when it is time to go, with the status in `status`.
static bool converse(int *status) {
  static uint8_t buffer[sizeof(struct CWireLayout_MessageHeader) + CWireLayout_maximumInlineByteCount];
  union {
    char bytes[CMSG_SPACE(sizeof(int) * CWireLayout_maximumDescriptorCount)];
    struct cmsghdr align;
  } rights;
  struct iovec part = {buffer, sizeof buffer};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = rights.bytes, .msg_controllen = sizeof rights.bytes};
  ssize_t received = recvmsg(controlDescriptor, &message, MSG_CMSG_CLOEXEC);
  if (received < 0 && errno == EINTR) return true;
  *status = received == 0 ? 0 : 1;
  struct CWireLayout_MessageHeader header;
  if (received < (ssize_t)sizeof header || message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) return false;
  memcpy(&header, buffer, sizeof header);
  bool isInDescriptor = header.flags & CWireLayout_messageBodyInDescriptor;
  size_t inlineByteCount = (size_t)received - sizeof header;
  if (header.magic != CWireLayout_magic || header.byteCount > CWireLayout_maximumBodyByteCount) return false;
  if (inlineByteCount != (isInDescriptor ? 0 : header.byteCount)) return false;
  struct Question question = {.kind = header.kind, .serial = header.serial};
  takeDescriptors(&message, &question);
  uint8_t *body = isInDescriptor ? readBody(&question, header.byteCount) : NULL;
  if (isInDescriptor && !body) return false;
  question.body = (struct Reader){body ? body : buffer + sizeof header, header.byteCount, false};
  bool goesOn = answerQuestion(&question);
  for (int index = 0; index < question.descriptorCount; index++) close(question.descriptors[index]);
  free(body);
  return goesOn;
}

int main(void) {
  if (fcntl(controlDescriptor, F_GETFD) < 0) {
    fprintf(stderr, "This is a Bulkhead extension; a host starts it.\n");
    return 2;
  }
  for (int index = 0; index < parameterCount; index++) setValue(index, parameterRanges[index].initial);
  int status = 0;
  while (converse(&status)) {
  }
  _exit(status);
}
