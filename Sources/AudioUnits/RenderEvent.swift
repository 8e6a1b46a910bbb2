// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What happens to a unit at a sample time: parameter changes and MIDI. Any thread.

/// A short MIDI message on one of 256 cables. Longer ones are sent in pieces of up to 16 bytes.
@frozen
public struct MIDIMessage: Hashable, Sendable {
    /// At most 16 bytes; those past `byteCount` are zero.
    public var bytes: (low: UInt64, high: UInt64) {
        @_noLocks get { (low, high) }
    }
    public var byteCount: UInt8
    public var cable: UInt8
    /// More pieces of the same message follow.
    public var continues: Bool
    @usableFromInline var low: UInt64
    @usableFromInline var high: UInt64

    /// `low` holds the first eight bytes, the first in the lowest bits.
    @_noLocks
    public init(low: UInt64, high: UInt64 = 0, byteCount: UInt8, cable: UInt8 = 0, continues: Bool = false) {
        self.low = low
        self.high = high
        self.byteCount = byteCount
        self.cable = cable
        self.continues = continues
    }

    /// A message of up to three bytes.
    @_noLocks
    public init(_ status: UInt8, _ data1: UInt8 = 0, _ data2: UInt8 = 0, byteCount: UInt8 = 3, cable: UInt8 = 0) {
        self.init(low: UInt64(status) | UInt64(data1) << 8 | UInt64(data2) << 16, byteCount: byteCount, cable: cable)
    }

    /// The byte at `index`, 0…15.
    public subscript(index: Int) -> UInt8 {
        @_noLocks get { UInt8(truncatingIfNeeded: index < 8 ? low &>> UInt64(index * 8) : high &>> UInt64(index * 8 - 64)) }
    }
}

/// A new value for a parameter, reached over `rampFrameCount` frames from the value that it has.
@frozen
public struct ParameterChange: Hashable, Sendable {
    public var address: UInt64
    public var value: Double
    /// Zero: at once (a unit may still smooth the step).
    public var rampFrameCount: UInt32

    @_noLocks
    public init(address: UInt64, value: Double, rampFrameCount: UInt32 = 0) {
        self.address = address
        self.value = value
        self.rampFrameCount = rampFrameCount
    }
}

/// Something that happens at a sample time.
@frozen
public enum RenderEvent: Hashable, Sendable {
    case parameter(ParameterChange)
    case midi(MIDIMessage)
}
