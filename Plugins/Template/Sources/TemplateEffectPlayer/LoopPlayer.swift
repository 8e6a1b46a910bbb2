// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays the loop through the extension in its own process, and puts a newer extension in its place. Main thread.

import Foundation
import LinuxSystem
import PluginHosting
import Rendering

/// A driver, a loop and the extension that it goes through.
final class LoopPlayer {
    /// The most frames that a driver asks for in one cycle.
    private static let maximumFrameCount = 8192

    private let driver: any AudioDriver
    private let player = PlanPlayer()
    private let loop: SamplePlayer
    private let sampleRate: Double
    private var chain: UnitChain?
    /// Faults of the present extension that `check` has returned.
    private var toldFaultCount = 0

    /// Starts the driver. It plays silence until `load`.
    init(driver: any AudioDriver) throws {
        self.driver = driver
        try driver.start(player.callback)
        let deadline = Date(timeIntervalSinceNow: 5)
        while driver.status.sampleRate == 0 || driver.renderThreadIdentifier == nil {
            if let failure = driver.failure { throw PlayerError(failure) }
            if Date() > deadline { throw PlayerError("The audio driver asked for no audio within 5 seconds.") }
            usleep(10_000)
        }
        sampleRate = driver.status.sampleRate
        loop = Loop(sampleRate: sampleRate).node()
    }

    deinit { driver.stop() }

    /// Why there is no sound any more; nil while all is well.
    var failure: String? { driver.failure }

    /// Starts the extension of a bundle and plays the loop through it from the next cycle on.
    ///
    /// The loop goes on where it is. A new extension takes over the parameters of the one before it, as far as it knows them.
    func load(bundle: String) throws {
        let unit = try HostedUnit(Component(bundlePath: bundle))
        if let state = try? chain?.members[0].unit.saveState() { try? unit.restoreState(state) }
        let next = try UnitChain(
            [ChainLink(unit)],
            format: ChainFormat(sampleRate: sampleRate, maximumFrameCount: Self.maximumFrameCount, channelCount: 2))
        // The thread that waits must outrank the one that it waits for.
        let rank = driver.renderThreadIdentifier.flatMap { Scheduling.schedulingClass(ofThread: $0) } ?? .ordinary
        next.place(processor: nil, below: rank)
        var plan = RenderPlanBuilder(channelCount: 2, maximumFrameCount: Self.maximumFrameCount)
        player.play(plan.plan(output: plan.add(next, after: plan.add(source: loop))))
        (chain, toldFaultCount) = (next, 0)
    }

    /// Frees the extension that has been replaced, and says what the present one did wrong. Call it now and then.
    func check() -> [String] {
        player.collectRetiredPlans()
        guard let member = chain?.members[0] else { return [] }
        let faults = member.faults.records.dropFirst(toldFaultCount)
        toldFaultCount += faults.count
        return faults.map { "\(member.unit.name) \($0.fault)." }
    }
}

/// Why nothing can be played, in a sentence.
struct PlayerError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
