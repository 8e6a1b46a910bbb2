// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Honest values of every kind, with something in each of their fields. Any thread.

import AudioUnits
import ControlMessages
import Wire

enum Specimens {
    static let component = ComponentDescription(.effect, "gain", "blkh")

    static let state = FullState(
        component: component, version: UnitVersion(1, 2, 3), values: ["filter.cutoff": 1000, "mix": 0.5],
        texts: ["file": "x.wav"], custom: [1, 2, 3])

    static let tree = ParameterTree([
        .parameter(Parameter("mix", name: "Mix", address: 1, range: 0...1, default: 0.5)),
        .group(
            ParameterGroup(
                "filter", name: "Filter",
                [
                    .parameter(
                        Parameter("cutoff", name: "Cutoff", address: 2, range: 20...20000, default: 1000, unit: .hertz)),
                    .parameter(Parameter("shape", name: "Shape", address: 3, choices: ["Low", "High"])),
                ])),
    ])

    static let description = UnitDescription(
        component, name: "Gain", manufacturerName: "Bulkhead", version: UnitVersion(1, 0, 0), tags: ["Utility"],
        inputs: [Bus("Input", supportedChannelCounts: [1, 2])])

    static func classicDescription(_ identifier: String) -> UnitDescription {
        UnitDescription(
            component, classicIdentifier: identifier, name: "A", manufacturerName: "B", version: UnitVersion(1, 0, 0))
    }

    static let lv2Listing = UnitListing(
        units: [ListedUnit(locator: ["urn:a", "/a.lv2"], description: classicDescription("lv2:urn:a"))],
        extends: ["lv2:urn:c"], defects: ["No."])

    static let ladspaListing = UnitListing(
        units: [ListedUnit(locator: ["/a.so", "b"], description: classicDescription("ladspa:a:b"))], defects: ["No."])

    static let pluginMessages: [PluginMessage] = [
        .welcome(
            Welcome(
                version: 1, description: description, parameters: tree,
                texts: [TextProperty("file", name: "File", kind: .path)],
                factoryPresets: [FactoryPreset("Half", ["mix": 0.5])])),
        .done, .refused("no"), .allocated(latencyFrameCount: 64, tailFrameCount: 0, renderThread: 7),
        .state(state), .versionRefused(VersionRange(minimum: 2, maximum: 3), name: "Gain"), .units(lv2Listing),
    ]

    static var hostMessages: [HostMessage] {
        let layout = AudioMemoryLayout(slotCount: 2, channelCount: 2, maximumFrameCount: 256)
        let stereo = [BusFormat(channelCount: 2)]
        let allocation = Allocation(
            sampleRate: 48000, maximumFrameCount: 256, inputs: stereo, outputs: stereo, output: layout,
            connections: [InputConnection(layout: layout, firstChannel: 0)], hasSuccessor: true)
        let surround = [
            BusFormat(channelCount: 6, layout: .usual(6)), BusFormat(channelCount: 2),
            BusFormat(channelCount: 3, layout: ChannelLayout([.topFrontRight, .topFrontLeft, .backCenter])),
        ]
        let placed = Allocation(
            sampleRate: 48000, maximumFrameCount: 256, inputs: surround, outputs: surround, output: layout,
            connections: [nil, nil, nil], hasSuccessor: false)
        let rewiring = Rewiring(
            number: 1, connections: [InputConnection(layout: layout, firstChannel: 0), nil], hasSuccessor: true)
        return [
            .hello(.own, hostName: "Bulkhead", locator: ["a", "b"]), .allocate(allocation), .allocate(placed), .deallocate,
            .setParameters([ParameterSetting(address: 1, value: 0.25)]), .selectPreset(0), .saveState,
            .restoreState(state), .reset, .shutdown, .listUnits(location: "/tmp"),
            .setText(identifier: "file", value: "x.wav"), .addUnit(library: "/tmp/libGain.so"), .wire(rewiring),
        ]
    }
}
