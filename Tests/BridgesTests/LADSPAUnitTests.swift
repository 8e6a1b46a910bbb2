// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LADSPA plug-ins as units: their descriptions and their sound. Test thread.

import AudioUnits
import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

@Suite struct LADSPAUnitTests {
    static let honest = Build.testPluginFolder + "/LADSPA/honest.so"

    static func unit(_ label: String, inProcess: Bool = false) throws -> HostedUnit {
        try HostedUnit(Bridges.component("ladspa:honest:\(label)", at: honest, .ladspa), inProcess: inProcess)
    }

    @Test func aLibraryTellsAllItsPlugins() throws {
        let listing = try Bridges.list(Self.honest, .ladspa)
        let labels = [
            "gain", "lag", "threeToTwo", "listener", "ones", "hints", "poisonable", "hopeless", "crowd", "keyed", "sums", "jealous",
            "defaults",
        ]
        #expect(listing.units.map(\.description.identifier) == labels.map { "ladspa:honest:\($0)" })
        #expect(listing.defects.isEmpty)
        let types = listing.units.map { ComponentType(code: $0.description.component.type) }
        #expect(types == labels.map { $0 == "ones" ? .generator : .effect })
        #expect(Set(listing.units.map(\.description.component)).count == labels.count)
    }

    @Test func hintsBecomeRangesAndDefaults() throws {
        let unit = try Self.unit("hints")
        func parameter(_ keyPath: String) throws -> Parameter { try #require(unit.parameters[keyPath: keyPath]) }
        let scaled = try parameter("frequency-hz")
        #expect(abs(scaled.range.lowerBound - 4.8) < 1e-4 && abs(scaled.range.upperBound - 24000) < 1e-3)
        #expect(abs(scaled.defaultValue - (4.8 * 24000).squareRoot()) < 0.01)
        #expect(scaled.flags.contains(.logarithmic) && scaled.unit == .hertz)
        #expect(try parameter("frequency-hz-2").defaultValue == 440)
        let mode = try parameter("mode")
        #expect(mode.range == 1...3 && mode.defaultValue == 3 && mode.flags == .integer)
        let toggle = try parameter("on")
        #expect(toggle.unit == .boolean && toggle.defaultValue == 1 && toggle.valueStrings == ["off", "on"])
        #expect(try parameter("low").defaultValue == 25)
        #expect(abs(try parameter("mid").defaultValue - 10) < 1e-9)
        #expect(try parameter("default").range == -10...10)
        #expect(try parameter("port-10").defaultValue == 100)
        #expect(try parameter("minimum-only").range == 5...50)
        #expect(try parameter("upside").range == -10...10)
        let odd = try parameter("not-a-number").range
        #expect(odd.lowerBound.isFinite && odd.upperBound.isFinite)
    }

    @Test func aPluginWithElevenHundredPortsPlays() throws {
        let unit = try Self.unit("crowd")
        #expect(unit.parameters.parameters.count == 1100)
        try unit.set("port-1101", to: 3)
        let input = [[Float](repeating: 0.25, count: 700)]
        #expect(try UnitBench().render(unit, input) == [[Float](repeating: 0.75, count: 700)])
    }

    @Test func aMonoPluginRendersEachChannelWithSharedParameters() throws {
        let unit = try Self.unit("gain")
        try unit.set("gain-coef", to: 2)
        let input = [
            [Float](repeating: 0.25, count: 1000), [Float](repeating: -0.5, count: 1000), [Float](repeating: 1, count: 1000),
        ]
        let output = try UnitBench().render(unit, input)
        #expect(output == input.map { $0.map { $0 * 2 } })
    }

    @Test func portsAndChannelsComeTogether() throws {
        func ramp(_ factor: Float) -> [Float] { (0..<300).map { Float($0) * factor } }
        let (one, two, three) = (ramp(1), ramp(0.1), ramp(0.01))
        let stereo = try UnitBench().render(try Self.unit("threeToTwo"), [one, two])
        #expect(stereo == [one, two.map { $0 * 10 }])
        let wide = try UnitBench().render(try Self.unit("threeToTwo"), [one, two, three])
        #expect(wide[0] == one && wide[1] == zip(two, three).map { $0 * 10 + $1 * 100 })
        #expect(wide[2] == [Float](repeating: 0, count: 300))
        let mono = try UnitBench().render(try Self.unit("threeToTwo"), [one])
        #expect(mono[0] == one.map { ($0 + ($0 * 10 + $0 * 100)) * 0.5 })
        let ones = try UnitBench().render(try Self.unit("ones"), [one, two])
        #expect(ones == [[Float]](repeating: [Float](repeating: 1, count: 300), count: 2))
    }

    @Test func aListenerLetsTheSoundPassAndShowsItsMeter() throws {
        let unit = try Self.unit("listener")
        let input = [[Float](repeating: 0.75, count: 4800), [Float](repeating: 0.25, count: 4800)]
        #expect(try UnitBench().render(unit, input) == input)
        let level = try #require(unit.parameters[keyPath: "level"])
        #expect(level.flags == .meter)
        #expect(waitUntil { unit.values[level.address] == 0.5 }, "the mean of both channels is heard")
    }

    @Test func theLatencyPortIsTheUnitsLatency() throws {
        let unit = try Self.unit("lag")
        #expect(unit.parameters[keyPath: "latency"] == nil)
        let resources = try UnitResources(
            unit, format: BlockFormat(sampleRate: 48_000, maximumFrameCount: 64, channelCount: 2))
        #expect(resources.latencyFrameCount == 100)
    }

    @Test func aScheduledChangeTakesEffectAtItsFrame() throws {
        var rendering = UnitBench()
        rendering.beforeBlock = { start, unit in
            if start == 256 { try unit.schedule("gain-coef", to: 3, at: 300) }
        }
        let output = try rendering.render(try Self.unit("gain"), [[Float](repeating: 1, count: 1024)])
        #expect(output[0] == [Float](repeating: 1, count: 300) + [Float](repeating: 3, count: 724))
    }

    @Test func aRampIsFollowedInSmallSteps() throws {
        var rendering = UnitBench()
        rendering.beforeBlock = { start, unit in
            if start == 0 { try unit.schedule("gain-coef", to: 3, at: 100, rampFrameCount: 640) }
        }
        let output = try rendering.render(try Self.unit("gain"), [[Float](repeating: 1, count: 1024)])[0]
        #expect(output[0..<100].allSatisfy { $0 == 1 } && output[740...].allSatisfy { $0 == 3 })
        let steps = zip(output, output.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 >= 0 && $0 <= 0.2001 })
        #expect(steps.count { $0 > 0 } >= 10)
    }

