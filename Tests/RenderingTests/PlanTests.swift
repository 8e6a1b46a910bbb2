// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plans, and changing them while they play. Test thread.

import LinuxSystem
import Realtime
import RenderingTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Rendering

@Suite struct PlanTests {
    private func plan(_ value: Float, maximumFrameCount: Int = 64, countedBy living: LivingCount? = nil) -> RenderPlan {
        var builder = RenderPlanBuilder(channelCount: 1, maximumFrameCount: maximumFrameCount)
        return builder.plan(output: builder.add(source: Constant(value, countedBy: living)))
    }

    /// The last node may be added in the expression that asks for the plan, even to a builder that an object keeps.
    @Test func whatIsAddedInTheVeryExpressionIsPlayed() {
        final class Owner { var builder = RenderPlanBuilder(channelCount: 1, maximumFrameCount: 64) }
        let owner = Owner()
        let plans = [plan(0.5), owner.builder.plan(output: owner.builder.add(source: Constant(0.25)))]
        for (plan, value) in zip(plans, [0.5, 0.25] as [Float]) {
            let player = PlanPlayer()
            let driver = SteppedDriver(playing: player, channelCount: 1, maximumFrameCount: 64, sampleRate: 48_000)
            player.play(plan)
            #expect(driver.render(frameCount: 64)[0][63] == value)
        }
    }

    @Test func withoutAPlanThereIsSilence() {
        let player = PlanPlayer()
        let driver = SteppedDriver(playing: player, channelCount: 2, maximumFrameCount: 64, sampleRate: 48_000)
        #expect(driver.render(frameCount: 64).peak(ofChannel: 1) == 0)
    }

    @Test func aNewPlanPlaysFromTheNextCycleOn() {
        let player = PlanPlayer()
        let driver = SteppedDriver(playing: player, channelCount: 2, maximumFrameCount: 64, sampleRate: 48_000)
        player.play(plan(0.25))
        let block = driver.render(frameCount: 64)
        // A mono signal goes to every channel.
        #expect(block[0][0] == 0.25 && block[1][63] == 0.25)
        player.play(plan(0.5))
        #expect(driver.render(frameCount: 64)[0][0] == 0.5)
        #expect(player.collectRetiredPlans() == 1)
        #expect(player.takePeaks() == (0.5, 0.5))
        #expect(player.takePeaks() == (0, 0))
    }

    @Test func aPlanThatNeverPlayedIsFreedByItsSuccessor() {
        let player = PlanPlayer()
        weak var first: RenderPlan?
        do {
            let plan = plan(1)
            first = plan
            player.play(plan)
        }
        #expect(first != nil)
        player.play(plan(2))
        #expect(first == nil)
    }

    @Test func aPlanThatIsPlayedAgainBeforeItCameBackIsKept() {
        let player = PlanPlayer()
        let driver = SteppedDriver(playing: player, channelCount: 1, maximumFrameCount: 64, sampleRate: 48_000)
        weak var first: RenderPlan?
        do {
            let (plan, other) = (plan(0.25), plan(0.5))
            first = plan
            player.play(plan)
            _ = driver.render(frameCount: 64)
            player.play(other)
            _ = driver.render(frameCount: 64)
            // The plan still lies among the retired ones, and is played again next.
            player.play(plan)
        }
        #expect(first != nil)
        #expect(driver.render(frameCount: 64)[0][0] == 0.25)
        #expect(player.collectRetiredPlans() == 1 && first != nil)
    }

    @Test func aPlanThatIsPlayedTwiceInARowIsKept() {
        let player = PlanPlayer()
        let driver = SteppedDriver(playing: player, channelCount: 1, maximumFrameCount: 64, sampleRate: 48_000)
        weak var first: RenderPlan?
        do {
            let plan = plan(0.25)
            first = plan
            player.play(plan)
            player.play(plan)
        }
        #expect(first != nil)
        #expect(driver.render(frameCount: 64)[0][0] == 0.25)
        if let plan = first { player.play(plan) }
        _ = driver.render(frameCount: 64)
        #expect(player.collectRetiredPlans() == 1 && first != nil)
    }

    @Test(.timeLimit(.minutes(15))) func plansAreSwappedWhileAudioRunsAndRetiredOnesAreFreed() throws {
        let player = PlanPlayer()
        let driver = NullDriver(channelCount: 2, quantum: 64, sampleRate: 48_000)
        let living = LivingCount()
        try driver.start(player.callback)
        for value in 0..<200 {
            player.play(plan(Float(value), countedBy: living))
            if value % 7 == 0 { Futex.pause(microseconds: 1500) }
        }
        _ = Patience.until { player.collectRetiredPlans() <= 1 }
        #expect(player.collectRetiredPlans() == 1)
        #expect(living.count.load(ordering: .relaxed) == 1)
        driver.stop()
        #expect(player.statistics.cycles > 0)
    }
}

/// How many nodes of one test are alive.
final class LivingCount: Sendable {
    let count = Atomic<Int>(0)
}

/// A node that puts out one value.
final class Constant: RenderNode {
    private let living: LivingCount?
    // SAFETY: never changes after init.
    nonisolated(unsafe) private let value: UnsafeMutablePointer<Float>

    init(_ value: Float, countedBy living: LivingCount? = nil) {
        self.living = living
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        living?.count.wrappingAdd(1, ordering: .relaxed)
    }

    deinit {
        value.deallocate()
        living?.count.wrappingSubtract(1, ordering: .relaxed)
    }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(value) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            Constant.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let output = call.assumingMemoryBound(to: NodeCall.self).pointee.output
        let value = context.assumingMemoryBound(to: Float.self).pointee
        for channel in 0..<output.channelCount {
            for frame in 0..<output.frameCount { output[channel][frame] = value }
        }
    }
}
