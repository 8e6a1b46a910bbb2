// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One line of a capture's events: an event and its frame. Any thread.

import FoundationEssentials
import GraphDocuments
import PluginHosting

/// An event of a captured performance.
package struct CapturedEvent: Codable, Hashable, Sendable {
    /// The kinds of events.
    package enum Kind: String, Codable, Sendable {
        /// A MIDI message came in.
        case midi
        /// A parameter of a unit changed.
        case parameter
        /// A unit ended all its notes and sound.
        case panic
        /// The routes of MIDI changed, as an edit or a scene before had made them.
        case routes
        /// A unit was bypassed, or its bypass ended.
        case bypass
        /// A level changed.
        case level
        /// The graph was edited.
        case edit
        /// Another graph took over; the former one rang out.
        case scene
        /// A former graph that had rung out was removed.
        case removal
        /// The graph was rendered as another plan: after an edit, at the end of a fade, or with other latencies.
        case plan
        /// A block of a unit was replaced.
        case replaced
        /// An event that no replay can repeat happened, from about this frame on.
        case unrepeatable
        /// The capture ended.
        case end

        /// True if a replay makes the change between two blocks.
        package var isChange: Bool { [.parameter, .panic, .routes, .bypass, .level, .plan].contains(self) || isEdit }
        /// True if it makes another graph, to which events at the same frame may refer.
        package var isEdit: Bool { [.edit, .scene, .removal].contains(self) }
    }

    /// The frames since rendering started.
    package var frame: Int64
    package var event: Kind
    /// The node, or the name of the level.
    package var node: String?
    /// The number of the edit or scene that made the node, the level or the removed graph.
    ///
    /// Edits and scenes are counted from 1; 0 stands for the parts of the first graph.
    ///
    /// The nodes of a scene may have the names of nodes that still ring out.
    package var madeBy: Int?
    /// The key path of the parameter.
    package var keyPath: String?
    /// The parameter's value, the volume, or 1 for a bypass that begins.
    package var value: Double?
    package var pan: Double?
    /// The frames of the parameter's ramp.
    package var ramp: UInt32?
    /// The number of the MIDI port.
    package var port: UInt8?
    /// The bytes of the MIDI message.
    package var bytes: [UInt8]?
    /// The number of the newest change of MIDI's routes; of an edit or a scene, the number of its own change.
    package var routes: UInt64?
    /// The number of replaced frames.
    package var frameCount: Int64?
    /// A title for the change of the graph.
    package var title: String?
    /// The graph after the change.
    package var graph: GraphDocument? {
        get { boxed?.graph }
        set { boxed = newValue.map { .graph($0) } }
    }
    private var boxed: BoxedGraph?
    /// The seal of the host, in base64, on a graph whose units have rights that the user gave them.
    var seal: Data?

    private enum CodingKeys: String, CodingKey {
        case frame, event, node, madeBy, keyPath, value, pan, ramp, port, bytes, routes, frameCount, title, seal
        case boxed = "graph"
    }

    init(_ event: Kind, at frame: Int64) { (self.event, self.frame) = (event, frame) }
}

/// A graph in memory of its own, because most events have none.
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
