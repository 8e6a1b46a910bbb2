// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A ring of MIDI messages between a control thread and the render thread, in either direction.

import Synchronization

/// A ring of messages: one thread at a time writes, one reads.
struct MIDIRing: ~Copyable {
    static var capacity: Int { @_noLocks get { 1024 } }

    private let slots: UnsafeMutablePointer<MIDIInputMessage>
    private let written = Atomic<UInt64>(0)
    private let read = Atomic<UInt64>(0)
    /// The number of messages that found no room.
    let droppedCount = Atomic<UInt64>(0)

    init() {
        slots = .allocate(capacity: Self.capacity)
        // Touched beforehand: the render thread meets no page fault.
        slots.initialize(repeating: MIDIInputMessage(sampleTime: 0, byteCount: 0, 0), count: Self.capacity)
    }

    deinit { slots.deallocate() }

    /// Writes a message; false without room.
    @_noLocks
    func write(_ message: MIDIInputMessage) -> Bool {
        let position = written.load(ordering: .relaxed)
        // Acquire: the reader is done with the slot.
        guard position &- read.load(ordering: .acquiring) < UInt64(Self.capacity) else {
            droppedCount.wrappingAdd(1, ordering: .relaxed)
            return false
        }
        slots[Int(truncatingIfNeeded: position) & (Self.capacity &- 1)] = message
        // Release: the message is complete.
        written.store(position &+ 1, ordering: .releasing)
        return true
    }

    /// True if this many messages find room; the writer asks.
    func hasRoom(for count: Int) -> Bool {
        // Acquire: the reader is done with the slots.
        let used = Int(truncatingIfNeeded: written.load(ordering: .relaxed) &- read.load(ordering: .acquiring))
        return count <= Self.capacity - used
    }

    /// True if a message can be read.
    var hasMessage: Bool {
        // Acquire: the message is complete.
        @_noLocks get { written.load(ordering: .acquiring) != read.load(ordering: .relaxed) }
    }

    /// Reads the next message; call it only if there is one.
    @_noLocks
    func next() -> MIDIInputMessage {
        let position = read.load(ordering: .relaxed)
        let message = slots[Int(truncatingIfNeeded: position) & (Self.capacity &- 1)]
        // Release: the slot has been read.
        read.store(position &+ 1, ordering: .releasing)
        return message
    }
}
