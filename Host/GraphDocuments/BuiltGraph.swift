// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Holds the nodes made from a document, and starts them. Control thread.

import AudioFormats
import AudioGraph
import PluginHosting
import Synchronization

/// The nodes made from a document in an engine.
///
/// `become` changes the graph into another document's while it plays. All calls may come from any thread but the render thread.
public final class BuiltGraph: Sendable {
    /// The engine that holds the nodes.
    public let engine: AudioEngine
    /// The nodes that stand for the input, the main mixer and the output.
    let ends: GraphEnds
    /// Held while the graph changes into another one.
    let becoming = Mutex(())
    private let present: Mutex<GraphContent>
    /// The current values of the nodes.
    let values = Mutex(GraphValues())
    /// Counts the copies of the document with all current values.
    package let captureCount = Atomic<Int>(0)
    private let playing = Mutex(Playing())

    /// The state of the players and their files.
    private struct Playing {
        var openCount = 0
        var failure: GraphDocumentError?
        /// True once `play` has been called.
        var isPlaying = false
    }

    init(_ content: GraphContent, in engine: AudioEngine, _ ends: GraphEnds) {
        (self.engine, self.ends) = (engine, ends)
        present = Mutex(content)
    }

    /// The current content of the graph.
    var content: GraphContent {
        get { present.withLock { $0 } }
        set { present.withLock { $0 = newValue } }
    }

    /// Looks at what the graph is now without a copy of it.
    func withContent<Value>(_ body: (GraphContent) -> Value) -> Value { present.withLock { body($0) } }

    /// The document.
    public var document: GraphDocument { content.document }

    /// The nodes by their names in the document.
    public var nodes: [String: AudioNode] {
        let content = content
        return Dictionary(zip(content.document.nodes.map(\.id), content.places)) { first, _ in first }
    }

    /// The seconds until the last player is at its end.
    public var seconds: Double {
        let content = content
        return max(content.playedSeconds, content.instruments.seconds)
    }

    /// The sources that play the instruments.
    var instruments: GraphInstruments { content.instruments }

    /// The units, in the order of the document.
    package var units: [(name: String, unit: PluginUnit)] {
        let content = content
        return content.units.sorted { $0.key < $1.key }.map { (content.document.nodes[$0.key].id, $0.value) }
    }

    /// Attaches the nodes, connects them and gives them their files; removes all of them if that fails.
    ///
    /// The instruments receive MIDI once `playInstruments` is called.
    @discardableResult
    func connect(replacing former: BuiltGraph? = nil) throws(GraphDocumentError) -> EditTicket {
        try edit(from: nil, to: content, since: document) { () throws(AudioEngineError) in try former?.fallSilent() }
    }

    /// Gives the instruments their MIDI, from one cycle on, and takes it from another graph; returns the number of the change in the log.
    @discardableResult
    package func playInstruments(replacing former: BuiltGraph? = nil) -> UInt64 {
        let content = content
        let routes = playInstruments(of: content, replacing: former?.takeInstruments() ?? content.instruments)
        guard let song = content.document.transport else { return routes }
        engine.transport.tempoMap = song.tempoMap
        engine.transport.loopRange = song.loop
        return routes
    }

    /// Gives the instruments of a content their MIDI in place of the former ones.
    func playInstruments(of content: GraphContent, replacing former: GraphInstruments) -> UInt64 {
        engine.midiInput.together {
            let instruments = GraphInstruments(of: content, on: engine, replacing: former)
            present.withLock { $0.instruments = instruments }
        }
    }

    /// Takes the instruments away from the graph, which then has none to release.
    private func takeInstruments() -> GraphInstruments {
        present.withLock { content in
            defer { content.instruments = GraphInstruments() }
            return content.instruments
        }
    }

    /// Changes the engine's graph into that of `content` in one edit, together with the edits of `body`.
    ///
    /// Values take the document's changes against `base`.
    @discardableResult
    func edit(
        from former: GraphContent?, to content: GraphContent, since base: GraphDocument,
        with body: () throws(AudioEngineError) -> Void = {}
    ) throws(GraphDocumentError) -> EditTicket {
        let kept = Set((former?.places ?? []).map(ObjectIdentifier.init))
        var edited: (from: GraphValues, to: GraphValues, levels: FormerLevels)?
        let ticket: EditTicket
        do throws(AudioEngineError) {
            ticket = try engine.edit("make the graph") { () throws(AudioEngineError) in
                try body()
                if let former { try takeAway(from: former, unlike: content) }
                let new = zip(content.document.nodes, content.places).filter { node, made in
                    node.kind != .input && !kept.contains(ObjectIdentifier(made))
                }
                try engine.attach(all: new.map(\.1))
                if former == nil, isScene {
                    for node in [ends.main, ends.output] { _ = try engine.attach(node).get() }
                    try engine.connect(ends.output, to: engine.mainMixerNode, format: ends.format)
                }
                try connectAll(content, unlike: former?.links ?? [:])
                edited = values.withLock { values in
                    let (before, levels) = (values, LevelsApart(of: content, from: former, since: base))
                    let formerLevels = FormerLevels(of: content, levels)
                    values.follow(
                        content, levels, from: former, since: base, SpaceClock(engine, of: content.document))
                    return (before, values, formerLevels)
                }
            }
        } catch {
            if let edited {
                values.withLock { $0.goBack(to: edited.from, from: edited.to) }
                edited.levels.restore()
            }
            throw .engine(error)
        }
        for (place, pieces) in content.pieces where !kept.contains(ObjectIdentifier(content.places[place])) {
            scheduleAll(pieces, on: content.places[place], content.document.nodes[place].id)
        }
        return ticket
    }

