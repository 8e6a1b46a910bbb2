// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Subclasses from outside the engine's module, of the classes that programs for Apple's systems subclass. Test thread.

import AVFoundation
import Synchronization
import Testing

private final class CountingEngine: AVAudioEngine, @unchecked Sendable {
    // SAFETY: atomics alone.
    let resetCount = Atomic<Int>(0)
}

private final class RememberingPlayer: AVAudioPlayerNode, @unchecked Sendable {
    // SAFETY: set in init alone; atomics alone.
    let title: String
    let resetCount = Atomic<Int>(0)

    init(title: String) {
        self.title = title
        super.init()
    }

    override func reset() {
        resetCount.add(1, ordering: .relaxed)
        super.reset()
    }
}

// The initializers under Apple's names are convenience initializers here: a subclass calls the engine's own.
private final class ConstantSource: AVAudioSourceNode, @unchecked Sendable {
    // SAFETY: it has no properties of its own.
    init(_ value: Float) {
        super.init { _, _, output in
            for channel in 0..<output.channelCount { for frame in 0..<output.frameCount { output[channel][frame] = value } }
        }
    }
}

private final class CountingSink: AVAudioSinkNode, @unchecked Sendable {
    // SAFETY: it has no properties of its own.
    init(_ count: UnsafeMutablePointer<Int>) { super.init { _, _, input in count.pointee += input.frameCount } }
}

private final class OwnMixer: AVAudioMixerNode, @unchecked Sendable {
    // SAFETY: it has no properties of its own.
}

private final class OwnSampler: AVAudioUnitSampler, @unchecked Sendable {
    // SAFETY: it has no properties of its own.
}

private final class OwnSequencer: AVAudioSequencer, @unchecked Sendable {
    // SAFETY: it has no properties of its own.
    override init(audioEngine: AVAudioEngine) { super.init(audioEngine: audioEngine) }
}

private final class OwnReverb: AVAudioUnitReverb, @unchecked Sendable {
    // SAFETY: it has no properties of its own.
}

@Suite struct SubclassTests {
    @Test func subclassesOfAllAreHeardAsTheirBasesAre() throws {
        let engine = CountingEngine()
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
        let (player, source, mixer) = (RememberingPlayer(title: "Song"), ConstantSource(0.25), OwnMixer())
        let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        count.initialize(to: 0)
        defer { count.deallocate() }
        let sink = CountingSink(count)
        for node in [player, source, mixer, sink] { engine.attach(node) }
        engine.connect(player, to: mixer, format: format)
        engine.connect(
            source, to: [AVAudioConnectionPoint(node: mixer, bus: 1), AVAudioConnectionPoint(node: sink, bus: 0)], fromBus: 0,
            format: format)
        engine.connect(mixer, to: engine.mainMixerNode, format: format)
        try engine.start()
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
        #expect(try engine.renderOffline(512, to: buffer) == .success)
        #expect(buffer.floatChannelData?[1][511] == 0.25 && count.pointee == 512)
        engine.reset()
        #expect(player.resetCount.load(ordering: .relaxed) == 1 && player.title == "Song")
        engine.stop()
    }

    @Test func unitsAndSequencersHaveSubclasses() {
        let engine = CountingEngine()
        let nodes: [AVAudioNode] = [OwnSampler(), OwnReverb()]
        for node in nodes { engine.attach(node) }
        #expect(engine.attachedNodes.isSuperset(of: nodes))
        let sequencer = OwnSequencer(audioEngine: engine)
        #expect(sequencer.tracks.isEmpty && !sequencer.isPlaying)
    }
}
