// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LADSPA plug-ins sound here as they do in an independent host: applyplugin, of the LADSPA SDK. Test thread.

import AudioFiles
import AudioUnits
import Foundation
import TestSupport
import Testing

@testable import PluginHosting

@Suite struct ApplypluginTests {
    /// Both hosts render in blocks of this size.
    private static let blockSize = 2048
    private static let frameCount = 24_000

    // Of 122 plug-ins a quarter, or all in `make deep`; each in a process of its own and in another host.
    @Test(arguments: Sample.of(plugins, oneIn: 4)) func soundsAsInApplyplugin(_ plugin: String) throws {
        let comparison = try Comparison(plugin) { _ in }
        #expect(comparison.ours.contains { $0.contains { abs($0) > 1e-3 } }, "silence proves nothing")
        // applyplugin writes 16 bits a sample.
        #expect(comparison.largestDifference <= 1.01 / 32768)
    }

    @Test func aDifferenceIsNoticed() throws {
        let comparison = try Comparison("amp_1181:amp") { try $0.set("amps-gain-db", to: 0.01) }
        #expect(comparison.largestDifference > 1.01 / 32768)
    }

    /// A plug-in rendered here, after `change`, and by applyplugin, without.
    private struct Comparison {
        let ours, theirs: [[Float]]

        init(_ plugin: String, change: (HostedUnit) throws -> Void) throws {
            let parts = plugin.split(separator: ":").map(String.init)
            let library = "\(InstalledLADSPATests.folder)/\(parts[0]).so"
            let unit = try HostedUnit(Bridges.component("ladspa:\(plugin)", at: library, .ladspa))
            let input = OtherHost.noise(
                unit.description.inputs[0].defaultFormat.channelCount, frameCount: ApplypluginTests.frameCount, level: 0.0625)
            let settable = unit.parameters.parameters.filter { !$0.parameter.flags.contains(.meter) }
            // In decimal, with as many digits as a float has.
            let controls = settable.map { "\(Float($0.parameter.defaultValue))" }
            try change(unit)
            ours = try UnitBench(blockSize: ApplypluginTests.blockSize, policy: .passingEverything).render(unit, input)
            theirs = try OtherHost(program: "/usr/bin/applyplugin").output(of: input) { [$0, $1, library, parts[1]] + controls }
            try #require(theirs.map(\.count) == ours.map(\.count))
        }

        var largestDifference: Float {
            zip(ours, theirs).map { zip($0, $1).map { abs(max(-1, min(1, $0)) - $1) }.max() ?? 0 }.max() ?? 0
        }
    }
}
