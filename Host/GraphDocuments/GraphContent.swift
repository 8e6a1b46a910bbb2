// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Holds a document's nodes, units, files and connections at one time. Control thread.

import AudioGraph
import PluginHosting

/// The nodes for the input, the main mixer and the output, which every graph has.
package struct GraphEnds: Sendable {
    /// The node for the kind `input`; nil: the engine's input.
    package var input: AudioNode?
    /// The output format of nodes that play no files; nil: each has its own.
    package var format: AudioFormat?
    /// The node that connections call `main`.
    package let main: AudioMixerNode
    /// The node that connections call `output`.
    package let output: AudioNode

    /// True if the graph is a chain of a command line, whose nodes all have one format.
    var isChain: Bool { format != nil }

    /// The engine's own main mixer and output.
    package static func own(of engine: AudioEngine, format: AudioFormat? = nil) -> GraphEnds {
        GraphEnds(format: format, main: engine.mainMixerNode, output: engine.outputNode)
    }

    /// New mixers as the ends of one of several graphs in an engine; that graph leads to the engine's main mixer.
    package static func scene(_ name: String, input: AudioNode? = nil, format: AudioFormat? = nil) -> GraphEnds {
        let (main, output) = (AudioMixerNode(), AudioMixerNode())
        (main.name, output.name) = ("main of \(name)", "output of \(name)")
        return GraphEnds(input: input, format: format, main: main, output: output)
    }
}

/// A document, and the nodes made from it.
struct GraphContent: Sendable {
    let document: GraphDocument
    /// The places of the nodes by their names.
    private let index: [String: Int]
    /// The nodes at their places, the main mixer and the output included.
    let places: [AudioNode]
    /// The units by the places of their nodes.
    let units: [Int: PluginUnit]
    /// The parts of files that the players play, by the players' places.
    let pieces: [Int: [OpenedPiece]]
    /// The files of listeners that have any, by the places of their environments.
    let listeners: [Int: ListenerFiles]
    /// The MIDI files, in the order of the document.
    let songs: [MIDISongFile]
    /// The connections with the buses that they have.
    let wires: [GraphDocument.Wire]
    /// The node with the output's further buses, also if another node stands for the output.
    let engineOutput: AudioNode
    /// The sources that play the instruments; empty before the nodes are connected.
    var instruments = GraphInstruments()

    init(
        document: GraphDocument, places: [AudioNode], units: [Int: PluginUnit], pieces: [Int: [OpenedPiece]],
        listeners: [Int: ListenerFiles], songs: [MIDISongFile], wires: [GraphDocument.Wire], engineOutput: AudioNode
    ) {
        (self.document, self.places, self.units) = (document, places, units)
        (self.pieces, self.listeners) = (pieces, listeners)
        (self.songs, self.wires, self.engineOutput) = (songs, wires, engineOutput)
        index = Dictionary(document.nodes.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }

    /// An output bus of a node.
    struct Output: Hashable {
        let node: ObjectIdentifier
        let bus: Int
    }

    /// An input bus of a node.
    struct Input: Hashable {
        let node: ObjectIdentifier
        let bus: Int
    }

    /// The input buses that each output bus leads to.
    var links: [Output: Set<Input>] {
        var links: [Output: Set<Input>] = [:]
        for wire in wires { links[output(of: wire), default: []].insert(input(of: wire)) }
        return links
    }

    /// The output bus that a connection comes from.
    func output(of wire: GraphDocument.Wire) -> Output {
        Output(node: ObjectIdentifier(places[wire.source]), bus: wire.sourceBus)
    }

    /// The input bus that a connection leads to.
    func input(of wire: GraphDocument.Wire) -> Input {
        Input(node: ObjectIdentifier(destination(of: wire)), bus: wire.destinationBus)
    }

    /// The node that a connection leads to.
    func destination(of wire: GraphDocument.Wire) -> AudioNode {
        wire.destination == document.outputPlace && wire.destinationBus > 0 ? engineOutput : places[wire.destination]
    }

    /// The places by the names of the document.
    func place(of name: String) -> Int? {
        switch name {
        case GraphDocument.mainID: document.mainPlace
        case GraphDocument.outputID: document.outputPlace
        default: index[name]
        }
    }

    /// The seconds until the last player is at its end.
    var playedSeconds: Double {
        guard !pieces.isEmpty else { return 0 }
        let paces = document.paces(units.mapValues(AudioUnitStretch.rate))
        return pieces.map { GraphDocument.seconds(of: $1) / paces[$0] }.max() ?? 0
    }

    /// The instruments at their places.
    var instrumentNodes: [ObjectIdentifier] { places.filter { $0 is AudioUnitMIDIInstrument }.map(ObjectIdentifier.init) }

    /// The buses that mixers gave to connections without a bus; the next document keeps them.
    var busesOfMixers: [GraphDocument.Ends: Int] {
        let given = wires.compactMap { wire -> (GraphDocument.Ends, Int)? in
            guard let connection = wire.connection.map({ document.connections[$0] }), connection.to.bus == nil else { return nil }
            return (GraphDocument.Ends(connection), wire.destinationBus)
        }
        return Dictionary(given) { first, _ in first }
    }
}
