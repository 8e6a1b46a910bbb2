// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The values of a processor's parameters, which any thread stores and the render thread reads. Any thread.

import AudioUnits
import Synchronization

/// The present values of a processor's parameters.
///
/// A value jumps to each new setting. A processor that wants no step glides there itself, with a `SmoothedValue`.
public struct AudioProcessorValues {
    let cells: UnsafePointer<ProcessorCell>
    let count: Int

    /// `[render]` The value of the parameter with this address; 0 if there is none.
    ///
    /// Parameters whose addresses are their indices in the tree, from 0 on, are found at once.
    public subscript(address: UInt64) -> Float {
        @_noLocks get {
            let place = Int(truncatingIfNeeded: address)
            if place >= 0, place < count, cells[place].address == address { return cells[place].value }
            for index in 0..<count where cells[index].address == address { return cells[index].value }
            return 0
        }
    }
}

/// The value of one parameter.
struct ProcessorCell: ~Copyable {
    let address: UInt64
    private let bits: Atomic<UInt32>

    init(_ parameter: Parameter) {
        address = parameter.address
        bits = Atomic(Float(parameter.defaultValue).bitPattern)
    }

    // Relaxed: a value says nothing about other memory.
    var value: Float {
        @_noLocks get { Float(bitPattern: bits.load(ordering: .relaxed)) }
        nonmutating set { bits.store(newValue.bitPattern, ordering: .relaxed) }
    }
}

/// The memory of the values; the node, its body and parameters in the program's hands share it.
final class ProcessorParameters: Sendable {
    let tree: ParameterTree
    // SAFETY: allocated once; both threads use only atomics.
    nonisolated(unsafe) private let cells: UnsafeMutablePointer<ProcessorCell>

    /// Sets every parameter to its default.
    init(_ tree: ParameterTree) {
        self.tree = tree
        cells = .allocate(capacity: max(1, tree.parameters.count))
        for (index, entry) in tree.parameters.enumerated() { (cells + index).initialize(to: ProcessorCell(entry.parameter)) }
    }

    deinit {
        cells.deinitialize(count: tree.parameters.count)
        cells.deallocate()
    }

    var values: AudioProcessorValues { AudioProcessorValues(cells: UnsafePointer(cells), count: tree.parameters.count) }

    subscript(index: Int) -> Float {
        get { cells[index].value }
        set { cells[index].value = newValue }
    }
}

/// A parameter of a processor, whose value any thread reads and sets without a lock.
public struct AudioProcessorParameter: Sendable {
    /// The parameter, with its name, range and unit.
    public let description: Parameter
    private let values: ProcessorParameters
    private let index: Int

    /// Returns nil for a key path that the tree does not have.
    init?(_ keyPath: String, of values: ProcessorParameters) {
        guard let index = values.tree.parameters.firstIndex(where: { $0.keyPath == keyPath }) else { return nil }
        (self.values, self.index) = (values, index)
        description = values.tree.parameters[index].parameter
    }

    /// `[any]` The value, also on the render thread; a new value is clamped to the range, and NaN changes nothing.
    public var value: Double {
        get { Double(values[index]) }
        nonmutating set {
            guard !newValue.isNaN else { return }
            let range = description.accepted()
            values[index] = Float(min(range.upperBound, max(range.lowerBound, newValue)))
        }
    }
}
