// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One unit that two threads may render, its own and that of its predecessor, while its wiring changes. See README.md.
//
// The host grants CYCLES requests one after another. Request CHANGE names wiring 1, and so do those after it. The other thread
// may claim the unit whenever it likes, and may do nothing at all. The control thread may free wiring 0 after the change, or may
// not be asked to. Then two things must hold:
//   - no state in which the host waits and all others sleep: no lost wake-up;
//   - no thread looks at a doorbell that has been freed.

#define CYCLES 3
#define CHANGE 2
#define ATTEMPTS 2

#define DOORBELL(wiring) (wiring)
#define PUBLISHED 2
#define HANDLED 3
#define COMPLETED 4
#define CLAIM 5
// The wiring of the newest request that has been taken, and the one at whose doorbell the unit's own thread sleeps.
#define USED 6
#define WATCHED 7
#define PLACES 8
#define NOTHING 9

#define HOST 0
#define OWN 1
#define OTHER 2
#define CONTROL 3
#define PARTIES 4
// Who sleeps at either doorbell.
#define SLEEPERS 2

#include "memory.pml"

#define WIRING_OF(n) (n >= CHANGE)
#define IS_GRANTED(word, handled, published) (word > handled && word <= published)

bit isFreed;

inline look(party, wiring, into) {
  assert(wiring == 1 || !isFreed);
  LOAD(party, DOORBELL(wiring), into)
}

// Renders what is granted; the calling thread has claimed the unit: RenderLoop.renderGranted.
inline renderGranted(party) {
  LOAD(party, USED, used);
  LOAD(party, HANDLED, handled);
  look(party, used, word);
  LOAD(party, PUBLISHED, published);
  do
  :: IS_GRANTED(word, handled, published) ->
     handled++;
#ifdef COUNTS_BEFORE_TAKING_UP
     RELEASE(party, HANDLED, handled);
#endif
     if
     :: WIRING_OF(handled) != used ->
        used = WIRING_OF(handled);
        RELEASE(party, USED, used);
        BARRIER(party)
     :: else
     fi;
#ifndef COUNTS_BEFORE_TAKING_UP
     RELEASE(party, HANDLED, handled);
#endif
     RELEASE(party, COMPLETED, handled);
     look(party, used, word);
     LOAD(party, PUBLISHED, published)
  :: else -> break
  od
}

inline letGo(party) { RELEASE(party, CLAIM, 0) }

// Wirings.watch.
inline watch() {
  do
  :: LOAD(OWN, USED, post);
     STORE(OWN, WATCHED, post);
     BARRIER(OWN);
     LOAD(OWN, USED, used);
     if
     :: used == post -> break
     :: else
     fi
  od
}

// The unit's own thread: RenderLoop.run and awaitGrant.
proctype Own() {
  byte post, used, handled, word, published;
  watch();
idle:
  LOAD(OWN, USED, used);
  if
  :: used != post -> watch()
  :: else
  fi;
  look(OWN, post, word);
  LOAD(OWN, HANDLED, handled);
  LOAD(OWN, PUBLISHED, published);
  if
  :: IS_GRANTED(word, handled, published) ->
     atomic { mem[CLAIM] == 0 && BARRIER(OWN); mem[CLAIM] = 1 };
     renderGranted(OWN);
     letGo(OWN);
     goto idle
  :: else
  fi;
#ifndef SLEEPS_WITHOUT_LOOKING_AT_THE_WIRING
  LOAD(OWN, USED, used);
  if
  :: used != post -> goto idle
  :: else
  fi;
#endif
  FUTEX_SLEEP(OWN, post, DOORBELL(post), word);
end_asleep:
  !asleep[post];
  goto idle
}

// The thread of the predecessor: Residents.claim.
proctype Other() {
  byte attempts, used, handled, word, published;
  do
  :: attempts < ATTEMPTS ->
     attempts++;
  end_idle:
     atomic { mem[CLAIM] == 0 && BARRIER(OTHER); mem[CLAIM] = 1 };
     renderGranted(OTHER);
     letGo(OTHER)
  :: break
  od
}

// Replaces wiring 0 once its host may ask for that: Wirings.put.
proctype Control() {
  byte watched, completed;
  if
  :: true -> goto unasked
  :: true
  fi;
end_early:
  (mem[COMPLETED] >= CHANGE);
#ifndef FREES_WITHOUT_WAITING
  do
  :: LOAD(CONTROL, WATCHED, watched);
     if
     :: watched != 0 -> break
     :: else ->
        // It wakes the thread again and again. The futex ignores a wake where no thread sleeps.
        FUTEX_WAKE(CONTROL, 0);
     end_waits:
        mem[WATCHED] != 0 || asleep[0]
     fi
  od;
#endif
  isFreed = 1;
unasked:
  skip
}

proctype Host() {
  byte cycle;
  do
  :: cycle < CYCLES ->
     cycle++;
     if
     :: cycle == CHANGE -> STORE(HOST, DOORBELL(1), cycle)
     :: else
     fi;
     RELEASE(HOST, PUBLISHED, cycle);
     // The change is granted at the doorbell of the former wiring.
     RELEASE(HOST, DOORBELL((cycle > CHANGE)), cycle);
     FUTEX_WAKE(HOST, (cycle > CHANGE));
     mem[COMPLETED] == cycle
  :: else -> break
  od
}

init {
  atomic {
    mem[WATCHED] = NOTHING;
    run Host();
    run Own();
    run Other();
    run Control();
#ifdef WEAK
    run Visibility(HOST);
    run Visibility(OWN);
    run Visibility(OTHER)
#endif
  }
}
