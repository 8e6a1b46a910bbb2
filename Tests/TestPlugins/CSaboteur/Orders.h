// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a saboteur can be told to do. It is the tremolo of Protocol/CExtension/Example until an order comes. Then it breaks one rule of
// Protocol/README.md, once, in the block in which the order lies.
//
// An order is a MIDI controller message: the controller's number is the order, its value the argument. For a number the
// argument chooses one of `nastyNumber`. For a time it counts tens of milliseconds, and 127 means for ever.
//
// Saboteur.c   the extension, with all of these files in it
// Orders.c     takes orders and passes them on
// Words.c      false replies and counters
// Doorbells.c  rings too early, too often or never, does not sleep in between, dies in between
// Threads.c    threads of its own that write where they must not, and sleep where the host sleeps
// Answers.c    answers that are no message, too many, too few
#pragma once

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
  orderShortPiece,
  orderNonsense,
  orderCloseDescriptors,
};

/// How many nasty numbers there are.
enum { nastyNumberCount = 12 };

/// [render] One of the numbers that an honest unit would not write in place of `honest`.
uint64_t nastyNumber(uint8_t argument, uint64_t honest);

/// [any] The next random number of the caller's state, which must not be zero.
uint64_t nextRandom(uint64_t *state);

/// [any] Nanoseconds of the monotonic clock.
uint64_t now(void);
/// [any] The time at which an order with this argument, given now, ends.
uint64_t endOf(uint8_t argument);

/// [render] Each carries out its own orders, and ignores all others.
void spoilReply(enum Order order, uint8_t argument, struct CWireLayout_Reply *reply, uint64_t *completed);
void spoilWords(struct Unit *unit, enum Order order, uint8_t argument);
void ringEarly(struct Unit *unit, enum Order order, const struct CWireLayout_Request *request);
bool ringWrong(struct Unit *unit, enum Order order, uint8_t argument, const struct CWireLayout_Request *request);
void startThreads(struct Unit *unit, enum Order order, uint8_t argument);
/// [render] Leaves an order for the main thread's next question; closes descriptors at once.
void orderAnswer(enum Order order, uint8_t argument);
