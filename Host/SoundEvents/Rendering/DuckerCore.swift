// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A ducker on the render thread: on or off, engaged or not. Render thread.

import Synchronization

/// The place of a ducker in the list of a target group.
struct DuckingLink {
    let ducker: UnsafePointer<DuckerCore>
    var next: UnsafeMutablePointer<DuckingLink>?
}

/// A ducker; the scene steers it at the frames at which its sources begin and end.
struct DuckerCore: ~Copyable {
    let sources: UnsafeMutablePointer<UnsafeMutablePointer<GroupCore>>
    let sourceCount: Int
    private let targets: UnsafeMutablePointer<UnsafeMutablePointer<GroupCore>>
    private let targetCount: Int
    /// One link for each target.
    let links: UnsafeMutablePointer<DuckingLink>
    private let gain: Double
    private let attack: (frameCount: Int64, curve: FadeCurve)
    private let release: (frameCount: Int64, curve: FadeCurve)
    /// The present level of the targets.
    private(set) var level = Ramp(1)
    /// The next one of the scene's duckers.
    var next: UnsafeMutablePointer<DuckerCore>?
    var isActive = false
    /// True if the program has let go of it.
    var isDropped = false
    private(set) var isListed = false
    private var isEngaged = false
    /// True if the render thread has let go of it.
    let hasLeft = Atomic<Bool>(false)

    init(
        sources: UnsafeMutablePointer<UnsafeMutablePointer<GroupCore>>, sourceCount: Int,
        targets: UnsafeMutablePointer<UnsafeMutablePointer<GroupCore>>, targetCount: Int,
        links: UnsafeMutablePointer<DuckingLink>, gain: Double, attack: (frameCount: Int64, curve: FadeCurve),
        release: (frameCount: Int64, curve: FadeCurve)
    ) {
        (self.sources, self.sourceCount, self.targets, self.targetCount) = (sources, sourceCount, targets, targetCount)
        (self.links, self.gain, self.attack, self.release) = (links, gain, attack, release)
    }

    /// Moves the targets if sources have begun to sound, or have ended.
    @_noLocks
    mutating func steer(_ sounds: Bool, at frame: Int64) {
        let engages = isActive && sounds
        guard engages != isEngaged else { return }
        isEngaged = engages
        let way = engages ? attack : release
        level.go(to: engages ? gain : 1, at: frame, over: way.frameCount, way.curve)
    }

    /// True if the group is a source.
    @_noLocks
    func hears(_ group: UnsafePointer<GroupCore>?) -> Bool {
        guard let group else { return false }
        for index in 0..<sourceCount where UnsafePointer(sources[index]) == group { return true }
        return false
    }

    /// True if it can go: the program has let go of it, and the targets are back.
    @_noLocks
    func isDone(at frame: Int64) -> Bool { isDropped && !isEngaged && !level.isMoving(from: frame) }

    /// Enters the lists of its targets.
    @_noLocks
    mutating func link() {
        isListed = true
        for index in 0..<targetCount {
            links[index].next = targets[index].pointee.firstDucking
            targets[index].pointee.firstDucking = links + index
        }
    }

    /// Leaves the lists of its targets, and the render thread.
    @_noLocks
    mutating func leave() {
        if isListed {
            for index in 0..<targetCount { targets[index].pointee.unlink(links + index) }
        }
        isListed = false
        // Release: another thread frees the memory after it has seen this.
        hasLeft.store(true, ordering: .releasing)
    }
}
