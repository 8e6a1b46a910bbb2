// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A host and a chain of UNITS units over CYCLES render cycles: requests, doorbells, replies, lifelines. See README.md.
//
// The host has no deadline, except TIMEOUTS times: then it gives a unit up, whenever the model likes. DEATHS of the units
// die between any two steps. Then two things must hold:
//   - no state in which all parties sleep before the host has played all cycles: no lost wake-up;
//   - every block that the host takes holds, in both halves, what its cycle put in: no torn block.
// With SPINS a waiting party may spin for a while instead of sleeping. It need not be woken then, nor while it renders.
// With REWIRES each unit changes from wiring 0 to wiring 1, with another doorbell, from that cycle on, as soon as it can.
// With RESTARTS the dead unit comes back in the same memory, whenever the model likes, and its numbers start again.

#ifndef UNITS
#define UNITS 1
#endif
#ifndef CYCLES
#define CYCLES 3
#endif
#ifndef TIMEOUTS
#define TIMEOUTS 0
#endif
#ifndef DEATHS
#define DEATHS 0
#endif
#ifndef RESTARTS
#define RESTARTS 0
#endif
#define SLOTS 2
// The host's doorbell counts modulo this number.
#ifndef RINGS
#define RINGS 4
#endif

// The memory of a unit: two requests of three words, two replies and two audio blocks of two halves, and single words.
// With REWIRES a request names its wiring, too, and there is a second doorbell.
#ifdef REWIRES
#define WORDS 4
#define MORE 1
#else
#define WORDS 3
#define MORE 0
#endif
#define ANSWERS (SLOTS * WORDS)
#ifdef SPINS
#define EACH (ANSWERS + 14 + MORE)
#else
#define EACH (ANSWERS + 12 + MORE)
#endif
#define REQUEST(u, n, word) ((u) * EACH + ((n) % SLOTS) * WORDS + word)
#define REPLY(u, n, half) ((u) * EACH + ANSWERS + ((n) % SLOTS) * 2 + half)
#define AUDIO(u, slot, half) ((u) * EACH + ANSWERS + 4 + (slot) * 2 + half)
#define PUBLISHED(u) ((u) * EACH + ANSWERS + 8)
#define COMPLETED(u) ((u) * EACH + ANSWERS + 9)
#ifdef REWIRES
// The doorbells of the wirings 0 and 1.
#define DOORBELL(u, wiring) ((u) * EACH + ANSWERS + 10 + (wiring))
#else
#define DOORBELL(u, wiring) ((u) * EACH + ANSWERS + 10)
#endif
#define LIFELINE(u) ((u) * EACH + ANSWERS + 11 + MORE)
// Whether the unit spins on its doorbell, and the host on the replies.
#define UNIT_SPINS(u) ((u) * EACH + ANSWERS + 12 + MORE)
#define HOST_SPINS(u) ((u) * EACH + ANSWERS + 13 + MORE)
// The host's own memory: its doorbell, and the audio that enters the chain.
#define HOST_DOORBELL (UNITS * EACH)
#define SOURCE(slot, half) (UNITS * EACH + 1 + (slot) * 2 + half)
#define PLACES (UNITS * EACH + 5)

// The words of a request.
#define SEQUENCE 0
#define INPUT_SLOT 1
#define SUCCESSOR_RING 2
#define WIRING 3

#define HOST 0
#define PARTY(u) (u + 1)
#define PARTIES (UNITS + 1)
// A unit that sleeps at the one doorbell does not hear a ring at the other.
#ifdef REWIRES
#define SLEEPER(u, wiring) (u + 1 + (wiring) * UNITS)
#define SLEEPERS (2 * UNITS + 1)
#else
#define SLEEPER(u, wiring) PARTY(u)
#define SLEEPERS (UNITS + 1)
#endif

#include "memory.pml"

