// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A parameter that glides to its target in a straight line, one step a frame. Render thread.

/// A value that moves to its target linearly, so that no change is heard as a click.
///
/// Where it stands follows from the frames that are left, not from the value before: sums of small steps would lose
/// their way, and steps below the last bit of the value would not move it at all.
@frozen
public struct SmoothedValue {
    public var current: Float
    public var target: Float
    /// Frames until `current` reaches `target`; zero when it stands still.
    public var framesRemaining: Int
    @usableFromInline var increment: Float

    @inlinable @_noLocks
    public init(_ value: Float) {
        current = value
        target = value
        framesRemaining = 0
        increment = 0
    }

    /// Whether the value is still on its way.
    public var isMoving: Bool {
        @inlinable @_noLocks get { framesRemaining > 0 }
    }

    /// Starts a straight line from the current value to `target`, `frameCount` frames long; zero jumps.
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

    /// Is at `value` at once.
    @inlinable @_noLocks
    public mutating func jump(to value: Float) {
        current = value
        target = value
        framesRemaining = 0
        increment = 0
    }

    /// Goes one frame on and returns the value there. The last step lands on the target exactly.
    @inlinable @_noLocks
    public mutating func next() -> Float {
        guard framesRemaining > 0 else { return current }
        framesRemaining -= 1
        current = framesRemaining == 0 ? target : target - increment * Float(framesRemaining)
        return current
    }

    /// Goes `frameCount` frames on at once and returns the value there.
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
