// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit's settable parameters, found by address on the render thread. Render thread; the control thread makes it.

import AudioUnits

/// The ranges of a unit's settable parameters, sorted by address.
struct ParameterBounds: ~Copyable {
    /// The range of one parameter.
    struct Bounds {
        let address: UInt64
        let lower: Double
        let upper: Double
        let canRamp: Bool
    }

    let count: Int
    private let bounds: UnsafeMutablePointer<Bounds>

    /// `[control]` Takes the parameters of a unit that renders at `sampleRate`.
    init(_ tree: ParameterTree, sampleRate: Double) {
        let settable = tree.parameters.map(\.parameter).filter { $0.flags.isDisjoint(with: [.readOnly, .meter]) }
            .sorted { $0.address < $1.address }
        count = settable.count
        bounds = .allocate(capacity: max(1, count))
        for (index, parameter) in settable.enumerated() {
            let range = parameter.accepted(sampleRate: sampleRate)
            (bounds + index).initialize(
                to: Bounds(
                    address: parameter.address, lower: range.lowerBound, upper: range.upperBound,
                    canRamp: parameter.flags.contains(.canRamp)))
        }
    }

    deinit { bounds.deallocate() }

    /// The range of a parameter.
    @_noLocks
    subscript(index: Int) -> Bounds { bounds[index] }

    /// The index of the parameter with an address; nil without one.
    @_noLocks
    func index(of address: UInt64) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low &+ high) / 2
            if bounds[middle].address < address { low = middle &+ 1 } else { high = middle }
        }
        return low < count && bounds[low].address == address ? low : nil
    }
}
