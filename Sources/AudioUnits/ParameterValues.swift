// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The live values of a parameter tree, with observers. Control threads.

import Synchronization

/// Who set a value, so that who sets it is not told of it.
public struct ParameterObserverToken: Hashable, Sendable {
    fileprivate let number: UInt64
}

/// The current value of every parameter, and whoever wants to know of changes.
///
/// `[control]` Any control thread; a lock guards the values and is not held while observers run.
public final class ParameterValues: Sendable {
    public typealias Observer = @Sendable (_ address: UInt64, _ value: Double) -> Void

    private struct State {
        var values: [UInt64: Double]
        var observers: [ParameterObserverToken: Observer] = [:]
        var nextToken: UInt64 = 1
    }

    public let tree: ParameterTree
    private let state: Mutex<State>

    public init(tree: ParameterTree) {
        self.tree = tree
        let defaults = tree.parameters.map { ($0.parameter.address, $0.parameter.defaultValue) }
        state = Mutex(State(values: Dictionary(defaults) { first, _ in first }))
    }

    public subscript(address: UInt64) -> Double? { state.withLock { $0.values[address] } }

    /// Every value by key path: what hosts record.
    public var byKeyPath: [String: Double] {
        let values = state.withLock { $0.values }
        return Dictionary(tree.parameters.map { ($0.keyPath, values[$0.parameter.address]!) }) { first, _ in first }
    }

    /// Sets a value and tells every observer but the one that `originator` names.
    ///
    /// Throws `unknownParameter` or `valueOutOfRange`, and changes nothing then.
    public func set(_ address: UInt64, to value: Double, originator: ParameterObserverToken? = nil) throws(UnitError) {
        guard let parameter = tree[address: address] else { throw .unknownParameter("address \(address)") }
        guard parameter.range.contains(value) else {
            let path = tree.keyPath(ofAddress: address) ?? parameter.identifier
            throw .valueOutOfRange(parameter: path, value: value, range: parameter.range)
        }
        let observers = state.withLock { state -> [Observer] in
            state.values[address] = value
            return state.observers.filter { $0.key != originator }.map(\.value)
        }
        for observer in observers { observer(address, value) }
    }

    /// Calls `observer` after every change by anybody else, on the thread that made the change.
    public func addObserver(_ observer: @escaping Observer) -> ParameterObserverToken {
        state.withLock { state in
            let token = ParameterObserverToken(number: state.nextToken)
            state.nextToken += 1
            state.observers[token] = observer
            return token
        }
    }

    public func removeObserver(_ token: ParameterObserverToken) {
        state.withLock { $0.observers[token] = nil }
    }
}
