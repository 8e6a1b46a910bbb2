// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A message of a MIDI channel in a file, and its time. Any thread.

/// A message of one of the sixteen channels, or a system-exclusive one: its raw bytes, and names for their meanings.
public struct MIDIFileEvent: Hashable, Sendable {
    /// The kind of a message.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// The end of a note, its beginning, and pressure on its key.
        case noteOff = 8
        case noteOn, keyPressure
        /// A controller, a program, pressure on the whole keyboard, and the pitch wheel.
        case controlChange, programChange, channelPressure, pitchBend
        /// A message for a kind of device, on no channel.
        case systemExclusive
    }

    /// The number of ticks since the song's start.
    public var tick: Int
    /// The kind in the upper four bits, and the channel in the lower four.
    public let status: UInt8
    /// The first byte after the status, 0 to 127.
    public let data1: UInt8
    /// The second byte after the status, 0 to 127; 0 for a kind that has none.
    public let data2: UInt8
    /// A whole system-exclusive message, from 0xF0 to 0xF7; empty for a message of a channel.
    private let exclusive: [UInt8]

    /// Makes a message: data bytes lose their highest bit, and kinds with one data byte ignore the second.
    public init(tick: Int, _ kind: Kind, channel: Int, _ data1: Int, _ data2: Int = 0) {
        self.tick = tick
        status = kind.rawValue << 4 | UInt8(truncatingIfNeeded: channel & 15)
        self.data1 = UInt8(truncatingIfNeeded: data1 & 127)
        self.data2 = Self.dataByteCount(kind) == 2 ? UInt8(truncatingIfNeeded: data2 & 127) : 0
        exclusive = []
    }

    /// Makes a system-exclusive message of all its bytes, from 0xF0 to 0xF7.
    public init(tick: Int, systemExclusive message: [UInt8]) {
        (self.tick, status, data1, data2, exclusive) = (tick, 0xF0, 0, 0, message)
    }

    static func dataByteCount(_ kind: Kind) -> Int { kind == .programChange || kind == .channelPressure ? 1 : 2 }

    /// The kind, from the status alone.
    public var kind: Kind { Kind(rawValue: status >> 4) ?? .noteOff }
    /// The channel, 0 to 15.
    public var channel: Int { Int(status & 15) }
    /// The message as sent over a cable: two or three bytes, or a system-exclusive message.
    public var bytes: [UInt8] {
        kind == .systemExclusive ? exclusive : Self.dataByteCount(kind) == 2 ? [status, data1, data2] : [status, data1]
    }

    /// True if a note begins; a note-on of velocity 0 ends one.
    public var beginsNote: Bool { kind == .noteOn && data2 > 0 }
    /// True if a note ends.
    public var endsNote: Bool { kind == .noteOff || kind == .noteOn && data2 == 0 }
    /// The note of a note-on, a note-off or a pressure on a key; 60 is middle C.
    public var note: Int { Int(data1) }
    /// The velocity of a note-on or a note-off.
    public var velocity: Int { Int(data2) }
    /// The number of the controller of a control change.
    public var controller: Int { Int(data1) }
    /// The value of a control change.
    public var controllerValue: Int { Int(data2) }
    /// The program of a program change, 0 to 127.
    public var program: Int { Int(data1) }
    /// The pressure on a key or on the keyboard.
    public var pressure: Int { kind == .channelPressure ? Int(data1) : Int(data2) }
    /// The position of the pitch wheel, −8192 to 8191; 0 is the middle.
    public var bend: Int { (Int(data2) << 7 | Int(data1)) - 8192 }
}
