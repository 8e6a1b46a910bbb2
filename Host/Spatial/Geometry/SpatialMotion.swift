// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A place and an orientation that a program moves while they are heard. Made on the control thread; the render thread moves and reads it.

import Realtime

/// A place and an orientation.
public struct SpatialPose: Hashable, Sendable {
    /// The place in metres.
    public var place: SpacePoint
    /// The quaternion of length 1 that turns to the orientation.
    let turn: HeadTurn

    /// Takes a place and the axes of an orientation.
    public init(place: SpacePoint, axes: HeadAxes) { (self.place, turn) = (place, axes.turn) }
}

/// The way of a source or a listener from one pose to the next, as moves arrive.
///
/// Unlike a `SpatialPath` it is not known beforehand: the render thread is told of each move at a frame, and goes there in a straight line,
/// with the shortest turn. The pose at a frame follows from the moves alone, so blocks of any length have the same bits.
public final class SpatialMotion: Sendable {
    /// The poses at both ends of the present way.
    public struct Core {
        private var from: SpatialPose
        private var to: SpatialPose
        private var start: Int64 = 0
        private var frameCount: Int64 = 0
        /// The number of moves so far, which tells a reader of news.
        private(set) var moveCount: UInt64 = 0

        init(_ pose: SpatialPose) { (from, to) = (pose, pose) }
    }

    // SAFETY: after init only the render thread uses the memory.
    /// The memory that the render thread moves and reads, as long as this object lives.
    public nonisolated(unsafe) let core: UnsafeMutablePointer<Core>

    /// `[control]` Stands at a pose.
    public init(_ pose: SpatialPose) {
        core = .allocate(capacity: 1)
        core.initialize(to: Core(pose))
    }

    deinit { core.deallocate() }
}

extension SpatialMotion.Core {
    /// `[render]` Leaves for a pose at a frame, and arrives after so many; at once for 0.
    ///
    /// A pose that is the goal already changes nothing.
    @_noLocks
    public mutating func go(to goal: SpatialPose, at frame: Int64, over frameCount: Int64) {
        guard !isGoal(goal) || frameCount <= 0 else { return }
        let time = Double(frame)
        from = SpatialPose(place: place(at: time), turn: turn(at: time))
        // Of both signs of a quaternion the nearer one is the shorter way.
        to = SpatialPose(place: goal.place, turn: (from.turn * goal.turn).sum() < 0 ? -goal.turn : goal.turn)
        (start, self.frameCount) = (frame, max(0, frameCount))
        moveCount &+= 1
    }

    @_noLocks
    private func isGoal(_ goal: SpatialPose) -> Bool {
        let (way, turn) = (goal.place - to.place, abs((goal.turn * to.turn).sum()))
        return way.dot(way) <= 0 && turn >= 1 - 1e-15
    }

    /// `[render]` True if the pose changes after a frame.
    @_noLocks
    func isMoving(at frame: Double) -> Bool { frame < Double(start &+ frameCount) }

    @_noLocks
    private func share(at frame: Double) -> Double {
        frameCount > 0 ? max(0, min(1, (frame - Double(start)) / Double(frameCount))) : 1
    }

    /// `[render]` The place at a frame.
    @_noLocks
    public func place(at frame: Double) -> SpacePoint {
        let share = share(at: frame)
        return share < 1 ? from.place + (to.place - from.place) * share : to.place
    }

    @_noLocks
    private func turn(at frame: Double) -> HeadTurn {
        let share = share(at: frame)
        guard share < 1 else { return to.turn }
        let turn = from.turn + (to.turn - from.turn) * share
        let square = (turn * turn).sum()
        return square > 1e-12 ? turn * (1 / Maths.sqrt(square)) : to.turn
    }

    /// `[render]` The orientation at a frame.
    @_noLocks
    public func axes(at frame: Double) -> HeadAxes { HeadAxes(turn(at: frame), else: to.turn) }
}

extension SpatialPose {
    @_noLocks
    fileprivate init(place: SpacePoint, turn: HeadTurn) { (self.place, self.turn) = (place, turn) }
}
