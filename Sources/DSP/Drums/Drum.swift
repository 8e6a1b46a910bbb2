// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What all drums are made with: a stroke, and what falls after it. Any thread.

import Realtime

/// How a drum is struck.
@frozen
public struct DrumStroke: BitwiseCopyable, Sendable {
    /// How hard, 0 to 1.
    public var velocity: Double
    /// The factor of all frequencies of the drum.
    public var pitch = 1.0
    /// The factor of the times in which it decays.
    public var decay = 1.0
    /// The noise that it makes.
    public var seed: UInt64
    /// Frames a second.
    public var sampleRate: Double

    /// `[any]` A stroke on a drum as it is usually tuned.
    @inlinable @_noLocks
    public init(velocity: Double, pitch: Double = 1, decay: Double = 1, seed: UInt64, sampleRate: Double) {
        (self.velocity, self.pitch, self.decay, self.seed, self.sampleRate) = (velocity, pitch, decay, seed, sampleRate)
    }
}

/// A drum that was struck once, and sounds until it is over.
///
/// `[any]` The same stroke is the same samples each time.
public protocol Drum: BitwiseCopyable {
    /// Strikes the drum.
    @_noLocks init(_ stroke: DrumStroke)
    /// The frames from the first to the last one.
    var frameCount: Int { @_noLocks get }
    /// The next sample; full scale is about ±1.
    @_noLocks mutating func next() -> Double
}

/// A value that falls from 1 by the same part each frame.
@frozen
public struct Decay: BitwiseCopyable, Sendable {
    @usableFromInline var value = 1.0
    @usableFromInline let factor: Double

    /// `[any]` A value that falls by 8.7 dB in `seconds`.
    @inlinable @_noLocks
    public init(seconds: Double, sampleRate: Double) { factor = Maths.exp(-1 / (seconds * sampleRate)) }

    /// `[any]` The present value; the next one is smaller.
    @inlinable @inline(__always) @_noLocks
    public mutating func next() -> Double {
        let present = value
        value *= factor
        return present
    }
}

/// The time since a stroke, and until its sound is over.
@frozen
public struct StrokeTime: BitwiseCopyable, Sendable {
    @usableFromInline var frame = 0
    @usableFromInline let sampleRate: Double
    @usableFromInline let duration: Double
    @usableFromInline let fade: Double

    /// `[any]` The times of a sound of `duration` seconds, of which the last `fade` seconds fade.
    @inlinable @_noLocks
    public init(duration: Double, fade: Double, sampleRate: Double) {
        (self.duration, self.fade, self.sampleRate) = (duration, fade, sampleRate)
    }

    /// `[any]` The frames of the sound.
    @inlinable
    public var frameCount: Int { @_noLocks get { Int(duration * sampleRate) } }

    /// `[any]` The seconds since the stroke at the present frame, and the gain at its end; moves on by a frame.
    @inlinable @inline(__always) @_noLocks
    public mutating func next() -> (time: Double, end: Double) {
        let time = Double(frame) / sampleRate
        frame += 1
        return (time, max(0, min(1, (duration - time) / fade)))
    }
}
