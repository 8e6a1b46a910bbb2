// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A LADSPA plug-in as a unit: its description, its parameters, its kernels. Control thread.

import BridgeSupport
import CLADSPA
import PluginSDK

final class ClassicUnit: BridgedUnit {
    let plugin: Plugin
    let description: UnitDescription
    let parameters: ParameterTree

    init(_ plugin: Plugin, _ metadata: Metadata) {
        self.plugin = plugin
        description = Self.description(of: plugin, metadata)
        parameters = Self.parameters(of: plugin, metadata)
    }

    func makeKernel(_ setup: RenderSetup) throws(UnitError) -> KernelBox {
        Randomness.restart()
        return KernelBox.holding(try LADSPAKernel(plugin, setup, parameters))
    }

    private static func description(of plugin: Plugin, _ metadata: Metadata) -> UnitDescription {
        let inputCount = plugin.mainInputs.count
        let outputCount = plugin.ports(isInput: false, isAudio: true).count
        let isGenerator = inputCount == 0 && outputCount > 0
        let component = ComponentDescription(
            isGenerator ? .generator : .effect, FourCharCode(low24Bits: UInt32(truncatingIfNeeded: plugin.number)), "ldsp")
        let counts = ChannelMap.channelCounts(inputPortCount: inputCount, outputPortCount: outputCount)
        let main = Bus("Input", channelCount: max(1, inputCount), supportedChannelCounts: counts)
        let side = Bus(Self.sideBusName, channelCount: max(1, plugin.sideInputs.count), isOptional: true)
        return UnitDescription(
            component, classicIdentifier: "ladspa:\(plugin.library):\(plugin.label)", name: plugin.name,
            manufacturerName: plugin.maker.isEmpty ? "unknown" : plugin.maker, version: UnitVersion(1, 0, 0),
            tags: metadata.categories,
            flags: ChannelMap.flags(inputPortCount: inputCount, outputPortCount: outputCount).union(.consentsToInProcess),
            inputs: isGenerator ? [] : plugin.sideInputs.isEmpty ? [main] : [main, side],
            outputs: [
                Bus(
                    "Output", channelCount: max(1, outputCount, isGenerator ? 0 : inputCount), supportedChannelCounts: counts)
            ],
            channelCountsMatch: !isGenerator)
    }

    private static let sideBusName = "Side chain"

    private static func parameters(of plugin: Plugin, _ metadata: Metadata) -> ParameterTree {
        var identifiers = Identifiers()
        return ParameterTree(
            plugin.ports.filter { !$0.isAudio && !Plugin.isLatency($0) }.map { port in
                // A default of the plug-in itself has priority over one of the metadata.
                let isSaid = Int32(port.hint.HintDescriptor) & LADSPA_HINT_DEFAULT_MASK != LADSPA_HINT_DEFAULT_NONE
                return .parameter(
                    port.parameter(
                        identifier: identifiers.identifier(for: port.name), metadata,
                        default: isSaid ? nil : metadata.defaults[port.index]))
            })
    }
}
