// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The values of the parameters, found by address: a view of the table that can be copied. Render thread.

import Synchronization

/// The addresses, bounds and values of a `ParameterTable`, which owns the memory.
struct ParameterCells {
    let count: Int
    let addresses: UnsafeMutablePointer<UInt64>
    let bounds: UnsafeMutablePointer<(lower: Double, upper: Double)>
    let isSettable: UnsafeMutablePointer<Bool>
    let values: UnsafeMutablePointer<Atomic<UInt64>>

    @_noLocks
    init(
        count: Int, addresses: UnsafeMutablePointer<UInt64>, bounds: UnsafeMutablePointer<(lower: Double, upper: Double)>,
        isSettable: UnsafeMutablePointer<Bool>, values: UnsafeMutablePointer<Atomic<UInt64>>
    ) {
        self.count = count
        self.addresses = addresses
        self.bounds = bounds
        self.isSettable = isSettable
        self.values = values
    }

    /// `[render]` Stores a change; returns it with its value clamped to the range.
    ///
    /// Returns nil, and stores nothing, if the parameter does not exist or cannot be set, or if the value is NaN.
    @_noLocks
    func accept(_ change: ParameterChange) -> ParameterChange? {
        guard let index = index(of: change.address), isSettable[index], change.value == change.value else { return nil }
        var accepted = change
        accepted.value = max(bounds[index].lower, min(bounds[index].upper, change.value))
        values[index].store(accepted.value.bitPattern, ordering: .relaxed)
        return accepted
    }

    @_noLocks
    private func index(of address: UInt64) -> Int? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) / 2
            if addresses[middle] < address { low = middle &+ 1 } else { high = middle }
        }
        return low < count && addresses[low] == address ? low : nil
    }
}
