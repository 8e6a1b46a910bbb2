// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A parameter that glides to its target in a straight line, one step a frame. Render thread.

/// A value that moves to its target linearly, so that no change clicks.
///
/// `[render]` Each value follows from the number of frames left, not from the value before. Sums of small steps would
/// drift, and steps below the last bit would have no effect.
@frozen
public struct SmoothedValue {
    /// The present value.
    public var current: Float
    /// The value at the end of the ramp.
    public var target: Float
    /// The number of frames until `current` reaches `target`; zero while it rests.
    public var framesRemaining: Int
    @usableFromInline var increment: Float

    /// Makes a value that rests.
    @inlinable @_noLocks
    public init(_ value: Float) {
        current = value
        target = value
        framesRemaining = 0
        increment = 0
    }

    /// Whether a ramp is under way.
    public var isMoving: Bool {
        @inlinable @_noLocks get { framesRemaining > 0 }
    }

    /// Starts a straight line from the present value to `target`, `frameCount` frames long; zero jumps.
    @inlinable @_noLocks
    public mutating func ramp(to target: Float, over frameCount: Int) {
        self.target = target
        if frameCount <= 0 {
            jump(to: target)
        } else {
            increment = (target - current) / Float(frameCount)
            framesRemaining = frameCount
        }
    }

    /// Sets the value at once and ends any ramp.
    @inlinable @_noLocks
    public mutating func jump(to value: Float) {
        current = value
        target = value
        framesRemaining = 0
        increment = 0
    }

    /// Moves on by one frame and returns the value there; the last step reaches the target exactly.
    @inlinable @_noLocks
    public mutating func next() -> Float {
        guard framesRemaining > 0 else { return current }
        framesRemaining -= 1
        current = framesRemaining == 0 ? target : target - increment * Float(framesRemaining)
        return current
    }

    /// Moves on by `frameCount` frames and returns the value there.
    @inlinable @_noLocks
    public mutating func advance(by frameCount: Int) -> Float {
        guard framesRemaining > 0 else { return current }
        if frameCount >= framesRemaining {
            jump(to: target)
        } else {
            framesRemaining -= frameCount
            current = target - increment * Float(framesRemaining)
        }
        return current
    }
}
