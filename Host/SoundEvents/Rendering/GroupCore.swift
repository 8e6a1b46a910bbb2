// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A group of sounds on the render thread: its gains and rates. Render thread.

/// The values of a group.
struct GroupCore {
    var gain = Ramp(1)
    var fadeGain = Ramp(1)
    /// 0 while the group is muted, or another one plays solo.
    var audible = Ramp(1)
    var rate = Ramp(1)
    var fadeRate = Ramp(1)

    @_noLocks init() {}

    /// True if the gain differs between frames from one on.
    @_noLocks
    func isGainMoving(from frame: Int64) -> Bool {
        gain.isMoving(from: frame) || fadeGain.isMoving(from: frame) || audible.isMoving(from: frame)
    }

    @_noLocks
    func gain(at frame: Int64) -> Double { gain.value(at: frame) * fadeGain.value(at: frame) * audible.value(at: frame) }

    @_noLocks
    func isRateMoving(from frame: Int64) -> Bool { rate.isMoving(from: frame) || fadeRate.isMoving(from: frame) }

    @_noLocks
    func rate(at frame: Int64) -> Double { rate.value(at: frame) * fadeRate.value(at: frame) }
}