// Steps whose order no other party can observe are one step, unless a party may be late or stores wait in buffers. Units
// that have been granted nothing but answered requests do nothing but die, and that is found out later. With RESTARTS the
// model is about rings alone.
#if defined(WEAK) || TIMEOUTS > 0 && !RESTARTS
#define ALONE
#else
#define ALONE atomic
#endif
// Nor does any party read what a unit writes before the unit has completed it. With more than two units, rendering is one
// step. That a death in the middle does no harm is shown with fewer units.
#if UNITS > 2 || RESTARTS
#define RENDERING ALONE
#else
#define RENDERING
#endif

// A ring moves a doorbell forwards, and not too far: by as much as a unit may have to do. Only a change of the wiring can meet
// that limit here.
#ifdef REWIRES
#define MAY_ADVANCE(now, number) (number > now && number - now <= SLOTS)
#else
#define MAY_ADVANCE(now, number) (number > now)
#endif

bit dead[UNITS];
bit processEnded[UNITS];
bit isGone[UNITS];
bit isOver;

// A unit's render thread: Sources/PluginSDK/RenderThread.swift.
proctype Unit(byte u) {
  byte handled, granted, word, published, request[WORDS], sample;
#ifdef REWIRES
  byte wiring;
#else
#define wiring 0
#endif
  {
    handled = 0;
  idle:
    ALONE {
      LOAD(PARTY(u), DOORBELL(u, wiring), word);
      LOAD(PARTY(u), PUBLISHED(u), published)
    };
    if
    :: word > handled && word - handled <= SLOTS && word <= published -> granted = word
    :: else ->
#ifdef SPINS
       if
       :: STORE(PARTY(u), UNIT_SPINS(u), 1);
          if
          :: mem[DOORBELL(u, wiring)] != word -> goto idle
          // Its time to spin is up.
          :: true
          fi
       :: true
       fi;
#ifndef SLEEPS_BEFORE_LOWERING
       STORE(PARTY(u), UNIT_SPINS(u), 0);
#endif
#endif
       FUTEX_SLEEP(PARTY(u), SLEEPER(u, wiring), DOORBELL(u, wiring), word);
    end_asleep:
       !asleep[SLEEPER(u, wiring)];
       goto idle
    fi;
#ifdef SPINS
    // It reads the doorbell again before it sleeps, and may announce that beforehand.
    if
    :: STORE(PARTY(u), UNIT_SPINS(u), 1)
    :: true
    fi;
#endif
    do
    :: handled < granted ->
       handled++;
       RENDERING {
         ALONE {
           LOAD(PARTY(u), REQUEST(u, handled, SEQUENCE), request[SEQUENCE]);
           LOAD(PARTY(u), REQUEST(u, handled, INPUT_SLOT), request[INPUT_SLOT]);
           LOAD(PARTY(u), REQUEST(u, handled, SUCCESSOR_RING), request[SUCCESSOR_RING]);
#ifdef REWIRES
           LOAD(PARTY(u), REQUEST(u, handled, WIRING), request[WIRING]);
#endif
           assert(request[SEQUENCE] == handled)
         };
#ifdef COMPLETES_BEFORE_RENDERING
         RELEASE(PARTY(u), COMPLETED(u), handled);
#endif
#ifdef RINGS_BEFORE_COMPLETING
         if
         :: request[SUCCESSOR_RING] == 0 ->
            atomic { BARRIER(PARTY(u)); mem[HOST_DOORBELL] = (mem[HOST_DOORBELL] + 1) % RINGS };
            FUTEX_WAKE(PARTY(u), HOST)
         :: else
         fi;
#endif
         ALONE {
           if
           :: u == 0 -> LOAD(PARTY(u), SOURCE(request[INPUT_SLOT], 0), sample)
           :: else -> LOAD(PARTY(u), AUDIO(u - 1, request[INPUT_SLOT], 0), sample)
           fi;
           STORE(PARTY(u), AUDIO(u, handled % SLOTS, 0), sample)
         };
         ALONE {
           if
           :: u == 0 -> LOAD(PARTY(u), SOURCE(request[INPUT_SLOT], 1), sample)
           :: else -> LOAD(PARTY(u), AUDIO(u - 1, request[INPUT_SLOT], 1), sample)
           fi;
           STORE(PARTY(u), AUDIO(u, handled % SLOTS, 1), sample);
           STORE(PARTY(u), REPLY(u, handled, 0), handled)
         };
         STORE(PARTY(u), REPLY(u, handled, 1), handled)
       };
#ifndef COMPLETES_BEFORE_RENDERING
       RELEASE(PARTY(u), COMPLETED(u), handled);
#endif
       if
       :: request[SUCCESSOR_RING] != 0 ->
#ifdef RINGS_BACKWARDS
          atomic { BARRIER(PARTY(u)); mem[DOORBELL(u + 1, 0)] = request[SUCCESSOR_RING] };
          FUTEX_WAKE(PARTY(u), PARTY(u + 1))
#else
          // A compare and exchange, forward only.
          atomic {
            BARRIER(PARTY(u));
            if
            :: MAY_ADVANCE(mem[DOORBELL(u + 1, request[WIRING])], request[SUCCESSOR_RING]) ->
               mem[DOORBELL(u + 1, request[WIRING])] = request[SUCCESSOR_RING]
            :: else -> goto rung
            fi
          };
          FUTEX_WAKE(PARTY(u), SLEEPER(u + 1, request[WIRING]));
       rung:
          skip
#endif
       :: else ->
#ifdef RINGS_BEFORE_COMPLETING
          skip
#else
#if defined(SPINS) && defined(LOOKS_BEFORE_RINGING)
          LOAD(PARTY(u), HOST_SPINS(u), sample);
#endif
          atomic { BARRIER(PARTY(u)); mem[HOST_DOORBELL] = (mem[HOST_DOORBELL] + 1) % RINGS };
#ifdef SPINS
#ifndef LOOKS_BEFORE_RINGING
          LOAD(PARTY(u), HOST_SPINS(u), sample);
#endif
          if
          :: sample == 0 -> FUTEX_WAKE(PARTY(u), HOST)
          :: else
          fi
#else
          FUTEX_WAKE(PARTY(u), HOST)
#endif
#endif
       fi
#ifdef REWIRES
       ;
#ifndef STAYS_AT_THE_OLD_DOORBELL
       // What the former doorbell grants beyond this request does not count.
       if
       :: request[WIRING] != wiring ->
          wiring = request[WIRING];
          goto idle
       :: else
       fi
#endif
#endif
    :: else -> break
    od;
    goto idle
  } unless { dead[u] -> isGone[u] = 1 }
}

