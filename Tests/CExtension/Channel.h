// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The control channel: one message is one datagram. Main thread.
#pragma once

#include "Payload.h"

enum { controlDescriptor = 3 };

/// A message of the host, which must be answered once.
struct Question {
  uint16_t kind;
  uint32_t serial;
  struct Reader body;
  /// The memory of a body that came in a descriptor.
  uint8_t *ownBody;
  int descriptors[CWireLayout_maximumDescriptorCount];
  int descriptorCount, descriptorsTaken;
};

enum Receipt {
  receivedQuestion,
  /// The host has closed its end.
  receivedEnd,
  /// Not a message of the protocol: the two sides no longer agree on what was said.
  receivedNonsense,
};

/// Waits for the next message. The caller drops a question after its answer.
enum Receipt receiveQuestion(struct Question *question);
void dropQuestion(struct Question *question);

void answer(const struct Question *question, uint16_t kind, const struct Writer *body);
void answerDone(const struct Question *question);
/// The reason follows "Couldn't …: ".
void refuse(const struct Question *question, const char *reason);
