// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Describes a graph in JSON that people can read: players, units, mixers and their connections. Any thread.

import AudioFormats
import PluginHosting
import Rendering

/// A graph as a document, from which it can be made again.
///
/// The main mixer and the output belong to every graph. Connections call them `main` and `output`.
public struct GraphDocument: Hashable, Sendable {
    /// The version of the document's format.
    public static let formatVersion = 1
    /// The longest document that is read, in bytes.
    public static let maximumByteCount = SavedChain.maximumByteCount
    /// The most nodes.
    public static let maximumNodeCount = 10_000
    /// The most units, each of which may become a process.
    public static let maximumUnitCount = SavedChain.maximumUnitCount
    /// The most connections.
    public static let maximumConnectionCount = 100_000
    /// The most parts of files that all players play together, repeats included.
    public static let maximumPieceCount = 10_000

    /// The nodes.
    public var nodes: [Node]
    /// The connections.
    public var connections: [Connection]
    /// The gain of the main mixer as a factor; nil: 1.
    public var mainVolume: Double?
    /// The rate in hertz to render with; nil: that of the first file.
    public var sampleRate: Double?
    /// The channels to render; nil: those of the input, or two.
    public var channelCount: Int?
    /// The seconds to render; nil: until the players have ended and the effects are quiet.
    public var length: Double?
    /// The song for the effects; nil: the driver's song.
    public var transport: Song?
    /// The further buses of the node of the kind `input`; the first one is its output bus 1.
    public var inputBuses: [DriverBus] = []
    /// The further buses of the output; the first one is its input bus 1.
    public var outputBuses: [DriverBus] = []
    /// The MIDI for the instruments; nil: none.
    public var midi: MIDI?

    /// The folder in which relative paths of files begin; it is not part of the document.
    public var folder = "."
    /// The speakers of the input's channels, if it has others than the engine; they are not part of the document.
    package var inputLayout: ChannelLayout?
    /// The saved chain from which the document was made, with its seal.
    let chain: SavedChain?

    /// Makes a document of nodes and connections.
    public init(nodes: [Node], connections: [Connection]) {
        (self.nodes, self.connections, chain) = (nodes, connections, nil)
    }

    /// Makes a graph of a chain: the input, the units one after the other, the main mixer.
    init(chain: SavedChain) {
        var nodes = [Node(id: "input", .input)]
        var taken: Set<String> = ["input", Self.mainID, Self.outputID]
        for unit in chain.units {
            let name = String(unit.name.prefix(40)).replacing(":", with: " ")
            let id = taken.contains(name) ? (2...).lazy.map { "\(name) \($0)" }.first { !taken.contains($0) } ?? name : name
            taken.insert(id)
            nodes.append(Node(id: id, .unit(Unit(unit))))
        }
        let ids = nodes.map(\.id) + [Self.mainID]
        connections = zip(ids, ids.dropFirst()).map { Connection(from: End($0), to: End($1)) }
        self.nodes = nodes
        self.chain = chain
    }
}

extension GraphDocument {
    /// The main mixer's name in connections.
    public static let mainID = "main"
    /// The output's name in connections.
    public static let outputID = "output"

    /// The units in the order of the nodes, with their nodes' places.
    var units: [(place: Int, unit: Unit)] {
        nodes.enumerated().compactMap { place, node in
            if case .unit(let unit) = node.kind { (place, unit) } else { nil }
        }
    }

    /// The names of the nodes that are units.
    package var unitNodes: [String] { units.map { nodes[$0.place].id } }

    /// The units as a chain stores them.
    package var savedUnits: [SavedUnit] { units.map(\.unit.saved) }

    /// True if the graph has the driver's input.
    public var readsInput: Bool { nodes.contains { $0.kind == .input } }

    /// The path of a sound file; a relative path begins in the document's folder.
    package func path(of piece: Piece) -> String { path(from: piece.path) }

    /// The path of a MIDI file; a relative path begins in the document's folder.
    package func path(of file: File) -> String { path(from: file.path) }

    /// A path of the document; a relative one begins in its folder.
    func path(from path: String) -> String {
        path.hasPrefix("/") || folder.isEmpty || folder == "." ? path : "\(folder)/\(path)"
    }
}
