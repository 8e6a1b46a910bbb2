// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads and writes each part of a graph's document as JSON. Any thread.

import PluginHosting
import Rendering

extension GraphDocument: Codable {
    private enum Key: String, CodingKey {
        case version = "bulkheadGraph"
        case channelCount = "channels"
        case sampleRate, length, mainVolume, transport, inputBuses, outputBuses, midi, nodes, connections
    }

    /// Reads the fields; throws `GraphDocumentError` for a node's fields.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        // The reader of a document has checked its version. A graph within a session has none of its own.
        _ = container.contains(.version)
        sampleRate = try container.decodeIfPresent(Double.self, forKey: .sampleRate)
        channelCount = try container.decodeIfPresent(Int.self, forKey: .channelCount)
        length = try container.decodeIfPresent(Double.self, forKey: .length)
        mainVolume = try container.decodeIfPresent(Double.self, forKey: .mainVolume)
        transport = try container.decodeIfPresent(Song.self, forKey: .transport)
        inputBuses = try container.decodeIfPresent([DriverBus].self, forKey: .inputBuses) ?? []
        outputBuses = try container.decodeIfPresent([DriverBus].self, forKey: .outputBuses) ?? []
        midi = try container.decodeIfPresent(MIDI.self, forKey: .midi)
        nodes = try container.decode([Node].self, forKey: .nodes)
        connections = try container.decode([Connection].self, forKey: .connections)
        chain = nil
    }

    /// Writes the fields.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.formatVersion, forKey: .version)
        try container.encodeIfPresent(sampleRate, forKey: .sampleRate)
        try container.encodeIfPresent(channelCount, forKey: .channelCount)
        try container.encodeIfPresent(length, forKey: .length)
        try container.encodeIfPresent(mainVolume, forKey: .mainVolume)
        try container.encodeIfPresent(transport, forKey: .transport)
        if !inputBuses.isEmpty { try container.encode(inputBuses, forKey: .inputBuses) }
        if !outputBuses.isEmpty { try container.encode(outputBuses, forKey: .outputBuses) }
        try container.encodeIfPresent(midi, forKey: .midi)
        try container.encode(nodes, forKey: .nodes)
        try container.encode(connections, forKey: .connections)
    }
}

extension GraphDocument.Node: Codable {
    private enum Key: String, CodingKey {
        case channelCount = "channels"
        case id, kind, volume, pan, position, files, outputVolume, unit
    }

    /// Reads a node; defects after its name are thrown as `GraphDocumentError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decode(String.self, forKey: .id)
        do {
            volume = try container.decodeIfPresent(Double.self, forKey: .volume)
            pan = try container.decodeIfPresent(Double.self, forKey: .pan)
            position = try container.decodeIfPresent(GraphDocument.Place.self, forKey: .position)
            placement = try GraphDocument.Placement(decoder.container(keyedBy: GraphDocument.Placement.Key.self))
            let word = try container.decode(String.self, forKey: .kind)
            switch word {
            case "player":
                var player = GraphDocument.Player(try container.decode([GraphDocument.Piece].self, forKey: .files))
                player.channelCount = try container.decodeIfPresent(Int.self, forKey: .channelCount)
                kind = .player(player)
            case "mixer": kind = .mixer(outputVolume: try container.decodeIfPresent(Double.self, forKey: .outputVolume) ?? 1)
            case "environment": kind = .environment(try GraphDocument.Environment(from: decoder))
            case "unit": kind = .unit(try container.decode(GraphDocument.Unit.self, forKey: .unit))
            case "input": kind = .input
            default: throw GraphDocumentError.unknownKind(node: id, kind: word)
            }
        } catch let error as GraphDocumentError {
            throw error
        } catch let error as UnknownWord {
            throw GraphDocumentError.malformed(node: id, reason: error.reason)
        } catch {
            throw GraphDocumentError.malformed(
                node: id, reason: ReadableJSON.reason(of: error, below: decoder.codingPath.count, isJSON: true))
        }
    }

    /// Writes the node.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(kind.word, forKey: .kind)
        try container.encodeIfPresent(volume, forKey: .volume)
        try container.encodeIfPresent(pan, forKey: .pan)
        try container.encodeIfPresent(position, forKey: .position)
        var own = encoder.container(keyedBy: GraphDocument.Placement.Key.self)
        try placement.encode(to: &own)
        switch kind {
        case .player(let player):
            try container.encode(player.files, forKey: .files)
            try container.encodeIfPresent(player.channelCount, forKey: .channelCount)
        case .mixer(let outputVolume): try container.encode(outputVolume, forKey: .outputVolume)
        case .environment(let environment): try environment.encode(to: encoder)
        case .unit(let unit): try container.encode(unit, forKey: .unit)
        case .input: break
        }
    }
}

