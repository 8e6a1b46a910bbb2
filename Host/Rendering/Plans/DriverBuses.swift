// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The place of a driver's further buses among its channels, which a node at an end of a graph reads. Render thread.

/// The channels of a driver's further buses, counted from the first one behind the main ones.
///
/// It does not change after its initializer.
struct DriverBuses {
    private let starts: UnsafeMutablePointer<Int>
    private let counts: UnsafeMutablePointer<Int>
    /// The number of further buses.
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

    /// The channels of a bus in a block whose main channels are the first `mainCount` ones.
    ///
    /// The count is 0 for a bus that the block does not have completely.
    @_noLocks
    func channels(ofBus bus: Int, behind mainCount: Int, of channelCount: Int) -> (start: Int, count: Int) {
        let (start, count) = (mainCount + starts[bus], counts[bus])
        return mainCount < 0 || start + count > channelCount ? (0, 0) : (start, count)
    }
}
