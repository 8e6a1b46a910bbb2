// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes one honest input for each kind of message, for the fuzzer to start from. Main thread.

import AudioUnits
import ControlMessages
import Glibc
import Wire

@testable import PluginHosting

@main
struct SeedCorpus {
    static func main() {
        let folder = CommandLine.arguments[1]
        for (index, message) in pluginMessages.enumerated() {
            write("\(folder)/plugin-\(index)", [UInt8(message.kind - 65) * 9] + message.body)
        }
        for (index, message) in hostMessages.enumerated() {
            write("\(folder)/host-\(index)", [UInt8(message.kind - 1) * 9 + 3] + message.body)
        }
        write("\(folder)/frame", [5] + MessageFrame(kind: 66, serial: 1, body: [1, 2, 3]).bytes)
        write("\(folder)/header", [6] + withUnsafeBytes(of: header) { Array($0) })
        write("\(folder)/state", [7] + state.encoded)
        write("\(folder)/scan-cache", [8] + cache.bytes.dropFirst(ScanCache.headerByteCount))
    }

    private static let component = ComponentDescription(.effect, "gain", "blkh")
    private static let state = FullState(
        component: component, version: UnitVersion(1, 2, 3), values: ["filter.cutoff": 1000, "mix": 0.5],
        texts: ["file": "x.wav"], custom: [1, 2, 3])
    private static let header = RegionHeader(
        sampleRate: 48000, maximumFrameCount: 256, slotCount: 2, inputBusCount: 1, outputBusCount: 1,
        eventCapacity: 1024)

    private static let tree = ParameterTree([
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

    private static var cache: ScanCache {
        let description = UnitDescription(
            component, classicIdentifier: "lv2:urn:a", name: "A", manufacturerName: "B", version: UnitVersion(1, 0, 0))
        let listing = UnitListing(
            units: [ListedUnit(locator: ["urn:a", "/a.lv2"], description: description)], extends: ["lv2:urn:c"], defects: ["No."])
        let stamp = FileStamp(byteCount: 1, modifiedNanoseconds: 2, digest: 3)
        let outcomes: [ScanOutcome] = [.listing(listing), .failure("no")]
        let places = outcomes.map { outcome in
            ScannedPlace(
                place: ScanPlace(format: .lv2, path: "/a.lv2", bridgePath: "/b"), stamp: stamp, bridgeStamp: stamp, outcome: outcome
            )
        }
        return ScanCache(places: places)
    }

    private static var pluginMessages: [PluginMessage] {
        let description = UnitDescription(
            component, name: "Gain", manufacturerName: "Bulkhead", version: UnitVersion(1, 0, 0), tags: ["Utility"],
            inputs: [Bus("Input", supportedChannelCounts: [1, 2])])
        let welcome = Welcome(
            version: 1, description: description, parameters: tree,
            texts: [TextProperty("file", name: "File", kind: .path)],
            factoryPresets: [FactoryPreset("Half", ["mix": 0.5])])
        return [
            .welcome(welcome), .done, .refused("no"),
            .allocated(latencyFrameCount: 64, tailFrameCount: 0, renderThread: 7),
            .state(state), .versionRefused(VersionRange(minimum: 2, maximum: 3), name: "Gain"),
            .units(
                UnitListing(
                    units: [ListedUnit(locator: ["a", "b"], description: description)], extends: ["lv2:urn:c"], defects: ["No."])),
        ]
    }

    private static var hostMessages: [HostMessage] {
        let layout = AudioMemoryLayout(slotCount: 2, channelCount: 2, maximumFrameCount: 256)
        let stereo = [BusFormat(channelCount: 2)]
        let allocation = Allocation(
            sampleRate: 48000, maximumFrameCount: 256, inputs: stereo, outputs: stereo, output: layout,
            connections: [InputConnection(layout: layout, firstChannel: 0)], hasSuccessor: true)
        return [
            .hello(.own, hostName: "Bulkhead", locator: ["a", "b"]), .allocate(allocation), .deallocate,
            .setParameters([ParameterSetting(address: 1, value: 0.25)]), .selectPreset(0), .saveState,
            .restoreState(state),
            .reset, .shutdown, .listUnits(place: "/tmp"), .setText(identifier: "file", value: "x.wav"),
        ]
    }

    private static func write(_ path: String, _ bytes: [UInt8]) {
        let file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0o644)
        guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count else { exit(1) }
        close(file)
    }
}
