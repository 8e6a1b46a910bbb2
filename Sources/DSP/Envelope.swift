// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The envelope of a note: attack, decay, sustain and release. Render thread.

import Realtime

/// The four times and levels of an envelope, in the form that a voice uses.
@frozen
public struct EnvelopeShape: BitwiseCopyable, Sendable {
    /// The part of the remaining way to its target that each stage moves in one frame.
    @usableFromInline var attack: Float = 1
    @usableFromInline var decay: Float = 1
    @usableFromInline var release: Float = 1
    @usableFromInline var sustain: Float = 1

    /// `[any]` Makes an envelope that is 1 while a note is held, and 0 otherwise.
    @inlinable @_noLocks
    public init() {}

    /// `[any]` Sets the time in frames from 0 to full level.
    @_noLocks
    public mutating func setAttack(frameCount: Float) { attack = Self.part(1.466_337, frameCount) }
    /// `[any]` Sets the time in frames in which the distance to the sustain level falls by 60 dB.
    @_noLocks
    public mutating func setDecay(frameCount: Float) { decay = Self.part(6.907_755, frameCount) }
    /// `[any]` Sets the time in frames in which the level falls by 60 dB after the note is released.
    @_noLocks
    public mutating func setRelease(frameCount: Float) { release = Self.part(6.907_755, frameCount) }
    /// `[any]` Sets the level of a held note after its decay, 0 to 1.
    @_noLocks
    public mutating func setSustain(_ level: Float) { sustain = level }

    @_noLocks
    private static func part(_ timeConstants: Float, _ frameCount: Float) -> Float {
        1 - Maths.exp(-timeConstants / max(1, frameCount))
    }
}

/// An envelope with the curve of a capacitor's voltage.
///
/// It never jumps. A release aims slightly below 0 and so ends at 0, and so does a decay to a level of 0.
@frozen
public struct Envelope: BitwiseCopyable, Sendable {
    /// The stage of the envelope.
    @frozen @usableFromInline enum Stage: UInt8 { case ended, attack, decay, release }

    @usableFromInline var value: Float = 0
    @usableFromInline var stage = Stage.ended

    /// The target of the attack, above 1 so that the attack is steep at its end, too.
    @usableFromInline static var summit: Float { @_noLocks get { 1.3 } }
    /// The level at which a note ends: −80 dB.
    @usableFromInline static var rest: Float { @_noLocks get { 1e-4 } }

    /// `[render]` The level at the next frame, 0 to 1.
    @inlinable
    public var level: Float { @_noLocks get { value } }

    /// `[any]` Makes an envelope at 0.
    @inlinable @_noLocks
    public init() {}

    /// `[render]` Rises from 0.
    @inlinable @_noLocks
    public mutating func start() { (value, stage) = (0, .attack) }

    /// `[render]` Falls from the present level.
    @inlinable @_noLocks
    public mutating func release() {
        if !isEnded { stage = .release }
    }

    /// `[render]` True if the level is 0 and stays there.
    @inlinable
    public var isEnded: Bool {
        @_noLocks get { if case .ended = stage { true } else { false } }
    }

    /// `[render]` Returns the level at the next frame and moves on by one.
    @inlinable @inline(__always) @_noLocks
    public mutating func next(_ shape: EnvelopeShape) -> Float {
        let present = value
        switch stage {
        case .ended: return 0
        case .attack:
            value += (Self.summit - value) * shape.attack
            if value >= 1 { (value, stage) = (1, .decay) }
        case .decay:
            value += (shape.sustain - (shape.sustain > 0 ? 0 : Self.rest) - value) * shape.decay
            if value <= 0 { (value, stage) = (0, .ended) }
        case .release:
            value += (-Self.rest - value) * shape.release
            if value <= 0 { (value, stage) = (0, .ended) }
        }
        return present
    }
}
