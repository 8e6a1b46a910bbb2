// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The process from its start to its end, and which function answers which question. Main thread.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "Channel.h"
#include "Sabotage.h"

static struct Unit unit;

/// Answers questions without a body.
static void answerPlainQuestion(const struct Question *question) {
  if (question->body.count > 0) return refuse(question, "the message is malformed");
  if (question->kind == CWireLayout_messageSaveState) return saveState(&unit, question);
  bool isShutdown = question->kind == CWireLayout_messageShutdown;
  bool isDeallocate = question->kind == CWireLayout_messageDeallocate && unit.isAllocated;
  // While there are resources, a flag of the requests does this.
  bool isReset = question->kind == CWireLayout_messageReset && !unit.isAllocated;
  if (!isShutdown && !isDeallocate && !isReset) return refuse(question, "that is not possible now");
  if (!isReset) releaseResources(&unit);
  answerDone(question);
}

/// Answers a question; false when the process must end.
static bool answerQuestion(struct Question *question) {
  switch (question->kind) {
    case CWireLayout_messageHello: return greet(question);
    case CWireLayout_messageAllocate: allocate(&unit, question); break;
#ifndef TREMOLO_OF_VERSION_1
    case CWireLayout_messageWire: wire(&unit, question); break;
#endif
    case CWireLayout_messageSetParameters: setParameters(&unit, question); break;
    case CWireLayout_messageSelectPreset: selectPreset(&unit, question); break;
    case CWireLayout_messageRestoreState: restoreState(&unit, question); break;
    case CWireLayout_messageSetText: refuse(question, "it has no such text"); break;
    case CWireLayout_messageListUnits: refuse(question, "it knows of no other units"); break;
    default: answerPlainQuestion(question); break;
  }
  return true;
}

int main(void) {
  if (fcntl(controlDescriptor, F_GETFD) < 0) {
    fprintf(stderr, "This is a Bulkhead extension; a host starts it.\n");
    return 2;
  }
  setInitialValues(&unit);
  for (;;) {
    struct Question question;
    enum Receipt receipt = receiveQuestion(&question);
    // The render thread may be stuck, so the process ends without waiting for it.
    if (receipt != receivedQuestion) _exit(receipt == receivedEnd ? 0 : 1);
    bool goesOn = sabotageAnswer(&question) || answerQuestion(&question);
    dropQuestion(&question);
    if (!goesOn) _exit(1);
  }
}
