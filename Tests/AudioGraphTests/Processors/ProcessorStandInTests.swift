// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Processors that refuse a set-up while the engine plays: their input is passed on, and all else plays. Test thread.

import HostingTestSupport
import Rendering
import Synchronization
import TestSupport
import Testing

@testable import AudioGraph

@Suite(.timeLimit(.minutes(2))) struct ProcessorStandInTests {
    private let picky = AudioProcessorNode(Picky(), name: "Picky")
    private let source = AudioSourceNode { _, _, output in
        for channel in 0..<output.channelCount { for frame in 0..<output.frameCount { output[channel][frame] = 0.5 } }
    }

    private func connect(_ engine: AudioEngine) throws {
        engine.attach(source)
        engine.attach(picky)
        try engine.connect(source, to: picky)
        try engine.connect(picky, to: engine.mainMixerNode)
    }

    @Test func aProcessorThatRefusesARateIsLeftOutUntilTheNext() async throws {
        let driver = ChangingDriver(rate: 48_000)
        let engine = AudioEngine(driver: driver)
        for node in [source, picky] { engine.attach(node) }
        // Behind the mixer everything follows the device.
        try engine.connect(source, to: engine.mainMixerNode)
        engine.disconnectNodeOutput(engine.mainMixerNode)
        try engine.connect(engine.mainMixerNode, to: picky)
        try engine.connect(picky, to: engine.outputNode)
        var changes = engine.configurationChanges.makeAsyncIterator()
        try engine.start()
        func isHeard(_ level: Float) -> Bool {
            waitUntil(milliseconds: 5000) { abs((driver.render(256).last ?? 0) - level) < 1e-3 }
        }
        #expect(isHeard(0.25) && !picky.isLeftOut)
        driver.change(to: 44_100)
        #expect(isHeard(0.5) && picky.isLeftOut)
        driver.change(to: 96_000)
        #expect(isHeard(0.25) && !picky.isLeftOut)
        var told: [AudioEngineConfigurationChange] = []
        for _ in 0..<4 { if let change = await changes.next() { told.append(change) } }
        #expect(
            told == [
                .rateChanged(from: 48_000, to: 44_100), .unitLeftOut(node: "Picky", reason: "it does not like the rate"),
                .rateChanged(from: 44_100, to: 96_000), .unitReturned(node: "Picky"),
            ])
        engine.stop()
    }

    @Test func aProcessorThatRefusesItsFormatsWhileItPlaysIsPassedBy() throws {
        let engine = try AudioEngine.offline()
        try connect(engine)
        try engine.start()
        func level() throws -> Float? { try engine.render(9600, block: 480)[0].last }
        #expect(try level() == 0.25)
        let ticket = try engine.connect(source, to: picky, format: Sounds.format(1))
        #expect(try level() == 0.5 && picky.isLeftOut && picky.latencyFrameCount == 0)
        let refusal = AudioEngineError.formatRefused(
            node: NamedNode(picky), bus: 0, Sounds.format(1), reason: "it takes two channels")
        #expect(ticket.failure == refusal && ticket.sampleTime != nil)
        #expect(throws: refusal) { try engine.edit {} }
        // Edits elsewhere are none of its business.
        let mixer = AudioMixerNode()
        try engine.edit {
            engine.attach(mixer)
            try engine.connect(mixer, to: engine.mainMixerNode)
        }
        #expect(try level() == 0.5 && picky.isLeftOut)
        try engine.connect(source, to: picky, format: Sounds.format())
        #expect(try level() == 0.25 && !picky.isLeftOut)
        engine.stop()
        try engine.connect(source, to: picky, format: Sounds.format(1))
        #expect(throws: refusal) { try engine.start() }
        #expect(!picky.isLeftOut && !engine.isRunning)
    }

    /// Pauses the engine whenever it is told to discard its sound.
    private final class Pausing: AudioProcessorNode, @unchecked Sendable {
        // SAFETY: it has no state of its own.
        override func reset() {
            super.reset()
            engine?.pause()
        }
    }

    @Test func aNodeMayCallTheEngineWhileItIsReset() throws {
        let (engine, node) = (try AudioEngine.offline(), Pausing { _ in })
        engine.attach(node)
        try engine.start()
        _ = try engine.render(512)
        engine.reset()
        #expect(!engine.isRunning)
        try engine.start()
        _ = try engine.render(512)
        engine.stop()
    }
}
