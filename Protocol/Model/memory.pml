// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Shared memory and futexes, as the models of the protocol see them.
//
// Without WEAK a store is visible at once. With WEAK each party has a store buffer. Its stores become visible later and in
// any order, but a release store waits for all stores before it. That is weaker than x86, and as weak as ARM in what others
// see of one party's stores. Loads happen in order, as acquire loads do.
//
// A read-modify-write and a system call wait until the buffer is empty. The kernel's futex code has full barriers before it
// searches for sleepers and before it compares. A release RMW is never visible before earlier stores.

#define ANY_VALUE 255

byte mem[PLACES];

#ifdef WEAK
#ifndef BUFFER
#define BUFFER 4
#endif
typedef StoreBuffer {
  byte count;
  byte place[BUFFER];
  byte value[BUFFER];
  bit ordered[BUFFER]
};
StoreBuffer buffer[PARTIES];

inline put(party, where, what, isRelease) {
  atomic {
    buffer[party].count < BUFFER;
    buffer[party].place[buffer[party].count] = where;
    buffer[party].value[buffer[party].count] = what;
    buffer[party].ordered[buffer[party].count] = isRelease;
    buffer[party].count++
  }
}

// The party's own newest store, or else the memory.
inline load(party, where, into) {
  d_step {
    into = mem[where];
    for (scan : 0 .. BUFFER - 1) {
      if
      :: scan < buffer[party].count && buffer[party].place[scan] == where -> into = buffer[party].value[scan]
      :: else
      fi
    }
    scan = 0
  }
}

#define BARRIER(party) (buffer[party].count == 0)
#ifdef WITHOUT_RELEASE
#define ORDERED 0
#else
#define ORDERED 1
#endif
#define STORE(party, where, what) put(party, where, what, 0)
#define RELEASE(party, where, what) put(party, where, what, ORDERED)
#define LOAD(party, where, into) load(party, where, into)
hidden byte scan;

// Makes any store visible that may be: it must be the first to its address and, if it is a release, the first of all.
proctype Visibility(byte party) {
  byte chosen, other;
  bit blocked;
end_idle:
  do
  :: atomic {
       buffer[party].count > 0;
       chosen = 0;
       do
       :: chosen + 1 < buffer[party].count -> chosen++
       :: break
       od;
       blocked = buffer[party].ordered[chosen] && chosen > 0;
       other = 0;
       do
       :: other < chosen ->
          if
          :: buffer[party].place[other] == buffer[party].place[chosen] -> blocked = 1
          :: else
          fi;
          other++
       :: else -> break
       od;
       if
       :: !blocked ->
          mem[buffer[party].place[chosen]] = buffer[party].value[chosen];
          do
          :: chosen + 1 < buffer[party].count ->
             buffer[party].place[chosen] = buffer[party].place[chosen + 1];
             buffer[party].value[chosen] = buffer[party].value[chosen + 1];
             buffer[party].ordered[chosen] = buffer[party].ordered[chosen + 1];
             chosen++
          :: else -> break
          od;
          buffer[party].count--;
          buffer[party].place[buffer[party].count] = 0;
          buffer[party].value[buffer[party].count] = 0;
          buffer[party].ordered[buffer[party].count] = 0
       :: else
       fi;
       chosen = 0;
       other = 0;
       blocked = 0
     }
  od
}
#else
#define BARRIER(party) true
#define STORE(party, where, what) mem[where] = what
#define RELEASE(party, where, what) mem[where] = what
#define LOAD(party, where, into) into = mem[where]
#endif

// Futexes: one sleeper each. The kernel compares and falls asleep in one step.
bit asleep[SLEEPERS];

#define FUTEX_WAKE(party, sleeper) atomic { BARRIER(party); asleep[sleeper] = 0 }
#ifdef SLEEP_WITHOUT_LOOKING
#define FUTEX_SLEEP(party, sleeper, where, expected) atomic { BARRIER(party); asleep[sleeper] = 1 }
#else
#define FUTEX_SLEEP(party, sleeper, where, expected) \
  atomic { BARRIER(party); if :: mem[where] == expected -> asleep[sleeper] = 1 :: else fi }
#endif
