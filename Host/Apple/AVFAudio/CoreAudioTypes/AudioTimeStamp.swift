// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A moment in Core Audio's words. Any thread.

/// Which parts of a time stamp are valid.
public struct AudioTimeStampFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Flags of these bits.
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

/// A moment in Core Audio's words.
public struct AudioTimeStamp: Sendable {
    /// Frames since the time line began.
    public var mSampleTime: Float64
    /// The host's clock in nanoseconds.
    public var mHostTime: UInt64
    /// The rate in relation to its nominal value.
    public var mRateScalar: Float64
    /// The word clock's time.
    public var mWordClockTime: UInt64
    /// Which parts are valid.
    public var mFlags: AudioTimeStampFlags
    /// 0.
    public var mReserved: UInt32

    /// A moment that is not known.
    public init() {
        (mSampleTime, mHostTime, mRateScalar) = (0, 0, 1)
        (mWordClockTime, mFlags, mReserved) = (0, [], 0)
    }

    /// A moment in frames.
    public init(sampleTime: Float64) {
        self.init()
        (mSampleTime, mFlags) = (sampleTime, .sampleTimeValid)
    }
}
