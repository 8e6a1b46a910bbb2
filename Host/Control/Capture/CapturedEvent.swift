// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A line of a capture's events: what happened, and at which frame. Any thread.

import FoundationEssentials
import GraphDocuments
import PluginHosting

/// Something that happened while a performance was captured.
package struct CapturedEvent: Codable, Hashable, Sendable {
    /// What happened.
    package enum Kind: String, Codable, Sendable {
        /// A MIDI message came in.
        case midi
        /// A parameter of a unit changed.
        case parameter
        /// A unit was bypassed, or no longer.
        case bypass
        /// A level changed.
        case level
        /// The graph became another one.
        case edit
        /// Another graph took over; the one before rang out.
        case scene
        /// A former graph that had rung out went.
        case removal
        /// The graph was rendered as another plan: after an edit, once something had faded out, or with other latencies.
        case plan
        /// A block of a unit was replaced.
        case replaced
        /// Something happened that no replay can repeat, from about this frame on.
        case unrepeatable
        /// The capture ended.
        case end

        /// Whether it is done between two blocks of a replay.
        package var isChange: Bool { [.parameter, .bypass, .level, .plan].contains(self) || isEdit }
        /// Whether it makes another graph, which what happens at the same frame may be about.
        package var isEdit: Bool { [.edit, .scene, .removal].contains(self) }
    }

    /// The frames since rendering started.
    package var frame: Int64
    package var event: Kind
    /// The node, or the name of the level.
    package var node: String?
    /// Which edit or scene made the node, the level, or the graph that goes, counted from 1; 0 for what was there first.
    ///
    /// A scene's nodes may have the names of those that still ring out.
    package var madeBy: Int?
    /// The key path of the parameter.
    package var keyPath: String?
    /// The parameter's value, the volume, or 1 for a bypass that is on.
    package var value: Double?
    package var pan: Double?
    /// The frames of the parameter's ramp.
    package var ramp: UInt32?
    /// The number of the MIDI port.
    package var port: UInt8?
    /// The bytes of the MIDI message.
    package var bytes: [UInt8]?
    /// How many frames were replaced.
    package var frameCount: Int64?
    /// What was done to the graph.
    package var title: String?
    /// What the graph became.
    package var graph: GraphDocument? {
        get { boxed?.graph }
        set { boxed = newValue.map { .graph($0) } }
    }
    private var boxed: BoxedGraph?
    /// The mark of the host that wrote a graph whose units have what the user gave them, in base64.
    var seal: Data?

    private enum CodingKeys: String, CodingKey {
        case frame, event, node, madeBy, keyPath, value, pan, ramp, port, bytes, frameCount, title, seal
        case boxed = "graph"
    }

    init(_ event: Kind, at frame: Int64) { (self.event, self.frame) = (event, frame) }
}

/// A graph in memory of its own: most of many events have none.
private indirect enum BoxedGraph: Codable, Hashable, Sendable {
    case graph(GraphDocument)

    var graph: GraphDocument {
        switch self {
        case .graph(let graph): graph
        }
    }

    init(from decoder: any Decoder) throws { self = .graph(try GraphDocument(from: decoder)) }

    func encode(to encoder: any Encoder) throws { try graph.encode(to: encoder) }
}
