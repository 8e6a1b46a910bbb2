// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The parts of all drums: a stroke, and a decay after it. Any thread.

import Realtime

/// A stroke on a drum.
@frozen
public struct DrumStroke: BitwiseCopyable, Sendable {
    /// The strength of the stroke, 0 to 1.
    public var velocity: Double
    /// The factor of all frequencies of the drum.
    public var pitch = 1.0
    /// The factor of all decay times of the drum.
    public var decay = 1.0
    /// The seed of the drum's noise.
    public var seed: UInt64
    /// The sample rate in frames a second.
    public var sampleRate: Double

    /// `[any]` Makes a stroke on a drum with its usual tuning.
    @inlinable @_noLocks
    public init(velocity: Double, pitch: Double = 1, decay: Double = 1, seed: UInt64, sampleRate: Double) {
        (self.velocity, self.pitch, self.decay, self.seed, self.sampleRate) = (velocity, pitch, decay, seed, sampleRate)
    }
}

/// A drum that is struck once, and sounds until its end.
///
/// `[any]` The same stroke gives the same samples each time.
public protocol Drum: BitwiseCopyable {
    /// Strikes the drum.
    @_noLocks init(_ stroke: DrumStroke)
    /// The length of the sound in frames.
    var frameCount: Int { @_noLocks get }
    /// The next sample; full scale is about ±1.
    @_noLocks mutating func next() -> Double
}

/// A value that decays from 1 by the same factor each frame.
@frozen
public struct Decay: BitwiseCopyable, Sendable {
    @usableFromInline var value = 1.0
    @usableFromInline let factor: Double

    /// `[any]` Makes a value that decays by 8.7 dB in `seconds`.
    @inlinable @_noLocks
    public init(seconds: Double, sampleRate: Double) { factor = Maths.exp(-1 / (seconds * sampleRate)) }

    /// `[any]` Returns the present value, and moves on to the next, smaller one.
    @inlinable @inline(__always) @_noLocks
    public mutating func next() -> Double {
        let present = value
        value *= factor
        return present
    }
}

/// The time since a stroke, and the fade at the end of its sound.
@frozen
public struct StrokeTime: BitwiseCopyable, Sendable {
    @usableFromInline var frame = 0
    @usableFromInline let sampleRate: Double
    @usableFromInline let duration: Double
    @usableFromInline let fade: Double

    /// `[any]` Makes the clock of a sound of `duration` seconds, the last `fade` seconds of which fade out.
    @inlinable @_noLocks
    public init(duration: Double, fade: Double, sampleRate: Double) {
        (self.duration, self.fade, self.sampleRate) = (duration, fade, sampleRate)
    }

    /// `[any]` The length of the sound in frames.
    @inlinable
    public var frameCount: Int { @_noLocks get { Int(duration * sampleRate) } }

    /// `[any]` Returns the seconds since the stroke, and the gain of the fade; moves on by a frame.
    @inlinable @inline(__always) @_noLocks
    public mutating func next() -> (time: Double, end: Double) {
        let time = Double(frame) / sampleRate
        frame += 1
        return (time, max(0, min(1, (duration - time) / fade)))
    }
}
