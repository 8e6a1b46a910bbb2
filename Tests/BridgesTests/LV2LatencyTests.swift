// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LV2 plug-ins that tell their latency late, or change it: the host knows it before the first block, and follows. Test thread.

import HostingTestSupport
import Testing

@testable import PluginHosting

@Suite struct LV2LatencyTests {
    private let ramp = (1...8192).map { Float($0) / 8192 }

    @Test(arguments: [false, true])
    func aLatencyThatIsToldOnlyAfterABlockIsKnownBeforeTheFirstOne(inProcess: Bool) throws {
        let unit = try LV2.unit("tardy", inProcess: inProcess)
        var bench = try Bench([unit], input: [ramp], maximumFrameCount: 64)
        #expect(bench.row.latencyFrameCount == 240)
        let output = bench.render(blocks: [Int](repeating: 64, count: 16))[0]
        #expect(output == [Float](repeating: 0, count: 240) + ramp[..<784], "and the silence before it was not heard")
    }

    @Test func itIsThatOfTheValuesWhichWereSetBefore() throws {
        let unit = try LV2.unit("tardy")
        try unit.set("lookahead", to: 96)
        #expect(try Bench([unit], input: [ramp], maximumFrameCount: 64).row.latencyFrameCount == 96)
    }

    @Test(arguments: [false, true])
    func aChangedLatencyIsToldWithTheBlockAndDelaysTheDrySignal(inProcess: Bool) throws {
        let unit = try LV2.unit("tardy", inProcess: inProcess)
        var bench = try Bench([unit], input: [ramp], maximumFrameCount: 256)
        _ = bench.render(256)
        try unit.set("lookahead", to: 700)
        _ = bench.render(256)
        #expect(bench.row.latencyFrameCount == 700)
        bench.row.members[0].isBypassed = true
        let output = bench.render(blocks: [Int](repeating: 256, count: 20))[0]
        for frame in 1024..<output.count where output[frame] != ramp[frame + 512 - 700] {
            Issue.record("frame \(frame) is \(output[frame]), not \(ramp[frame + 512 - 700])")
            break
        }
    }

    @Test func aResetDoesNotHideTheLatency() throws {
        let unit = try LV2.unit("tardy")
        var bench = try Bench([unit], input: [ramp], maximumFrameCount: 256)
        try unit.reset()
        _ = bench.render(256)
        #expect(bench.row.latencyFrameCount == 240)
        _ = bench.render(256)
        try unit.reset()
        _ = bench.render(256)
        #expect(bench.row.latencyFrameCount == 240)
    }
}
