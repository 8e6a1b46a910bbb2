// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The parameters as the render thread sees them, found by address; the control thread can read the values.

import Synchronization

/// The ranges and current values of all parameters, sorted by address.
///
/// The render thread applies changes and publishes the target values. The control thread reads them to save state, and requests
/// others to restore state. Both use the table at the same time, and only its atomics ever change.
///
/// The render thread alone uses the rest of the core while it renders.
struct ParameterTable: ~Copyable, @unchecked Sendable {
    // SAFETY: addresses and bounds never change; values and requests are atomics.
    let count: Int
    private let addresses: UnsafeMutablePointer<UInt64>
    private let bounds: UnsafeMutablePointer<(lower: Double, upper: Double)>
    private let isSettable: UnsafeMutablePointer<Bool>
    private let values: UnsafeMutablePointer<Atomic<UInt64>>
    private let wanted: UnsafeMutablePointer<Atomic<UInt64>>
    private let wantedGeneration: UnsafeMutablePointer<Atomic<UInt64>>

    /// The bits for "no value requested": a NaN that no parameter can have.
    private static let nothing: UInt64 = .max

    /// Ranges and defaults that follow the sample rate are those of `sampleRate`, in hertz.
    init(_ tree: ParameterTree, values initial: [UInt64: Double], sampleRate: Double) {
        let parameters = tree.parameters.map { $0.parameter.at(sampleRate: sampleRate) }.sorted { $0.address < $1.address }
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
            let range = tree[address: parameter.address]?.accepted(sampleRate: sampleRate) ?? parameter.range
            (bounds + index).initialize(to: (range.lowerBound, range.upperBound))
            (isSettable + index).initialize(to: parameter.flags.isDisjoint(with: [.readOnly, .meter]))
            let wish = initial[parameter.address] ?? parameter.defaultValue
            let value = max(range.lowerBound, min(range.upperBound, wish))
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

    /// `[control]` All current values by address.
    var snapshot: [UInt64: Double] {
        let pairs = (0..<count).map { (addresses[$0], Double(bitPattern: values[$0].load(ordering: .relaxed))) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// `[control]` Requests that the render thread take these values at its next block.
    func want(_ settings: [UInt64: Double]) {
        for index in 0..<count {
            guard let value = settings[addresses[index]] else { continue }
            values[index].store(value.bitPattern, ordering: .relaxed)
            wanted[index].store(value.bitPattern, ordering: .relaxed)
        }
        // Release: a thread that sees the new generation also sees the values above.
        wantedGeneration.pointee.wrappingAdd(1, ordering: .releasing)
    }

    /// `[render]` The number of requests so far.
    var generation: UInt64 {
        @_noLocks get { wantedGeneration.pointee.load(ordering: .acquiring) }
    }

    /// `[render]` Removes and returns the value requested for parameter `index`; nil if there is none.
    @_noLocks
    func takeWanted(_ index: Int) -> ParameterChange? {
        let bits = wanted[index].exchange(Self.nothing, ordering: .relaxed)
        guard bits != Self.nothing else { return nil }
        return ParameterChange(address: addresses[index], value: Double(bitPattern: bits))
    }

    /// `[render]` The current value of parameter `index`, as a change to it; nil for a parameter that cannot be set.
    @_noLocks
    func settableValue(_ index: Int) -> ParameterChange? {
        guard isSettable[index] else { return nil }
        let value = Double(bitPattern: values[index].load(ordering: .relaxed))
        return ParameterChange(address: addresses[index], value: value)
    }

    /// `[render]` See `ParameterCells.accept`.
    @_noLocks
    func accept(_ change: ParameterChange) -> ParameterChange? { cells.accept(change) }

    /// `[render]` A view of the same memory, which accepts changes while the core holds the table.
    var cells: ParameterCells {
        @_noLocks get {
            ParameterCells(count: count, addresses: addresses, bounds: bounds, isSettable: isSettable, values: values)
        }
    }
}
