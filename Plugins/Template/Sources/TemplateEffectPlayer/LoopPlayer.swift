// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays the loop through the extension in its own process, and replaces the extension by a newer one. Main thread.

import Foundation
import PluginHosting
import Rendering

/// A driver, a loop, and the extension that the loop passes through.
final class LoopPlayer {
    private let driver: any AudioDriver
    private let renderer: UnsafeMutablePointer<LoopRenderer>
    private var unit: PluginUnit?
    /// The number of faults of the present extension that `newFaults` has returned.
    private var toldFaultCount = 0

    /// Starts the driver.
    ///
    /// It plays the unchanged loop until `load`. The loop is made for `sampleRate`, in hertz.
    init(driver: any AudioDriver, sampleRate: Double) throws {
        self.driver = driver
        renderer = .allocate(capacity: 1)
        renderer.initialize(to: LoopRenderer(Loop.samples(sampleRate: sampleRate)))
        let callback = RenderCallback(
            function: { context, cycle in
                guard let context, let cycle else { return }
                let output = cycle.assumingMemoryBound(to: RenderCycle.self).pointee.outputs
                context.assumingMemoryBound(to: LoopRenderer.self).pointee.render(output)
            }, context: renderer)
        try driver.start(callback)
        let deadline = Date(timeIntervalSinceNow: 5)
        while driver.status.sampleRate == 0 || driver.status.cycles == 0 {
            if let failure = driver.failure { throw PlayerError(failure) }
            if Date() > deadline { throw PlayerError("The driver asks for no audio. Is there a sound card? See: wpctl status") }
            usleep(10_000)
        }
    }

    deinit {
        driver.stop()
        renderer.deinitialize(count: 1)
        renderer.deallocate()
    }

    /// Starts the extension of a bundle and plays the loop through it from the next cycle on.
    ///
    /// The loop continues. A new extension takes the parameters of the former one, as far as it has them.
    func load(bundle: String) async throws {
        let next = try await PluginUnit.instantiate(Component(bundlePath: bundle))
        if let state = try? unit?.saveState() { try? next.restoreState(state) }
        try next.setFormat(AudioFormat(sampleRate: driver.status.sampleRate, channelCount: 2))
        next.maximumFramesToRender = 8192
        try next.allocateRenderResources()
        if let thread = driver.renderThreadIdentifier { next.follow(renderThread: thread) }
        renderer.pointee.replace(with: next.renderBlock)
        // The old extension ends when no cycle uses it any more.
        let cycle = driver.status.cycles
        while driver.failure == nil, driver.status.cycles < cycle + 2 { try await Task.sleep(for: .milliseconds(10)) }
        (unit, toldFaultCount) = (next, 0)
    }

    /// The faults of the present extension since the last call, as sentences.
    func newFaults() -> [String] {
        guard let unit else { return [] }
        let faults = unit.faults.dropFirst(toldFaultCount)
        toldFaultCount += faults.count
        return faults.map { "\(unit.name) \($0.fault)." }
    }
}

/// The reason why nothing can be played, as a sentence.
struct PlayerError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
