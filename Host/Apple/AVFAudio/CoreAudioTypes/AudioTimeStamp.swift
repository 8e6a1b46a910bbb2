// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A moment in Core Audio's form. Any thread.

/// The valid parts of a time stamp.
public struct AudioTimeStampFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Makes flags from bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The sample time is valid.
    public static let sampleTimeValid = AudioTimeStampFlags(rawValue: 1)
    /// The host time is valid.
    public static let hostTimeValid = AudioTimeStampFlags(rawValue: 2)
    /// The rate scalar is valid.
    public static let rateScalarValid = AudioTimeStampFlags(rawValue: 4)
    /// The word clock time is valid.
    public static let wordClockTimeValid = AudioTimeStampFlags(rawValue: 8)
    /// Sample time and host time are valid.
    public static let sampleHostTimeValid: AudioTimeStampFlags = [.sampleTimeValid, .hostTimeValid]
}

/// A moment in Core Audio's form.
public struct AudioTimeStamp: Sendable {
    /// Frames since the start of the time line.
    public var mSampleTime: Float64
    /// The host's clock in nanoseconds.
    public var mHostTime: UInt64
    /// The rate in relation to its nominal value.
    public var mRateScalar: Float64
    /// The word clock's time.
    public var mWordClockTime: UInt64
    /// The valid parts.
    public var mFlags: AudioTimeStampFlags
    /// Always 0.
    public var mReserved: UInt32

    /// Makes an unknown moment.
    public init() {
        (mSampleTime, mHostTime, mRateScalar) = (0, 0, 1)
        (mWordClockTime, mFlags, mReserved) = (0, [], 0)
    }

    /// Makes a moment in frames.
    public init(sampleTime: Float64) {
        self.init()
        (mSampleTime, mFlags) = (sampleTime, .sampleTimeValid)
    }
}
