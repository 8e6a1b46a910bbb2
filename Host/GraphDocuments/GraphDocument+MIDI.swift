// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Describes the MIDI of a graph's document: files, ports, and routes to instruments. Any thread.

import AudioGraph
import Rendering

extension GraphDocument {
    /// The sources of MIDI, and their routes to the instruments.
    public struct MIDI: Hashable, Codable, Sendable {
        /// The MIDI files, which begin with the song.
        public var files: [File] = []
        /// The ports that receive MIDI.
        public var ports: [Port] = []
        /// The routes to instruments; empty: all MIDI reaches every instrument.
        public var routes: [Route] = []

        private enum Key: CodingKey {
            case files, ports, routes
        }

        /// No MIDI.
        public init() {}

        /// Reads the section; each list may be left out.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            files = try container.decodeIfPresent([File].self, forKey: .files) ?? []
            ports = try container.decodeIfPresent([Port].self, forKey: .ports) ?? []
            routes = try container.decodeIfPresent([Route].self, forKey: .routes) ?? []
        }

        /// Writes the lists that are not empty.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            if !files.isEmpty { try container.encode(files, forKey: .files) }
            if !ports.isEmpty { try container.encode(ports, forKey: .ports) }
            if !routes.isEmpty { try container.encode(routes, forKey: .routes) }
        }
    }

    /// A MIDI file that plays along the song.
    public struct File: Hashable, Codable, Sendable {
        /// The path; a relative one begins in the document's folder.
        public var path: String
        /// The name in routes, which no other file or port has.
        public var id: String

        /// A file with a name.
        public init(path: String, id: String) { (self.path, self.id) = (path, id) }
    }

    /// A port that receives MIDI.
    public struct Port: Hashable, Codable, Sendable {
        /// The name in routes, which no other file or port has.
        public var id: String
        /// The name that the system shows; nil: the `id`.
        public var name: String?

        /// A port.
        public init(id: String, name: String? = nil) { (self.id, self.name) = (id, name) }
    }

    /// A route from a file or a port to an instrument.
    public struct Route: Hashable, Codable, Sendable {
        /// The file or port; nil: all of them.
        public var from: String?
        /// The channels that pass, 1 to 16; nil: all of them.
        public var channels: [Int]?
        /// The lowest and the highest key that pass, 0 to 127; nil: all of them.
        public var keys: [Int]?
        /// The track of the file, from 1 on; nil: all of them.
        public var track: Int?
        /// The port of the file, from 1 on, which has 16 channels of its own; nil: all of them.
        public var port: Int?
        /// The semitones by which keys are raised.
        public var transpose: Int?
        /// The channel that messages get, 1 to 16; nil: they keep their own.
        public var toChannel: Int?
        /// The cable that messages of a port get, 0 to 255; nil: 0.
        public var cable: Int?
        /// The node of the instrument.
        public var to: String

        /// A route for all MIDI to a node.
        public init(from: String? = nil, to: String) { (self.from, self.to) = (from, to) }

        /// A route from all sources to a node, for the messages that a mapping lets pass.
        package init(to: String, _ mapping: MIDIMapping, port: Int? = nil) {
            (self.to, self.port) = (to, port)
            let passing = (0..<16).filter { mapping.channels & (1 << UInt16($0)) != 0 }.map { $0 + 1 }
            channels = passing.count == 16 ? nil : passing
            let keys = [Int(mapping.lowestKey), Int(mapping.highestKey)]
            self.keys = keys == [0, 127] ? nil : keys
            transpose = mapping.transposition == 0 ? nil : Int(mapping.transposition)
            toChannel = mapping.channel.map { Int($0) + 1 }
            cable = mapping.cable == 0 ? nil : Int(mapping.cable)
        }

        /// The route as messages show it.
        var text: String { "\(from ?? "all") → \(to)" }

        var mapping: MIDIMapping {
            var mapping = MIDIMapping(
                channels: Set((channels ?? Array(1...16)).map { $0 - 1 }), transpose: transpose ?? 0,
                toChannel: toChannel.map { $0 - 1 }, cable: cable ?? 0)
            if let keys, keys.count == 2 {
                (mapping.lowestKey, mapping.highestKey) = (UInt8(clamping: keys[0]), UInt8(clamping: keys[1]))
            }
            return mapping
        }
    }
}

