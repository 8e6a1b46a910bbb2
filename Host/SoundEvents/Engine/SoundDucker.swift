// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A ducker of an engine. Any thread but the render thread.

import Synchronization

/// A ducker that can be switched on and off.
///
/// `[any]` but the render thread. It is off at first. While it is on and a sampler or stream of a source group plays, the targets are at
/// its level; several duckers of a group multiply. Loudness does not count, and a paused event does not play. The way down begins at the
/// very frame at which a source begins, and the way up at the frame at which the last one has ended. A ducker that the program lets go of
/// is switched off.
public final class SoundDucker: Sendable {
    /// The groups, the level and the times.
    public let ducker: Ducker
    private let memory: DuckerMemory
    private let running: RunningEvents
    private let isOn = Mutex(false)

    /// Makes a ducker of groups that are there.
    ///
    /// Throws `unknownGroup`, and `notANumber` for a gain or a time of NaN.
    public init(_ ducker: Ducker, in engine: SoundEngine) throws(SoundEventError) {
        guard !ducker.gain.isNaN, !ducker.attackSeconds.isNaN, !ducker.releaseSeconds.isNaN else { throw .notANumber("ducker") }
        (self.ducker, running) = (ducker, engine.running)
        memory = DuckerMemory(
            ducker, sources: try engine.groups(ducker.sources), targets: try engine.groups(ducker.targets),
            attack: engine.frames(ducker.attackSeconds), release: engine.frames(ducker.releaseSeconds))
        running.keep(memory)
    }

    deinit { running.drop(memory) }

    /// True if it has been switched on.
    public var isActive: Bool { isOn.withLock { $0 } }

    /// Switches it on; if a source sounds, the targets move at once.
    public func activate() { turn(true) }

    /// Switches it off; the targets move back.
    public func deactivate() { turn(false) }

    private func turn(_ on: Bool) {
        isOn.withLock { isOn in
            isOn = on
            var command = SceneCommand(.duck)
            (command.ducker, command.value) = (memory.core, on ? 1 : 0)
            running.send([command])
        }
    }
}

/// Owns the memory of a ducker, which the render thread reads.
final class DuckerMemory: @unchecked Sendable {
    // SAFETY: nothing changes after init but the core, which only the render thread uses, and its atomics.
    let core: UnsafeMutablePointer<DuckerCore>
    private let groups: [SoundGroup]

    init(_ ducker: Ducker, sources: [SoundGroup], targets: [SoundGroup], attack: Int64, release: Int64) {
        groups = sources + targets
        core = .allocate(capacity: 1)
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<GroupCore>>.allocate(capacity: max(1, groups.count))
        for (index, group) in groups.enumerated() { (pointers + index).initialize(to: group.core) }
        let links = UnsafeMutablePointer<DuckingLink>.allocate(capacity: max(1, targets.count))
        for index in targets.indices { (links + index).initialize(to: DuckingLink(ducker: UnsafePointer(core))) }
        core.initialize(
            to: DuckerCore(
                sources: pointers, sourceCount: sources.count, targets: pointers + sources.count, targetCount: targets.count,
                links: links, gain: max(0, min(1, ducker.gain)), attack: (attack, ducker.attackCurve),
                release: (release, ducker.releaseCurve)))
    }

    deinit {
        core.pointee.sources.deallocate()
        core.pointee.links.deallocate()
        core.deinitialize(count: 1)
        core.deallocate()
    }
}
