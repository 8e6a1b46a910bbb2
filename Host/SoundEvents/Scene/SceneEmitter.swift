// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A source or a listener as the render thread knows it. Any thread; the render thread uses its memory.

import Spatial

/// The memory of a source or of a listener: its way, and its gain.
final class SceneEmitter: Sendable {
    let motion = SpatialMotion(SpatialPose(place: SIMD3(0, 0, 0), axes: HeadAxes()))
    // SAFETY: after init only the render thread uses it.
    nonisolated(unsafe) let core: UnsafeMutablePointer<EmitterCore>

    init() {
        core = .allocate(capacity: 1)
        core.initialize(to: EmitterCore(motion: motion.core))
    }

    deinit { core.deallocate() }
}

/// The state of a source or of a listener on the render thread, beside its way.
struct EmitterCore {
    let motion: UnsafeMutablePointer<SpatialMotion.Core>
    var gain = Ramp(1)
    /// The voices of started events; without any, a move is not heard, and takes no time.
    var voiceCount = 0

    init(motion: UnsafeMutablePointer<SpatialMotion.Core>) { self.motion = motion }

    /// `[render]` Leaves for another pose and gain at a frame.
    @_noLocks
    mutating func go(to pose: SpatialPose, gain: Double, at frame: Int64, over frameCount: Int64) {
        let frameCount = voiceCount > 0 ? frameCount : 0
        motion.pointee.go(to: pose, at: frame, over: frameCount)
        self.gain.go(to: gain, at: frame, over: frameCount)
    }
}

/// A point in the scene at which sounds are: the mixer parameters of an event name it.
public final class SceneSource: SceneObject, @unchecked Sendable {
    // SAFETY: as for SceneObject.
    /// Makes a source without a parent.
    public init(in scene: SoundScene) { super.init(scene.graph, emitter: SceneEmitter()) }

    /// The level of all its sounds, 0 to 1; other values are clamped, and NaN changes nothing.
    public var gain: Double {
        get { graph.read { links.gain } }
        set { setGain(newValue) }
    }
}

/// A point in the scene that hears, and looks along −z.
///
/// The mixer parameters of an event name the listener that hears it. Several may hear at once: all are added to the one output.
public final class SceneListener: SceneObject, @unchecked Sendable {
    // SAFETY: as for SceneObject.
    /// Makes a listener without a parent.
    public init(in scene: SoundScene) { super.init(scene.graph, emitter: SceneEmitter()) }

    /// The level of all that it hears, 0 to 1; other values are clamped, and NaN changes nothing.
    public var gain: Double {
        get { graph.read { links.gain } }
        set { setGain(newValue) }
    }
}
