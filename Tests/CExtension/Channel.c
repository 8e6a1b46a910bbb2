// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The control channel: framing, descriptors, sealed bodies, bodies in pieces. Main thread.
#define _GNU_SOURCE
#include "Channel.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { bodySeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL };

// MARK: Receiving

static void takeDescriptors(struct msghdr *message, struct Question *question) {
  for (struct cmsghdr *entry = CMSG_FIRSTHDR(message); entry; entry = CMSG_NXTHDR(message, entry)) {
    if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SCM_RIGHTS) continue;
    size_t byteCount = entry->cmsg_len - CMSG_LEN(0);
    memcpy(question->descriptors, CMSG_DATA(entry), byteCount);
    question->descriptorCount = (int)(byteCount / sizeof(int));
  }
}

/// Reads a body out of the last descriptor; NULL unless it is sealed and of the size that the header gives.
static uint8_t *readBody(struct Question *question, size_t byteCount) {
  if (question->descriptorCount == 0) return NULL;
  int file = question->descriptors[--question->descriptorCount];
  int seals = fcntl(file, F_GET_SEALS);
  struct stat status;
  uint8_t *body = NULL;
  if (seals >= 0 && (seals & bodySeals) == bodySeals && fstat(file, &status) == 0 &&
      (size_t)status.st_size == byteCount) {
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

enum Receipt receiveQuestion(struct Question *question) {
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
  if (received == 0) return receivedEnd;
  struct CWireLayout_MessageHeader header;
  if (received < (ssize_t)sizeof header || message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) return receivedNonsense;
  memcpy(&header, buffer, sizeof header);
  bool isInDescriptor = header.flags & CWireLayout_messageBodyInDescriptor;
  size_t inlineByteCount = (size_t)received - sizeof header;
  if (header.magic != CWireLayout_magic || header.byteCount > CWireLayout_maximumBodyByteCount) return receivedNonsense;
  if (inlineByteCount != (isInDescriptor ? 0 : header.byteCount)) return receivedNonsense;
  *question = (struct Question){.kind = header.kind, .serial = header.serial};
  takeDescriptors(&message, question);
  question->ownBody = isInDescriptor ? readBody(question, header.byteCount) : NULL;
  if (isInDescriptor && !question->ownBody) return receivedNonsense;
  question->body.bytes = isInDescriptor ? question->ownBody : buffer + sizeof header;
  question->body.count = header.byteCount;
  return receivedQuestion;
}

void dropQuestion(struct Question *question) {
  for (int index = 0; index < question->descriptorCount; index++) close(question->descriptors[index]);
  free(question->ownBody);
}

// MARK: Answering

static void sendDatagram(struct msghdr *message) {
  ssize_t sent;
  do sent = sendmsg(controlDescriptor, message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  if (sent < 0) exit(0);
}

void answer(const struct Question *question, uint16_t kind, const struct Writer *body) {
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

void answerDone(const struct Question *question) { answer(question, CWireLayout_messageDone, NULL); }

void refuse(const struct Question *question, const char *reason) {
  struct Writer body = {0};
  putText(&body, reason);
  answer(question, CWireLayout_messageRefused, &body);
  free(body.bytes);
}
