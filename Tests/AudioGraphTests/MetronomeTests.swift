// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The metronome clicks at the frames of the beats, and at no others. Test thread.

import HostingTestSupport
import Rendering
import TestSupport
import Testing

@testable import AudioGraph

@Suite struct MetronomeTests {
    /// A click: where its first sample is, and whether it is that of a bar.
    private struct Click: Equatable {
        let frame: Int
        let isBar: Bool
    }

    private let engine: AudioEngine
    private let metronome = AudioMetronomeNode()

    init() throws {
        engine = try AudioEngine.offline()
        engine.attach(metronome)
        try engine.connect(metronome, to: engine.mainMixerNode)
        try engine.start()
    }

    /// A click is silent after 30 ms.
    private func clicks(in samples: [Float]) -> [Click] {
        var (clicks, quiet) = ([Click](), 100)
        for (frame, sample) in samples.enumerated() {
            if sample != 0, quiet >= 100 { clicks.append(Click(frame: frame, isBar: sample > 0.15)) }
            quiet = sample == 0 ? quiet + 1 : 0
        }
        return clicks
    }

    @Test(arguments: [31, 512, 4096]) func clicksAreAtTheFramesOfTheBeatsThroughTempoChanges(block: Int) throws {
        let map = try #require(
            TempoMap(
                tempos: [
                    .init(beat: 0, beatsPerMinute: 120), .init(beat: 2.5, beatsPerMinute: 137),
                    .init(beat: 5, beatsPerMinute: 71.3),
                ],
                signatures: [.init(beat: 0, numerator: 3, denominator: 4), .init(beat: 6, numerator: 4, denominator: 4)]))
        engine.transport.tempoMap = map
        engine.transport.play()
        let heard = try engine.render(8 * 48_000, block: block)
        let expected = (0..<100).map { beat in
            let frame = Int((map.seconds(atBeat: Double(beat)) * 48_000 - 1e-6).rounded(.up))
            return Click(frame: frame, isBar: beat < 6 ? beat % 3 == 0 : (beat - 6) % 4 == 0)
        }.filter { $0.frame < 8 * 48_000 }
        #expect(expected.count > 10 && clicks(in: heard[0]) == expected)
        #expect(heard[1] == heard[0])
    }

    @Test func eighthsAreClickedWhereTheSignatureHasThem() throws {
        engine.transport.tempoMap = try #require(
            TempoMap(
                tempos: [.init(beat: 0, beatsPerMinute: 60)], signatures: [.init(beat: 0, numerator: 6, denominator: 8)]))
        engine.transport.play()
        let found = clicks(in: try engine.render(4 * 48_000)[0])
        #expect(found == (0..<8).map { Click(frame: 24_000 * $0, isBar: $0 % 6 == 0) })
    }

    @Test func aLoopIsClickedFromItsBeginning() throws {
        engine.transport.tempoMap = TempoMap(beatsPerMinute: 120)
        engine.transport.loopRange = 0..<2.5
        engine.transport.play()
        // Beats 0, 1 and 2, and again after 2.5 of 24,000 frames.
        let found = clicks(in: try engine.render(120_000, block: 333)[0]).map(\.frame)
        #expect(found == [0, 24_000, 48_000, 60_000, 84_000, 108_000])
    }

    @Test func noneIsHeardWhileTheSongStandsStill() throws {
        engine.transport.stop()
        #expect(try engine.render(96_000)[0].allSatisfy { $0 == 0 })
        engine.transport.play()
        #expect(clicks(in: try engine.render(30_000)[0]).map(\.frame) == [0, 24_000])
    }

    @Test func itsLevelIsItsOwn() throws {
        engine.transport.play()
        metronome.volume = 0
        _ = try engine.render(24_000)
        #expect(try engine.render(48_000)[0].allSatisfy { $0 == 0 })
        metronome.volume = 0.5
        _ = try engine.render(24_000)
        let quiet = try engine.render(24_000)[0].map(abs).max() ?? 0
        metronome.volume = 1
        _ = try engine.render(24_000)
        // The same beat of a bar comes 96,000 frames later.
        _ = try engine.render(48_000)
        let loud = try engine.render(24_000)[0].map(abs).max() ?? 0
        #expect(loud > 0.1 && abs(quiet * 2 - loud) < 1e-3, "\(quiet) \(loud)")
    }

    @Test func whatIsRecordedBeforeItHasNoClicks() async throws {
        let folder = ScratchFolder()
        let (engine, node, both) = (try AudioEngine.offline(), AudioMetronomeNode(), AudioMixerNode())
        let tone = AudioSourceNode { _, _, output in
            for channel in 0..<output.channelCount { for frame in 0..<output.frameCount { output[channel][frame] = 0.25 } }
        }
        for node in [node, both, tone] { engine.attach(node) }
        try engine.connect(tone, to: engine.mainMixerNode)
        try engine.connect(engine.mainMixerNode, to: both)
        try engine.connect(node, to: both)
        try engine.connect(both, to: engine.outputNode)
        let recording = try engine.mainMixerNode.recordLive(to: folder.file("take.wav"))
        try engine.start()
        engine.transport.play()
        let heard = try engine.render(48_000)
        try await recording.finish()
        let taken = try AudioPCMBuffer(contentsOf: folder.file("take.wav"))
        #expect(taken.frameLength == 48_000 && (0..<48_000).allSatisfy { taken.samples[0][$0] == 0.25 })
        #expect(heard[0].contains { $0 > 0.3 })
    }
}
