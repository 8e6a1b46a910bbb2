// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the defects of a graph's document, before files are opened or plug-ins are looked for. Any thread.

import AudioGraph
import Printing

extension GraphDocument {
    /// All defects of the document by itself, the gravest first.
    public var defects: [GraphDocumentError] {
        let size = sizeDefects
        guard size.isEmpty else { return size }
        let fields = fieldDefects + nodes.flatMap { Self.defects(of: $0) } + nameDefects
        guard fields.isEmpty else { return fields }
        let connections = connectionDefects + midiDefects
        guard connections.isEmpty else { return connections }
        return cycle.map { [.cycle(nodes: $0)] } ?? []
    }

    private var sizeDefects: [GraphDocumentError] {
        let pieces = nodes.reduce(0) { sum, node in
            guard case .player(let player) = node.kind else { return sum }
            return player.files.reduce(sum) { $0 + max(1, min($1.repeats, Self.maximumPieceCount + 1)) }
        }
        let sizes = [
            ("nodes", nodes.count, Self.maximumNodeCount), ("units", units.count, Self.maximumUnitCount),
            ("connections", connections.count, Self.maximumConnectionCount),
            ("parts of files, repeats included,", pieces, Self.maximumPieceCount),
        ]
        return sizes.filter { $0.1 > $0.2 }.map { .tooMany(what: $0.0, count: $0.1, maximum: $0.2) }
    }

    private var fieldDefects: [GraphDocumentError] {
        let values: [(String, Double?, ClosedRange<Double>)] = [
            ("sampleRate", sampleRate, 8000...768_000), ("channels", channelCount.map(Double.init), 1...64),
            ("length", length, 0...Self.longestSeconds), ("mainVolume", mainVolume, Self.volumes),
        ]
        let wrong = values.compactMap { Self.defect($0, $1, $2) }
        let inputs = nodes.count { $0.kind == .input }
        return
            (wrong + songDefects + busDefects
            + (inputs > 1 ? ["it has \(inputs) nodes of the kind \"input\", and one is the most"] : []))
            .map { .malformed(node: nil, reason: $0) }
    }

    /// The defects of the song that the render thread could not follow, or not in time.
    private var songDefects: [String] {
        guard let song = transport else { return [] }
        let (tempos, signatures) = (song.tempoMap.tempos, song.tempoMap.signatures)
        let loop = song.loop.map { [$0.lowerBound, $0.upperBound] } ?? []
        let far = (tempos.map(\.beat) + signatures.map(\.beat) + loop).first { !Self.beats.contains($0) }
        return [
            Self.defect("transport", far, Self.beats),
            Self.defect("transport.loop", song.loop.map { $0.upperBound - $0.lowerBound }, 0.01...Self.beats.upperBound * 2),
            Self.defect("the number of tempos", Double(tempos.count), 0...1000),
            Self.defect("the number of signatures", Double(signatures.count), 0...1000),
        ].compactMap(\.self)
    }

    private static let beats = -1e6...1e6
    static let longestSeconds = 1e6
    static let volumes = 0.0...1000.0
    static let metres = -1e6...1e6
    static let degrees = -360.0...360.0

    /// Describes a number outside the range; nil if it is inside or missing.
    static func defect(_ key: String, _ value: Double?, _ range: ClosedRange<Double>) -> String? {
        guard let value, !range.contains(value) else { return nil }
        return "\"\(key)\" is \(value), and has to be from \(range.lowerBound) to \(range.upperBound)"
    }

    private static func defects(of node: Node) -> [GraphDocumentError] {
        var reasons = [defect("volume", node.volume, volumes), defect("pan", node.pan, -1...1)].compactMap(\.self)
        reasons += node.position.map { defects("position", of: $0) } ?? []
        reasons += defects(of: node.placement, besidePosition: node.position != nil)
        switch node.kind {
        case .player(let player):
            if player.files.isEmpty { reasons.append("\"files\" is empty") }
            reasons += [defect("channels", player.channelCount.map(Double.init), 1...64)].compactMap(\.self)
            reasons += player.files.flatMap(defects)
            if player.files.dropLast().contains(where: \.loops) {
                reasons.append("a part that \"loops\" is followed by another one, which would never be played")
            }
            if player.files.contains(where: { $0.loops && $0.repeats != 1 }) {
                reasons.append("a part has \"loops\" and \"repeats\", and can have one of them")
            }
        case .mixer(let volume): reasons += [defect("outputVolume", volume, volumes)].compactMap(\.self)
        case .environment(let environment): reasons += defects(of: environment)
        case .unit(let unit): reasons += [unit.saved.defect].compactMap(\.self)
        case .input: break
        }
        return reasons.map { .malformed(node: node.id, reason: $0) }
    }

    static func defects(_ key: String, of place: Place) -> [String] {
        [place.x, place.y, place.z].compactMap { defect(key, $0, metres) }
    }

    private static func defects(of piece: Piece) -> [String] {
        let isPath = !piece.path.isEmpty && !piece.path.utf8.contains(0)
        return [
            isPath ? nil : "\"path\" is not a path", defect("at", piece.start, 0...longestSeconds),
            defect("from", piece.from, 0...longestSeconds), defect("length", piece.length, 0...longestSeconds),
            defect("repeats", Double(piece.repeats), 1...Double(maximumPieceCount)),
        ].compactMap(\.self)
    }

    private var nameDefects: [GraphDocumentError] {
        var taken: Set<String> = []
        return nodes.compactMap { node in
            if let reason = Self.objection(toName: node.id) { return .badName(node.id, reason: reason) }
            return taken.insert(node.id).inserted ? nil : .duplicateName(node.id)
        }
    }

