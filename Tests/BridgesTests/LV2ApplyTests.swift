// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LV2 plug-ins sound here as they do in an independent host: lv2apply, of lilv. Test thread.

import AudioFiles
import AudioUnits
import Foundation
import TestSupport
import Testing

@testable import PluginHosting

@Suite struct LV2ApplyTests {
    private static let frameCount = 3000
    private static let prefixes = [
        "swh": "http://plugin.org.uk/swh-plugins/", "mda": "http://drobilla.net/plugins/mda/",
    ]

    // Of 122 plug-ins a quarter, or all in `make deep`; each in a process of its own and in another host, frame by frame.
    @Test(arguments: Sample.of(plugins, oneIn: 4)) func soundsAsInLV2Apply(_ plugin: String) throws {
        let comparison = try Comparison(plugin) { _ in }
        #expect(comparison.ours.contains { $0.contains { abs($0) > 1e-3 } }, "silence proves nothing")
        #expect(comparison.ours == comparison.theirs, "they differ by up to \(comparison.largestDifference)")
    }

    @Test func aDifferenceIsNoticed() throws {
        let comparison = try Comparison("swh:amp") { try $0.set("gain", to: 0.01) }
        #expect(comparison.largestDifference > 0)
    }

    /// The bundle of each installed plug-in, by identifier.
    private static let bundles = Result {
        var bundles: [String: String] = [:]
        for bundle in try InstalledLV2Tests.bundles() {
            for unit in try Bridges.list(bundle, .lv2).units { bundles[unit.description.identifier] = bundle }
        }
        return bundles
    }

    /// A plug-in rendered here, after `change`, and by lv2apply, without.
    private struct Comparison {
        let ours, theirs: [[Float]]

        init(_ plugin: String, change: (HostedUnit) throws -> Void) throws {
            let parts = plugin.split(separator: ":").map(String.init)
            let uri = try #require(LV2ApplyTests.prefixes[parts[0]]) + parts[1]
            let bundle = try #require(try LV2ApplyTests.bundles.get()["lv2:\(uri)"], "\(uri) is not installed")
            let unit = try HostedUnit(Bridges.component("lv2:\(uri)", at: bundle, .lv2))
            let inputCount = unit.description.inputs[0].defaultFormat.channelCount
            let channelCount = max(inputCount, unit.description.outputs[0].defaultFormat.channelCount)
            let input = OtherHost.noise(inputCount, frameCount: LV2ApplyTests.frameCount, level: 0.25)
            // lv2apply's own defaults ignore bounds that are multiples of the sample rate. In decimal, with as many digits
            // as a float has.
            let controls = unit.parameters.parameters.flatMap { keyPath, parameter -> [String] in
                guard parameter.flags.isDisjoint(with: .meter), parameter.valueStrings.isEmpty else { return [] }
                return ["-c", parameter.identifier, "\(Float(parameter.defaultValue))"]
            }
            try change(unit)
            // A mono plug-in with more than one output hears the mean of channels that are alike.
            let channels = (0..<channelCount).map { input[min($0, inputCount - 1)] }
            // lv2apply renders frame by frame.
            let output = try UnitBench(blockSize: 1, policy: .passingEverything).render(unit, channels)
            theirs = try OtherHost(program: "/usr/bin/lv2apply").output(of: input) {
                ["-i", $0, "-o", $1] + controls + [uri]
            }
            ours = Array(output.prefix(theirs.count))
            try #require(theirs.map(\.count) == ours.map(\.count))
        }

        var largestDifference: Float {
            zip(ours, theirs).map { zip($0, $1).map { abs($0 - $1) }.max() ?? 0 }.max() ?? 0
        }
    }
}
