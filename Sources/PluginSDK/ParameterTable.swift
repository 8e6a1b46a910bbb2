// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The parameters as the render thread sees them: found by address, values readable from the control thread.

import Synchronization

/// Where the values of a unit's parameters stand, for as long as its table is there.
struct ParameterStore {
    fileprivate let count: Int
    fileprivate let addresses: UnsafeMutablePointer<UInt64>
    fileprivate let bounds: UnsafeMutablePointer<(lower: Double, upper: Double)>
    fileprivate let values: UnsafeMutablePointer<Atomic<UInt64>>

    /// `[render]` Takes over a value that the unit has set itself, if the host would take it.
    @_noLocks
    func note(_ change: ParameterChange) {
        guard let index = index(of: change.address), change.value >= bounds[index].lower, change.value <= bounds[index].upper
        else { return }
        values[index].store(change.value.bitPattern, ordering: .relaxed)
    }

    @_noLocks
    fileprivate func index(of address: UInt64) -> Int? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) / 2
            if addresses[middle] < address { low = middle &+ 1 } else { high = middle }
        }
        return low < count && addresses[low] == address ? low : nil
    }
}

/// Ranges and current values of all parameters, sorted by address.
///
/// The render thread applies changes and publishes the target values; the control thread reads them
/// (saving state) and asks for others (restoring state).
struct ParameterTable: ~Copyable, @unchecked Sendable {
    // SAFETY: addresses and bounds never change; values and requests are atomics.
    let count: Int
    private let addresses: UnsafeMutablePointer<UInt64>
    private let bounds: UnsafeMutablePointer<(lower: Double, upper: Double)>
    private let isSettable: UnsafeMutablePointer<Bool>
    private let values: UnsafeMutablePointer<Atomic<UInt64>>
    private let wanted: UnsafeMutablePointer<Atomic<UInt64>>
    private let wantedGeneration: UnsafeMutablePointer<Atomic<UInt64>>
    private var seenGeneration: UInt64 = 0

    /// The bits that stand for "nothing wanted"; a NaN that no parameter can have.
    private static let nothing: UInt64 = .max

    init(_ tree: ParameterTree, values initial: [UInt64: Double]) {
        let parameters = tree.parameters.map(\.parameter).sorted { $0.address < $1.address }
        count = parameters.count
        addresses = .allocate(capacity: count)
        bounds = .allocate(capacity: count)
        isSettable = .allocate(capacity: count)
        values = .allocate(capacity: count)
        wanted = .allocate(capacity: count)
        wantedGeneration = .allocate(capacity: 1)
        wantedGeneration.initialize(to: Atomic(0))
        for (index, parameter) in parameters.enumerated() {
            (addresses + index).initialize(to: parameter.address)
            (bounds + index).initialize(to: (parameter.range.lowerBound, parameter.range.upperBound))
            (isSettable + index).initialize(to: parameter.flags.isDisjoint(with: [.readOnly, .meter]))
            let value = initial[parameter.address] ?? parameter.defaultValue
            (values + index).initialize(to: Atomic(value.bitPattern))
            (wanted + index).initialize(to: Atomic(Self.nothing))
        }
    }

    /// The values, for whoever tells the host of changes.
    var store: ParameterStore {
        @_noLocks get { ParameterStore(count: count, addresses: addresses, bounds: bounds, values: values) }
    }

    deinit {
        addresses.deallocate()
        bounds.deallocate()
        isSettable.deallocate()
        values.deallocate()
        wanted.deallocate()
        wantedGeneration.deallocate()
    }

    /// `[control]` Every value as it is now.
    var snapshot: [UInt64: Double] {
        let pairs = (0..<count).map { (addresses[$0], Double(bitPattern: values[$0].load(ordering: .relaxed))) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// `[control]` Asks the render thread to take these values at its next block.
    func want(_ settings: [UInt64: Double]) {
        for index in 0..<count {
            guard let value = settings[addresses[index]] else { continue }
            values[index].store(value.bitPattern, ordering: .relaxed)
            wanted[index].store(value.bitPattern, ordering: .relaxed)
        }
        // Release: the values above are there for whoever sees the new generation.
        wantedGeneration.pointee.wrappingAdd(1, ordering: .releasing)
    }

    /// `[render]` Whether the control thread has asked for values since the last call.
    @_noLocks
    mutating func takeWantedGeneration() -> Bool {
        let generation = wantedGeneration.pointee.load(ordering: .acquiring)
        defer { seenGeneration = generation }
        return generation != seenGeneration
    }

    /// `[render]` The value wanted for parameter `index`, once.
    @_noLocks
    func takeWanted(_ index: Int) -> ParameterChange? {
        let bits = wanted[index].exchange(Self.nothing, ordering: .relaxed)
        guard bits != Self.nothing else { return nil }
        return ParameterChange(address: addresses[index], value: Double(bitPattern: bits))
    }

    /// `[render]` The current value of parameter `index`, as a change to it; nil for one that cannot be set.
    @_noLocks
    func settableValue(_ index: Int) -> ParameterChange? {
        guard isSettable[index] else { return nil }
        let value = Double(bitPattern: values[index].load(ordering: .relaxed))
        return ParameterChange(address: addresses[index], value: value)
    }

    /// `[render]` Takes a change into the table: nil when there is no such parameter, it cannot be set or
    /// the value is not a number; otherwise the change with its value brought into range.
    @_noLocks
    func accept(_ change: ParameterChange) -> ParameterChange? {
        guard let index = store.index(of: change.address), isSettable[index], change.value == change.value else { return nil }
        var accepted = change
        accepted.value = max(bounds[index].lower, min(bounds[index].upper, change.value))
        values[index].store(accepted.value.bitPattern, ordering: .relaxed)
        return accepted
    }
}