    /// Gives a node its files after the edit; an error is kept for `failure`, because the graph is the new one already.
    private func scheduleAll(_ pieces: [OpenedPiece], on node: AudioNode, _ name: String) {
        do throws(AudioEngineError) {
            try schedule(pieces, on: node, name)
        } catch {
            playing.withLock { $0.failure = $0.failure ?? .engine(error) }
        }
    }

    /// Removes the connections and nodes that the new content lacks.
    private func takeAway(from former: GraphContent, unlike content: GraphContent) throws(AudioEngineError) {
        let (links, nodes) = (content.links, Set(content.places.map(ObjectIdentifier.init)))
        let known = former.places + [former.engineOutput]
        let byIdentity = Dictionary(known.map { (ObjectIdentifier($0), $0) }) { first, _ in first }
        for (output, inputs) in former.links {
            let stay = links[output] ?? []
            for input in inputs.subtracting(stay) {
                guard let node = byIdentity[input.node] else { continue }
                _ = try engine.disconnectNodeInput(node, bus: input.bus).get()
            }
        }
        for (place, node) in former.places.enumerated()
        where place < former.document.nodes.count && former.document.nodes[place].kind != .input {
            if !nodes.contains(ObjectIdentifier(node)) { _ = try engine.detach(node).get() }
        }
    }

    /// Connects the outputs whose destinations have changed.
    private func connectAll(
        _ content: GraphContent, unlike former: [GraphContent.Output: Set<GraphContent.Input>]
    ) throws(AudioEngineError) {
        struct Output: Hashable {
            let place, bus: Int
        }
        var points: [Output: [AudioConnectionPoint]] = [:]
        for wire in content.wires {
            points[Output(place: wire.source, bus: wire.sourceBus), default: []].append(
                AudioConnectionPoint(node: content.destination(of: wire), bus: wire.destinationBus))
        }
        let links = content.links
        var outputs: [Int: [Output]] = [:]
        for output in points.keys {
            let identity = GraphContent.Output(node: ObjectIdentifier(content.places[output.place]), bus: output.bus)
            if links[identity] != former[identity] { outputs[output.place, default: []].append(output) }
        }
        // Channels follow from the inputs, so the sources of a node are connected before it.
        let connections = content.document.order.flatMap { place in
            (outputs[place] ?? []).sorted { $0.bus < $1.bus }.map { output in
                AudioOutputConnections(
                    content.places[place], bus: output.bus, to: points[output] ?? [], format: format(at: place, content))
            }
        }
        try engine.connect(all: connections)
    }

    /// The format given to a node; nil if it keeps its own.
    private func format(at place: Int, _ content: GraphContent) -> AudioFormat? {
        let (document, pieces, known) = (content.document, content.pieces, engine.format.sampleRate)
        if place < document.nodes.count, document.nodes[place].kind == .input, let layout = document.inputLayout {
            return AudioFormat(sampleRate: known > 0 ? known : 48_000, channelCount: layout.channelCount, layout: layout)
        }
        guard place < document.nodes.count, case .player(let player) = document.nodes[place].kind else {
            return ends.format.map {
                AudioFormat(
                    sampleRate: known > 0 ? known : $0.sampleRate, channelCount: $0.channelCount, layout: $0.layout)
            }
        }
        let most = pieces[place]?.map(\.file.fileFormat.channelCount).max() ?? 2
        let count = player.channelCount ?? most
        return AudioFormat(
            sampleRate: known > 0 ? known : document.sampleRate ?? 48_000, channelCount: count,
            layout: pieces[place]?.lazy.compactMap(\.file.fileFormat.layout).first { $0.channelCount == count })
    }