// The kernel at the death of a thread, and then the host's supervisor: Protocol/README.md, section 12.
proctype Death(byte victim) {
  // A dead unit and a unit that does nothing until then cannot be told apart.
#ifndef WITHOUT_LIFELINE
  atomic { dead[victim] = 1; mem[LIFELINE(victim)] = 1 };
  atomic { asleep[HOST] = 0; processEnded[victim] = 1 };
#else
  atomic { dead[victim] = 1; processEnded[victim] = 1 };
#endif
  mem[HOST_DOORBELL] = (mem[HOST_DOORBELL] + 1) % RINGS;
  asleep[HOST] = 0
}

// The host's render thread: Host/PluginHosting/Rows/RowCore*.swift and UnitRendering/UnitRenderer*.swift.
byte cycle;
byte sequence[UNITS];
byte slot[UNITS];
bit isAbsent[UNITS];
bit isOutstanding[UNITS];
bit isUsable[UNITS];
bit isFading[UNITS];
#ifdef REWIRES
// The wiring that the newest request names, and the one at whose doorbell that request is granted.
byte named[UNITS];
byte grantedAt[UNITS];
#define GRANTED_AT(u) grantedAt[u]
#define CHANGES(u) (cycle >= REWIRES && named[u] == 0)
#else
#define GRANTED_AT(u) 0
#define CHANGES(u) false
#endif
#ifdef RINGS_BEFORE_THE_CHANGE
#define MUST_BEGIN_A_RUN(u) false
#else
#define MUST_BEGIN_A_RUN(u) CHANGES(u)
#endif
byte timeouts;
byte vainLooks;
// The newest request that is answered, and the newest one for which a unit may ring with a number from before its
// successor's restart.
byte answered[UNITS];
byte oldUntil[UNITS];
// Whether the unit's doorbell may hold such a number.
bit mayMiss[UNITS];

