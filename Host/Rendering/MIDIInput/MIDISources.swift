// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The notes and pedals that each keyboard holds, so that they end when it is unplugged. Render thread.

/// The held notes and pedals of the sources that a driver tells apart.
struct MIDISources: ~Copyable {
    /// One source: its port, the number of its notes, and its pedals as in `TrackState`.
    private struct Source {
        var port: UInt8 = 0
        var noteCount = 0
        var pedals: UInt32 = 0
        /// The key at which the search for held notes goes on.
        var place = 0
    }

    private let sources: UnsafeMutablePointer<Source>
    /// For each source, channel and key, the number of beginnings of the held note.
    private let counts: UnsafeMutablePointer<UInt8>
    /// The sources that are gone, and still hold something; a bit for each.
    private var gone: UInt64 = 0

    private static var count: Int { @_noLocks get { Int(MIDIInputMessage.highestSource) } }
    private static var keyCount: Int { @_noLocks get { 16 * 128 } }

    init() {
        sources = .allocate(capacity: Self.count)
        sources.initialize(repeating: Source(), count: Self.count)
        counts = .allocate(capacity: Self.count * Self.keyCount)
        counts.initialize(repeating: 0, count: Self.count * Self.keyCount)
    }

    deinit {
        sources.deallocate()
        counts.deallocate()
    }

    /// Notes what a message of a source begins, or ends.
    @_noLocks
    mutating func note(_ message: MIDIInputMessage) {
        guard message.isOfChannel, let source = Self.index(message.source) else { return }
        sources[source].port = message.port
        let key = Int(message.status & 15) << 7 | Int(message.data1)
        switch message.status >> 4 {
        case 9 where message.data2 > 0:
            guard counts[source &* Self.keyCount &+ key] < .max else { return }
            counts[source &* Self.keyCount &+ key] &+= 1
            sources[source].noteCount &+= 1
        case 8, 9: endNote(key, source)
        case 0xB where message.data1 == 64 || message.data1 == 66:
            let bit = Self.pedal(message)
            sources[source].pedals = message.data2 >= 64 ? sources[source].pedals | bit : sources[source].pedals & ~bit
        default: break
        }
    }

    /// Ends a note of a source; if it holds none, that of another source of its port, whose beginning may have been taken for its own.
    @_noLocks
    private mutating func endNote(_ key: Int, _ source: Int) {
        if take(key, from: source) { return }
        for other in 0..<Self.count where sources[other].port == sources[source].port {
            if take(key, from: other) { return }
        }
    }

    @_noLocks
    private mutating func take(_ key: Int, from source: Int) -> Bool {
        let place = source &* Self.keyCount &+ key
        guard counts[place] > 0 else { return false }
        counts[place] &-= 1
        sources[source].noteCount &-= 1
        return true
    }

    /// Notes that a source is gone, or all of them for the number 0.
    @_noLocks
    mutating func end(_ number: UInt8) {
        for source in 0..<Self.count where number == 0 || source &+ 1 == Int(number) {
            sources[source].place = 0
            gone |= 1 << UInt64(source)
        }
    }

    /// The next message that ends a note or a pedal of a gone source; nil without any.
    ///
    /// `take` removes the note or the pedal.
    @_noLocks
    mutating func nextEnd() -> MIDIInputMessage? {
        while gone != 0 {
            let source = gone.trailingZeroBitCount
            if let message = nextNoteEnd(of: source) { return message }
            if let message = nextPedal(of: source) { return message }
            gone &= gone &- 1
        }
        return nil
    }

    /// Notes that a message of `nextEnd` is on its way.
    @_noLocks
    mutating func take(_ message: MIDIInputMessage) {
        guard gone != 0 else { return }
        let source = gone.trailingZeroBitCount
        if message.status >> 4 == 8 {
            _ = take(sources[source].place, from: source)
        } else {
            sources[source].pedals &= ~Self.pedal(message)
        }
    }

    @_noLocks
    private mutating func nextNoteEnd(of source: Int) -> MIDIInputMessage? {
        guard sources[source].noteCount > 0 else { return nil }
        while sources[source].place < Self.keyCount {
            let key = sources[source].place
            if counts[source &* Self.keyCount &+ key] > 0 {
                return message(of: source, 0x80 | UInt8(truncatingIfNeeded: key >> 7), UInt8(truncatingIfNeeded: key & 127), 64)
            }
            sources[source].place &+= 1
        }
        return nil
    }

    /// A message that lifts the next pedal, unless another keyboard at the port holds it down, too.
    @_noLocks
    private mutating func nextPedal(of source: Int) -> MIDIInputMessage? {
        for other in 0..<Self.count where other != source && sources[other].port == sources[source].port {
            if gone & 1 << UInt64(other) == 0 { sources[source].pedals &= ~sources[other].pedals }
        }
        guard sources[source].pedals != 0 else { return nil }
        let bit = UInt8(truncatingIfNeeded: sources[source].pedals.trailingZeroBitCount)
        return message(of: source, 0xB0 | bit & 15, bit < 16 ? 64 : 66, 0)
    }

    @_noLocks
    private func message(of source: Int, _ status: UInt8, _ data1: UInt8, _ data2: UInt8) -> MIDIInputMessage {
        MIDIInputMessage(sampleTime: 0, port: sources[source].port, byteCount: 3, status, data1, data2)
    }

    /// The index of a source; nil for one that is unknown.
    @_noLocks
    private static func index(_ number: UInt8) -> Int? { number >= 1 && Int(number) <= count ? Int(number) &- 1 : nil }

    @_noLocks
    private static func pedal(_ message: MIDIInputMessage) -> UInt32 {
        1 << (UInt32(message.status & 15) &+ (message.data1 == 66 ? 16 : 0))
    }
}
