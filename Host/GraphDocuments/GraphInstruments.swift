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
    /// The units that receive a message of a channel, or MIDI of a port; then those among them that receive a note, or MIDI of a port.
    let played, noted: Set<ObjectIdentifier>
    /// The instruments that play several ports of a file on the same channels, in a sentence each.
    let mixedPorts: [String]
    private let connections: [AudioMIDIConnection]

    /// No instruments.
    init() {
        (sequencer, seconds, played, noted, connections, mixedPorts) = (nil, 0, [], [], [], [])
    }

    /// Connects files and ports to the units of a graph that has been made, in the place of other instruments.
    ///
    /// Connections that both have stay, with their held notes; all other notes and pedals of the former ones end.
    init(of content: GraphContent, on engine: AudioEngine, replacing former: GraphInstruments = GraphInstruments()) {
        let nodes = Dictionary(zip(content.document.nodes.map(\.id), content.places)) { first, _ in first }
        former.sequencer?.fallSilent()
        self.init(content.document, content.songs, nodes, on: engine, keeping: former.connections)
        let kept = Set(connections.map(ObjectIdentifier.init))
        for connection in former.connections where !kept.contains(ObjectIdentifier(connection)) {
            engine.midiInput.disconnect(connection)
        }
    }

    /// True if a song plays here or there: the frame at which it begins is not recorded.
    func hasSong(beside other: GraphInstruments) -> Bool { sequencer != nil || other.sequencer != nil }

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

    private init(
        _ document: GraphDocument, _ files: [MIDISongFile], _ nodes: [String: AudioNode], on engine: AudioEngine,
        keeping former: [AudioMIDIConnection]
    ) {
        guard let midi = document.midi else {
            (sequencer, seconds, played, noted, connections, mixedPorts) = (nil, 0, [], [], [], [])
            return
        }
        let routes = Self.routes(of: document, midi, nodes)
        var reach = MIDIFileReach()
        var connections: [AudioMIDIConnection] = []
        engine.midiInput.takePortNames(of: document)
        for (number, port) in midi.ports.enumerated() {
            for (route, unit) in routes where (route.from ?? port.id) == port.id && route.track == nil {
                let mapping = route.mapping
                let known = former.first { known in
                    known.port == number && known.instrument === unit && known.mapping == mapping
                        && !connections.contains { $0 === known }
                }
                connections.append(known ?? engine.midiInput.connect(port: number, to: unit, mapping: mapping))
                reach.heard.insert(ObjectIdentifier(unit))
                reach.noted.insert(ObjectIdentifier(unit))
            }
        }
        if files.isEmpty {
            (sequencer, seconds, mixedPorts) = (nil, 0, [])
        } else {
            let songs = zip(midi.files, files).map { named, file in
                let own = routes.filter { ($0.route.from ?? named.id) == named.id }
                return (
                    file: file,
                    routes: own.map { MIDIFileRoute($0.route, to: $0.unit) }
                )
            }
            let sequencer = AudioSequencer(audioEngine: engine)
            let played = sequencer.play(songs)
            reach.heard.formUnion(played.heard)
            reach.noted.formUnion(played.noted)
            mixedPorts = played.mixed.map { Self.sentence(files[$0.file], $0.unit) }
            let map = document.transport?.tempoMap ?? files[0].tempoMap
            seconds = max(0, files.map { map.seconds(atBeat: $0.lengthInBeats) - map.seconds(atBeat: 0) }.max() ?? 0)
            self.sequencer = sequencer
        }
        (played, noted, self.connections) = (reach.heard, reach.noted, connections)
    }

    private static func sentence(_ file: MIDISongFile, _ unit: AudioUnit) -> String {
        "\"\(file.path)\" has \(file.portCount) ports of 16 channels each, and \"\(unit.plugin?.hosted.name ?? "an instrument")\" plays all of "
            + "them: give each port an instrument of its own, by a route with \"port\"."
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

extension MIDIFileRoute {
    fileprivate init(_ route: GraphDocument.Route, to unit: AudioUnit) {
        self.init(
            track: route.track.map { $0 - 1 }, port: route.port.map { UInt8(clamping: $0 - 1) }, route.mapping, to: unit)
    }
}

extension BuiltGraph {
    /// True if MIDI reaches a unit.
    package func hearsMIDI(_ unit: HostedUnit) -> Bool { reaches(unit, instruments.played) }

    /// True if a note, or MIDI of a port, reaches a unit.
    package func hearsNotes(_ unit: HostedUnit) -> Bool { reaches(unit, instruments.noted) }

    private func reaches(_ unit: HostedUnit, _ units: Set<ObjectIdentifier>) -> Bool {
        nodes.values.contains { node in
            guard let made = node as? AudioUnit, made.plugin?.hosted === unit else { return false }
            return units.contains(ObjectIdentifier(made))
        }
    }

    /// The damage of the graph's MIDI files, and their ports that share channels, in a sentence each.
    package var midiDamage: [String] { content.songs.compactMap(\.damage) }
    package var mixedPorts: [String] { instruments.mixedPorts }

    /// The longest time in seconds in which nothing comes in one of the MIDI files, with its path; nil without files.
    package var longestRest: (seconds: Double, path: String)? {
        content.songs.map { ($0.longestRest, $0.path) }.max { $0.0 < $1.0 }
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
