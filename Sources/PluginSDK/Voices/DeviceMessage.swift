// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The meaning of a system-exclusive message for an instrument: resets, master values, drum parts, tunings. Render thread.

/// The meaning of a whole system-exclusive message.
///
/// Sources: MIDI Manufacturers Association, "Universal System Exclusive Messages", "MIDI Tuning" and "General MIDI 2"; the published
/// implementation charts of GS (model 42) and XG (model 4C). Devices of every number are meant.
public enum DeviceMessage: BitwiseCopyable {
    /// The sets of rules for drum parts and banks.
    public enum System: BitwiseCopyable { case generalMIDI, generalMIDI2, gs, xg }

    /// The system begins anew: programs, controllers, tunings and master values.
    case reset(System)
    /// A new master volume, 0 to 1.
    case masterVolume(Float)
    /// A new master tuning, in cents.
    case masterTuning(cents: Float)
    /// A transposition of all but the drums, in semitones.
    case masterTransposition(semitones: Float)
    /// A channel becomes one for drums, or an ordinary one.
    case drumPart(channel: Int, isDrums: Bool)
    /// Twelve values in cents for the notes of an octave, from C on; the channels are bits. See `octaveCents(_:note:)`.
    case octaveTuning(channels: UInt16)
    /// `count` keys of a tuning program; see `keyTuning(_:at:)`.
    case keyTuning(program: Int, count: Int)
    /// All 128 keys of a tuning program; see `bulkTuning(_:key:)`.
    case bulkTuning(program: Int)

    /// `[render]` Reads a whole message; nil for a message without a known meaning.
    @_noLocks
    public init?(_ message: borrowing LongMessage) {
        switch (message.byte(1), message.byte(3), message.byte(4)) {
        case (0x7E, _, _), (0x7F, _, _): self.init(universal: message)
        case (0x41, 0x42, 0x12): self.init(gs: message)
        case (0x43, 0x4C, _) where message.byte(2) & 0xF0 == 0x10: self.init(xg: message)
        default: return nil
        }
    }

    @_noLocks
    private init?(universal message: borrowing LongMessage) {
        let count = message.byteCount
        let isRealTime = message.byte(1) == 0x7F
        let isDeviceControl = isRealTime && count == 8
        let value = Int(message.byte(5)) | Int(message.byte(6)) << 7
        switch (message.byte(3), message.byte(4)) {
        case (0x09, 0x01): if isRealTime { return nil } else { self = .reset(.generalMIDI) }
        case (0x09, 0x03): if isRealTime { return nil } else { self = .reset(.generalMIDI2) }
        case (0x04, 0x01) where isDeviceControl: self = .masterVolume(Float(value) / 16_383)
        case (0x04, 0x03) where isDeviceControl: self = .masterTuning(cents: Float(value - 8192) / 81.92)
        case (0x04, 0x04) where isDeviceControl:
            self = .masterTransposition(semitones: Float(Int(message.byte(6)) - 64))
        case (0x08, let kind): self.init(tuning: message, kind)
        default: return nil
        }
    }

    @_noLocks
    private init?(tuning message: borrowing LongMessage, _ kind: UInt8) {
        let count = message.byteCount
        let (bank, lengthInBank) = (message.byte(5), 9 + 4 * Int(message.byte(7)))
        switch kind {
        case 0x01 where count == 408: self = .bulkTuning(program: Int(message.byte(5)))
        case 0x02 where message.byteCount == 8 + 4 * Int(message.byte(6)):
            self = .keyTuning(program: Int(message.byte(5)), count: Int(message.byte(6)))
        case 0x07 where bank == 0 && count == lengthInBank:
            self = .keyTuning(program: Int(message.byte(6)), count: Int(message.byte(7)))
        case 0x08 where count == 21, 0x09 where count == 33:
            let (high, middle, low) = (UInt16(message.byte(5)), UInt16(message.byte(6)), UInt16(message.byte(7)))
            self = .octaveTuning(channels: low | middle << 7 | (high & 3) << 14)
        default: return nil
        }
    }

