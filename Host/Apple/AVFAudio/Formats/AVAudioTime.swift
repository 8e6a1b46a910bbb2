// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Moments by the names of Apple's systems. Any thread.

import AudioGraph

/// A moment on the time line of a player or an engine.
public typealias AVAudioTime = AudioTime

extension AudioTime {
    /// Frames since the start of the time line; 0 if `isSampleTimeValid` is false.
    public var sampleTime: AVAudioFramePosition { frames ?? 0 }
    /// The host's clock in nanoseconds; 0 if `isHostTimeValid` is false.
    public var hostTime: UInt64 { nanoseconds ?? 0 }
    /// True if the moment is known in frames.
    public var isSampleTimeValid: Bool { frames != nil }
    /// True if the moment is known on the host's clock.
    public var isHostTimeValid: Bool { nanoseconds != nil }

    /// Makes the moment of a time stamp, in frames of `sampleRate`.
    public init(audioTimeStamp: UnsafePointer<AudioTimeStamp>, sampleRate: Double) {
        let stamp = audioTimeStamp.pointee
        let frames = Int64(exactly: stamp.mSampleTime.rounded())
        let isHostTime = stamp.mFlags.contains(.hostTimeValid)
        switch (stamp.mFlags.contains(.sampleTimeValid) ? frames : nil, isHostTime) {
        case (let frames?, true): self.init(hostTime: stamp.mHostTime, sampleTime: frames, atRate: sampleRate)
        case (let frames?, false): self.init(sampleTime: frames, atRate: sampleRate)
        case (nil, _): self.init(hostTime: stamp.mHostTime)
        }
    }

    /// The moment in Core Audio's form.
    public var audioTimeStamp: AudioTimeStamp {
        var stamp = AudioTimeStamp()
        if isSampleTimeValid { (stamp.mSampleTime, stamp.mFlags) = (Double(sampleTime), .sampleTimeValid) }
        if isHostTimeValid {
            stamp.mHostTime = hostTime
            stamp.mFlags.insert(.hostTimeValid)
        }
        return stamp
    }

    /// Converts seconds to a time of the host's clock, which counts nanoseconds.
    public static func hostTime(forSeconds seconds: Double) -> UInt64 {
        UInt64(exactly: (max(0, seconds) * 1e9).rounded()) ?? .max
    }

    /// Converts a time of the host's clock to seconds.
    public static func seconds(forHostTime hostTime: UInt64) -> Double { Double(hostTime) / 1e9 }

    /// The same moment in frames and on the host's clock, computed from an anchor that has both.
    ///
    /// nil if the anchor lacks one of them, or this moment both.
    public func extrapolateTime(fromAnchor anchor: AudioTime) -> AudioTime? {
        guard anchor.isSampleTimeValid, anchor.isHostTimeValid, anchor.sampleRate > 0 else { return nil }
        if isSampleTimeValid {
            let (distance, overflows) = sampleTime.subtractingReportingOverflow(anchor.sampleTime)
            let nanoseconds = (overflows ? .infinity : Double(distance) / anchor.sampleRate * 1e9).rounded()
            let host = Self.sum(Int64(clamping: anchor.hostTime), nanoseconds)
            return AudioTime(hostTime: UInt64(max(0, host)), sampleTime: sampleTime, atRate: anchor.sampleRate)
        }
        guard isHostTimeValid else { return nil }
        let seconds = (Double(hostTime) - Double(anchor.hostTime)) / 1e9
        let frames = Self.sum(anchor.sampleTime, (seconds * anchor.sampleRate).rounded())
        return AudioTime(hostTime: hostTime, sampleTime: frames, atRate: anchor.sampleRate)
    }

    /// A sum, clamped to the range of the type.
    private static func sum(_ value: Int64, _ change: Double) -> Int64 {
        // Cannot trap: clamped, and NaN becomes an end.
        let (sum, overflows) = value.addingReportingOverflow(Int64(max(-9e18, min(9e18, change))))
        return overflows ? (change > 0 ? .max : .min) : sum
    }
}
