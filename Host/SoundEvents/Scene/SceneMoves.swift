// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A table of moves that the render thread reads in one frame. Control thread makes it, the render thread reads it.

import Spatial

/// The move of a source or a listener.
struct SceneMove {
    let emitter: UnsafeMutablePointer<EmitterCore>
    let pose: SpatialPose
    let gain: Double
    /// True if the object was not in the scene before.
    let jumps: Bool

    /// `[render]` Leaves at a frame.
    @_noLocks
    func begin(at frame: Int64, over frameCount: Int64) {
        emitter.pointee.go(to: pose, gain: gain, at: frame, over: jumps ? 0 : frameCount)
    }
}

/// The moves of an update.
final class SceneMoves: @unchecked Sendable {
    // SAFETY: one thread fills it before it is sent; nothing changes it from then on.
    private(set) var core = UnsafeMutablePointer<SceneMove>.allocate(capacity: 1)
    private var capacity = 1
    private(set) var count = 0
    private var emitters: [SceneEmitter] = []

    deinit { core.deallocate() }

    var isEmpty: Bool { count == 0 }

    func add(_ emitter: SceneEmitter, _ pose: SpatialPose, gain: Double, jumps: Bool) {
        if count == capacity { grow() }
        (core + count).initialize(
            to: SceneMove(emitter: emitter.core, pose: pose, gain: gain, jumps: jumps))
        emitters.append(emitter)
        count += 1
    }

    private func grow() {
        capacity = max(8, 2 * capacity)
        let larger = UnsafeMutablePointer<SceneMove>.allocate(capacity: capacity)
        larger.moveInitialize(from: core, count: count)
        core.deallocate()
        core = larger
    }
}