#ifdef TRUSTS_OLD_RINGS
#define MAY_RING_OLD(u) false
#else
#define MAY_RING_OLD(u) (!isAbsent[u] && oldUntil[u] > 0 && answered[u] <= oldUntil[u])
#endif

#define IS_DEAD(u) (mem[LIFELINE(u)] == 1 || processEnded[u])
#define SLOT_OF(n) ((n) % SLOTS)
#ifdef FALLBACK_IN_THE_SAME_BLOCK
#define FALLBACK_SLOT(u) SLOT_OF(sequence[u])
#else
#define FALLBACK_SLOT(u) (1 - SLOT_OF(sequence[u]))
#endif

// The supervisor restarts the unit, once the host's render thread has let go of it: UnitMemory.formatRegion and
// UnitRenderer.prepare.
proctype Restart(byte victim) {
  byte place;
end_notMissed:
  atomic {
    isGone[victim] && isAbsent[victim] && processEnded[victim];
    for (place : victim * EACH .. victim * EACH + EACH - 1) { mem[place] = 0 }
    processEnded[victim] = 0;
    dead[victim] = 0;
    asleep[PARTY(victim)] = 0;
    sequence[victim] = 0;
    answered[victim] = 0;
    oldUntil[victim] = 0;
    place = 0;
    run Unit(victim);
    isAbsent[victim] = 0
  }
}

inline grant(u) {
  RELEASE(HOST, DOORBELL(u, GRANTED_AT(u)), sequence[u]);
#ifdef SPINS
#ifndef LOOKS_BEFORE_THE_RING_IS_SEEN
  BARRIER(HOST);
#endif
  LOAD(HOST, UNIT_SPINS(u), answer);
  if
  :: answer == 0 -> FUTEX_WAKE(HOST, SLEEPER(u, GRANTED_AT(u)))
  :: else
  fi
#else
  FUTEX_WAKE(HOST, SLEEPER(u, GRANTED_AT(u)))
#endif
}

inline grantAndWake(u) {
  RELEASE(HOST, DOORBELL(u, GRANTED_AT(u)), sequence[u]);
  FUTEX_WAKE(HOST, SLEEPER(u, GRANTED_AT(u)))
}

// Rings again for a unit that may not have been told, or may have been told and not woken.
inline repeatRing(u) {
#ifdef WAKES_ONLY_THE_UNGRANTED
  LOAD(HOST, DOORBELL(u, GRANTED_AT(u)), answer);
  if
  :: answer != sequence[u] -> grant(u)
  :: else
  fi
#else
  grantAndWake(u)
#endif
}

inline inputSlot(u, into) {
  if
  :: u == 0 -> into = SLOT_OF(cycle)
  :: else -> into = slot[u - 1]
  fi
}

