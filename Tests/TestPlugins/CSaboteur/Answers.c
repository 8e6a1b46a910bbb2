// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Answers that break the protocol: not a message, too many, too few. Main thread; the orders come from the render thread.
#include <fcntl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "Orders.h"

enum { lentDescriptorCount = 200, longByteCount = 100000 };
/// The order in the lower eight bits, its argument above.
static _Atomic uint32_t standingOrder;

void orderAnswer(enum Order order, uint8_t argument) {
  if (order == orderCloseDescriptors) close_range(0, ~0u, 0);
  if (order >= orderSayNothing && order < orderCloseDescriptors) atomic_store(&standingOrder, order | (uint32_t)argument << 8);
}

/// Sends bytes as they are; false when there is no room and `flags` forbid to wait for it.
static bool sendBytes(const void *bytes, size_t count, const int *descriptors, int descriptorCount, int flags) {
  struct iovec part = {(void *)(uintptr_t)bytes, count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  _Alignas(struct cmsghdr) char rights[CMSG_SPACE(sizeof(int) * lentDescriptorCount)] = {0};
  if (descriptorCount > 0) {
    const size_t byteCount = sizeof(int) * (size_t)descriptorCount;
    message.msg_control = rights;
    message.msg_controllen = CMSG_SPACE(byteCount);
    struct cmsghdr *entry = CMSG_FIRSTHDR(&message);
    *entry = (struct cmsghdr){.cmsg_len = CMSG_LEN(byteCount), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(entry), descriptors, byteCount);
  }
  return sendmsg(controlDescriptor, &message, MSG_NOSIGNAL | flags) >= 0;
}

static struct CWireLayout_MessageHeader headerOf(const struct Question *question, uint32_t byteCount) {
  return (struct CWireLayout_MessageHeader){CWireLayout_magic, CWireLayout_messageDone, 0, question->serial, byteCount};
}

/// Announces a body in memory, and passes something along that can still change.
static void announceMemory(const struct Question *question, uint32_t byteCount) {
  struct CWireLayout_MessageHeader header = headerOf(question, byteCount);
  const int file = STDERR_FILENO;
  header.flags = CWireLayout_messageBodyInDescriptor;
  sendBytes(&header, sizeof header, &file, 1, 0);
}

/// Announces two pieces and sends one, which is too short.
static void sendShortPiece(const struct Question *question) {
  static const uint8_t piece[1000];
  struct CWireLayout_MessageHeader header = headerOf(question, longByteCount);
  header.flags = CWireLayout_messageBodyInPieces;
  sendBytes(&header, sizeof header, NULL, 0, 0);
  sendBytes(piece, sizeof piece, NULL, 0, 0);
}

static void sendManyDescriptors(const struct Question *question) {
  const struct CWireLayout_MessageHeader header = headerOf(question, 0);
  int descriptors[lentDescriptorCount];
  for (int index = 0; index < lentDescriptorCount; index++) descriptors[index] = STDERR_FILENO;
  sendBytes(&header, sizeof header, descriptors, lentDescriptorCount, 0);
}

/// Sends answers that match no question until there is no room; the right answer then follows once there is room.
static void floodSocket(const struct Question *question) {
  struct CWireLayout_MessageHeader header = headerOf(question, 0);
  header.serial = 0;
  while (sendBytes(&header, sizeof header, NULL, 0, MSG_DONTWAIT)) {
  }
}

static void sendBody(const struct Question *question, uint32_t said, size_t sent) {
  static uint8_t bytes[sizeof(struct CWireLayout_MessageHeader) + longByteCount];
  const struct CWireLayout_MessageHeader header = headerOf(question, said);
  memcpy(bytes, &header, sizeof header);
  sendBytes(bytes, sizeof header + sent, NULL, 0, 0);
}

/// Whether the order replaces the right answer.
static bool answerWrong(const struct Question *question, enum Order order) {
  struct CWireLayout_MessageHeader header = headerOf(question, 0);
  switch (order) {
    case orderSayNothing: return true;
    case orderHalfMessage: return sendBytes(&header, sizeof header / 2, NULL, 0, 0);
    case orderHalfBody: return sendBody(question, 1000, 10), true;
    case orderTwoGigabytes: return sendBody(question, 1u << 31, 0), true;
    case orderTwoGigabytesInMemory: return announceMemory(question, 1u << 31), true;
    case orderOpenBody: return announceMemory(question, longByteCount), true;
    case orderShortPiece: return sendShortPiece(question), true;
    case orderLongDatagram: return sendBody(question, longByteCount, longByteCount), true;
    case orderNonsense: return sendBody(question, 100, 100), true;
    case orderWrongSerial: header.serial += 1000; return sendBytes(&header, sizeof header, NULL, 0, 0);
    case orderWrongKind: header.kind = 255; return sendBytes(&header, sizeof header, NULL, 0, 0);
    case orderManyDescriptors: return sendManyDescriptors(question), true;
    case orderFloodSocket: return floodSocket(question), false;
    default: return false;
  }
}

static bool faultInAnswer(const struct Question *question) {
  const uint32_t standing = atomic_exchange(&standingOrder, 0);
  if ((standing & 0xFF) == orderAnswerLate) {
    const uint32_t milliseconds = (standing >> 8) * 10;
    nanosleep(&(struct timespec){milliseconds / 1000, (long)(milliseconds % 1000) * 1000000}, NULL);
  }
  return answerWrong(question, (enum Order)(standing & 0xFF));
}
