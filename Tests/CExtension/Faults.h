// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where variants of the example break the protocol, one fault each, by a macro that the Makefile defines. Both threads.
//
// VARIANT_OF_VERSION_1           speaks version 1 alone, and takes no wirings
// VARIANT_WITHOUT_LIFELINE       registers none
// VARIANT_OF_ANY_SIZE            renders more frames than were agreed
// VARIANT_OF_ANOTHER_STATUS      refuses them with status 2
// VARIANT_A_FRAME_EARLY          ramps a frame early
// VARIANT_IGNORING_BYPASS        renders as ever where a request says BYPASS
// VARIANT_IGNORING_EVENT_COUNT   takes all events that are in the ring
// VARIANT_IGNORING_RAMPS         has the value of a ramp at its first frame
// VARIANT_DROPPING_LATER_EVENTS  forgets events that lie after the block
// VARIANT_NOT_SORTING            takes events in the order of the ring
// VARIANT_OF_ANY_VALUE           takes values out of range
// VARIANT_OF_ANY_LOCATOR         says welcome to any locator
// VARIANT_NOT_ALLOCATING         never answers `allocate`
// VARIANT_NOT_DEALLOCATING       never answers `deallocate`
// VARIANT_RINGING_ONLY_THE_HOST  never rings its successor
// VARIANT_STAYING_AFTER_HANG_UP  runs on when the host has hung up
// VARIANT_DRAWING_NO_VIEW        opens a view and never draws it
// VARIANT_ANSWERING_NO_LOOK      has a view that does not answer `look`
// VARIANT_DRAWING_ONE_SIZE       has a view that draws no other size than its first
// VARIANT_STAYING_IN_VIEW        has a view whose thread does not end when it is hung up
// VARIANT_KEEPING_VIEW_MEMORY    leaves the memory of a closed view mapped
// VARIANT_SETTING_ANY_VALUE      has a view that sets values out of range
// VARIANT_SAYING_IT_ONCE         has a view that sends `drawn` after its first picture alone
// VARIANT_SAYING_TOO_MUCH        has a view that sends datagrams of other lengths after each picture
// VARIANT_FLOODING               has a view that never ends sending after its first picture
// VARIANT_SABOTEUR               breaks a rule at each order: see Tests/TestPlugins/CSaboteur
#pragma once

#ifdef VARIANT_OF_VERSION_1
enum { newestVersion = 1 };
#else
enum { newestVersion = CWireLayout_maximumVersion };
#endif

#ifdef VARIANT_WITHOUT_LIFELINE
enum { offersLifeline = 0 };
#else
enum { offersLifeline = 1 };
#endif

#ifdef VARIANT_A_FRAME_EARLY
enum { rampsEarly = 1 };
#else
enum { rampsEarly = 0 };
#endif

#ifdef VARIANT_IGNORING_BYPASS
enum { ignoresBypass = 1 };
#else
enum { ignoresBypass = 0 };
#endif

#ifdef VARIANT_IGNORING_EVENT_COUNT
enum { ignoresEventCount = 1 };
#else
enum { ignoresEventCount = 0 };
#endif

#ifdef VARIANT_IGNORING_RAMPS
enum { ignoresRamps = 1 };
#else
enum { ignoresRamps = 0 };
#endif

#ifdef VARIANT_DROPPING_LATER_EVENTS
enum { dropsLaterEvents = 1 };
#else
enum { dropsLaterEvents = 0 };
#endif

#ifdef VARIANT_NOT_SORTING
enum { keepsOrderOfRing = 1 };
#else
enum { keepsOrderOfRing = 0 };
#endif

#ifdef VARIANT_OF_ANY_VALUE
enum { takesAnyValue = 1 };
#else
enum { takesAnyValue = 0 };
#endif

#ifdef VARIANT_OF_ANY_LOCATOR
enum { takesAnyLocator = 1 };
#else
enum { takesAnyLocator = 0 };
#endif

#ifdef VARIANT_RINGING_ONLY_THE_HOST
enum { ringsOnlyTheHost = 1 };
#else
enum { ringsOnlyTheHost = 0 };
#endif

