// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays the loop through the extension in its own process, and puts a newer extension in its place. Main thread.

import Foundation
import PluginHosting
import Rendering

/// A driver, a loop and the extension that it goes through.
final class LoopPlayer {
    private let driver: any AudioDriver
    private let core: UnsafeMutablePointer<LoopCore>
    private let sampleRate: Double
    private let loop: Loop
    private var unit: PluginUnit?
    /// Faults of the present extension that `check` has returned.
    private var toldFaultCount = 0

    /// Starts the driver. It plays silence until `load`.
    init(driver: any AudioDriver) throws {
        self.driver = driver
        core = .allocate(capacity: 1)
        core.initialize(to: LoopCore())
        try driver.start(
            RenderCallback(
                function: { context, cycle in
                    guard let context, let cycle else { return }
                    context.assumingMemoryBound(to: LoopCore.self).pointee.render(
                        cycle.assumingMemoryBound(to: RenderCycle.self).pointee)
                }, context: core))
        let deadline = Date(timeIntervalSinceNow: 5)
        while driver.status.sampleRate == 0 || driver.renderThreadIdentifier == nil {
            if let failure = driver.failure { throw PlayerError(failure) }
            if Date() > deadline { throw PlayerError("The audio driver asked for no audio within 5 seconds.") }
            usleep(10_000)
        }
        sampleRate = driver.status.sampleRate
        loop = Loop(sampleRate: sampleRate)
        core.pointee.play(loop.bar)
    }

    deinit {
        driver.stop()
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// Why there is no sound any more; nil while all is well.
    var failure: String? { driver.failure }

    /// Starts the extension of a bundle and plays the loop through it from the next cycle on.
    ///
    /// The loop goes on where it is. A new extension takes over the parameters of the one before it, as far as it knows them.
    func load(bundle: String) async throws {
        let next = try await PluginUnit.instantiate(try Component(bundlePath: bundle))
        try next.setFormat(AudioFormat(sampleRate: sampleRate, channelCount: 2))
        next.maximumFramesToRender = 8192
        if let state = try? unit?.saveState() { try? next.restoreState(state) }
        try next.allocateRenderResources()
        if let thread = driver.renderThreadIdentifier { next.follow(renderThread: thread) }
        core.pointee.use(next.renderBlock)
        // The extension before must outlive the cycle that may still use it.
        let cycles = driver.status.cycles
        while driver.status.cycles < cycles + 2, driver.failure == nil { usleep(1000) }
        (unit, toldFaultCount) = (next, 0)
    }

    /// What the present extension did wrong since the last call.
    func check() -> [String] {
        guard let unit else { return [] }
        let faults = unit.faults.dropFirst(toldFaultCount)
        toldFaultCount += faults.count
        return faults.map { "\(unit.name) \($0.fault)." }
    }
}

/// Why nothing can be played, in a sentence.
struct PlayerError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
