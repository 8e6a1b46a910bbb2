// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The control channel: one message is one datagram. Main thread.
#pragma once

#include "Payload.h"

enum { controlDescriptor = 3 };

/// What the host asks, which has to be answered once.
struct Question {
  uint16_t kind;
  uint32_t serial;
  struct Reader body;
  /// What the body lies in if it came in a descriptor.
  uint8_t *ownBody;
  int descriptors[CWireLayout_maximumDescriptorCount];
  int descriptorCount, descriptorsTaken;
};

enum Receipt {
  receivedQuestion,
  /// The host has closed its end.
  receivedEnd,
  /// No message of the protocol: nobody knows any more what the host thinks.
  receivedNonsense,
};

/// Waits for the next message. A question is to be dropped after it was answered.
enum Receipt receiveQuestion(struct Question *question);
void dropQuestion(struct Question *question);

void answer(const struct Question *question, uint16_t kind, const struct Writer *body);
void answerDone(const struct Question *question);
/// The reason follows "Couldn't …: ".
void refuse(const struct Question *question, const char *reason);
