// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The parameters as the render thread sees them: found by address, values readable from the control thread.

import Synchronization

/// Ranges and current values of all parameters, sorted by address.
///
/// The render thread applies changes and publishes the target values; the control thread reads them
/// (saving state) and asks for others (restoring state). Both have its address, and nothing of it but words ever changes:
/// the core that renders is the render thread's alone meanwhile.
struct ParameterTable: ~Copyable, @unchecked Sendable {
    // SAFETY: addresses and bounds never change; values and requests are atomics.
    let count: Int
    private let addresses: UnsafeMutablePointer<UInt64>
    private let bounds: UnsafeMutablePointer<(lower: Double, upper: Double)>
    private let isSettable: UnsafeMutablePointer<Bool>
    private let values: UnsafeMutablePointer<Atomic<UInt64>>
    private let wanted: UnsafeMutablePointer<Atomic<UInt64>>
    private let wantedGeneration: UnsafeMutablePointer<Atomic<UInt64>>

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

    /// `[render]` How often the control thread has asked for values.
    var generation: UInt64 {
        @_noLocks get { wantedGeneration.pointee.load(ordering: .acquiring) }
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

    /// `[render]` See `ParameterCells.accept`.
    @_noLocks
    func accept(_ change: ParameterChange) -> ParameterChange? { cells.accept(change) }

    /// `[render]` The same memory, for whoever takes changes while somebody else holds the table.
    var cells: ParameterCells {
        @_noLocks get {
            ParameterCells(count: count, addresses: addresses, bounds: bounds, isSettable: isSettable, values: values)
        }
    }
}
