// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A ring of events between a writer and a reader, either of which may stop for ever between any two steps. See README.md.
//
// Each event that is read is whole, and the next one in order: none is torn, doubled or lost. Neither side waits for the
// other.

#ifndef EVENTS
#define EVENTS 5
#endif
#define CAPACITY 2

#define EVENT(n, half) (((n) % CAPACITY) * 2 + half)
#define WRITTEN (CAPACITY * 2)
#define READ (CAPACITY * 2 + 1)
#define PLACES (CAPACITY * 2 + 2)

#define WRITER 0
#define READER 1
#define PARTIES 2
#define SLEEPERS 1

#include "memory.pml"

byte dropped;

// EventRingWriter: event n holds n in both halves. An event that finds no room is tried again, as a later event would be.
proctype Writer() {
  byte position, taken;
end_stopped:
  do
  :: position < EVENTS ->
     LOAD(WRITER, READ, taken);
     if
     :: position - taken < CAPACITY ->
#ifdef COUNTS_BEFORE_WRITING
        RELEASE(WRITER, WRITTEN, position + 1);
#endif
        STORE(WRITER, EVENT(position, 0), position);
        STORE(WRITER, EVENT(position, 1), position);
        position++;
#ifndef COUNTS_BEFORE_WRITING
        RELEASE(WRITER, WRITTEN, position)
#endif
     :: else -> dropped = 1
     fi
  :: else -> break
  od
}

// EventRingReader: reads the number of events, copies each, and gives its slot back.
proctype Reader() {
  byte position, there, left, right;
end_stopped:
  do
  :: position < EVENTS ->
#ifdef READS_AHEAD
     // What a load without acquire can do: it reads the event before the event is known to be complete.
     LOAD(READER, EVENT(position, 0), left);
#endif
     LOAD(READER, WRITTEN, there);
     // Checked in both directions: a count that no honest writer could have stored would be a violation.
     assert(there >= position && there - position <= CAPACITY);
     do
     :: position < there ->
#ifdef RETURNS_BEFORE_READING
        RELEASE(READER, READ, position + 1);
#endif
#ifndef READS_AHEAD
        LOAD(READER, EVENT(position, 0), left);
#endif
        LOAD(READER, EVENT(position, 1), right);
        assert(left == position && right == position);
        position++;
#ifdef READS_AHEAD
        LOAD(READER, EVENT(position, 0), left);
#endif
#ifndef RETURNS_BEFORE_READING
        RELEASE(READER, READ, position)
#endif
     :: else -> break
     od
  :: else -> break
  od
}

init {
  atomic {
    run Writer();
    run Reader();
#ifdef WEAK
    run Visibility(WRITER);
    run Visibility(READER)
#endif
  }
}