    /// A parameter of GS: three bytes of address from byte 5 on, then the value.
    @_noLocks
    private init?(gs message: borrowing LongMessage) {
        let (area, part, item, value) = (message.byte(5), message.byte(6), message.byte(7), message.byte(8))
        switch (area, part, item) {
        case (0x40, 0x00, 0x7F), (0x00, 0x00, 0x7F): self = .reset(.gs)
        case (0x40, 0x00, 0x04): self = .masterVolume(Float(value) / 127)
        case (0x40, 0x00, 0x05): self = .masterTransposition(semitones: Float(Int(value) - 64))
        case (0x40, 0x00, 0x00) where message.byteCount == 14: self = .masterTuning(cents: Self.nibbles(message, from: 8))
        case (0x40, 0x10...0x1F, 0x15): self = .drumPart(channel: Self.channel(ofPart: part), isDrums: value > 0)
        case (0x40, 0x10...0x1F, 0x40) where message.byteCount == 22:
            self = .octaveTuning(channels: 1 << UInt16(Self.channel(ofPart: part)))
        default: return nil
        }
    }

    /// A parameter of XG: three bytes of address from byte 4 on, then the value.
    @_noLocks
    private init?(xg message: borrowing LongMessage) {
        let (area, part, item, value) = (message.byte(4), message.byte(5), message.byte(6), message.byte(7))
        switch (area, part, item) {
        case (0x00, 0x00, 0x7E), (0x00, 0x00, 0x7F): self = .reset(.xg)
        case (0x00, 0x00, 0x04): self = .masterVolume(Float(value) / 127)
        case (0x00, 0x00, 0x06): self = .masterTransposition(semitones: Float(Int(value) - 64))
        case (0x00, 0x00, 0x00) where message.byteCount == 12: self = .masterTuning(cents: Self.nibbles(message, from: 7))
        case (0x08, 0x00...0x0F, 0x07): self = .drumPart(channel: Int(part), isDrums: value > 0)
        default: return nil
        }
    }

    /// Four digits of 4 bits, in tenths of a cent around 0400.
    @_noLocks
    private static func nibbles(_ message: borrowing LongMessage, from start: Int) -> Float {
        var value = 0
        for index in 0..<4 { value = value << 4 | Int(message.byte(start + index) & 15) }
        return Float(value - 0x400) / 10
    }

    /// The channel of a part of GS: part 0 is channel 10, and 1 to 9 are the channels below it.
    @_noLocks
    private static func channel(ofPart block: UInt8) -> Int {
        switch block & 15 {
        case 0: 9
        case 1...9: Int(block & 15) - 1
        default: Int(block & 15)
        }
    }
}

extension DeviceMessage {
    /// `[render]` The cents of a note of the octave, 0 for C, in a message with the meaning `octaveTuning`.
    @_noLocks
    public static func octaveCents(_ message: borrowing LongMessage, note: Int) -> Float {
        // GS has one byte a note behind its address; the universal message one or two behind the channels.
        if message.byte(1) == 0x41 { return Float(Int(message.byte(8 + note)) - 64) }
        if message.byte(4) == 0x08 { return Float(Int(message.byte(8 + note)) - 64) }
        return Float((Int(message.byte(8 + 2 * note)) << 7 | Int(message.byte(9 + 2 * note))) - 8192) / 81.92
    }

    /// `[render]` The key and the cents above its usual pitch, at a place of a message with the meaning `keyTuning`.
    ///
    /// Nil for a place that changes nothing.
    @_noLocks
    public static func keyTuning(_ message: borrowing LongMessage, at index: Int) -> (key: Int, cents: Float)? {
        let start = (message.byte(4) == 0x07 ? 8 : 7) + 4 * index
        return cents(message, at: start + 1, key: Int(message.byte(start)))
    }

    /// `[render]` The key and the cents above its usual pitch, in a message with the meaning `bulkTuning`; nil for no change.
    @_noLocks
    public static func bulkTuning(_ message: borrowing LongMessage, key: Int) -> (key: Int, cents: Float)? {
        cents(message, at: 22 + 3 * key, key: key)
    }

    /// Three bytes: a semitone, and 14 bits of its part; 7F 7F 7F is no change.
    @_noLocks
    private static func cents(_ message: borrowing LongMessage, at start: Int, key: Int) -> (key: Int, cents: Float)? {
        let (semitone, high, low) = (message.byte(start), message.byte(start + 1), message.byte(start + 2))
        if semitone == 0x7F, high == 0x7F, low == 0x7F { return nil }
        let fraction = Float(Int(high) << 7 | Int(low)) / 16_384
        return (key & 127, (Float(Int(semitone) - key) + fraction) * 100)
    }
}
