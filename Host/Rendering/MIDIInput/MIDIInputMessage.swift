// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// MIDI messages that come in from outside while the graph plays. Render thread and control threads.

/// A MIDI 1.0 message of up to three bytes, with the port that it came in by.
public struct MIDIInputMessage: Hashable, Sendable {
    /// The frames since rendering started; in a cycle, those after its first one.
    public var sampleTime: Int64
    /// The bytes of the message: 1, 2 or 3.
    public var byteCount: UInt8
    /// The number of the port, from 0 on.
    public var port: UInt8
    /// The status, or the one byte of a system message.
    public var status: UInt8
    /// The first byte after the status; 0 where there is none.
    public var data1: UInt8
    /// The second byte after the status; 0 where there is none.
    public var data2: UInt8

    /// `[any]` A message of so many bytes.
    @_noLocks
    public init(sampleTime: Int64, port: UInt8 = 0, byteCount: UInt8, _ status: UInt8, _ data1: UInt8 = 0, _ data2: UInt8 = 0) {
        self.sampleTime = sampleTime
        self.port = port
        self.byteCount = byteCount
        self.status = status
        self.data1 = data1
        self.data2 = data2
    }

    /// The message as it goes over a cable.
    public var bytes: [UInt8] { Array([status, data1, data2].prefix(Int(byteCount))) }

    /// Whether it is a message of one of the 16 channels, with as many bytes as its status has.
    var isOfChannel: Bool {
        @_noLocks get {
            let kind = status >> 4
            return kind >= 8 && kind < 15 && byteCount == (kind == 0xC || kind == 0xD ? 2 : 3) && (data1 | data2) < 128
        }
    }
}

extension MIDIInputMessage {
    /// The message as the log holds it.
    var logged: LoggedEvent {
        @_noLocks get {
            LoggedEvent(
                .midi, at: sampleTime, address: UInt64(status) | UInt64(data1) << 8 | UInt64(data2) << 16,
                detail: UInt32(port) << 8 | UInt32(byteCount))
        }
    }

    /// The message that a log holds.
    package init(_ event: LoggedEvent) {
        self.init(
            sampleTime: event.frame, port: UInt8(truncatingIfNeeded: event.detail >> 8),
            byteCount: UInt8(truncatingIfNeeded: event.detail), UInt8(truncatingIfNeeded: event.address),
            UInt8(truncatingIfNeeded: event.address >> 8), UInt8(truncatingIfNeeded: event.address >> 16))
    }
}

/// `[render]` The messages that a driver hands over with a cycle; valid during the cycle alone.
public struct MIDIInputBlock {
    private let messages: UnsafePointer<MIDIInputMessage>?
    /// How many there are.
    public let count: Int

    /// Messages in a driver's memory; without arguments, none.
    @_noLocks
    public init(_ messages: UnsafePointer<MIDIInputMessage>? = nil, count: Int = 0) {
        self.messages = messages
        self.count = messages == nil ? 0 : count
    }

    /// The message at an index below `count`.
    @_noLocks
    func message(at index: Int) -> MIDIInputMessage {
        guard let messages, index >= 0, index < count else { return MIDIInputMessage(sampleTime: 0, byteCount: 0, 0) }
        return messages[index]
    }
}
