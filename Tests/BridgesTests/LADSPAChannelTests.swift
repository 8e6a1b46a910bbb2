// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LADSPA plug-ins in more channels than they have ports, with side chains, and beside other instances. Test thread.

import AudioUnits
import Foundation
import HostingTestSupport
import Testing

@testable import PluginHosting

@Suite struct LADSPAChannelTests {
    private func unit(_ label: String) throws -> HostedUnit { try LADSPAUnitTests.unit(label) }

    /// Six channels of 5.1, each with another constant.
    private let six = (1...6).map { [Float](repeating: Float($0), count: 300) }

    @Test func eachPairHasAnInstanceAndTheCentreAndTheLFEHaveOneEach() throws {
        let output = try UnitBench().render(try unit("sums"), six).map { $0[0] }
        // Left and right; the centre and the LFE alone on both inputs, with the first output; left and right surround.
        #expect(output == [3, -1, 6, 8, 11, -1])
        let groups = try unit("sums").description.channelGroups(of: BusFormat(channelCount: 6))
        #expect(groups?.channels == [[0, 1], [2], [3], [4, 5]])
    }

    /// What the speakers of the channels are, and what the sum and the difference of each pair then are.
    static let layouts: [([Speaker], [Float])] = [
        // Left, right, centre, centre surround.
        ([.frontLeft, .frontRight, .frontCenter, .backCenter], [3, -1, 6, 8]),
        // Five channels in Apple's order, with the centre last.
        ([.frontLeft, .frontRight, .backLeft, .backRight, .frontCenter], [3, -1, 7, -1, 10]),
        // The centre stands between left and right.
        ([.topFrontLeft, .topFrontCenter, .topFrontRight], [4, 4, -2]),
        // The right one comes first.
        ([.frontRight, .frontLeft, .lowFrequency], [1, 3, 6]),
        // A left one without its right one.
        ([.sideLeft, .frontRight], [2, 4]),
    ]

    @Test(arguments: layouts, [false, true])
    func pairsAreThoseOfTheLayout(_ layout: ([Speaker], [Float]), isShared: Bool) throws {
        let bench = UnitBench(isOffline: !isShared, layout: ChannelLayout(layout.0))
        let output = try bench.render(try unit("sums"), Array(six.prefix(layout.0.count)))
        #expect(output.map { $0[0] } == layout.1)
    }

    @Test(arguments: 1...10) func noChannelVanishes(channelCount: Int) throws {
        let input = (1...channelCount).map { [Float](repeating: Float($0), count: 64) }
        for label in ["gain", "sums", "keyed"] {
            let output = try UnitBench().render(try unit(label), input)
            #expect(output.allSatisfy { $0[0] != 0 }, "\(label)")
        }
    }

    @Test func aPluginWithMorePortsRefusesMoreChannelsThanItHas() throws {
        let error = #expect(throws: (any Error).self) { try UnitBench().render(try unit("threeToTwo"), Array(six.prefix(4))) }
        #expect(error.map { "\($0)" }?.contains("4 channels on its input \"Input\"; it takes 1 or 2 or 3") == true)
    }

    @Test func aSideChainIsABusAndHearsTheMainInputUntilItIsConnected() throws {
        let keyed = try unit("keyed")
        #expect(keyed.description.inputs.map(\.name) == ["Input", "Side chain"] && keyed.description.inputs[1].isOptional)
        let stereo = Array(six.prefix(2))
        // The mean of both channels, 1.5, ten times; left stays left.
        #expect(try UnitBench().render(keyed, stereo).map { $0[0] } == [16, 17])
        let side = [[Float]](repeating: [Float](repeating: 5, count: 300), count: 2)
        var connected = try Bench([BenchUnit(try unit("keyed"), sideInputs: [2])], input: stereo, sideInput: side)
        #expect(try connected.renderInput().map { $0[0] } == [51, 52])
    }

    @Test func theInstanceThatTellsTheLatencyIsTheOneThatPlays() throws {
        let input = [[Float](repeating: 0.5, count: 300)]
        #expect(try UnitBench().render(try unit("jealous"), input) == input)
    }

    // swh-plugins: the tables of one instance are the static variables of all.
    @Test func anInstanceForEachChannelOfTheImpulseConvolverSounds() throws {
        let unit = try installed("imp_1199", "imp")
        var impulse = [Float](repeating: 0, count: 4096)
        impulse[1000] = 0.5
        var rendering = UnitBench(blockSize: 256)
        rendering.beforeBlock = { start, unit in if start == 0 { try unit.set("high-latency-mode", to: 1) } }
        let output = try rendering.render(unit, [impulse, impulse, impulse])
        #expect(output.allSatisfy { $0.contains { abs($0 - 0.5) < 0.01 } })
    }

    @Test func channelsOfACompressorWithASideChainComeOutWhereTheyWentIn() throws {
        let (silence, tone) = ([Float](repeating: 0, count: 4096), (0..<4096).map { sin(Float($0) * 0.1) * 0.5 })
        let output = try UnitBench().render(try installed("sc3_1427", "sc3"), [silence, tone])
        #expect(output[0].allSatisfy { abs($0) < 1e-6 } && output[1].contains { abs($0) > 0.1 })
        #expect(try installed("sc2_1426", "sc2").description.inputs.map(\.defaultFormat.channelCount) == [1, 1])
    }

    private func installed(_ library: String, _ label: String) throws -> HostedUnit {
        let path = "/usr/lib/ladspa/\(library).so"
        return try HostedUnit(Bridges.component("ladspa:\(library):\(label)", at: path, .ladspa))
    }
}
