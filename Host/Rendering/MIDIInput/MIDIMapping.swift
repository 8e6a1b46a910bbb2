// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Filters and changes the messages from a source to an instrument. Any thread.

/// A filter for messages, with the changes to them.
///
/// System-exclusive messages belong to no channel, and always pass unchanged.
public struct MIDIMapping: Hashable, Sendable {
    /// The channels that pass, one bit each; the lowest one is channel 0.
    public var channels: UInt16 = .max
    /// The lowest key that passes, 0 to 127; messages without a key ignore the range.
    public var lowestKey: UInt8 = 0
    /// The highest key that passes, 0 to 127.
    public var highestKey: UInt8 = 127
    /// The semitones by which keys are raised; keys outside 0 to 127 do not pass.
    public var transposition: Int8 = 0
    /// The new channel of messages, 0 to 15; nil keeps their own.
    public var channel: UInt8?
    /// The new cable of messages, 0 to 255; a unit may receive 16 channels on each.
    public var cable: UInt8 = 0

    /// Makes a mapping that passes everything unchanged.
    @_noLocks
    public init() {}

    /// Maps a channel message; returns nil if it does not pass.
    ///
    /// The upper byte of the result is the status, the lower one the first data byte.
    @_noLocks
    package func mapped(_ status: UInt8, _ data1: UInt8) -> UInt16? {
        guard channels & (UInt16(1) &<< UInt16(status & 15)) != 0 else { return nil }
        var (newStatus, key) = (status, Int(data1))
        if status >> 4 <= 0xA {
            guard data1 >= lowestKey, data1 <= highestKey else { return nil }
            key &+= Int(transposition)
            guard key >= 0, key < 128 else { return nil }
        }
        if let channel { newStatus = status & 0xF0 | channel & 15 }
        return UInt16(newStatus) << 8 | UInt16(truncatingIfNeeded: key)
    }
}
