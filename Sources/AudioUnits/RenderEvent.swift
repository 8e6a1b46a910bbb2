// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The events of a unit at a sample time: parameter changes and MIDI messages. Any thread.

/// A MIDI message of up to 16 bytes on one of 256 cables, or a piece of a longer message.
@frozen
public struct MIDIMessage: Hashable, Sendable {
    /// The bytes, the first in the lowest bits of `low`; bytes beyond `byteCount` are zero.
    public var bytes: (low: UInt64, high: UInt64) {
        @_noLocks get { (low, high) }
    }
    /// The number of bytes, at most 16.
    public var byteCount: UInt8
    /// The cable, 0 to 255.
    public var cable: UInt8
    /// True if more pieces of the same message follow.
    public var continues: Bool
    @usableFromInline var low: UInt64
    @usableFromInline var high: UInt64

    /// Makes a message; the first byte is in the lowest bits of `low`, the ninth in those of `high`.
    ///
    /// `[any]`
    @_noLocks
    public init(low: UInt64, high: UInt64 = 0, byteCount: UInt8, cable: UInt8 = 0, continues: Bool = false) {
        self.low = low
        self.high = high
        self.byteCount = byteCount
        self.cable = cable
        self.continues = continues
    }

    /// Makes a message of up to three bytes; bytes past `byteCount` must be zero.
    ///
    /// `[any]`
    @_noLocks
    public init(_ status: UInt8, _ data1: UInt8 = 0, _ data2: UInt8 = 0, byteCount: UInt8 = 3, cable: UInt8 = 0) {
        self.init(low: UInt64(status) | UInt64(data1) << 8 | UInt64(data2) << 16, byteCount: byteCount, cable: cable)
    }

    /// The byte at `index`, which is 0 to 15.
    public subscript(index: Int) -> UInt8 {
        @_noLocks get { UInt8(truncatingIfNeeded: index < 8 ? low &>> UInt64(index * 8) : high &>> UInt64(index * 8 - 64)) }
    }
}

/// A new value for a parameter.
///
/// The parameter moves linearly from its present value to `value` over N = `rampFrameCount` frames. In a ramp from frame t on,
/// frame t + k has k/N of the change. Frame t + N is the first one with the new value.
@frozen
public struct ParameterChange: Hashable, Sendable {
    /// The address of the parameter.
    public var address: UInt64
    /// The value at the end of the ramp, in the parameter's unit.
    public var value: Double
    /// The length of the ramp in frames.
    ///
    /// Zero means at once, but a unit may still smooth the step.
    public var rampFrameCount: UInt32

    /// Makes a change, which takes effect at once unless a ramp is given.
    ///
    /// `[any]`
    @_noLocks
    public init(address: UInt64, value: Double, rampFrameCount: UInt32 = 0) {
        self.address = address
        self.value = value
        self.rampFrameCount = rampFrameCount
    }
}

/// An event at a sample time.
@frozen
public enum RenderEvent: Hashable, Sendable {
    /// A parameter gets a new value.
    case parameter(ParameterChange)
    /// A MIDI message arrives.
    case midi(MIDIMessage)
}