    private static func objection(toName name: String) -> String? {
        switch name {
        case "": "a name has at least one character"
        case mainID: "this is the main mixer, which every graph has"
        case outputID: "this is the output, which every graph has"
        case _ where name.utf8.count > 200: "a name has at most 200 bytes"
        case _ where !PrintableText.isPrintable(name): "it holds characters that cannot be shown"
        case _ where name.contains(":"): "a colon stands between a name and a bus"
        default: nil
        }
    }

    private var connectionDefects: [GraphDocumentError] {
        let kinds = Dictionary(nodes.map { ($0.id, $0.kind) }) { first, _ in first }
        var taken: Set<End> = []
        var made: Set<Ends> = []
        var defects: [GraphDocumentError] = []
        for connection in connections {
            let text = "\(connection)"
            let missing = [connection.from.node, connection.to.node].first {
                kinds[$0] == nil && $0 != Self.mainID && $0 != Self.outputID
            }
            if let missing {
                defects.append(.noSuchNode(connection: text, node: missing))
            } else if let reason = objectionToInput(connection.from, of: kinds[connection.from.node])
                ?? objectionToOutput(connection.to) ?? Self.objection(to: connection, kinds)
            {
                defects.append(.impossibleConnection(connection: text, reason: reason))
            } else if !made.insert(Ends(connection)).inserted {
                defects.append(.impossibleConnection(connection: text, reason: Self.objectionToRepetition))
            } else if let bus = Self.inputBus(connection.to, kinds),
                !taken.insert(End(connection.to.node, bus: bus)).inserted
            {
                defects.append(.takenBus(node: connection.to.node, bus: bus))
            }
        }
        return defects + idleLevels(kinds)
    }

    /// A mixer would add the same sound up twice.
    private static let objectionToRepetition =
        "it is there twice, and the sound would be twice as loud; take one out, or set a \"volume\""

    /// The bus that an end names or means; nil for any free one of a mixer.
    private static func inputBus(_ end: End, _ kinds: [String: Kind]) -> Int? { end.bus ?? (isMixer(end.node, kinds) ? nil : 0) }

    fileprivate static func isMixer(_ node: String, _ kinds: [String: Kind]) -> Bool {
        kinds[node]?.addsUp ?? (node == mainID)
    }

    fileprivate static func isEnvironment(_ node: String, _ kinds: [String: Kind]) -> Bool {
        if case .environment? = kinds[node] { true } else { false }
    }

    private static func objection(to connection: Connection, _ kinds: [String: Kind]) -> String? {
        let (source, destination) = (connection.from, connection.to)
        if source.node == outputID { return "nothing comes from the output" }
        let hasBuses =
            switch kinds[source.node] {
            case .unit?, .input?: true
            default: false
            }
        if !hasBuses, source.bus ?? 0 > 0 { return "\"\(source.node)\" has one output, bus 0" }
        switch kinds[destination.node] {
        case .player?: return "a player has no inputs"
        case .input?: return "the input has no inputs"
        default: break
        }
        if let bus = destination.bus, bus >= AudioMixerNode.mostInputs { return "a mixer has \(AudioMixerNode.mostInputs) inputs" }
        let levels = [defect("volume", connection.volume, volumes), defect("pan", connection.pan, -1...1)].compactMap(\.self)
        if let first = levels.first { return first }
        if connection.volume != nil || connection.pan != nil, !isMixer(destination.node, kinds) {
            return "only a connection to a mixer has a volume and a pan"
        }
        if connection.pan != nil, isEnvironment(destination.node, kinds) { return "a connection to an environment has no pan" }
        return nil
    }

    /// Finds levels that have no effect.
    private func idleLevels(_ kinds: [String: Kind]) -> [GraphDocumentError] {
        let placed = Set(connections.lazy.filter { Self.isEnvironment($0.to.node, kinds) }.map(\.from.node))
        let levelled = LevelledNodes(self)
        let idle = nodes.filter {
            $0.volume != nil && !levelled.mixed.contains($0.id) || $0.pan != nil && !levelled.panned.contains($0.id)
        }
        let levels = idle.map { GraphDocumentError.malformed(node: $0.id, reason: LevelledNodes.reason) }
        let places = nodes.filter { ($0.hasPlace || $0.placement != Placement()) && !placed.contains($0.id) }.map {
            let what = $0.hasPlace ? "it has a position" : "it says how it is heard in a space"
            return GraphDocumentError.malformed(node: $0.id, reason: "\(what), and leads to no environment; connect it to one")
        }
        return levels + places + unheardBlends()
    }
}

/// The nodes whose levels are heard.
struct LevelledNodes {
    /// The nodes that lead to a mixer or an environment.
    let mixed: Set<String>
    /// The nodes that lead to a mixer.
    let panned: Set<String>

    /// The reason why any other node may not have a level.
    static let reason =
        "it has a volume or a pan, and leads to no mixer; put one behind it, or set the level of the node that leads to one"

    init(_ document: GraphDocument) {
        let kinds = Dictionary(document.nodes.map { ($0.id, $0.kind) }) { first, _ in first }
        let mixing = document.connections.filter { GraphDocument.isMixer($0.to.node, kinds) }
        mixed = Set(mixing.map(\.from.node))
        panned = Set(mixing.lazy.filter { !GraphDocument.isEnvironment($0.to.node, kinds) }.map(\.from.node))
    }
}
