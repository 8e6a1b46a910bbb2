// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// MIDI messages that the graph receives while it plays. Render thread and control threads.

/// A received MIDI 1.0 message of up to three bytes, with its port, or a packet of a system-exclusive message.
///
/// Such a message comes in packets of up to three bytes, in their order. The first one begins with F0, and the last one ends with F7.
public struct MIDIInputMessage: Hashable, Sendable {
    /// The frames since rendering started; in a cycle, the frames after its first one.
    public var sampleTime: Int64
    /// The number of the message's bytes: 1, 2 or 3.
    public var byteCount: UInt8
    /// The number of the port, from 0 on.
    public var port: UInt8
    /// The number of the keyboard or program that a driver has received it from; 0 if it is unknown, or this program has sent it.
    public var source: UInt8
    /// The status, or the one byte of a system message.
    public var status: UInt8
    /// The first byte after the status; 0 without one.
    public var data1: UInt8
    /// The second byte after the status; 0 without one.
    public var data2: UInt8

    /// `[any]` Makes a message with `byteCount` bytes.
    @_noLocks
    public init(
        sampleTime: Int64, port: UInt8 = 0, source: UInt8 = 0, byteCount: UInt8, _ status: UInt8, _ data1: UInt8 = 0,
        _ data2: UInt8 = 0
    ) {
        self.sampleTime = sampleTime
        self.port = port
        self.source = source
        self.byteCount = byteCount
        self.status = status
        self.data1 = data1
        self.data2 = data2
    }

    /// The highest number of a source.
    public static var highestSource: UInt8 { @_noLocks get { 48 } }

    /// `[any]` Makes a driver's notice that a source is gone, without bytes; without a number, that all of them are.
    ///
    /// The notes that it holds end, and its pedals rise. It comes before the messages of sources that are new in the cycle.
    @_noLocks
    public static func end(ofSource source: UInt8? = nil) -> MIDIInputMessage {
        MIDIInputMessage(sampleTime: 0, source: source ?? 0, byteCount: 0, 0)
    }

    /// True if it is a notice that a source, or all of them, are gone.
    var isEndOfSource: Bool { @_noLocks get { byteCount == 0 } }

    /// The message's bytes on a cable.
    public var bytes: [UInt8] { Array([status, data1, data2].prefix(Int(byteCount))) }

    /// True if it is a message of one of the 16 channels, with the number of bytes for its status.
    var isOfChannel: Bool {
        @_noLocks get {
            let kind = status >> 4
            return kind >= 8 && kind < 15 && byteCount == (kind == 0xC || kind == 0xD ? 2 : 3) && (data1 | data2) < 128
        }
    }

    /// True if it is a packet of a system-exclusive message: data bytes, after F0 or before F7.
    var isPacket: Bool {
        @_noLocks get {
            guard byteCount > 0, byteCount <= 3, SystemExclusivePacket.begins(with: status) else { return false }
            if status == 0xF7 { return byteCount == 1 }
            if byteCount == 2 { return data1 < 0x80 || data1 == 0xF7 }
            return byteCount == 1 || data1 < 0x80 && (data2 < 0x80 || data2 == 0xF7)
        }
    }

    /// The packet for a unit.
    var packet: DueMessage {
        @_noLocks get {
            let filler = SystemExclusivePacket.filler
            return DueMessage(time: sampleTime, status, byteCount > 1 ? data1 : filler, byteCount > 2 ? data2 : filler)
        }
    }
}

extension MIDIInputMessage {
    /// The message as an event of a log.
    var logged: LoggedEvent {
        @_noLocks get {
            LoggedEvent(
                .midi, at: sampleTime, address: UInt64(status) | UInt64(data1) << 8 | UInt64(data2) << 16,
                detail: UInt32(port) << 8 | UInt32(byteCount))
        }
    }

    /// Makes a message from an event of a log.
    package init(_ event: LoggedEvent) {
        self.init(
            sampleTime: event.frame, port: UInt8(truncatingIfNeeded: event.detail >> 8),
            byteCount: UInt8(truncatingIfNeeded: event.detail), UInt8(truncatingIfNeeded: event.address),
            UInt8(truncatingIfNeeded: event.address >> 8), UInt8(truncatingIfNeeded: event.address >> 16))
    }
}

/// `[render]` The messages that a driver hands over with a cycle; valid only during the cycle.
public struct MIDIInputBlock {
    private let messages: UnsafePointer<MIDIInputMessage>?
    /// The number of messages.
    public let count: Int

    /// Takes messages in a driver's memory; without arguments, none.
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