    @Test func bothSidesOfTheWallSoundTheSame() throws {
        var random = SystemRandomNumberGenerator()
        let noise = (0..<2).map { _ in (0..<5000).map { _ in Float.random(in: -1...1, using: &random) } }
        for label in ["gain", "lag", "threeToTwo", "hints"] {
            let outside = try UnitBench().render(try Self.unit(label), noise)
            #expect(try UnitBench().render(try Self.unit(label, inProcess: true), noise) == outside, "\(label)")
        }
    }

    @Test(arguments: [false, true]) func aResetMakesANewPlugin(isInProcess: Bool) throws {
        var rendering = UnitBench(blockSize: 64)
        rendering.beforeBlock = { start, unit in if start == 128 { try unit.reset() } }
        let unit = try Self.unit("poisonable", inProcess: isInProcess)
        let output = try rendering.render(unit, [[Float](repeating: 1, count: 256)])[0]
        #expect(output == (1...128).map(Float.init) + (1...128).map(Float.init))
    }

    @Test(arguments: [false, true]) func aPluginThatPutsOutNoNumbersIsSilencedAndMadeAnew(isInProcess: Bool) throws {
        var rendering = UnitBench(blockSize: 64)
        rendering.beforeBlock = { start, unit in
            if start == 64 { try unit.schedule("poison", to: 1, at: 100) }
            if start == 128 { try unit.set("poison", to: 0) }
        }
        var row: UnitRow?
        rendering.withRow = { row = $0 }
        let unit = try Self.unit("poisonable", inProcess: isInProcess)
        let output = try rendering.render(unit, [[Float](repeating: 1, count: 256)])[0]
        #expect(output[..<100].elementsEqual((1...100).map(Float.init)))
        #expect(output[100..<128].allSatisfy { $0 == 0 })
        #expect(output[128...].elementsEqual((1...128).map(Float.init)))
        #expect(row?.members[0].invalidStretchCount == 1)
    }

    @Test(arguments: [1, 2]) func aPluginThatNeverPutsOutNumbersIsGivenUpAndItsInputHeard(channelCount: Int) throws {
        var row: UnitRow?
        let input = [[Float]](repeating: [Float](repeating: 0.5, count: 64 * 20), count: channelCount)
        var rendering = UnitBench(blockSize: 64)
        rendering.withRow = { row = $0 }
        let output = try rendering.render(try Self.unit("hopeless"), input)
        #expect(output[0].allSatisfy { $0.isFinite })
        #expect(output[0].suffix(64).allSatisfy { $0 == 0.5 }, "the dry signal stands in")
        let member = try #require(row?.members.first)
        #expect(member.invalidStretchCount == 20)
        #expect(waitUntil { member.faults.records.contains { $0.fault == .invalidAudio(.refused) } })
    }

    @Test func whatIsNoNumberNeverReachesAPlugin() throws {
        let input: [Float] = [1, .nan, 1, .infinity, 1, -.infinity, 1, 1]
        #expect(try UnitBench().render(try Self.unit("poisonable"), [input])[0] == [1, 1, 2, 2, 3, 3, 4, 5])
    }

    @Test func aStateBelongsToItsPluginAlone() throws {
        let gain = try Self.unit("gain")
        try gain.set("gain-coef", to: 1.5)
        let state = try gain.saveState()
        #expect(state.classicIdentifier == "ladspa:honest:gain")
        let fresh = try Self.unit("gain")
        try fresh.restoreState(state)
        #expect(fresh.values.byKeyPath == gain.values.byKeyPath)
        #expect(throws: HostingError.self) { try Self.unit("lag").restoreState(state) }
    }
}

/// Waits until a condition holds; see ``Patience``.
func waitUntil(_ condition: () -> Bool) -> Bool { Patience.until(condition) }
