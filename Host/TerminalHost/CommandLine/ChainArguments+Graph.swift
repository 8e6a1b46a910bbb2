// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The chain of a command line as a graph: an input or instruments, and the units behind them. Main thread.

import AudioGraph
import GraphDocuments
import PluginHosting
import Rendering

/// The input of the first units of a chain.
enum ChainSource {
    /// Sound, which goes through all units.
    case sound
    /// A MIDI file that plays the instruments.
    case song(path: String)
    /// MIDI input, which plays the instruments.
    case midiPort

    fileprivate var isSound: Bool { if case .sound = self { true } else { false } }
}

extension ChainArguments {
    /// The started units as a graph, and as units with the arguments for each.
    ///
    /// If MIDI plays the chain, each instrument begins a branch with the effects behind it. The branches are mixed, and the effects behind
    /// the last instrument process the mix.
    ///
    /// Effects of a saved chain that were left out keep their places.
    func graph(
        of started: [HostedUnit], leftOut: [LeftOut], playedBy source: ChainSource
    ) throws -> (document: GraphDocument, units: [PluginUnit?]) {
        var units: [PluginUnit?] = try zip(started, effects).map { hosted, effect in
            let unit = PluginUnit(hosted)
            unit.automation = try effect.curves(of: hosted)
            unit.fallback = effect.fallback
            unit.shouldBypassEffect = effect.isBypassed
            return unit
        }
        if source.isSound, let unplayable = units.compactMap(\.self).first(where: { $0.unitDescription.inputs.isEmpty }) {
            throw CommandError.failed(Self.refusal(of: unplayable))
        }
        var document = GraphDocument(nodes: [], connections: [])
        let saved = try keptUnits(zip(started, units.map { $0?.shouldBypassEffect ?? false }), leftOut: leftOut)
        var mappings = effects.map { ($0.midi, $0.midiPort) }
        for absent in placesOfLeftOut(leftOut) {
            units.insert(nil, at: absent)
            mappings.insert((MIDIMapping(), nil), at: absent)
        }
        let names = saved.map { unit in
            let name = document.freeName(unit.name)
            document.nodes.append(GraphDocument.Node(id: name, .unit(GraphDocument.Unit(unit))))
            return name
        }
        if source.isSound {
            document.nodes.insert(GraphDocument.Node(id: document.freeName("input"), .input), at: 0)
            document.connect([document.nodes[0].id] + names + [GraphDocument.mainID])
        } else {
            let starts = units.indices.filter { units[$0].map { AudioUnitMIDIInstrument.plays($0.component) } ?? false }
            document.connectBranches(names, starts)
            document.midi = Self.midi(
                source, starts.map { GraphDocument.Route(to: names[$0], mappings[$0].0, port: mappings[$0].1) })
        }
        return (document, units)
    }

    /// The sentence for a unit without an input in a chain that a sound goes through.
    private static func refusal(of unit: PluginUnit) -> String {
        guard AudioUnitMIDIInstrument.plays(unit.component) else {
            return "\"\(unit.name)\" has no input, so it cannot be an effect: leave it out."
        }
        return unit.unitDescription.flags.contains(.midiInput)
            ? "\"\(unit.name)\" is an instrument, which MIDI plays: name a MIDI file in place of a sound file, and the instrument first."
            : "\"\(unit.name)\" makes a sound of its own and takes none: make it a node of a graph file (bulkhead graph --help)."
    }

    private static func midi(_ source: ChainSource, _ routes: [GraphDocument.Route]) -> GraphDocument.MIDI {
        var midi = GraphDocument.MIDI()
        switch source {
        case .sound: break
        case .song(let path): midi.files = [GraphDocument.File(path: path, id: "song")]
        case .midiPort: midi.ports = [GraphDocument.Port(id: AudioMIDIInput.usualPortName)]
        }
        midi.routes = routes
        return midi
    }
}

extension GraphDocument {
    /// Connects nodes one after the other.
    fileprivate mutating func connect(_ names: [String]) {
        connections += zip(names, names.dropFirst()).map { Connection(from: End($0), to: End($1)) }
    }

    /// Connects the instruments at `starts` with the effects behind each, mixes the branches, and connects the last effects to the mix.
    fileprivate mutating func connectBranches(_ names: [String], _ starts: [Int]) {
        guard let last = starts.last else { return }
        guard starts.count > 1 else { return connect(Array(names[last...]) + [Self.mainID]) }
        let mix = freeName("mix")
        nodes.append(Node(id: mix, .mixer(outputVolume: 1)))
        for (start, next) in zip(starts, starts.dropFirst() + [last + 1]) { connect(Array(names[start..<next]) + [mix]) }
        connect([mix] + names[(last + 1)...] + [Self.mainID])
    }
}
