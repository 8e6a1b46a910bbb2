// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which messages of a source reach an instrument, and what becomes of them on the way. Any thread.

/// Which messages pass, and how they are changed.
public struct MIDIMapping: Hashable, Sendable {
    /// The channels that pass, one bit each; the lowest one is channel 0.
    public var channels: UInt16 = .max
    /// The lowest key that passes, 0 to 127; messages that are about no key pass all.
    public var lowestKey: UInt8 = 0
    /// The highest key that passes, 0 to 127.
    public var highestKey: UInt8 = 127
    /// The semitones by which keys are raised; what leaves 0 to 127 does not pass.
    public var transposition: Int8 = 0
    /// The channel that messages get, 0 to 15; nil: they keep their own.
    public var channel: UInt8?
    /// The cable that messages get, 0 to 255; a unit may hear 16 channels on each.
    public var cable: UInt8 = 0

    /// A mapping that lets everything pass as it is.
    @_noLocks
    public init() {}

    /// The status and the first data byte of what becomes of a channel message, in the upper and the lower byte; nil if it does not pass.
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
