// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Moves many values to their goals, a straight line for each cell of time. Made on the control thread, used on the render thread.

/// Values that are known at the ends of cells, and lie on straight lines between them.
struct GlidingValues {
    let count: Int
    private let memory: UnsafeMutablePointer<Float>
    /// The cells until the goal is reached.
    private(set) var cellsLeft = 0

    /// `[control]` Allocates memory; `deallocate` frees it.
    init(count: Int) {
        self.count = count
        memory = .allocate(capacity: 3 * count)
        memory.initialize(repeating: 0, count: 3 * count)
    }

    func deallocate() { memory.deallocate() }

    /// The values at the start of the cell.
    var start: UnsafeMutablePointer<Float> {
        @_noLocks get { memory }
    }
    /// The values at the end of the cell.
    var end: UnsafeMutablePointer<Float> {
        @_noLocks get { memory + count }
    }
    /// The values that are wanted.
    var goal: UnsafeMutablePointer<Float> {
        @_noLocks get { memory + 2 &* count }
    }

    /// Reaches the goal at once.
    @_noLocks
    mutating func jump() {
        for index in 0..<count { (start[index], end[index]) = (goal[index], goal[index]) }
        cellsLeft = 0
    }

    /// Reaches the goal after so many cells, or with the glide under way if that takes longer.
    @_noLocks
    mutating func aim(over cellCount: Int, restarts: Bool) { cellsLeft = restarts ? cellCount : max(cellsLeft, cellCount) }

    /// Begins the next cell.
    @_noLocks
    mutating func beginCell() {
        for index in 0..<count { start[index] = end[index] }
        guard cellsLeft > 0 else { return }
        let share = 1 / Float(cellsLeft)
        let isLast = cellsLeft == 1
        for index in 0..<count { end[index] = isLast ? goal[index] : start[index] + (goal[index] - start[index]) * share }
        cellsLeft &-= 1
    }

    /// True if a value is 0 in the whole cell.
    @inline(__always) @_noLocks
    func isOff(_ index: Int) -> Bool { start[index] == 0 && end[index] == 0 }

    /// True if values that follow each other are 0 in this cell.
    @_noLocks
    func areOff(_ first: Int, count: Int) -> Bool {
        var bits: UInt32 = 0
        // The sign does not count.
        for index in first..<first &+ count { bits |= (start[index].bitPattern | end[index].bitPattern) &<< 1 }
        return bits == 0
    }

    /// The change of a value with each frame.
    @inline(__always) @_noLocks
    func step(_ index: Int) -> Float { (end[index] - start[index]) * (1 / Float(SpatialCell.frameCount)) }
}
