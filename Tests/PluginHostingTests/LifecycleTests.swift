// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit's life: resources, formats, buses, and what is refused in which state.

import AudioUnits
import Rendering
import RenderingTestSupport
import Testing

@testable import PluginHosting

@Suite struct LifecycleTests {
    private let silence = [[Float](repeating: 0, count: 64), [Float](repeating: 0, count: 64)]

    @Test func everyStepOfALifeIsLegalInItsOwnStateAlone() throws {
        typealias Step = (inout UnitLifecycle) throws(UnitError) -> Void
        let steps: [(name: String, legal: Set<UnitState>, step: Step)] = [
            ("instantiating", [.described], { (life) throws(UnitError) in try life.instantiate() }),
            (
                "allocating render resources", [.instantiated],
                { (life) throws(UnitError) in try life.allocateResources(maximumFrameCount: 64) }
            ),
            ("rendering", [.resourcesAllocated, .rendering], { (life) throws(UnitError) in try life.render(frameCount: 64) }),
            (
                "deallocating render resources", [.resourcesAllocated, .rendering],
                { (life) throws(UnitError) in try life.deallocateResources() }
            ),
        ]
        for (name, legal, step) in steps {
            for state in [UnitState.described, .instantiated] where !legal.contains(state) {
                var life = UnitLifecycle(state: state)
                #expect(throws: UnitError.illegalInState(call: name, state: state)) { try step(&life) }
                #expect(life.state == state)
            }
        }
        var life = UnitLifecycle()
        for index in [0, 1, 2, 2, 3] { try steps[index].step(&life) }
        #expect(life.state == .instantiated)
        try life.allocateResources(maximumFrameCount: 64)
        #expect(throws: UnitError.tooManyFrames(asked: 65, maximum: 64)) { try life.render(frameCount: 65) }
        #expect(life.state == .resourcesAllocated)
    }

    @Test(arguments: [false, true])
    func resourcesComeWithTheChainAndGoWithIt(inProcess: Bool) throws {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        for _ in 0..<3 {
            do {
                let bench = try Bench([unit], input: silence)
                #expect(bench.row.isWhole)
                #expect(unit.lifecycleState == .resourcesAllocated)
            }
            #expect(unit.lifecycleState == .instantiated)
        }
    }

    @Test(arguments: [false, true])
    func aUnitIsInOneChainAtATime(inProcess: Bool) throws {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        let bench = try Bench([unit], input: silence)
        let error = #expect(throws: HostingError.self) { try UnitResources(unit, format: bench.row.format) }
        #expect(
            error
                == .refused(
                    unit: "Probe", act: "allocate resources for",
                    cause: .illegalInState(call: "allocating render resources", state: .resourcesAllocated)))
        #expect(unit.lifecycleState == .resourcesAllocated)
    }

    @Test func aUnitTwiceInAChainIsRefusedAndGivesItsResourcesBack() throws {
        let unit = try Build.unit("Probe")
        #expect(throws: HostingError.self) { _ = try Bench([unit, unit], input: silence) }
        #expect(unit.lifecycleState == .instantiated)
    }

    @Test(arguments: [false, true])
    func aUnitRefusesAFormatWithItsOwnReason(inProcess: Bool) throws {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        let three = [[Float]](repeating: [0], count: 3)
        let error = #expect(throws: HostingError.self) { _ = try Bench([unit], input: three) }
        #expect(
            error
                == .refused(
                    unit: "Probe", act: "allocate resources for",
                    cause: .failed("it refuses three channels")))
        #expect(unit.lifecycleState == .instantiated)
        for channelCount in [1, 2, 4, 8] {
            var bench = try Bench([unit], input: [[Float]](repeating: [0.5], count: channelCount))
            #expect(bench.render(1) == [[Float]](repeating: [0.5], count: channelCount))
        }
    }

    @Test func whoComesBeforeARefusalInTheChainGetsRidOfItsResources() throws {
        let willing = try Build.unit("Misbehaver")
        #expect(throws: HostingError.self) {
            _ = try Bench([willing, try Build.unit("Probe")], input: [[Float]](repeating: [0], count: 3))
        }
        #expect(willing.lifecycleState == .instantiated)
    }

    @Test func anAllocationForNoFramesIsRefused() throws {
        let unit = try Build.unit("Probe")
        #expect(throws: HostingError.self) {
            try UnitResources(unit, format: BlockFormat(sampleRate: 48_000, maximumFrameCount: 0, channelCount: 2))
        }
    }

    @Test func moreFramesThanTheChainWasMadeForPassItByInsteadOfWritingPastItsMemory() throws {
        let input = [[Float](repeating: 0.5, count: 4096)]
        let allocated = try AllocatedRow(
            [BenchUnit(try Build.unit("Probe"))],
            format: BlockFormat(sampleRate: 48_000, maximumFrameCount: 64, channelCount: 1))
        defer { withExtendedLifetime(allocated) {} }
        let row = allocated.row
        let player = PlanPlayer()
        var builder = RenderPlanBuilder(channelCount: 1, maximumFrameCount: 4096)
        let source = builder.add(source: Samples(input).player(isLooping: true))
        let result = builder.add(row, after: source)
        player.play(builder.plan(output: result))
        let driver = SteppedDriver(playing: player, channelCount: 1, maximumFrameCount: 4096, sampleRate: 48_000)
        for frameCount in [64, 65, 4096, 64] {
            let block = driver.render(frameCount: frameCount)
            #expect((0..<frameCount).allSatisfy { block[0][$0] == 0.5 })
        }
        #expect(row.isWhole && row.members[0].faults.records.isEmpty)
    }

    @Test func moreFramesThanThePlanWasMadeForAreRenderedInPieces() throws {
        var builder = RenderPlanBuilder(channelCount: 1, maximumFrameCount: 64)
        let source = builder.add(source: Samples([[Float](repeating: 1, count: 512)]).player())
        let player = PlanPlayer()
        player.play(builder.plan(output: source))
        let driver = SteppedDriver(playing: player, channelCount: 1, maximumFrameCount: 512, sampleRate: 48_000)
        #expect(driver.render(frameCount: 64)[0][63] == 1)
        let block = driver.render(frameCount: 400)
        #expect((0..<400).allSatisfy { block[0][$0] == 1 })
    }

    @Test func theLatencyOfAChainIsTheSumOfItsUnits() throws {
        let units = [try Build.unit("Probe"), try Build.unit("Probe")]
        try units[0].set("latency", to: 100)
        try units[1].set("latency", to: 28)
        var bench = try Bench(units, input: [[1] + [Float](repeating: 0, count: 300)])
        #expect(bench.row.latencyFrameCount == 128)
        let output = bench.render(blocks: [64, 64, 64])[0]
        #expect(output.firstIndex { $0 != 0 } == 128)
    }
}
