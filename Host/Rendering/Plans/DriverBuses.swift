// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where the further buses of a driver lie among its channels: memory that a node at an end of a graph reads. Render thread.

/// The channels of a driver's further buses, counted from the first one behind the main ones.
///
/// It is written when it is made, and stays as it is.
struct DriverBuses {
    private let starts: UnsafeMutablePointer<Int>
    private let counts: UnsafeMutablePointer<Int>
    /// How many there are.
    let busCount: Int

    /// `[control]` Allocates memory, which `deallocate` frees.
    init(_ ranges: [Range<Int>]) {
        busCount = ranges.count
        (starts, counts) = (.allocate(capacity: max(1, busCount)), .allocate(capacity: max(1, busCount)))
        for (bus, range) in ranges.enumerated() {
            (starts + bus).initialize(to: range.lowerBound)
            (counts + bus).initialize(to: range.count)
        }
    }

    /// `[control]` Frees the memory.
    func deallocate() {
        starts.deallocate()
        counts.deallocate()
    }

    /// The channels of a bus that a block has whose main channels are the first `mainCount` ones.
    ///
    /// A bus that the block has not, or has not whole, has none.
    @_noLocks
    func channels(ofBus bus: Int, behind mainCount: Int, of channelCount: Int) -> (start: Int, count: Int) {
        let (start, count) = (mainCount + starts[bus], counts[bus])
        return mainCount < 0 || start + count > channelCount ? (0, 0) : (start, count)
    }
}
