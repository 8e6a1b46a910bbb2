// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The instruments of a command line: the MIDI for each, and checks of their places. Main thread.

import AudioGraph
import PluginHosting
import Rendering

extension ChainArguments {
    /// The rows for the instruments of a chain.
    static var instrumentTable: [OptionReader<ChainArguments>] {
        [
            .integers(
                "--midi-channels", "N,N…", in: 1...16, "The channels that the instrument before it hears, from 1 to 16",
                default: "all"
            ) { chain, channels in
                try chain.changeMIDI("--midi-channels") {
                    $0.channels = MIDIMapping(channels: Set(channels.map { $0 - 1 })).channels
                }
            },
            .text(
                "--midi-keys", "LOW-HIGH",
                "The keys that the instrument before it hears, or one key, from 0 to 127; 60 is the middle C",
                default: "all"
            ) { chain, text in
                let keys = try Self.keys(text)
                try chain.changeMIDI("--midi-keys") { ($0.lowestKey, $0.highestKey) = keys }
            },
            .integer(
                "--midi-transpose", "N", in: -127...127, "Raise the keys of the instrument before it by N semitones", default: "0"
            ) { chain, semitones in
                try chain.changeMIDI("--midi-transpose") { $0.transposition = Int8(semitones) }
            },
        ]
    }

    private static func keys(_ text: String) throws(CommandError) -> (UInt8, UInt8) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt8($0) }
        guard (1...2).contains(parts.count), let low = parts[0], let high = parts.last ?? nil, low <= high, high < 128 else {
            throw CommandError.usage("--midi-keys takes LOW-HIGH, such as 0-59, or one key, not \"\(text)\".", command: nil)
        }
        return (low, high)
    }

    /// True if the chain begins with an instrument; false if that is unknown.
    func beginsWithInstrument() throws -> Bool {
        let first = try saved.map { try SavedChain.load($0.name).units.first?.id } ?? effects.first?.id
        guard let first else { return false }
        let registry = try InstalledPlugins.registry(wanting: [first])
        return (try? registry.component(named: first)).map(AudioUnitMIDIInstrument.plays) ?? false
    }

    /// Throws unless MIDI can play the chain, which then begins with an instrument.
    ///
    /// `source` names the player, for the message.
    func checkInstruments(of source: String, in registry: ComponentRegistry) throws {
        try checkMIDIOptions(in: registry)
        guard let first = effects.first else {
            throw CommandError.failed("\(source): name an instrument first, for example -e Sampler.")
        }
        let component = try first.component(in: registry)
        guard !AudioUnitMIDIInstrument.plays(component) else { return }
        let isLater = try effects.dropFirst().contains { AudioUnitMIDIInstrument.plays(try $0.component(in: registry)) }
        let advice = isLater ? "put the instrument before it" : "name an instrument before it, for example -e Sampler"
        throw CommandError.failed("\(source), and \"\(component.name)\" is no instrument: \(advice).")
    }

    /// The most ports of a song that get instruments of their own.
    private static let mostPorts = 16

    /// The same chain with one more instance of an instrument, and of the effects that are its own, for each further port of a song.
    ///
    /// A port whose notes do not reach the instrument needs none. Effects behind the last instrument are on the mix of all.
    func divided(byPortsOf song: MIDISongFile, in registry: ComponentRegistry) throws -> ChainArguments {
        guard song.portCount > 1 else { return self }
        let starts = try effects.indices.filter { AudioUnitMIDIInstrument.plays(try effects[$0].component(in: registry)) }
        guard let first = starts.first, let last = starts.last else { return self }
        guard song.portCount <= Self.mostPorts else {
            throw CommandError.failed(
                "\"\(song.path)\" has \(song.portCount) ports of 16 channels each, and \(Self.mostPorts) are the most that a chain plays: "
                    + "lead them to instruments by a graph (bulkhead graph).")
        }
        var divided = Array(effects[..<first])
        for (start, end) in zip(starts, starts.dropFirst() + [last + 1]) {
            let ports = (0..<song.portCount).filter { song.hasNotes(port: UInt8(clamping: $0), passing: effects[start].midi) }
            for port in ports.isEmpty ? [0] : ports {
                divided += effects[start..<end]
                divided[divided.count - (end - start)].midiPort = port + 1
            }
        }
        return replacing(effects: divided + effects[(last + 1)...])
    }

    /// Throws if an effect has an option for instruments.
    func checkMIDIOptions(in registry: ComponentRegistry) throws {
        for effect in effects {
            guard let option = effect.midiOption, case let component = try effect.component(in: registry) else { continue }
            guard !AudioUnitMIDIInstrument.plays(component) else { continue }
            throw CommandError.failed(
                "\(option) belongs to an instrument, and \"\(component.name)\" is none: put it after the -e of an instrument.")
        }
    }
}