    private func schedule(_ pieces: [OpenedPiece], on node: AudioNode, _ name: String) throws(AudioEngineError) {
        guard let player = node as? AudioPlayerNode else { return }
        let rate = player.sampleRate
        for opened in pieces {
            let start = opened.piece.start.map { AudioTime(sampleTime: Int64(Int(nearestFrame: $0 * rate)), atRate: rate) }
            // A loop is scheduled for half a minute; each round that ends makes room for another one.
            let ahead =
                opened.piece.loops ? min(10_000, 2 + Int(nearestFrame: 30 / max(1e-3, opened.seconds))) : opened.piece.repeats
            for round in 0..<ahead { try schedule(opened, at: round == 0 ? start : nil, on: player, name) }
        }
    }

    private func schedule(
        _ opened: OpenedPiece, at start: AudioTime?, on player: AudioPlayerNode, _ name: String
    ) throws(AudioEngineError) {
        playing.withLock { $0.openCount += 1 }
        let scheduled = player.scheduleSegment(
            opened.file, startingFrame: opened.start, frameCount: opened.frameCount, at: start
        ) { [weak self, weak player] completion in
            guard let self else { return }
            playing.withLock { playing in
                playing.openCount -= 1
                if let failure = completion.failure { playing.failure = playing.failure ?? .soundFile(node: name, failure) }
            }
            guard opened.piece.loops, completion.wasPlayed, completion.failure == nil, let player else { return }
            // The engine keeps what cannot be scheduled.
            try? schedule(opened, at: nil, on: player, name)
        }
        if case .failure = scheduled { playing.withLock { $0.openCount -= 1 } }
        _ = try scheduled.get()
    }

    /// Starts all players, and the song if the document has one.
    ///
    /// Before the engine is started, they all wait for its first cycle. Players added later begin when they are added.
    public func play() {
        playing.withLock { $0.isPlaying = true }
        let content = content
        for case let player as AudioPlayerNode in content.places { player.play() }
        if let sequencer = content.instruments.sequencer {
            sequencer.begin()
        } else if content.document.transport != nil {
            engine.transport.play()
        }
    }

    /// True once the players play.
    var isPlaying: Bool { playing.withLock { $0.isPlaying } }

    /// The reason why a file ended before the length in its header; nil if none did.
    public var failure: GraphDocumentError? { playing.withLock { $0.failure } }

    /// The players whose files were read too late, and the frames for which they were silent.
    package var underruns: [(player: String, frameCount: Int64)] {
        let content = content
        return zip(content.document.nodes, content.places).compactMap { node, made in
            guard let player = made as? AudioPlayerNode, player.underrunFrameCount > 0 else { return nil }
            return (node.id, player.underrunFrameCount)
        }
    }

    /// True once all files have been played, or have ended early.
    public var isOver: Bool { playing.withLock { $0.openCount == 0 } }

    /// The seconds that the players have played.
    public var playedSeconds: Double {
        content.places.compactMap { node -> Double? in
            guard let time = (node as? AudioPlayerNode)?.playerTime, let frame = time.sampleTime else { return nil }
            return Double(frame) / max(1, time.sampleRate)
        }.max() ?? instruments.sequencer.map { _ in engine.transport.seconds } ?? 0
    }
}

extension GraphDocument {
    /// The products of the rates of the time effects between each place and the output.
    func paces(_ rates: [Int: Double]) -> [Double] {
        var paces = [Double](repeating: 1, count: nodes.count + 2)
        // All ways from a node have one pace, so any of them will do.
        let next = Dictionary(wires.map { ($0.source, $0.destination) }) { first, _ in first }
        for place in order.reversed() { paces[place] = (rates[place] ?? 1) * (next[place].map { paces[$0] } ?? 1) }
        return paces.map { $0 > 0 ? $0 : 1 }
    }
}

extension AudioNode {
    /// The tail of a unit, or of an environment.
    fileprivate var ownTailFrameCount: Int {
        switch self {
        case let unit as AudioUnit: unit.plugin?.resources?.tailFrameCount ?? 0
        case let environment as AudioEnvironmentNode:
            environment.tailFrameCount(sampleRate: outputFormat(forBus: 0)?.sampleRate ?? 0)
        default: 0
        }
    }
}

extension BuiltGraph {
    /// True if a part loops for ever.
    package var isEndless: Bool { content.pieces.values.contains { $0.contains { $0.piece.loops } } }

    /// The longest tail of all ways through the started graph, in frames; `Int.max` if one is endless.
    package var tailFrameCount: Int {
        let content = content
        let document = content.document
        let wires = Dictionary(grouping: content.wires, by: \.source)
        var arriving = [Int](repeating: 0, count: document.nodes.count + 2)
        for place in document.order {
            let own = content.places[place].ownTailFrameCount
            let (sum, overflows) = arriving[place].addingReportingOverflow(own)
            for wire in wires[place] ?? [] { arriving[wire.destination] = max(arriving[wire.destination], overflows ? .max : sum) }
        }
        return arriving[document.outputPlace]
    }
}
