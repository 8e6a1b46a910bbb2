// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A moment: a number of frames, a time of the host's clock, or both. Any thread.

/// A moment on the time line of a player or an engine.
public struct AudioTime: Hashable, Sendable {
    /// Frames since the time line began; nil if unknown.
    @_disfavoredOverload public var sampleTime: Int64?
    /// The rate of those frames, in hertz.
    public var sampleRate: Double
    /// Nanoseconds of CLOCK_MONOTONIC; nil if unknown.
    @_disfavoredOverload public var hostTime: UInt64?

    /// Makes a moment in frames.
    public init(sampleTime: Int64, atRate sampleRate: Double) {
        self.sampleTime = sampleTime
        self.sampleRate = sampleRate
    }

    /// Returns the same moment in frames of another rate, rounded up to a whole frame.
    func at(_ rate: Double) -> AudioTime {
        guard let sampleTime, sampleRate > 0, rate > 0, rate != sampleRate else { return self }
        var time = self
        let frames = (Double(sampleTime) * rate / sampleRate).rounded(.up)
        (time.sampleTime, time.sampleRate) = (Int64(exactly: max(-9e18, min(9e18, frames))), rate)
        return time
    }

    /// Makes a moment on the host's clock alone; see `hostTime`.
    public init(hostTime: UInt64) {
        (sampleTime, sampleRate) = (nil, 0)
        self.hostTime = hostTime
    }

    /// The same as `sampleTime` and `hostTime`, for modules in which other properties have these names.
    package var frames: Int64? { sampleTime }
    package var nanoseconds: UInt64? { hostTime }

    /// Makes a moment in frames and on the host's clock.
    public init(hostTime: UInt64, sampleTime: Int64, atRate sampleRate: Double) {
        self.init(sampleTime: sampleTime, atRate: sampleRate)
        self.hostTime = hostTime
    }
}
