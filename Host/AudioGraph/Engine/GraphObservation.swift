// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reports changes of a graph to programs: nodes, connections, formats; by callback or as a sequence. Any thread.

import Synchronization

/// A change of an engine's graph.
public enum AudioGraphChange: Sendable {
    /// A node was attached.
    case attached(AudioNode)
    /// A node was detached.
    case detached(AudioNode)
    /// Two buses were connected.
    case connected(AudioNode, bus: Int, to: AudioNode, inputBus: Int)
    /// Two buses were disconnected.
    case disconnected(AudioNode, bus: Int, from: AudioNode, inputBus: Int)
    /// A bus has another format.
    case formatChanged(AudioNode, bus: Int, isInput: Bool, AudioFormat)
}

/// Identifies an observer of a graph.
public struct AudioGraphObserverToken: Hashable, Sendable { fileprivate let number: Int }

/// The observers of a graph.
///
/// One observer sees every bus of every node, also of nodes that come later.
struct GraphObservers {
    typealias Observer = @Sendable ([AudioGraphChange]) -> Void

    private var observers: [(token: AudioGraphObserverToken, observer: Observer)] = []
    private var next = 0

    var isEmpty: Bool { observers.isEmpty }
    var all: [Observer] { observers.map(\.observer) }

    mutating func add(_ observer: @escaping Observer) -> AudioGraphObserverToken {
        next += 1
        let token = AudioGraphObserverToken(number: next)
        observers.append((token, observer))
        return token
    }

    mutating func remove(_ token: AudioGraphObserverToken) { observers.removeAll { $0.token == token } }
}

extension AudioEngine {
    /// Adds an observer, which is called after each edit with its changes, in order, on the thread of the edit.
    ///
    /// No lock of the engine's state is held: the observer may ask anything, and edit. Edits of other threads wait for it.
    public func addObserver(_ observer: @escaping @Sendable ([AudioGraphChange]) -> Void) -> AudioGraphObserverToken {
        state.withLock { $0.observers.add(observer) }
    }

    /// Removes an observer.
    public func removeObserver(_ token: AudioGraphObserverToken) { state.withLock { $0.observers.remove(token) } }

    /// The changes of the graph from now on; each call makes a new sequence, which keeps the newest 1024.
    public var graphChanges: AsyncStream<AudioGraphChange> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1024)) { continuation in
            let token = addObserver { changes in for change in changes { continuation.yield(change) } }
            continuation.onTermination = { [weak self] _ in self?.removeObserver(token) }
        }
    }

    /// Calls the observers with the changes of an edit.
    func tellObservers(since former: GraphState) {
        let (graph, observers) = state.withLock { ($0.graph, $0.observers.all) }
        guard !observers.isEmpty else { return }
        let changes = graph.changes(since: former)
        guard !changes.isEmpty else { return }
        for observer in observers { observer(changes) }
    }
}

extension GraphState {
    /// True if a program sees both ends of a connection.
    fileprivate func isVisible(_ link: Link) -> Bool {
        !link.destination.body.isInternal && !visible(link.source).body.isInternal
    }

    /// Returns the differences from a former graph: first the removals, then the additions.
    func changes(since former: GraphState) -> [AudioGraphChange] {
        var gone: [AudioGraphChange] = []
        var come: [AudioGraphChange] = []
        for node in former.nodes {
            for link in former[node]?.links ?? [] where !holds(link) && former.isVisible(link) {
                gone.append(
                    .disconnected(former.visible(link.source), bus: link.sourceBus, from: node, inputBus: link.destinationBus))
            }
        }
        for node in former.nodes where !contains(node) && !node.body.isInternal { gone.append(.detached(node)) }
        for node in nodes where !former.contains(node) && !node.body.isInternal { come.append(.attached(node)) }
        for node in nodes where !node.body.isInternal {
            guard let record = self[node] else { continue }
            let before = former[node]
            come += record.formats(isInput: true, unlike: before?.inputFormats)
            come += record.formats(isInput: false, unlike: before?.outputFormats)
        }
        for node in nodes {
            for link in self[node]?.links ?? [] where !former.holds(link) && isVisible(link) {
                come.append(.connected(visible(link.source), bus: link.sourceBus, to: node, inputBus: link.destinationBus))
            }
        }
        return gone + come
    }
}

extension GraphState.Record {
    /// The connections that lead to the node, by their buses.
    fileprivate var links: [GraphState.Link] { inputs.keys.sorted().compactMap { inputs[$0] } }

    fileprivate func formats(isInput: Bool, unlike former: [Int: AudioFormat]?) -> [AudioGraphChange] {
        let formats = isInput ? inputFormats : outputFormats
        return formats.keys.sorted().filter { formats[$0] != former?[$0] }.compactMap { bus in
            formats[bus].map { .formatChanged(node, bus: bus, isInput: isInput, $0) }
        }
    }
}

// MARK: - Parameters

extension AudioUnit {
    /// A new value of a parameter.
    public struct ParameterChange: Hashable, Sendable {
        /// The parameter's address.
        public let address: UInt64
        /// Its value.
        public let value: Double
    }

    /// The new values of the unit's parameters from now on; each call makes a new sequence, which keeps the newest 1024.
    ///
    /// `PluginUnit.parameterValues` offers callbacks instead.
    public var parameterChanges: AsyncStream<ParameterChange> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1024)) { continuation in
            guard let values = plugin?.parameterValues else { return continuation.finish() }
            let token = values.addObserver { continuation.yield(ParameterChange(address: $0, value: $1)) }
            continuation.onTermination = { _ in values.removeObserver(token) }
        }
    }
}
