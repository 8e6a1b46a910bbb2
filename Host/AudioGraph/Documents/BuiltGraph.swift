// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The nodes that a document has become, and how they are started. Control thread.

import PluginHosting
import Synchronization

/// The nodes that a document has become in an engine.
public final class BuiltGraph: Sendable {
    /// The document.
    public let document: GraphDocument
    /// The engine that holds the nodes.
    public let engine: AudioEngine
    /// The nodes by their names in the document.
    public let nodes: [String: AudioNode]
    /// The seconds until the last player is at its end.
    public let seconds: Double
    /// The units, in the order of the document.
    package let units: [(name: String, unit: PluginUnit)]
    /// What the players play, by their places.
    private let pieces: [Int: [OpenedPiece]]
    /// The nodes at their places, the main mixer and the output included.
    private let places: [AudioNode]
    private let playing = Mutex(Playing())

    /// What has become of the parts of files.
    private struct Playing {
        var openCount = 0
        var failure: GraphDocumentError?
    }

    init(_ document: GraphDocument, _ engine: AudioEngine, _ files: [Int: [OpenedPiece]], units: [Int: PluginUnit]) {
        (self.document, self.engine) = (document, engine)
        let rates = units.mapValues(AudioUnitStretch.rate)
        seconds = files.map { GraphDocument.seconds(of: $1) / document.pace(at: $0, rates) }.max() ?? 0
        pieces = files
        let made = document.nodes.enumerated().map { place, node -> AudioNode in
            let made: AudioNode =
                switch node.kind {
                case .player: AudioPlayerNode()
                case .mixer: AudioMixerNode()
                case .environment: AudioEnvironmentNode()
                case .unit: units[place].map(Self.node) ?? AudioMixerNode()
                case .input: engine.inputNode
                }
            made.name = node.id
            return made
        }
        self.units = units.sorted { $0.key < $1.key }.map { (document.nodes[$0.key].id, $0.value) }
        nodes = Dictionary(zip(document.nodes.map(\.id), made)) { first, _ in first }
        places = made + [engine.mainMixerNode, engine.outputNode]
    }

    private static func node(_ unit: PluginUnit) -> AudioNode {
        unit.unitDescription.flags.contains(.stretchesTime) ? AudioUnitStretch(unit) : AudioUnitEffect(unit)
    }

    /// Attaches the nodes, connects them and gives them their files; nothing is left of them if that fails.
    func connect() throws(GraphDocumentError) {
        do {
            try engine.edit {
                for (node, kind) in zip(places, document.nodes.map(\.kind)) where kind != .input {
                    _ = try engine.attach(node).get()
                }
                try connectAll()
                setLevels()
            }
            for (place, pieces) in pieces { try schedule(pieces, on: places[place], document.nodes[place].id) }
        } catch {
            throw .engine(error as? AudioEngineError ?? .wrongState(act: "make the graph", state: "unchanged"))
        }
        guard let song = document.transport else { return }
        engine.transport.tempoMap = song.tempoMap
        engine.transport.loopRange = song.loop
    }

    private func connectAll() throws(AudioEngineError) {
        struct Output: Hashable {
            let place, bus: Int
        }
        var points: [Output: [AudioConnectionPoint]] = [:]
        for wire in document.wires {
            points[Output(place: wire.source, bus: wire.sourceBus), default: []].append(
                AudioConnectionPoint(node: places[wire.destination], bus: wire.destinationBus))
        }
        var outputs: [Int: [Output]] = [:]
        for output in points.keys { outputs[output.place, default: []].append(output) }
        // Channels follow from the inputs: what feeds a node is connected before it.
        for place in document.order {
            for output in (outputs[place] ?? []).sorted(by: { $0.bus < $1.bus }) {
                try engine.connect(places[place], to: points[output] ?? [], fromBus: output.bus, format: format(at: place))
            }
        }
    }

    /// The format that a player is given; nil for all other nodes, which have their own.
    private func format(at place: Int) -> AudioFormat? {
        guard place < document.nodes.count, case .player(let player) = document.nodes[place].kind else { return nil }
        let most = pieces[place]?.map(\.file.fileFormat.channelCount).max() ?? 2
        let known = engine.format.sampleRate
        let count = player.channelCount ?? most
        return AudioFormat(
            sampleRate: known > 0 ? known : document.sampleRate ?? 48_000, channelCount: count,
            layout: pieces[place]?.lazy.compactMap(\.file.fileFormat.layout).first { $0.channelCount == count })
    }

    private func setLevels() {
        if let volume = document.mainVolume { engine.mainMixerNode.outputVolume = Float(volume) }
        for (place, node) in document.nodes.enumerated() {
            if case .mixer(let volume) = node.kind { (places[place] as? AudioMixerNode)?.outputVolume = Float(volume) }
            if case .environment(let environment) = node.kind { set(environment, places[place]) }
            guard let source = places[place] as? any AudioMixing else { continue }
            if let position = node.position {
                (source.position, source.sourceMode) = (position.point, .pointSource)
            } else {
                // Without a place its channels go through an environment as they are.
                source.sourceMode = .bypass
            }
            if let volume = node.volume { source.volume = Float(volume) }
            if let pan = node.pan { source.pan = Float(pan) }
        }
        for wire in document.wires {
            guard let connection = wire.connection.map({ document.connections[$0] }),
                let source = places[wire.source] as? any AudioMixing,
                let level = source.destination(forMixer: places[wire.destination], bus: wire.destinationBus)
            else { continue }
            if let volume = connection.volume { level.volume = Float(volume) }
            if let pan = connection.pan { level.pan = Float(pan) }
        }
    }

