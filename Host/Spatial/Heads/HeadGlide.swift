// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The way of a source from place to place around a head, block by block. Render thread.

import Realtime

/// The place and the level of a source, as a head hears it.
struct HeadTarget: Hashable, Sendable {
    /// The place in metres, seen from the head: x to its right, y upwards, z to its back.
    var place: SIMD3<Float>
    /// The gain before the filters.
    var gain: Float

    @_noLocks
    init(place: SIMD3<Float>, gain: Float) { (self.place, self.gain) = (place, gain) }

    /// True if both have the same place and level.
    @_noLocks
    func isSame(as other: HeadTarget) -> Bool {
        place.x == other.place.x && place.y == other.place.y && place.z == other.place.z && gain == other.gain
    }
}

/// A straight way to the last target, in blocks of 64 frames.
struct HeadGlide {
    private(set) var target = HeadTarget(place: SIMD3(0, 0, -1), gain: 0)
    private(set) var current = HeadTarget(place: SIMD3(0, 0, -1), gain: 0)
    private var blocksLeft = 0

    /// Sets another target, which is reached after `blockCount` blocks, and after the next one at the earliest.
    ///
    /// A target that follows a way does not restart a glide under way.
    @_noLocks
    mutating func aim(at target: HeadTarget, over blockCount: Int, restarts: Bool = true) {
        guard !target.isSame(as: self.target) else { return }
        self.target = target
        blocksLeft = max(1, restarts ? blockCount : max(blocksLeft, blockCount))
    }

    /// Takes the target at once.
    @_noLocks
    mutating func jump(to target: HeadTarget) {
        (self.target, current, blocksLeft) = (target, target, 0)
    }

    /// Moves on by a block.
    @_noLocks
    mutating func advance() {
        guard blocksLeft > 0 else { return }
        let share = 1 / Float(blocksLeft)
        blocksLeft &-= 1
        if blocksLeft == 0 {
            current = target
        } else {
            current.place += (target.place - current.place) * share
            current.gain += (target.gain - current.gain) * share
        }
    }
}