#ifdef VARIANT_STAYING_AFTER_HANG_UP
enum { staysAfterHangUp = 1 };
#else
enum { staysAfterHangUp = 0 };
#endif

#ifdef VARIANT_DRAWING_NO_VIEW
enum { drawsNoView = 1 };
#else
enum { drawsNoView = 0 };
#endif

#ifdef VARIANT_ANSWERING_NO_LOOK
enum { answersNoLook = 1 };
#else
enum { answersNoLook = 0 };
#endif

#ifdef VARIANT_DRAWING_ONE_SIZE
enum { drawsOneSize = 1 };
#else
enum { drawsOneSize = 0 };
#endif

#ifdef VARIANT_STAYING_IN_VIEW
enum { staysInView = 1 };
#else
enum { staysInView = 0 };
#endif

#ifdef VARIANT_KEEPING_VIEW_MEMORY
enum { keepsViewMemory = 1 };
#else
enum { keepsViewMemory = 0 };
#endif

#ifdef VARIANT_SETTING_ANY_VALUE
enum { setsAnyValue = 1 };
#else
enum { setsAnyValue = 0 };
#endif

#ifdef VARIANT_SAYING_IT_ONCE
enum { saysDrawnOnce = 1 };
#else
enum { saysDrawnOnce = 0 };
#endif

/// [render] The answer to a request for more frames than were agreed; OK renders them.
static inline uint32_t statusOfLargeBlock(void) {
#if defined VARIANT_OF_ANY_SIZE
  return CWireLayout_replyOK;
#elif defined VARIANT_OF_ANOTHER_STATUS
  return CWireLayout_replyMalformed;
#else
  return CWireLayout_replyTooManyFrames;
#endif
}

#ifdef VARIANT_SABOTEUR
/// [render] Takes an order; false when the event is none.
static bool takeOrder(const struct CWireLayout_Event *event);
/// [render] Runs after the events of a request have been taken, and before anything is rendered.
static void faultInBlock(struct Unit *unit, const struct CWireLayout_Request *request);
/// [render] Changes the reply to the host and the number of the completed request.
static void faultInReply(struct Unit *unit, struct CWireLayout_Reply *reply, uint64_t *completed);
/// [render] Whether it has dealt with the ring, so that the unit must not ring.
static bool faultInRing(struct Unit *unit, const struct CWireLayout_Request *request);
/// [main] Whether it has dealt with the answer, so that the unit must not answer.
static bool faultInAnswer(const struct Question *question);
#else
static inline bool takeOrder(const struct CWireLayout_Event *event) { return (void)event, false; }
static inline void faultInBlock(struct Unit *unit, const struct CWireLayout_Request *request) { (void)unit, (void)request; }
static inline void faultInReply(struct Unit *unit, struct CWireLayout_Reply *reply, uint64_t *completed) {
  (void)unit, (void)reply, (void)completed;
}
static inline bool faultInRing(struct Unit *unit, const struct CWireLayout_Request *request) {
  return (void)unit, (void)request, false;
}
#ifdef VARIANT_NOT_ALLOCATING
static inline bool faultInAnswer(const struct Question *question) { return question->kind == CWireLayout_messageAllocate; }
#elif defined VARIANT_NOT_DEALLOCATING
static inline bool faultInAnswer(const struct Question *question) { return question->kind == CWireLayout_messageDeallocate; }
#else
static inline bool faultInAnswer(const struct Question *question) { return (void)question, false; }
#endif
#endif

/// [view] Runs after each picture.
static inline void faultInView(int channel) {
#ifdef VARIANT_SAYING_TOO_MUCH
  static const uint8_t noise[4000] = {CWireLayout_viewSet};
  static const size_t byteCounts[] = {1, 31, 33, 65, sizeof noise};
  for (int index = 0; index < 5; index++) send(channel, noise, byteCounts[index], MSG_NOSIGNAL);
#elif defined VARIANT_FLOODING
  // The host's hang-up ends it.
  const struct CWireLayout_ViewMessage message = {.kind = CWireLayout_viewDrawn};
  while (send(channel, &message, sizeof message, MSG_NOSIGNAL) >= 0) continue;
#else
  (void)channel;
#endif
}