extension GraphDocument.Place: Codable {
    /// Reads an array of three numbers.
    public init(from decoder: any Decoder) throws {
        let numbers = try decoder.singleValueContainer().decode([Double].self)
        guard numbers.count == 3 else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "A place has three numbers."))
        }
        self.init(x: numbers[0], y: numbers[1], z: numbers[2])
    }

    /// Writes an array of three numbers.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode([x, y, z])
    }
}

extension GraphDocument.Piece: Codable {
    private enum Key: String, CodingKey {
        case start = "at"
        case path, from, length, repeats, loops
    }

    /// Reads a part of a file.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        path = try container.decode(String.self, forKey: .path)
        start = try container.decodeIfPresent(Double.self, forKey: .start)
        from = try container.decodeIfPresent(Double.self, forKey: .from) ?? 0
        length = try container.decodeIfPresent(Double.self, forKey: .length)
        repeats = try container.decodeIfPresent(Int.self, forKey: .repeats) ?? 1
        loops = try container.decodeIfPresent(Bool.self, forKey: .loops) ?? false
    }

    /// Writes the part without defaults.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(path, forKey: .path)
        try container.encodeIfPresent(start, forKey: .start)
        if from != 0 { try container.encode(from, forKey: .from) }
        try container.encodeIfPresent(length, forKey: .length)
        if repeats != 1 { try container.encode(repeats, forKey: .repeats) }
        if loops { try container.encode(loops, forKey: .loops) }
    }
}

extension GraphDocument.Unit: Codable {
    private enum Key: CodingKey {
        case preset
    }

    /// Reads a unit as in a chain, with a preset; only the ID is required.
    public init(from decoder: any Decoder) throws {
        saved = try SavedUnit(sparse: decoder)
        preset = try decoder.container(keyedBy: Key.self).decodeIfPresent(String.self, forKey: .preset)
    }

    /// Writes the unit as in a chain, and the preset.
    public func encode(to encoder: any Encoder) throws {
        try saved.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(preset, forKey: .preset)
    }
}

extension GraphDocument.End: Codable {
    /// Reads an end such as `room` or `room:1`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let end = Self(text: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no end of a connection")
        }
        self = end
    }

    /// Writes the end.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension GraphDocument.Song: Codable {
    private enum Key: String, CodingKey {
        case tempos, signatures, loop
    }

    private struct Tempo: Codable {
        let beat, beatsPerMinute: Double
    }

    private struct Signature: Codable {
        let beat: Double
        let numerator, denominator: UInt16
    }

    private struct Loop: Codable {
        let from, to: Double
    }

    /// Reads the song; throws if a tempo, a signature or the loop is impossible.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let tempos = try container.decodeIfPresent([Tempo].self, forKey: .tempos) ?? []
        let signatures = try container.decodeIfPresent([Signature].self, forKey: .signatures) ?? []
        guard
            let map = TempoMap(
                tempos: tempos.map { .init(beat: $0.beat, beatsPerMinute: $0.beatsPerMinute) },
                signatures: signatures.map { .init(beat: $0.beat, numerator: $0.numerator, denominator: $0.denominator) })
        else { throw DecodingError.dataCorruptedError(forKey: .tempos, in: container, debugDescription: "impossible tempos") }
        tempoMap = map
        guard let loop = try container.decodeIfPresent(Loop.self, forKey: .loop) else { return }
        guard loop.from.isFinite, loop.to.isFinite, loop.from < loop.to else {
            throw DecodingError.dataCorruptedError(forKey: .loop, in: container, debugDescription: "impossible loop")
        }
        self.loop = loop.from..<loop.to
    }

    /// Writes the song.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(tempoMap.tempos.map { Tempo(beat: $0.beat, beatsPerMinute: $0.beatsPerMinute) }, forKey: .tempos)
        let signatures = tempoMap.signatures.map {
            Signature(beat: $0.beat, numerator: $0.numerator, denominator: $0.denominator)
        }
        if !signatures.isEmpty { try container.encode(signatures, forKey: .signatures) }
        try container.encodeIfPresent(loop.map { Loop(from: $0.lowerBound, to: $0.upperBound) }, forKey: .loop)
    }
}
