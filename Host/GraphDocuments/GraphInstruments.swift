// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Connects a graph's instruments to their MIDI: files along the song, and ports. Control thread.

import AudioGraph
import PluginHosting
import Rendering

/// The MIDI sources of a graph's instruments.
struct GraphInstruments: Sendable {
    /// Plays the files; nil if there are none.
    let sequencer: AudioSequencer?
    /// The seconds until the last file is at its end, by the song's tempos.
    let seconds: Double
    /// The units that receive notes, or MIDI of a port.
    let played: Set<ObjectIdentifier>
    private let connections: [AudioMIDIConnection]

    /// No instruments.
    init() { (sequencer, seconds, played, connections) = (nil, 0, [], []) }

    /// Connects files and ports to the units of a graph that has been made.
    init(of content: GraphContent, on engine: AudioEngine) {
        let nodes = Dictionary(zip(content.document.nodes.map(\.id), content.places)) { first, _ in first }
        self.init(content.document, content.songs, nodes, on: engine)
    }

    /// Ends all connections and held notes.
    func release(in engine: AudioEngine) {
        for connection in connections { engine.midiInput.disconnect(connection) }
        sequencer?.fallSilent()
    }

    /// Reads the MIDI files of a document.
    static func files(of document: GraphDocument) throws(GraphDocumentError) -> [MIDISongFile] {
        var files: [MIDISongFile] = []
        for file in document.midi?.files ?? [] {
            do throws(AudioSequencerError) {
                files.append(try MIDISongFile(path: document.path(of: file)))
            } catch {
                throw .midiFile(id: file.id, error)
            }
        }
        for route in document.midi?.routes ?? [] {
            guard let track = route.track, let midi = document.midi else { continue }
            let most = zip(midi.files, files).filter { route.from == nil || $0.0.id == route.from }.map(\.1.trackCount).max() ?? 0
            guard track > most else { continue }
            throw .malformedRoute(route.text, reason: "it names track \(track), and the file has \(most)")
        }
        return files
    }

    private init(_ document: GraphDocument, _ files: [MIDISongFile], _ nodes: [String: AudioNode], on engine: AudioEngine) {
        guard let midi = document.midi else {
            (sequencer, seconds, played, connections) = (nil, 0, [], [])
            return
        }
        let routes = Self.routes(of: document, midi, nodes)
        var played: Set<ObjectIdentifier> = []
        var connections: [AudioMIDIConnection] = []
        engine.midiInput.takePortNames(of: document)
        for (number, port) in midi.ports.enumerated() {
            for (route, unit) in routes where (route.from ?? port.id) == port.id && route.track == nil {
                connections.append(engine.midiInput.connect(port: number, to: unit, mapping: route.mapping))
                played.insert(ObjectIdentifier(unit))
            }
        }
        if files.isEmpty {
            (sequencer, seconds) = (nil, 0)
        } else {
            let songs = zip(midi.files, files).map { named, file in
                let own = routes.filter { ($0.route.from ?? named.id) == named.id }
                return (
                    file: file,
                    routes: own.map { MIDIFileRoute(track: $0.route.track.map { $0 - 1 }, $0.route.mapping, to: $0.unit) }
                )
            }
            let sequencer = AudioSequencer(audioEngine: engine)
            played.formUnion(sequencer.play(songs))
            let map = document.transport?.tempoMap ?? files[0].tempoMap
            seconds = max(0, files.map { map.seconds(atBeat: $0.lengthInBeats) - map.seconds(atBeat: 0) }.max() ?? 0)
            self.sequencer = sequencer
        }
        (self.played, self.connections) = (played, connections)
    }

    /// The routes with their units; without routes, one to each instrument.
    private static func routes(
        of document: GraphDocument, _ midi: GraphDocument.MIDI, _ nodes: [String: AudioNode]
    ) -> [(route: GraphDocument.Route, unit: AudioUnit)] {
        let instruments = document.nodes.filter { nodes[$0.id] is AudioUnitMIDIInstrument }
        let routes = midi.routes.isEmpty ? instruments.map { GraphDocument.Route(to: $0.id) } : midi.routes
        return routes.compactMap { route in (nodes[route.to] as? AudioUnit).map { (route, $0) } }
    }
}

extension BuiltGraph {
    /// True if MIDI reaches a unit.
    package func hearsMIDI(_ unit: HostedUnit) -> Bool {
        nodes.values.contains { node in
            guard let made = node as? AudioUnit, made.plugin?.hosted === unit else { return false }
            return instruments.played.contains(ObjectIdentifier(made))
        }
    }

    /// True if the MIDI files are at their ends.
    package var isAtEndOfSong: Bool {
        guard let sequencer = instruments.sequencer else { return true }
        return sequencer.currentPositionInBeats >= sequencer.lengthInBeats
    }

    /// True if the graph plays until the user stops it, because it receives MIDI.
    package var awaitsMIDI: Bool { document.midi.map { !$0.ports.isEmpty } ?? false }
}

extension AudioMIDIInput {
    /// Names the ports as a document does, if it says anything about MIDI.
    package func takePortNames(of document: GraphDocument) {
        guard let midi = document.midi else { return }
        portNames = midi.ports.map { $0.name ?? $0.id }
    }
}
