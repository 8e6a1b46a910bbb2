// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A vocoder whose second input is no right channel, though nothing but its symbol says so. Test thread.

import AudioUnits
import Foundation
import PluginHosting
import Testing

@Suite struct LV2CarrierTests {
    private static let bundle = "/usr/lib/lv2/vocproc.lv2"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: bundle), "VocProc is not installed"))
    func eachChannelHasAVoiceAndTheCarrierIsASideChain() throws {
        let unit = try HostedUnit(Bridges.component("lv2:http://hyperglitch.com/dev/VocProc", at: Self.bundle, .lv2))
        #expect(unit.description.inputs.map(\.isOptional) == [false, true] && unit.description.flags.contains(.instancePerChannel))
        let (silence, tone) = ([Float](repeating: 0, count: 48_000), (0..<48_000).map { sin(Float($0) * 0.05) * 0.5 })
        try unit.set("pitch_factor", to: 5)
        let output = try UnitBench().render(unit, [silence, tone])
        #expect(output[0].allSatisfy { abs($0) < 1e-4 } && output[1].contains { abs($0) > 0.1 })
    }
}