    private func set(_ environment: GraphDocument.Environment, _ node: AudioNode) {
        guard let node = node as? AudioEnvironmentNode else { return }
        node.outputVolume = Float(environment.outputVolume)
        node.listenerPosition = environment.listener.point
        node.listenerAngularOrientation = Audio3DAngularOrientation(
            yaw: Float(environment.yaw), pitch: Float(environment.pitch), roll: Float(environment.roll))
    }

    private func schedule(_ pieces: [OpenedPiece], on node: AudioNode, _ name: String) throws(AudioEngineError) {
        guard let player = node as? AudioPlayerNode else { return }
        let rate = (player.outputFormat(forBus: 0) ?? player.defaultFormat).sampleRate
        for opened in pieces {
            let start = opened.piece.start.map { AudioTime(sampleTime: Int64(($0 * rate).rounded()), atRate: rate) }
            // What loops is scheduled for half a minute, and each round that is over makes room for another one.
            let ahead = opened.piece.loops ? min(10_000, 2 + Int(30 / max(1e-3, opened.seconds))) : opened.piece.repeats
            for round in 0..<ahead { try schedule(opened, at: round == 0 ? start : nil, on: player, name) }
        }
    }

    private func schedule(
        _ opened: OpenedPiece, at start: AudioTime?, on player: AudioPlayerNode, _ name: String
    ) throws(AudioEngineError) {
        playing.withLock { $0.openCount += 1 }
        try player.scheduleSegment(
            opened.file, startingFrame: opened.start, frameCount: opened.frameCount, at: start
        ) { [weak self, weak player] completion in
            guard let self else { return }
            playing.withLock { playing in
                playing.openCount -= 1
                if let failure = completion.failure { playing.failure = playing.failure ?? .soundFile(node: name, failure) }
            }
            guard opened.piece.loops, completion.wasPlayed, completion.failure == nil, let player else { return }
            // What cannot be scheduled is kept by the engine.
            try? schedule(opened, at: nil, on: player, name)
        }.get()
    }

    /// Has all players play, and the song if the document has one.
    ///
    /// Before the engine is started, they all begin with its first cycle.
    public func play() {
        for case let player as AudioPlayerNode in places { player.play() }
        if document.transport != nil { engine.transport.play() }
    }

    /// Why a file ended before its header says; nil as long as none did.
    public var failure: GraphDocumentError? { playing.withLock { $0.failure } }

    /// The players whose files were not read in time, and the frames for which they were silent.
    package var underruns: [(player: String, frameCount: Int64)] {
        zip(document.nodes, places).compactMap { node, made in
            guard let player = made as? AudioPlayerNode, player.underrunFrameCount > 0 else { return nil }
            return (node.id, player.underrunFrameCount)
        }
    }

    /// Whether all files have been played, or have ended early.
    public var isOver: Bool { playing.withLock { $0.openCount == 0 } }

    /// The seconds that the players have played.
    public var playedSeconds: Double {
        places.compactMap { node -> Double? in
            guard let time = (node as? AudioPlayerNode)?.playerTime, let frame = time.sampleTime else { return nil }
            return Double(frame) / max(1, time.sampleRate)
        }.max() ?? 0
    }
}

extension GraphDocument.Place {
    fileprivate var point: Audio3DPoint { Audio3DPoint(x: Float(x), y: Float(y), z: Float(z)) }
}

extension GraphDocument {
    /// The product of the rates of the time effects between a node and the output.
    func pace(at place: Int, _ rates: [Int: Double]) -> Double {
        var (product, place) = (1.0, place)
        // All ways from a node have one pace, so any of them will do; no way is longer than there are nodes.
        for _ in 0...nodes.count {
            product *= rates[place] ?? 1
            guard let wire = wires.first(where: { $0.source == place }) else { break }
            place = wire.destination
        }
        return product > 0 ? product : 1
    }
}

extension BuiltGraph {
    /// Whether a part is played for ever.
    package var isEndless: Bool { pieces.values.contains { $0.contains { $0.piece.loops } } }

    /// The longest tail of all ways through the graph in frames, while the engine has been started; `Int.max` if one is endless.
    package var tailFrameCount: Int {
        let wires = Dictionary(grouping: document.wires, by: \.source)
        var arriving = [Int](repeating: 0, count: document.nodes.count + 2)
        for place in document.order {
            let own = (places[place] as? AudioUnit)?.plugin?.member?.tailFrameCount ?? 0
            let (sum, overflows) = arriving[place].addingReportingOverflow(own)
            for wire in wires[place] ?? [] { arriving[wire.destination] = max(arriving[wire.destination], overflows ? .max : sum) }
        }
        return arriving[document.outputPlace]
    }
}