inline begin(u) {
  isUsable[u] = 0;
  if
  :: isAbsent[u] -> slot[u] = SLOT_OF(cycle)
  :: else ->
     if
     :: IS_DEAD(u) -> lose(u)
     :: else ->
        if
        :: isOutstanding[u] ->
           LOAD(HOST, COMPLETED(u), answer);
           if
           :: answer == sequence[u] ->
              isOutstanding[u] = 0;
              answered[u] = sequence[u]
           :: else -> repeatRing(u)
           fi
        :: else
        fi;
        isUsable[u] = !isOutstanding[u];
        if
        :: u > 0 && isUsable[u] && sequence[u] == 0 ->
           oldUntil[u - 1] = sequence[u - 1];
           mayMiss[u] = MAY_RING_OLD(u - 1)
        :: else
        fi;
        if
        :: isUsable[u] -> slot[u] = SLOT_OF(sequence[u] + 1)
        :: else -> slot[u] = FALLBACK_SLOT(u)
        fi
     fi
  fi
}

inline lose(u) {
  isUsable[u] = 0;
  isOutstanding[u] = 0;
  slot[u] = SLOT_OF(cycle);
  isAbsent[u] = 1
}

// What was rendered, or the dry signal instead: here both are the number of the cycle.
inline finish(u, didRender) {
  ALONE {
    if
    :: didRender ->
       answered[u] = sequence[u];
       if
       :: u > 0 -> mayMiss[u] = MAY_RING_OLD(u - 1)
       :: else
       fi;
       LOAD(HOST, REPLY(u, sequence[u], 0), answer);
       assert(answer == sequence[u]);
       LOAD(HOST, REPLY(u, sequence[u], 1), answer);
       assert(answer == sequence[u]);
       LOAD(HOST, AUDIO(u, slot[u], 0), answer);
       assert(answer == cycle);
       LOAD(HOST, AUDIO(u, slot[u], 1), answer);
       assert(answer == cycle);
       isFading[u] = 0
    :: else ->
       STORE(HOST, AUDIO(u, slot[u], 0), cycle);
       STORE(HOST, AUDIO(u, slot[u], 1), cycle);
       isFading[u] = 1
    fi
  }
}

inline leaveOutstanding(u) {
  isOutstanding[u] = 1;
  isUsable[u] = 0;
  repeatRing(u);
  slot[u] = FALLBACK_SLOT(u);
  finish(u, 0)
}

// The rest of a run after the unit that failed.
inline resume(u) {
  next = u + 1;
  if
  :: next < end ->
     STORE(HOST, REQUEST(next, sequence[next], INPUT_SLOT), slot[u]);
     grant(next)
  :: else
  fi
}

