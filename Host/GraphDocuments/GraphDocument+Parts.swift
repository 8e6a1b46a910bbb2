// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The parts of a graph's document: nodes, parts of files, connections, tempos. Any thread.

import AudioGraph
import PluginHosting
import Rendering

extension GraphDocument {
    /// A node.
    public struct Node: Hashable, Sendable {
        /// Its unique name in connections and messages.
        public var id: String
        /// Its task in the graph.
        public var kind: Kind
        /// The gain at the mixers that it feeds, as a factor; nil: 1.
        public var volume: Double?
        /// The pan at the mixers that it feeds, from −1 to 1; nil: 0.
        public var pan: Double?

        /// The place at the environments that it feeds, in metres; nil: its channels go through as they are.
        public var position: Place?
        /// The way in which those environments make it heard.
        public var placement = Placement()

        /// A node with its usual level.
        public init(id: String, _ kind: Kind) { (self.id, self.kind) = (id, kind) }
    }

    /// The task of a node.
    public enum Kind: Hashable, Sendable {
        /// It plays files.
        case player(Player)
        /// It mixes its sources; the gain is a factor.
        case mixer(outputVolume: Double)
        /// It places its sources in the space around a listener.
        case environment(Environment)
        /// It is a unit of a plug-in.
        case unit(Unit)
        /// It is the driver's input.
        case input
    }

    /// A listener, and the gain of the sound there.
    public struct Environment: Hashable, Sendable {
        /// The gain as a factor.
        public var outputVolume = 1.0
        /// The listener's place in metres.
        public var listener = Place(x: 0, y: 0, z: 0)
        /// The listener's turn to the right, in degrees.
        public var yaw = 0.0
        /// The listener's upward nod, in degrees.
        public var pitch = 0.0
        /// The tilt of the listener's head to the right side, in degrees.
        public var roll = 0.0
        /// The way that the listener goes, in place of the place.
        public var path: Path?
        /// The file by which the listener's head turns, in place of the three angles.
        public var headPoses: HeadPoses?
        /// The file of the listener's head in the format SOFA; nil: the standard head.
        ///
        /// A relative path begins in the document's folder.
        public var head: String?
        /// The kind of output that it plays to; nil: `auto`.
        public var outputType: AudioEnvironmentOutputType?
        /// The loss of level with the distance; nil: the usual one.
        public var distance: Distance?
        /// The air that takes treble; nil: none.
        public var air: Air?
        /// True if motion changes the pitch, because sound takes its time.
        public var hasDoppler = false
        /// The room around the listener; nil: none.
        public var reverb: Reverb?

        /// A listener at the origin who looks to the front.
        public init() {}
    }

    /// A place in metres.
    public struct Place: Hashable, Sendable {
        /// To the right.
        public var x: Double
        /// Upwards.
        public var y: Double
        /// To the back.
        public var z: Double

        /// A place.
        public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
    }

    /// The content of a player.
    public struct Player: Hashable, Sendable {
        /// The parts of files; those without a time follow one another.
        public var files: [Piece]
        /// The channels; nil: the most that one of the files has.
        public var channelCount: Int?

        /// A player of files.
        public init(_ files: [Piece]) { self.files = files }
    }

    /// A file that is played, or a part of it.
    public struct Piece: Hashable, Sendable {
        /// The path; a relative one begins in the document's folder.
        public var path: String
        /// The seconds from the player's start; nil: after the part before.
        public var start: Double?
        /// The seconds that are skipped at the beginning of the file.
        public var from = 0.0
        /// The seconds that are played; nil: to the end.
        public var length: Double?
        /// The number of times in a row that it is played.
        public var repeats = 1
        /// True if it is repeated for ever; it is then the player's last part.
        public var loops = false

        /// A whole file.
        public init(path: String) { self.path = path }
    }

    /// A unit of a plug-in.
    public struct Unit: Hashable, Sendable {
        /// The unit as a chain stores it.
        package var saved: SavedUnit
        /// The preset that it starts from, a factory preset or the user's; its parameters override the preset's.
        public var preset: String?

        package init(_ saved: SavedUnit) { self.saved = saved }

        /// A unit of the plug-in with that ID or name, with these parameters by key path.
        public init(_ id: String, parameters: [String: Double] = [:]) {
            saved = SavedUnit(id: id, parameters: parameters)
        }
    }

    /// An end of a connection.
    public struct End: Hashable, Sendable {
        /// The node.
        public var node: String
        /// The bus; nil: the first free one of a mixer, otherwise bus 0.
        public var bus: Int?

        /// Names a bus of a node.
        public init(_ node: String, bus: Int? = nil) { (self.node, self.bus) = (node, bus) }
    }

    /// A connection.
    public struct Connection: Hashable, Codable, Sendable {
        /// The output bus that it comes from.
        public var from: End
        /// The input bus that it leads to.
        public var to: End
        /// The gain of this connection to a mixer as a factor, in place of the node's own.
        public var volume: Double?
        /// The pan of this connection to a mixer, in place of the node's own.
        public var pan: Double?

        /// A connection with the level of the node that it comes from.
        public init(from: End, to: End) { (self.from, self.to) = (from, to) }
    }

    /// The tempos and time signatures of the song, and its loop.
    public struct Song: Hashable, Sendable {
        /// The tempos and time signatures.
        public var tempoMap: TempoMap
        /// The beats that are repeated; nil for none.
        public var loop: Range<Double>?

        /// A song without a loop.
        public init(_ tempoMap: TempoMap) { self.tempoMap = tempoMap }
    }
}

extension GraphDocument.End: CustomStringConvertible {
    /// The end as in the document, such as `room` or `room:1`.
    public var description: String { bus.map { "\(node):\($0)" } ?? node }

    /// Reads an end as in the document; nil if the node is missing or the bus is not a number.
    package init?(text: String) {
        guard let colon = text.lastIndex(of: ":") else {
            guard !text.isEmpty else { return nil }
            self.init(text)
            return
        }
        let digits = text[text.index(after: colon)...]
        guard colon != text.startIndex, !digits.isEmpty, digits.utf8.count < 6,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let bus = Int(digits)
        else { return nil }
        self.init(String(text[..<colon]), bus: bus)
    }
}

extension GraphDocument.Connection: CustomStringConvertible {
    /// Both ends, such as `drums → main`.
    public var description: String { "\(from) → \(to)" }
}

extension GraphDocument.Kind {
    /// Its word in the document.
    public var word: String {
        switch self {
        case .player: "player"
        case .mixer: "mixer"
        case .environment: "environment"
        case .unit: "unit"
        case .input: "input"
        }
    }

    /// All words.
    package static let words = ["player", "mixer", "environment", "unit", "input"]

    /// True if the node mixes its sources, each at its level.
    var addsUp: Bool {
        switch self {
        case .mixer, .environment: true
        case .player, .unit, .input: false
        }
    }
}