extension GraphDocument {
    /// The most MIDI files.
    static let maximumMIDIFileCount = 256
    /// The most routes.
    static let maximumRouteCount = 4096

    /// The defects of the MIDI by itself, including the nodes of the routes.
    var midiDefects: [GraphDocumentError] {
        guard let midi else { return [] }
        let sizes = [
            ("MIDI files", midi.files.count, Self.maximumMIDIFileCount), ("MIDI ports", midi.ports.count, AudioMIDIInput.mostPorts),
            ("MIDI routes", midi.routes.count, Self.maximumRouteCount),
        ]
        let large = sizes.first { $0.1 > $0.2 }.map { GraphDocumentError.tooMany(what: $0.0, count: $0.1, maximum: $0.2) }
        if let large { return [large] }
        return midi.sourceDefects.map { .malformed(node: nil, reason: $0) } + midi.routes.flatMap(defects)
    }

    private func defects(of route: Route) -> [GraphDocumentError] {
        var reasons = route.fieldDefects
        if let midi, let from = route.from, !midi.names.contains(from) {
            reasons.append("it comes from \(GraphDocumentError.quoted(from)), which is neither a file nor a port of \"midi\"")
        }
        if let midi, route.track != nil, midi.ports.contains(where: { $0.id == route.from }) {
            reasons.append("it names a track, and comes from a port, which has none")
        }
        if let midi, route.port != nil, midi.ports.contains(where: { $0.id == route.from }) {
            reasons.append("it names a port of a file, and comes from no file")
        }
        if let midi, route.cable != nil, !midi.ports.contains(where: { $0.id == route.from }) {
            reasons.append("it names a cable, which only what comes from a port of \"midi\" has; say which port with \"from\"")
        }
        switch nodes.first(where: { $0.id == route.to })?.kind {
        case .unit?: break
        case nil: reasons.append("it leads to \(GraphDocumentError.quoted(route.to)), which is not a node")
        default: reasons.append("it leads to \(GraphDocumentError.quoted(route.to)), which is not a unit")
        }
        return reasons.map { .malformedRoute(route.text, reason: $0) }
    }
}

extension GraphDocument.MIDI {
    /// The names of all files and ports.
    var names: [String] { files.map(\.id) + ports.map(\.id) }

    fileprivate var sourceDefects: [String] {
        var taken: Set<String> = []
        let doubled = names.filter { !taken.insert($0).inserted }.map {
            "two files or ports of \"midi\" are called \(GraphDocumentError.quoted($0)); give one another id"
        }
        let unnamed =
            names.contains { $0.isEmpty || $0.utf8.count > 200 } ? ["a MIDI file or port has an id of 1 to 200 bytes"] : []
        let paths =
            files.contains { $0.path.isEmpty || $0.path.utf8.contains(0) } ? ["the \"path\" of a MIDI file is not a path"] : []
        let names = ports.contains { $0.name.map { $0.isEmpty || $0.utf8.count > 200 || $0.utf8.contains(0) } ?? false }
        return doubled + unnamed + paths + (names ? ["the \"name\" of a MIDI port has 1 to 200 bytes"] : [])
    }
}

extension GraphDocument.Route {
    fileprivate var fieldDefects: [String] {
        var reasons: [String] = []
        let numbers = 1...16
        if let channels, channels.isEmpty || !channels.allSatisfy({ numbers.contains($0) }) {
            reasons.append("\"channels\" are numbers from 1 to 16")
        }
        if let keys, keys.count != 2 || !keys.allSatisfy({ (0...127).contains($0) }) || keys[0] > keys[1] {
            reasons.append("\"keys\" are the lowest and the highest key, each from 0 to 127")
        }
        if let track, track < 1 { reasons.append("\"track\" is \(track), and the first track is 1") }
        if let port, !(1...256).contains(port) { reasons.append("\"port\" is \(port), and has to be from 1 to 256") }
        if let transpose, !(-127...127).contains(transpose) {
            reasons.append("\"transpose\" is \(transpose), and has to be from -127 to 127")
        }
        if let toChannel, !numbers.contains(toChannel) {
            reasons.append("\"toChannel\" is \(toChannel), and has to be from 1 to 16")
        }
        if let cable, !(0...255).contains(cable) { reasons.append("\"cable\" is \(cable), and has to be from 0 to 255") }
        return reasons
    }
}
