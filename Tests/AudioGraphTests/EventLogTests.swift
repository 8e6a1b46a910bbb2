// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the render thread notes of changes: each at the frame at which it is heard, and nothing before somebody wants to know. Test thread.

import HostingTestSupport
import PluginHosting
import Rendering
import TestSupport
import Testing

@testable import AudioGraph

@Suite(.serialized, .timeLimit(.minutes(15))) struct EventLogTests {
    @Test(arguments: [64, 37, 256]) func eachChangeIsNotedAtTheFrameAtWhichItIsHeard(block: Int) async throws {
        let bench = try await SequencerBench()
        let (engine, log) = (bench.engine, bench.engine.eventLog)
        engine.midiInput.connect(to: bench.instrument)
        engine.midiInput.send([0x90, 60, 100], at: 10)
        _ = try bench.render(100, block: block)
        #expect(log.take().isEmpty)
        log.begin()
        engine.midiInput.send([0x90, 61, 100], port: 3, at: 333)
        engine.mainMixerNode.outputVolume = 0.5
        _ = try bench.render(400, block: block)
        bench.instrument.bypass = true
        _ = try bench.render(50, block: block)
        bench.instrument.bypass = false
        engine.mainMixerNode.outputVolume = 0.5
        _ = try bench.render(50, block: block)
        let events = log.take()
        let level = engine.mainMixerNode.level.logIdentity
        let unit = try #require(bench.instrument.plugin).hosted.logIdentity
        #expect(
            events.filter { $0.kind == .midi }.map { MIDIInputMessage($0) } == [
                MIDIInputMessage(sampleTime: 333, port: 3, byteCount: 3, 0x90, 61, 100)
            ])
        // The same value again is no change.
        let output = events.filter { $0.kind == .output }
        #expect(output.map(\.frame) == [100] && output.map(\.source) == [level] && output.map(\.value) == [0.5])
        let bypass = events.filter { $0.kind == .bypass }
        #expect(bypass.map(\.frame) == [500, 550] && bypass.map(\.source) == [unit, unit] && bypass.map(\.value) == [1, 0])
        #expect(log.endFrame == 600 && log.droppedCount == 0 && log.take().isEmpty)
    }

    @Test func eventsThatNobodyTakesAreCounted() async throws {
        let bench = try await SequencerBench()
        let log = bench.engine.eventLog
        log.begin()
        var sent = 0
        for _ in 0..<20 {
            for _ in 0..<1000 where bench.engine.midiInput.send([0xB0, 7, 1]) { sent += 1 }
            _ = try bench.render(64)
        }
        #expect(sent == 20_000)
        let kept = log.take().count { $0.kind == .midi }
        #expect(kept > 16_000 && kept + Int(log.droppedCount) >= sent)
        bench.engine.midiInput.send([0xB0, 7, 2])
        _ = try bench.render(64)
        #expect(log.take().count == 1)
    }
}
