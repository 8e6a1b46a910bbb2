// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A parameter that glides to its target in a straight line, one step a frame. Render thread.

/// A value that moves to its target linearly, so that no change clicks.
///
/// In a ramp of N frames that starts at frame t, frame t + k has k/N of the change. So frame t has the old value, and frame t +
/// N is the first with the target.
///
/// `[render]` Each value follows from the number of frames left, not from the value before. Sums of small steps would
/// drift, and steps below the last bit would have no effect.
@frozen
public struct SmoothedValue {
    /// The value at the frame that comes next.
    public var current: Float
    /// The value at the end of the ramp.
    public var target: Float
    /// The number of frames until `current` reaches `target`; zero without a ramp.
    public var framesRemaining: Int
    @usableFromInline var increment: Float

    /// Makes a value without a ramp.
    @inlinable @_noLocks
    public init(_ value: Float) {
        current = value
        target = value
        framesRemaining = 0
        increment = 0
    }

    /// True if a ramp is under way.
    public var isMoving: Bool {
        @inlinable @_noLocks get { framesRemaining > 0 }
    }

    /// Starts a straight line from the present value to `target`, which it reaches after `frameCount` frames; zero jumps.
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

    /// Returns the value at the next frame and moves on by one frame; the last step reaches the target exactly.
    @inlinable @_noLocks
    public mutating func next() -> Float {
        let value = current
        guard framesRemaining > 0 else { return value }
        framesRemaining -= 1
        current = framesRemaining == 0 ? target : target - increment * Float(framesRemaining)
        return value
    }

    /// Moves on by `frameCount` frames, and returns the value at the frame after them.
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
