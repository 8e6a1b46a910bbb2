// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the piece of a way that a frame lies in. Made on the control thread; the render thread reads it.

/// The first frames of the pieces of a way, which never change.
struct PieceStarts {
    let frames: UnsafeMutablePointer<Double>
    let count: Int

    /// `[control]` Copies the frames; `deallocate` frees them.
    init(_ frames: [Double]) {
        count = frames.count
        self.frames = .allocate(capacity: max(1, count))
        for (index, frame) in frames.enumerated() { (self.frames + index).initialize(to: frame) }
    }

    func deallocate() { frames.deallocate() }

    /// `[render]` The last piece that begins before a frame or at it, found by halving; the first one before all of them.
    @_noLocks
    func index(at frame: Double) -> Int {
        var (low, high) = (0, max(0, count &- 1))
        while low < high {
            let middle = (low &+ high &+ 1) / 2
            if frames[middle] <= frame { low = middle } else { high = middle &- 1 }
        }
        return low
    }
}
