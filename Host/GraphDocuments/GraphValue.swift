// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Names a node's value, such as a level, a position or an angle; reads and writes it in a document. Any thread.

/// The name of a node's value in a document, other than a unit's parameter.
///
/// In a playing graph, setting it is one store that the render thread glides to. No plan is compiled for it.
package struct GraphValue: Hashable, Sendable {
    /// The node, or the main mixer.
    package let node: String
    /// The kind of the value.
    package let kind: Kind

    /// Names a value of a node.
    package init(_ node: String, _ kind: Kind) { (self.node, self.kind) = (node, kind) }

    /// The values of nodes, named by the word after the node's name.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// The gain at the mixers that a node feeds, or of a mixer's output, as a factor.
        case volume
        /// The pan at the mixers that a node feeds.
        case pan
        /// The position of a source, in metres.
        case x = "position.x"
        case y = "position.y"
        case z = "position.z"
        /// The position of an environment's listener, in metres.
        case listenerX = "listener.x"
        case listenerY = "listener.y"
        case listenerZ = "listener.z"
        /// The angle of the listener's head, in degrees.
        case yaw, pitch, roll
    }
}

extension GraphValue.Kind {
    /// The range of the value.
    package var range: ClosedRange<Double> {
        switch self {
        case .volume: GraphDocument.volumes
        case .pan: -1...1
        case .x, .y, .z, .listenerX, .listenerY, .listenerZ: GraphDocument.metres
        case .yaw, .pitch, .roll: GraphDocument.degrees
        }
    }

    /// True if the render thread records the frame of a change, so that a replay can repeat it.
    package var isLogged: Bool { self == .volume || self == .pan }

    /// The property of a listener for this value.
    var ofListener: WritableKeyPath<GraphDocument.Environment, Double>? {
        switch self {
        case .volume: \.outputVolume
        case .listenerX: \.listener.x
        case .listenerY: \.listener.y
        case .listenerZ: \.listener.z
        case .yaw: \.yaw
        case .pitch: \.pitch
        case .roll: \.roll
        case .pan, .x, .y, .z: nil
        }
    }

    /// The coordinate of a source for this value.
    private var coordinate: WritableKeyPath<GraphDocument.Place, Double>? {
        switch self {
        case .x: \.x
        case .y: \.y
        case .z: \.z
        default: nil
        }
    }

    /// The value of a node; nil if the node has none.
    func value(of node: GraphDocument.Node) -> Double? {
        switch (self, node.kind) {
        case (.volume, .mixer(let volume)): volume
        case (_, .environment(let environment)) where ofListener != nil: ofListener.map { environment[keyPath: $0] }
        case (.volume, _): node.volume ?? 1
        case (.pan, _): node.pan ?? 0
        default: coordinate.flatMap { coordinate in node.position.map { $0[keyPath: coordinate] } }
        }
    }

    /// Sets the value of a node.
    func set(_ value: Double, of node: inout GraphDocument.Node) {
        switch (self, node.kind) {
        case (.volume, .mixer): node.kind = .mixer(outputVolume: value)
        case (_, .environment(var environment)) where ofListener != nil:
            if let ofListener { environment[keyPath: ofListener] = value }
            node.kind = .environment(environment)
        case (.volume, _): node.volume = value
        case (.pan, _): node.pan = value
        default: if let coordinate { node.position?[keyPath: coordinate] = value }
        }
    }
}

extension GraphDocument {
    /// All values of nodes, including the main mixer's.
    var values: [GraphValue: Double] {
        var values = [GraphValue(Self.mainID, .volume): mainVolume ?? 1]
        for node in nodes {
            for kind in GraphValue.Kind.allCases { values[GraphValue(node.id, kind)] = kind.value(of: node) }
        }
        return values
    }

    /// Sets values of nodes, and skips nodes that do not exist.
    package mutating func set(_ values: [GraphValue: Double]) {
        guard !values.isEmpty else { return }
        if let volume = values[GraphValue(Self.mainID, .volume)] { mainVolume = volume }
        let places = Dictionary(nodes.enumerated().map { ($1.id, $0) }) { first, _ in first }
        for (name, value) in values {
            if let place = places[name.node] { name.kind.set(value, of: &nodes[place]) }
        }
    }
}
