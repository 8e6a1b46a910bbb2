// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The current values of a parameter tree, with observers. Control threads.

import Synchronization

/// Identifies an observer, so that its own changes are not reported to it.
public struct ParameterObserverToken: Hashable, Sendable {
    fileprivate let number: UInt64
}

/// The current value of every parameter, and the observers of changes.
///
/// `[control]` Any number of control threads may use it. A lock guards the values; it is not held while observers run.
public final class ParameterValues: Sendable {
    /// A function that receives the address and the new value of a parameter.
    public typealias Observer = @Sendable (_ address: UInt64, _ value: Double) -> Void

    private struct State {
        var values: [UInt64: Double]
        var observers: [ParameterObserverToken: Observer] = [:]
        var nextToken: UInt64 = 1
    }

    /// The parameters that have values here.
    public let tree: ParameterTree
    private let state: Mutex<State>

    /// Gives every parameter of `tree` its default value.
    public init(tree: ParameterTree) {
        self.tree = tree
        let defaults = tree.parameters.map { ($0.parameter.address, $0.parameter.defaultValue) }
        state = Mutex(State(values: Dictionary(defaults) { first, _ in first }))
    }

    /// The value of the parameter at an address; nil if there is none.
    public subscript(address: UInt64) -> Double? { state.withLock { $0.values[address] } }

    /// Every value by key path, the form that hosts record.
    public var byKeyPath: [String: Double] {
        let values = state.withLock { $0.values }
        return Dictionary(tree.parameters.map { ($0.keyPath, values[$0.parameter.address]!) }) { first, _ in first }
    }

    /// Sets a value and calls every observer except the one that `originator` names.
    ///
    /// Throws `UnitError.unknownParameter` or `valueOutOfRange`, and then changes nothing.
    public func set(_ address: UInt64, to value: Double, originator: ParameterObserverToken? = nil) throws(UnitError) {
        try put(address, value, originator: originator)?()
    }

    /// Sets a value, and returns a function that reports the present value to the observers; nil without observers.
    package func put(
        _ address: UInt64, _ value: Double, originator: ParameterObserverToken? = nil
    ) throws(UnitError) -> (@Sendable () -> Void)? {
        guard let parameter = tree[address: address] else { throw .unknownParameter("address \(address)") }
        guard parameter.accepted().contains(value) else {
            let path = tree.keyPath(ofAddress: address) ?? parameter.identifier
            throw .valueOutOfRange(parameter: path, value: value, range: parameter.accepted())
        }
        let observers = state.withLock { state -> [Observer] in
            state.values[address] = value
            return state.observers.filter { $0.key != originator }.map(\.value)
        }
        guard !observers.isEmpty else { return nil }
        return { [self] in
            let value = self[address] ?? value
            for observer in observers { observer(address, value) }
        }
    }

    /// Adds an observer of all changes but its own.
    ///
    /// `observer` runs on the thread that made the change. For changes by the unit or a schedule, that is a thread of its own.
    public func addObserver(_ observer: @escaping Observer) -> ParameterObserverToken {
        state.withLock { state in
            let token = ParameterObserverToken(number: state.nextToken)
            state.nextToken += 1
            state.observers[token] = observer
            return token
        }
    }

    /// Removes an observer.
    ///
    /// A call that is under way may still reach it.
    public func removeObserver(_ token: ParameterObserverToken) {
        state.withLock { $0.observers[token] = nil }
    }
}
