// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The place of a track, and its sounding notes. Render thread.

/// The render thread's state of a track, which survives a change of the order.
struct TrackState: ~Copyable {
    /// For each channel and key, the number of beginnings of its sounding note.
    private let counts: UnsafeMutablePointer<UInt8>
    private(set) var soundingCount = 0
    /// The channels with a lowered damper pedal; above them, the channels with a lowered sostenuto pedal.
    private(set) var pedals: UInt32 = 0
    /// The next message, and the number of finished passes of the loop.
    var index = 0
    var passIndex = 0
    /// The frame of the next event; `Int64.max` for none.
    var time: Int64 = .max
    /// True if the next event is the end of the loop, not a message.
    var isAtSeam = false
    /// The part that the track plays, and the life of the unit that received it; 0 before the first.
    var serial: UInt64 = 0
    var generation: UInt64 = 0
    /// The last order with the track, and the unit that received it.
    var stamp: UInt64 = 0
    var port: UInt = 0
    /// True if the unit has received messages of the present part.
    var hasPlayed = false
    /// True if the track resumes at the present place.
    var mustEnter = false
    /// The frame since which messages find no room; nil while they find some.
    var blockedSince: Int64?
    /// True if the unit does not read, and the track has been left alone.
    var isCutOff = false

    /// The cable of all messages.
    let cable: UInt8
    /// True if the unit's port keeps what the messages set.
    private let isKept: Bool

    private static var keyCount: Int { @_noLocks get { 16 * 128 } }

    init(cable: UInt8 = 0, isKept: Bool = false) {
        (self.cable, self.isKept) = (cable, isKept)
        counts = .allocate(capacity: Self.keyCount)
        counts.initialize(repeating: 0, count: Self.keyCount)
    }

    deinit { counts.deallocate() }

    /// True if the note of a message sounds.
    @_noLocks func isSounding(_ message: SequencedMessage) -> Bool { counts[Self.key(message)] > 0 }

    /// True if the note of a message has begun as often as can be counted.
    @_noLocks func isFull(_ message: SequencedMessage) -> Bool { counts[Self.key(message)] == .max }

    /// Notes the effect of a sent message.
    @_noLocks
    mutating func note(_ message: SequencedMessage) {
        if message.beginsNote {
            counts[Self.key(message)] &+= 1
            soundingCount &+= 1
        } else if message.endsNote {
            counts[Self.key(message)] &-= 1
            soundingCount &-= 1
        } else if message.status >> 4 == 0xB, message.data1 == 64 || message.data1 == 66 {
            let bit = UInt32(1) << (UInt32(message.status & 15) &+ (message.data1 == 66 ? 16 : 0))
            pedals = message.data2 >= 64 ? pedals | bit : pedals & ~bit
        }
    }

    /// Ends all notes of the track at a frame, and lifts its pedals.
    @_noLocks
    mutating func release(to port: UnsafeMutablePointer<MessagePortCore>, at time: Int64) {
        endNotes(to: port, at: time)
        while pedals != 0 {
            let bit = UInt8(truncatingIfNeeded: pedals.trailingZeroBitCount)
            let pedal = DueMessage(time: time, 0xB0 | bit & 15, bit < 16 ? 64 : 66, 0, cable: cable, isKept: isKept)
            if !port.pointee.write(pedal, isUrgent: true) { port.pointee.silence() }
            pedals &= pedals &- 1
        }
    }

    /// Ends all notes of the track at a frame; pedals stay as they are.
    @_noLocks
    mutating func endNotes(to port: UnsafeMutablePointer<MessagePortCore>, at time: Int64) {
        var key = 0
        while soundingCount > 0, key < Self.keyCount {
            let (status, data1) = (0x80 | UInt8(truncatingIfNeeded: key >> 7), UInt8(truncatingIfNeeded: key & 127))
            while counts[key] > 0 {
                let end = DueMessage(time: time, status, data1, 64, cable: cable)
                if !port.pointee.write(end, isUrgent: true) { port.pointee.silence() }
                counts[key] &-= 1
                soundingCount &-= 1
            }
            key &+= 1
        }
    }

    @_noLocks
    private static func key(_ message: SequencedMessage) -> Int { Int(message.status & 15) << 7 | Int(message.data1 & 127) }
}