proctype Host() {
  byte u, first, next, end, bell, answer, found;
  bit mustLookAgain;
  do
  :: cycle < CYCLES ->
     ALONE {
       cycle++;
       STORE(HOST, SOURCE(SLOT_OF(cycle), 0), cycle);
       STORE(HOST, SOURCE(SLOT_OF(cycle), 1), cycle);
       for (u : 0 .. UNITS - 1) { begin(u) }
       first = 0
     };
     do
     :: first < UNITS && !isUsable[first] ->
        finish(first, 0);
        first++
     :: first < UNITS && isUsable[first] ->
        // The run: units that can hand on without the host.
        ALONE {
          end = first + 1;
          do
          :: end < UNITS && !isFading[end - 1] && isUsable[end] && !MAY_RING_OLD(end - 1) && !MUST_BEGIN_A_RUN(end) -> end++
          :: else -> break
          od;
          for (u : first .. end - 1) {
            sequence[u]++;
            STORE(HOST, REQUEST(u, sequence[u], SEQUENCE), sequence[u]);
            inputSlot(u, found);
            STORE(HOST, REQUEST(u, sequence[u], INPUT_SLOT), found);
            if
            :: u + 1 == end -> STORE(HOST, REQUEST(u, sequence[u], SUCCESSOR_RING), 0)
            :: else -> STORE(HOST, REQUEST(u, sequence[u], SUCCESSOR_RING), sequence[u + 1] + 1)
            fi;
#ifdef REWIRES
#ifdef GRANTS_THE_CHANGE_AT_THE_NEW_DOORBELL
            grantedAt[u] = (cycle >= REWIRES);
#else
            grantedAt[u] = named[u];
#endif
            if
            :: CHANGES(u) ->
#ifndef FORGETS_THE_NUMBER
               STORE(HOST, DOORBELL(u, 1), sequence[u]);
#endif
               named[u] = 1
            :: else
            fi;
            STORE(HOST, REQUEST(u, sequence[u], WIRING), named[u]);
#endif
            RELEASE(HOST, PUBLISHED(u), sequence[u])
          }
#ifdef SPINS
          ;
          STORE(HOST, HOST_SPINS(end - 1), 1)
#endif
        };
        grant(first);
        next = first;
     look:
#ifndef LOOKS_BEFORE_THE_BELL
        LOAD(HOST, HOST_DOORBELL, bell);
#endif
        found = next;
        do
        :: found < end ->
           LOAD(HOST, COMPLETED(found), answer);
           if
           :: answer == sequence[found] -> found++
           :: else -> break
           fi
        :: else -> break
        od;
        if
        :: found == end ->
           for (u : next .. end - 1) { finish(u, 1) }
           goto rendered
        :: else
        fi;
        if
        :: mayMiss[found] || found > 0 && !isAbsent[found - 1] && IS_DEAD(found - 1) -> repeatRing(found)
        :: else
        fi;
        if
        :: IS_DEAD(found) ->
           LOAD(HOST, COMPLETED(found), answer);
           if
           :: answer != sequence[found] ->
              for (u : next .. found) {
                if
                :: u < found -> finish(u, 1)
                :: else
                fi
              }
              lose(found);
              finish(found, 0);
              resume(found);
              goto again
           :: else
           fi
        :: else
        fi;
        if
        :: timeouts > 0 ->
           timeouts--;
           for (u : next .. found) {
             if
             :: u < found -> finish(u, 1)
             :: else
             fi
           }
           LOAD(HOST, DOORBELL(found, GRANTED_AT(found)), answer);
           if
           :: found > next && answer != sequence[found] ->
              grant(found);
              next = found
           :: else ->
              leaveOutstanding(found);
              resume(found)
           fi;
           goto again
        :: true
        fi;
        ALONE {
          mustLookAgain = mayMiss[found];
          for (u : found .. end - 1) {
            if
            :: IS_DEAD(u) -> mustLookAgain = 1
            :: else
            fi
          }
        };
#ifdef LOOKS_BEFORE_THE_BELL
        LOAD(HOST, HOST_DOORBELL, bell);
#endif
#ifdef SPINS
        if
        :: mem[HOST_DOORBELL] != bell -> goto look
        :: true
        fi;
        STORE(HOST, HOST_SPINS(end - 1), 0);
#endif
        FUTEX_SLEEP(HOST, HOST, HOST_DOORBELL, bell);
        if
        :: !asleep[HOST]
        :: mustLookAgain && timeout ->
           // 50 microseconds have passed. After too many vain reads no ring can come any more.
           vainLooks++;
           assert(vainLooks < 4 * UNITS);
           asleep[HOST] = 0
        fi;
        goto look;
     again:
        if
        :: next < end -> goto look
        :: else
        fi;
     rendered:
        first = end
     :: else -> break
     od;
     u = 0; first = 0; next = 0; end = 0; bell = 0; answer = 0; found = 0; mustLookAgain = 0
  :: else -> break
  od;
  isOver = 1
}

init {
  atomic {
    byte u;
    timeouts = TIMEOUTS;
    for (u : 0 .. UNITS - 1) { run Unit(u) }
    run Host();
#if RESTARTS
    // Only a successor's numbers can be mistaken.
    run Death(UNITS - 1);
    run Restart(UNITS - 1);
#elif DEATHS
    select (u : 0 .. UNITS - 1);
    run Death(u);
#endif
#ifdef WEAK
    for (u : 0 .. PARTIES - 1) { run Visibility(u) }
#endif
  }
}
