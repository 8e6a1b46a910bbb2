// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The part of a sequencer for a unit: messages in order, a loop, an offset. Control threads make it, the render thread reads it.

/// A MIDI message at a beat of its track, or a packet of a system-exclusive one.
package struct SequencedMessage: Hashable, Sendable {
    package var beat: Double
    package var status: UInt8
    package var data1: UInt8
    package var data2: UInt8

    @_noLocks
    package init(beat: Double, _ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) {
        (self.beat, self.status, self.data1, self.data2) = (beat, status, data1, data2)
    }

    /// True if it begins a note; the next is true if it ends one.
    package var beginsNote: Bool { @_noLocks get { status >> 4 == 9 && data2 > 0 } }
    package var endsNote: Bool { @_noLocks get { status >> 4 == 8 || status >> 4 == 9 && data2 == 0 } }
}

/// Messages for the render thread; they do not change.
///
/// At one beat the ends of notes come first, and all other messages keep their given order. Beats less than a billionth apart
/// count as one: sums of beats are rounded.
package final class MessageList: Sendable {
    /// The messages of one kind on one channel, of which the last one holds; or system-exclusive messages with one subject.
    struct State {
        /// The status, and the number of its controller or key.
        let status: UInt8
        let number: UInt8
        /// The value before the first message as two data bytes; nil if it is unknown.
        let initial: (UInt8, UInt8)?
        /// The places of its messages among all places.
        let first: Int
        let count: Int
        /// The place in the list of states of the message that resets this one; -1 for none.
        var reset = -1
        /// The place of the system-exclusive messages that reset everything; -1 for none.
        var systemReset = -1
    }

    // SAFETY: nothing changes after init.
    nonisolated(unsafe) let messages: UnsafeMutablePointer<SequencedMessage>
    let count: Int
    nonisolated(unsafe) let states: UnsafeMutablePointer<State>
    let stateCount: Int
    // SAFETY: nothing changes after init.
    nonisolated(unsafe) let places: UnsafeMutablePointer<Int32>

    /// `[control]` Makes a list of messages in any order; messages without a finite beat are left out.
    package init(_ unordered: [SequencedMessage]) {
        let ordered = Self.ordered(unordered.filter { $0.beat.isFinite })
        count = ordered.count
        messages = .allocate(capacity: max(1, count))
        for (index, message) in ordered.enumerated() { (messages + index).initialize(to: message) }
        let (states, places) = Self.states(of: ordered)
        stateCount = states.count
        self.states = .allocate(capacity: max(1, states.count))
        for (index, state) in states.enumerated() { (self.states + index).initialize(to: state) }
        self.places = .allocate(capacity: max(1, places.count))
        for (index, place) in places.enumerated() { (self.places + index).initialize(to: place) }
    }

    /// All messages, in playing order.
    package var all: [SequencedMessage] { Array(UnsafeBufferPointer(start: messages, count: count)) }

    deinit {
        messages.deallocate()
        states.deallocate()
        places.deallocate()
    }

    /// Sorts by beat; at one beat the ends of earlier notes come first.
    private static func ordered(_ messages: [SequencedMessage]) -> [SequencedMessage] {
        let sorted = messages.enumerated().sorted { ($0.element.beat, $0.offset) < ($1.element.beat, $1.offset) }.map(\.element)
        var ordered: [SequencedMessage] = []
        ordered.reserveCapacity(sorted.count)
        var index = 0
        while index < sorted.count {
            let beat = sorted[index].beat
            let end = sorted[index...].firstIndex { $0.beat > beat + 1e-9 } ?? sorted.count
            var begun: Set<UInt16> = []
            var later: [SequencedMessage] = []
            for var message in sorted[index..<end] {
                message.beat = beat
                let key = UInt16(message.status & 15) << 8 | UInt16(message.data1)
                // A note without a length ends after it has begun.
                if message.endsNote, !begun.contains(key) { ordered.append(message) } else { later.append(message) }
                if message.beginsNote { begun.insert(key) }
            }
            ordered += later
            index = end
        }
        return ordered
    }
}

/// The content of one track.
package struct SequencedPart: Sendable {
    /// The track, and its unit; nil for none.
    package var track: SequencedTrack
    package var port: MessagePort?
    package var list: MessageList
    /// The beats between the beginning of the song and that of the track.
    package var offset = 0.0
    /// The beats of the loop, and the number of its passes; `Int.max` without end.
    package var loop: Range<Double>?
    package var passCount = 1
    /// True if no notes begin.
    package var isMuted = false

    package init(_ track: SequencedTrack, _ list: MessageList) { (self.track, self.list) = (track, list) }

    func isSame(_ other: SequencedPart) -> Bool {
        port === other.port && list === other.list && offset == other.offset && loop == other.loop
            && passCount == other.passCount && isMuted == other.isMuted
    }
}

/// A track on the render thread, which survives a change of the order.
package final class SequencedTrack: Sendable {
    // SAFETY: only the render thread uses the memory behind the pointer.
    nonisolated(unsafe) let state: UnsafeMutablePointer<TrackState>

    package init() {
        state = .allocate(capacity: 1)
        state.initialize(to: TrackState())
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }
}
