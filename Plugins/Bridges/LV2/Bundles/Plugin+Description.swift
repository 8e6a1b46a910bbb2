// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The description of a plug-in as a unit: its type, its codes, its buses. Control thread.

import BridgeSupport
import CLV2Shims
import PluginSDK

extension Plugin {
    var description: UnitDescription {
        let subtype = FourCharCode(low24Bits: CLV2Shims_map(uri))
        let hasInput = type != .instrument && type != .generator || !mainInputs.isEmpty
        return UnitDescription(
            ComponentDescription(type, subtype, "lv2 "), classicIdentifier: "lv2:\(uri)", name: name,
            manufacturerName: author, version: version, tags: classes.map(PluginClass.tag), flags: flags,
            inputs: inputBuses(hasMain: hasInput), outputs: outputBuses, channelCountsMatch: hasInput)
    }

    private var type: ComponentType {
        let hasAudio = ports.contains { $0.kind == .audio }
        let hasSource = mainInputs.isEmpty && !ports(.audio, isInput: false).isEmpty
        let takesMIDI = takes(Names.midiEvent, isInput: true)
        if classes.contains("InstrumentPlugin") { return .instrument }
        if classes.contains("GeneratorPlugin"), hasAudio { return .generator }
        if hasSource { return takesMIDI ? .instrument : .generator }
        if !hasAudio, takesMIDI || takes(Names.midiEvent, isInput: false) { return .midiProcessor }
        return takesMIDI ? .musicEffect : .effect
    }

    private var flags: UnitFlags {
        var flags = ChannelMap.flags(inputPortCount: mainInputs.count, outputPortCount: ports(.audio, isInput: false).count)
        flags.insert(.consentsToInProcess)
        if takes(Names.midiEvent, isInput: true) { flags.insert(.midiInput) }
        if takes(Names.midiEvent, isInput: false) { flags.insert(.midiOutput) }
        if hasDisplay { flags.insert(.hasView) }
        return flags
    }

    /// The main input, the side chain, and the control signals.
    private func inputBuses(hasMain: Bool) -> [Bus] {
        var buses = hasMain ? [Bus("Input", channelCount: channels(mainInputs.count), supportedChannelCounts: channelCounts)] : []
        if !sideInputs.isEmpty { buses.append(Bus(Self.sideBusName, channelCount: channels(sideInputs.count), isOptional: true)) }
        let signals = ports(.cv, isInput: true).count
        if signals > 0, signals <= Self.signalLimit {
            buses.append(Bus(Self.signalBusName, channelCount: signals, supportedChannelCounts: [signals], isOptional: true))
        }
        return buses
    }

    private var outputBuses: [Bus] {
        let count = ports(.audio, isInput: false).count
        let most = channels(count == 0 ? mainInputs.count : count)
        var buses = [Bus("Output", channelCount: most, supportedChannelCounts: channelCounts)]
        let signals = ports(.cv, isInput: false).count
        if signals > 0, signals <= Self.signalLimit {
            buses.append(Bus(Self.signalBusName, channelCount: signals, supportedChannelCounts: [signals], isOptional: true))
        }
        return buses
    }

    /// The channel counts of the main buses; empty for any number.
    private var channelCounts: [Int] {
        ChannelMap.channelCounts(inputPortCount: mainInputs.count, outputPortCount: ports(.audio, isInput: false).count)
            .filter { $0 <= 32 }
    }

    /// The channel count for `portCount` ports, within the limits of the buses.
    private func channels(_ portCount: Int) -> Int { min(max(1, portCount), 32) }

    static let sideBusName = "Side chain"
    static let signalBusName = "CV"

    /// The most control signals that fit beside the audio.
    static let signalLimit = 32
}
