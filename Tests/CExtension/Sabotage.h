// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where Tests/TestPlugins/CSaboteur breaks the protocol. Authors of extensions can ignore it: here it does nothing.
#pragma once

#include "Tremolo.h"

struct Question;

#ifdef SABOTEUR
/// [render] Takes an order; false when the event is none.
bool takeOrder(const struct CWireLayout_Event *event);
/// [render] Runs after the events of a request have been taken, and before anything is rendered.
void sabotageBlock(struct Unit *unit, const struct CWireLayout_Request *request);
/// [render] Changes the reply to the host and the number of the completed request.
void sabotageReply(struct Unit *unit, struct CWireLayout_Reply *reply, uint64_t *completed);
/// [render] Whether it has dealt with the ring, so that the unit must not ring.
bool sabotageRing(struct Unit *unit, const struct CWireLayout_Request *request);
/// [main] Whether it has dealt with the answer, so that the unit must not answer.
bool sabotageAnswer(const struct Question *question);
#else
static inline bool takeOrder(const struct CWireLayout_Event *event) { return (void)event, false; }
static inline void sabotageBlock(struct Unit *unit, const struct CWireLayout_Request *request) { (void)unit, (void)request; }
static inline void sabotageReply(struct Unit *unit, struct CWireLayout_Reply *reply, uint64_t *completed) {
  (void)unit, (void)reply, (void)completed;
}
static inline bool sabotageRing(struct Unit *unit, const struct CWireLayout_Request *request) {
  return (void)unit, (void)request, false;
}
static inline bool sabotageAnswer(const struct Question *question) { return (void)question, false; }
#endif
