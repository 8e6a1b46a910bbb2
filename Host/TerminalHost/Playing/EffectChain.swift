// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The units of a command, one after another, on an engine. Main thread.

import AudioGraph
import PluginHosting
import Rendering

/// A chain of units that an engine renders, from a source to the engine's main mixer.
///
/// Where MIDI plays it, each instrument begins a branch, with the effects that follow it. The branches are mixed, and the effects after
/// the last instrument are on the mix.
final class EffectChain: EffectGroup {
    /// What the first units hear.
    enum Source {
        /// Sound, which goes through all units.
        case sound
        /// MIDI; what it comes from is for messages.
        case midi(String)
    }

    let engine: AudioEngine
    /// The units in the order of the command line.
    let units: [PluginUnit]
    let channelCount: Int
    private let nodes: [AudioUnit]
    /// The MIDI that each instrument hears.
    private let mappings: [MIDIMapping]
    /// The instruments that MIDI reaches.
    private var played: Set<ObjectIdentifier> = []
    /// Plays the song of `connect(playing:)`.
    private var sequencer: AudioSequencer?

    /// Makes nodes of the units of a command line and attaches them to `engine`.
    init(
        _ units: [HostedUnit], _ arguments: ChainArguments, channelCount: Int, on engine: AudioEngine,
        playedBy source: Source = .sound
    ) throws {
        self.engine = engine
        self.channelCount = channelCount
        self.units = try zip(units, arguments.effects).map { hosted, effect in
            let unit = PluginUnit(hosted)
            unit.automation = try effect.curves(of: hosted)
            unit.fallback = effect.fallback
            unit.shouldBypassEffect = effect.isBypassed
            return unit
        }
        var isMIDI = false
        if case .midi = source { isMIDI = true }
        nodes = self.units.map { unit in
            isMIDI && AudioUnitMIDIInstrument.plays(unit.component) ? AudioUnitMIDIInstrument(unit) : AudioUnitEffect(unit)
        }
        if !isMIDI, let unplayable = self.units.first(where: { $0.unitDescription.inputs.isEmpty }) {
            let name = unplayable.name
            throw CommandError.failed(
                AudioUnitMIDIInstrument.plays(unplayable.component)
                    ? "\"\(name)\" is an instrument, which MIDI plays: name a MIDI file in place of a sound file, and the instrument first."
                    : "\"\(name)\" has no input, so it cannot be an effect: leave it out.")
        }
        mappings = arguments.effects.map(\.midi)
        for node in nodes { _ = try engine.attach(node).get() }
    }

    /// Connects the source, the effects and the main mixer; with a node of the host's own behind the mixer.
    func connect(from source: AudioNode, sampleRate: Double, through last: AudioRenderNode? = nil) throws {
        let format = AudioFormat(sampleRate: sampleRate, channelCount: channelCount)
        try engine.edit {
            try connect(source, nodes + [engine.mainMixerNode], format)
            try connectEar(last, format)
        }
    }

    /// Connects the instruments, the effects behind them and the main mixer.
    func connectInstruments(sampleRate: Double, through last: AudioRenderNode? = nil) throws {
        let format = AudioFormat(sampleRate: sampleRate, channelCount: channelCount)
        let starts = nodes.indices.filter { nodes[$0] is AudioUnitMIDIInstrument }
        let mixer = starts.count > 1 ? AudioMixerNode() : nil
        if let mixer { _ = try engine.attach(mixer).get() }
        try engine.edit {
            for (start, next) in zip(starts, starts.dropFirst() + [(starts.last ?? 0) + 1]) {
                let behind: [AudioNode] = Array(nodes[(start + 1)..<next])
                try connect(nodes[start], behind + [mixer].compactMap(\.self), format)
            }
            let mix: AudioNode? = mixer ?? starts.last.map { nodes[$0] }
            let onMix: [AudioNode] = Array(nodes[((starts.last ?? -1) + 1)...])
            if let mix { try connect(mix, onMix + [engine.mainMixerNode], format) }
            try connectEar(last, format)
        }
    }

    /// Connects all, and has the instruments play a song once the sequencer begins.
    func connect(playing song: MIDISongFile, sampleRate: Double? = nil, through last: AudioRenderNode? = nil) throws
        -> AudioSequencer
    {
        try connectInstruments(sampleRate: sampleRate ?? engine.manualRenderingFormat.sampleRate, through: last)
        let routes = instruments.map { MIDIFileRoute($0.mapping, to: $0.node) }
        let sequencer = AudioSequencer(audioEngine: engine)
        played = sequencer.play([(song, routes)])
        self.sequencer = sequencer
        return sequencer
    }

    /// Connects all, and has the instruments hear what comes in by MIDI.
    func connectToPorts(sampleRate: Double, through last: AudioRenderNode? = nil) throws {
        try connectInstruments(sampleRate: sampleRate, through: last)
        for (node, mapping) in instruments {
            engine.midiInput.connect(to: node, mapping: mapping)
            played.insert(ObjectIdentifier(node))
        }
    }

    private var instruments: [(node: AudioUnit, mapping: MIDIMapping)] {
        zip(nodes, mappings).filter { $0.0 is AudioUnitMIDIInstrument }.map { ($0, $1) }
    }

    private func connect(_ source: AudioNode, _ following: some Sequence<AudioNode>, _ format: AudioFormat) throws {
        var former = source
        for node in following {
            try engine.connect(former, to: node, format: format)
            former = node
        }
    }

    private func connectEar(_ last: AudioRenderNode?, _ format: AudioFormat) throws {
        guard let last else { return }
        try engine.connect(engine.mainMixerNode, to: last, format: format)
        try engine.connect(last, to: engine.outputNode, format: format)
    }
}

extension EffectChain {
    /// The units as their supervisor sees them, while the engine has been started.
    var members: [ChainMember] { units.compactMap(\.member) }

    /// The same with their places among all units.
    var placedMembers: [(index: Int, member: ChainMember)] {
        units.enumerated().compactMap { index, unit in unit.member.map { (index, $0) } }
    }

    func hearsMIDI(_ unit: HostedUnit) -> Bool {
        zip(nodes, units).contains { $1.hosted === unit && played.contains(ObjectIdentifier($0)) }
    }

    /// The longest branch's tail and those of the effects on the mix, in frames; `Int.max` when one is endless.
    var tailFrameCount: Int {
        var (longest, branch) = (0, 0)
        for (node, unit) in zip(nodes, units) {
            if node is AudioUnitMIDIInstrument { (longest, branch) = (max(longest, branch), 0) }
            let (total, overflows) = branch.addingReportingOverflow(unit.member?.tailFrameCount ?? 0)
            branch = overflows ? .max : total
        }
        // What follows the last instrument follows all of them.
        let last = zip(nodes, units).reversed().prefix { !($0.0 is AudioUnitMIDIInstrument) }
        let onMix = last.reduce(0) { sum, pair in Self.sum(sum, pair.1.member?.tailFrameCount ?? 0) }
        return max(branch, Self.sum(longest, onMix))
    }

    private static func sum(_ first: Int, _ second: Int) -> Int {
        let (total, overflows) = first.addingReportingOverflow(second)
        return overflows ? .max : total
    }

    /// Counts all changes to the effects' states and bypasses that the host knows of.
    var stateRevision: Int { members.reduce(0) { $0 + $1.stateRevision } }
}
