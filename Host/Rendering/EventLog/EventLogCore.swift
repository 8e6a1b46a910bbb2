// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Logs the events that the render thread takes, with their frames. Render thread; a control thread reads.

import Synchronization

/// An event that the render thread has taken.
package struct LoggedEvent {
    /// The kind of an event.
    package enum Kind: UInt8 {
        /// A received MIDI message; `address` holds its bytes, `detail` its port and their number.
        case midi
        /// A change of a parameter that takes effect at the frame; `detail` is the length of its ramp.
        case parameter
        /// Another event for a unit, such as a reset or a MIDI message of the host's own.
        case other
        /// A change of a unit's bypass at the frame: `value` is 1 for bypassed, otherwise 0.
        case bypass
        /// The level of a connection at a mixer: `value` is the volume, `detail` the bits of the pan.
        case level
        /// The level of a mixer's output: `value` is the volume.
        case output
        /// The block of a unit was replaced; `detail` is its length in frames.
        case replaced
        /// A unit ended all its notes and sound at the frame.
        case panic
        /// The routes of MIDI changed at the frame; `address` is the number of the newest change.
        case routes
        /// Another plan renders the graph from the frame on.
        case plan
        /// The driver has another sample rate from the frame on: `value` in hertz.
        case rate
    }

    package var kind: Kind
    /// The frames since rendering started.
    package var frame: Int64
    /// The identity of its unit or level; see their `logIdentity`.
    package var source: UInt = 0
    package var address: UInt64 = 0
    package var value: Double = 0
    package var detail: UInt32 = 0

    @_noLocks
    package init(
        _ kind: Kind, at frame: Int64, of source: UInt = 0, address: UInt64 = 0, value: Double = 0, detail: UInt32 = 0
    ) {
        (self.kind, self.frame, self.source) = (kind, frame, source)
        (self.address, self.value, self.detail) = (address, value, detail)
    }
}

/// The render thread's side of a log: a ring of events, and the present frame.
///
/// Before a program begins the log, it has no memory, and nothing is written.
package struct EventLogCore: ~Copyable {
    static var capacity: Int { @_noLocks get { 16_384 } }

    /// The address of the slots; 0 before the log begins.
    let slots = Atomic<UInt>(0)
    let written = Atomic<UInt64>(0)
    let read = Atomic<UInt64>(0)
    /// The number of events that found no room.
    let droppedCount = Atomic<UInt64>(0)
    /// The first frame of the present piece, and the frame after it.
    private let start = Atomic<Int64>(0)
    let end = Atomic<Int64>(0)
    /// The rate of the last cycle, as bits; 0 before the first one.
    private let rate = Atomic<UInt64>(0)

    init() {}

    /// True if events are logged.
    var isOn: Bool {
        // Acquire: the slots are there.
        @_noLocks get { slots.load(ordering: .acquiring) != 0 }
    }

    /// The first frame of the present rendering: a change that is taken now takes effect there.
    package var now: Int64 { @_noLocks get { start.load(ordering: .relaxed) } }

    /// Begins a piece of a cycle.
    @_noLocks
    func begin(at frame: Int64, _ frameCount: Int, sampleRate: Double) {
        start.store(frame, ordering: .relaxed)
        let former = rate.load(ordering: .relaxed)
        if former != sampleRate.bitPattern {
            rate.store(sampleRate.bitPattern, ordering: .relaxed)
            if former != 0 { write(LoggedEvent(.rate, at: frame, value: sampleRate)) }
        }
        // Release: a reader that sees the frame sees the events before the piece.
        end.store(frame &+ Int64(frameCount), ordering: .releasing)
    }

    /// Writes an event, or counts it as dropped.
    @_noLocks
    package func write(_ event: LoggedEvent) {
        guard let slots = UnsafeMutablePointer<LoggedEvent>(bitPattern: slots.load(ordering: .acquiring)) else { return }
        let position = written.load(ordering: .relaxed)
        // Acquire: the reader is done with the slot.
        guard position &- read.load(ordering: .acquiring) < UInt64(Self.capacity) else {
            droppedCount.wrappingAdd(1, ordering: .relaxed)
            return
        }
        slots[Int(truncatingIfNeeded: position) & (Self.capacity &- 1)] = event
        // Release: the event is complete.
        written.store(position &+ 1, ordering: .releasing)
    }
}
