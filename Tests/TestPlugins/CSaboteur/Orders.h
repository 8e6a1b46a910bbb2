// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a saboteur can be told to do. It is the tremolo of Tests/CExtension until an order comes; then it breaks one rule of
// Protocol/README.md, once, in the block in which the order lies.
//
// An order is a MIDI controller message: the controller's number is the order, its value the argument. Where it is about a
// number, the argument says which of `nastyNumber`; where it is about time, tens of milliseconds, and 127 means for ever.
//
// Orders.c     takes orders, and hands them to whoever carries them out
// Words.c      replies and counters that are lies
// Doorbells.c  rings too early, too often, never, does not sleep between, and dies in between
// Threads.c    threads of its own that write where they must not, and sleep where the host sleeps
// Answers.c    messages that are none, too many, too few
#pragma once

#include "Sabotage.h"

enum Order {
  orderNone = 0,
  // Words.c
  orderReplySequence = 1,
  orderReplyFrames,
  orderReplyStatus,
  orderCompleted,
  orderEventsWritten,
  orderEventsRead,
  orderCutLifeline,
  orderNoLifeline,
  orderEventFlood,
  // Doorbells.c
  orderRingEarly = 20,
  orderRingTwice,
  orderRingNobody,
  orderRingStorm,
  orderDieBeforeTheWake,
  orderCompleteEarly,
  orderEndRenderThread,
  orderNeverSleep,
  orderTakeBackRing,
  // Threads.c
  orderScribbleRegion = 40,
  orderScribbleButLifeline,
  orderScribbleOutput,
  orderScribbleHostDoorbell,
  orderScribbleSuccessor,
  orderSleepAtDoorbells,
  orderScribbleOwnDoorbell,
  // Answers.c
  orderSayNothing = 60,
  orderAnswerLate,
  orderHalfMessage,
  orderHalfBody,
  orderTwoGigabytes,
  orderTwoGigabytesInMemory,
  orderWrongSerial,
  orderWrongKind,
  orderLongDatagram,
  orderFloodSocket,
  orderManyDescriptors,
  orderOpenBody,
  orderNonsense,
  orderCloseDescriptors,
};

/// How many nasty numbers there are.
enum { nastyNumberCount = 12 };

/// [render] A number that an honest unit would not say where `honest` is what it would.
uint64_t nastyNumber(uint8_t argument, uint64_t honest);

/// [any] The next random number of a state of one's own, which is not zero.
uint64_t nextRandom(uint64_t *state);

/// [any] Nanoseconds of the monotonic clock.
uint64_t now(void);
/// [any] When an order with this argument, given now, is over.
uint64_t endOf(uint8_t argument);

/// [render] Each does what it is there for, and nothing when the order is another's.
void spoilReply(enum Order order, uint8_t argument, struct CWireLayout_Reply *reply, uint64_t *completed);
void spoilWords(struct Unit *unit, enum Order order, uint8_t argument);
void ringEarly(struct Unit *unit, enum Order order, const struct CWireLayout_Request *request);
bool ringWrong(struct Unit *unit, enum Order order, uint8_t argument, const struct CWireLayout_Request *request);
void startThreads(struct Unit *unit, enum Order order, uint8_t argument);
/// [render] Has the main thread do this with the next question; closes descriptors at once.
void orderAnswer(enum Order order, uint8_t argument);
