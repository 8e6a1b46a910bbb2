// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Takes orders and passes them to the functions that carry them out. Render thread.
#include "Orders.h"

#include <time.h>

static enum Order order;
static uint8_t argument;

static bool takeOrder(const struct CWireLayout_Event *event) {
  if (event->kind != CWireLayout_eventMIDI || (event->address & 0xFF) != 0xB0) return false;
  order = (enum Order)(event->address >> 8 & 0x7F);
  argument = event->address >> 16 & 0x7F;
  return true;
}

static void faultInBlock(struct Unit *unit, const struct CWireLayout_Request *request) {
  orderAnswer(order, argument);
  startThreads(unit, order, argument);
  spoilWords(unit, order, argument);
  ringEarly(unit, order, request);
}

static void faultInReply(struct Unit *unit, struct CWireLayout_Reply *reply, uint64_t *completed) {
  (void)unit;
  spoilReply(order, argument, reply, completed);
}

static bool faultInRing(struct Unit *unit, const struct CWireLayout_Request *request) {
  enum Order now = order;
  // Three orders go on until another order comes.
  bool lasts = order == orderNeverSleep || (argument == 127 && (order == orderRingNobody || order == orderReplyStatus));
  if (!lasts) order = orderNone;
  return ringWrong(unit, now, argument, request);
}

uint64_t nastyNumber(uint8_t chosen, uint64_t honest) {
  const uint64_t numbers[nastyNumberCount] = {
      0, honest - 1, honest + 1, honest + 1024, honest + 1025, honest ^ 1ull << 31, honest ^ 1ull << 32, honest ^ 1ull << 63,
      INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};
  return numbers[chosen % nastyNumberCount];
}

uint64_t nextRandom(uint64_t *state) {
  // G. Marsaglia's xorshift, 2003.
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t endOf(uint8_t chosen) { return chosen == 127 ? UINT64_MAX : now() + chosen * 10000000ull; }
