// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Voice processing of input and output together, offline: what is played is heard again by the microphone. Test thread.

import Foundation
import HostingTestSupport
import PluginHosting
import Synchronization
import Testing

@testable import AudioGraph

@Suite(.timeLimit(.minutes(15))) struct VoiceTests {
    /// The processor's own latency, and the way back of what is played.
    private static let latency = 960 + 480

    /// An engine that plays `farEnd`, whose microphone hears `microphone`; and what its input puts out.
    private final class Call {
        let engine: AudioEngine
        let player = AudioPlayerNode()
        private let heard = Heard()
        private let position = Position()
        private var tap: AudioTap?

        final class Heard: Sendable {
            let samples = Mutex<[Float]>([])
        }
        final class Position: Sendable {
            let frame = Mutex(0)
        }

        init(farEnd: [Float], microphone: [Float], keepingNoise: Bool = true, prepare: (AudioEngine) throws -> Void = { _ in })
            throws
        {
            engine = try AudioEngine.offline()
            try prepare(engine)
            try engine.inputNode.setVoiceProcessingEnabled(true)
            if keepingNoise {
                engine.inputNode.isVoiceProcessingAGCEnabled = false
                try engine.inputNode.voiceProcessor?.setValue(0, of: "noiseSuppression")
            }
            engine.attach(player)
            try engine.connect(player, to: engine.mainMixerNode, format: Sounds.format())
            player.scheduleBuffer(try Sounds.buffer(farEnd.count) { _, frame in farEnd[frame] })
            tap = try engine.inputNode.installTap(onBus: 0, bufferSize: 480) { [heard] buffer, _ in
                heard.samples.withLock { $0 += UnsafeBufferPointer(start: buffer.samples[0], count: buffer.frameLength) }
            }
            engine.inputNode.setManualRenderingInputPCMFormat(Sounds.format()) { [position] block in
                let start = position.frame.withLock { frame in
                    defer { frame += block.frameCount }
                    return frame
                }
                for channel in 0..<block.channelCount {
                    for frame in 0..<block.frameCount {
                        block[channel][frame] = start + frame < microphone.count ? microphone[start + frame] : 0
                    }
                }
                return true
            }
        }

        /// Renders so many frames, a multiple of 480; what the input has put out, and what was played.
        func run(_ frameCount: Int, block: Int = 512) throws -> (voice: [Float], played: [[Float]]) {
            try engine.start()
            player.play()
            let played = try engine.render(frameCount, block: block)
            let isComplete = waitUntil(milliseconds: 30_000) { heard.samples.withLock { $0.count } >= frameCount }
            #expect(
                isComplete, "\(heard.samples.withLock { $0.count }) of \(frameCount) frames, \(tap?.droppedFrameCount ?? 0) dropped"
            )
            return (heard.samples.withLock { $0 }, played)
        }
    }

    private func level(_ sound: some Sequence<Float>) -> Double {
        var (sum, count) = (1e-20, 0)
        for sample in sound { (sum, count) = (sum + Double(sample) * Double(sample), count + 1) }
        return 10 * log10(sum / Double(max(1, count)))
    }

    private func correlation(_ first: ArraySlice<Float>, _ second: ArraySlice<Float>) -> Double {
        func product(_ a: ArraySlice<Float>, _ b: ArraySlice<Float>) -> Double {
            zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) }
        }
        return product(first, second) / (product(first, first) * product(second, second)).squareRoot()
    }

    @Test func theEchoOfARecordedVoiceIsTakenAway() throws {
        let farEnd = try RecordedVoice.samples(seconds: 8)
        let echo = SyntheticRoom(seed: 2, delaySeconds: 0.03).echo(of: farEnd)
        let hiss = SeededNoise(seed: 9, amplitude: 0.000_3).samples(echo.count)
        let call = try Call(farEnd: farEnd, microphone: zip(echo, hiss).map(+))
        let (voice, played) = try call.run(8 * 48_000)
        #expect(Array(played[0][2000..<100_000]) == Array(farEnd[2000..<100_000]))
        let loss = level(echo[3 * 48_000..<7 * 48_000]) - level(voice[3 * 48_000..<7 * 48_000])
        print("echo return loss enhancement of a recorded voice: \(loss) dB")
        #expect(loss >= 20, "\(loss) dB")
    }

    @Test func theNearEndIsUnharmed() throws {
        let farEnd = try RecordedVoice.samples(seconds: 8)
        var near = SyntheticSpeech(seed: 3, pitch: 190, peak: 0.4).samples(seconds: 8)
        for frame in 0..<4 * 48_000 { near[frame] = 0 }
        let echo = SyntheticRoom(seed: 2, delaySeconds: 0.03).echo(of: farEnd)
        let (voice, _) = try Call(farEnd: farEnd, microphone: zip(echo, near).map(+)).run(8 * 48_000)
        let (before, after) = (near[200_000..<370_000], voice[200_000 + Self.latency..<370_000 + Self.latency])
        print("near end: \(level(after) - level(before)) dB, correlation \(correlation(before, after))")
        #expect(abs(level(after) - level(before)) < 6)
        #expect(correlation(before, after) > 0.8)
    }

    /// The voice is heard in the loudspeaker, and so comes back to the microphone's processor.
    @Test func soundsTheSameInBlocksOfAnySizeWithTheVoiceInTheLoudspeaker() throws {
        let farEnd = try RecordedVoice.samples(seconds: 1)
        let near = SyntheticSpeech(seed: 3, pitch: 190).samples(seconds: 1)
        let results = try [1024, 480, 37, 4096].map { block in
            let call = try Call(farEnd: farEnd, microphone: near) { engine in
                try engine.connect(engine.inputNode, to: engine.mainMixerNode, format: Sounds.format())
            }
            return try call.run(48_000, block: block)
        }
        #expect(level(results[0].voice) > -40)
        for result in results.dropFirst() { #expect(result.voice == results[0].voice && result.played == results[0].played) }
        // What is played holds the voice.
        #expect(level(zip(results[0].played[0], farEnd).map(-)) > -40)
    }

    @Test func turnedOffTheMicrophoneIsHeardAsItIs() throws {
        let near = SyntheticSpeech(seed: 3).samples(seconds: 1)
        let call = try Call(farEnd: [0], microphone: near)
        try call.engine.outputNode.setVoiceProcessingEnabled(false)
        #expect(!call.engine.inputNode.isVoiceProcessingEnabled && call.engine.inputNode.voiceProcessor == nil)
        #expect(try call.run(48_000).voice == near)
    }

    @Test func bypassedTheMicrophoneIsHeardAsItIsAndLate() throws {
        let near = SyntheticSpeech(seed: 3).samples(seconds: 1)
        let call = try Call(farEnd: [0], microphone: near)
        call.engine.inputNode.isVoiceProcessingBypassed = true
        let (voice, _) = try call.run(48_000)
        #expect(Array(voice[Self.latency...]) == Array(near[..<(48_000 - Self.latency)]))
    }

    @Test func whatLeadsToTheInputAndTheOutputStaysInPlace() throws {
        let engine = try AudioEngine.offline()
        let (mixer, player) = (AudioMixerNode(), AudioPlayerNode())
        engine.attach(mixer)
        engine.attach(player)
        try engine.connect(engine.inputNode, to: mixer, format: Sounds.format())
        try engine.connect(mixer, to: engine.mainMixerNode)
        try engine.connect(player, to: engine.mainMixerNode)
        let nodes = engine.attachedNodes.map { ObjectIdentifier($0) }
        for isOn in [true, false, true] {
            try engine.outputNode.setVoiceProcessingEnabled(isOn)
            #expect(engine.inputNode.isVoiceProcessingEnabled == isOn && engine.outputNode.isVoiceProcessingEnabled == isOn)
            #expect(engine.attachedNodes.map { ObjectIdentifier($0) } == nodes)
            #expect(engine.outputConnectionPoints(for: engine.inputNode, outputBus: 0).map(\.node.name) == [mixer.name])
            #expect(engine.inputConnectionPoint(for: mixer, inputBus: 0)?.node === engine.inputNode)
            #expect(engine.outputConnectionPoints(for: engine.mainMixerNode, outputBus: 0).count == 1)
            #expect(engine.inputNode.outputFormat(forBus: 0) == Sounds.format())
            try engine.start()
            _ = try engine.render(4096)
            let error = #expect(throws: AudioEngineError.self) { try engine.inputNode.setVoiceProcessingEnabled(!isOn) }
            guard case .wrongState? = error else {
                Issue.record("\(error as Any)")
                return
            }
            engine.stop()
        }
        // Connections that are made meanwhile are the voice's.
        engine.disconnectNodeOutput(engine.inputNode)
        #expect(engine.outputConnectionPoints(for: engine.inputNode, outputBus: 0).isEmpty)
        try engine.connect(engine.inputNode, to: engine.mainMixerNode)
        #expect(engine.outputConnectionPoints(for: engine.inputNode, outputBus: 0).map(\.node.name) == ["Main mixer"])
        engine.detach(engine.inputNode)
        #expect(!engine.outputNode.isVoiceProcessingEnabled)
        try engine.start()
        _ = try engine.render(4096)
    }

    @Test func aNodeWithoutAnEngineHasNoVoiceProcessing() throws {
        let engine = try AudioEngine.offline()
        let input = engine.inputNode
        engine.detach(input)
        #expect(throws: AudioEngineError.notAttached(node: NamedNode(input))) { try input.setVoiceProcessingEnabled(true) }
        #expect(!input.setMutedSpeechActivityEventListener { _ in })
    }

    @Test func speechIntoAMutedMicrophoneIsToldAndNotHeard() throws {
        let near = SyntheticSpeech(seed: 3).samples(seconds: 1) + [Float](repeating: 0, count: 48_000)
        let call = try Call(farEnd: [0], microphone: near)
        let box = EventBox()
        call.engine.inputNode.isVoiceProcessingInputMuted = true
        #expect(call.engine.inputNode.setMutedSpeechActivityEventListener { event in box.events.withLock { $0.append(event) } })
        let (voice, _) = try call.run(96_000)
        #expect(voice.allSatisfy { $0 == 0 })
        #expect(waitUntil(milliseconds: 5000) { box.events.withLock { $0 } == [.started, .ended] })
    }

    /// The way back of the far end follows the engine to the rate that it is started at.
    @Test func theEchoIsTakenAwayAtARateThatCameLater() throws {
        let farEnd = SyntheticSpeech(seed: 1).samples(seconds: 6)
        let echo = SyntheticRoom(seed: 2, delaySeconds: 0.03).echo(of: farEnd)
        let call = try Call(farEnd: farEnd, microphone: echo) { engine in
            let format = AudioFormat(sampleRate: 44_100, channelCount: 2)
            try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
            try engine.inputNode.setVoiceProcessingEnabled(true)
            try engine.enableManualRenderingMode(.offline, format: Sounds.format(), maximumFrameCount: 4096)
        }
        let (voice, _) = try call.run(6 * 48_000)
        let loss = level(echo[3 * 48_000..<5 * 48_000]) - level(voice[3 * 48_000..<5 * 48_000])
        #expect(loss >= 20, "\(loss) dB")
    }

    @Test func duckingCountsWheneverItIsAskedForAndEndsWithTheVoice() throws {
        let engine = try AudioEngine.offline()
        let ducking = AudioVoiceProcessingOtherAudioDuckingConfiguration(enableAdvancedDucking: false, duckingLevel: .default)
        let (first, second) = (AudioPlayerNode(), AudioPlayerNode())
        first.isOtherAudio = true
        engine.attach(first)
        engine.inputNode.voiceProcessingOtherAudioDuckingConfiguration = ducking
        func gain(_ node: AudioPlayerNode) -> Float { node.mixingSettings.common.withLock { $0.gain } }
        #expect(gain(first) == 1)
        try engine.inputNode.setVoiceProcessingEnabled(true)
        #expect(abs(gain(first) - 0.251) < 0.001)
        second.isOtherAudio = true
        engine.attach(second)
        #expect(gain(second) == gain(first))
        engine.detach(second)
        #expect(gain(second) == 1)
        try engine.inputNode.setVoiceProcessingEnabled(false)
        #expect(gain(first) == 1)
        try engine.inputNode.setVoiceProcessingEnabled(true)
        #expect(abs(gain(first) - 0.251) < 0.001)
        engine.detach(engine.inputNode)
        #expect(gain(first) == 1)
    }

    @Test func theLevelAtOneMixerStaysWhenVoiceProcessingIsTurnedOn() throws {
        let engine = try AudioEngine.offline()
        try engine.connect(engine.inputNode, to: engine.mainMixerNode)
        engine.inputNode.destination(forMixer: engine.mainMixerNode, bus: 0)?.volume = 0.3
        let format = engine.inputNode.outputFormat(forBus: 0)
        for isOn in [true, false] {
            try engine.inputNode.setVoiceProcessingEnabled(isOn)
            #expect(engine.inputNode.destination(forMixer: engine.mainMixerNode, bus: 0)?.volume == 0.3)
            #expect(engine.inputNode.outputFormat(forBus: 0) == format)
        }
    }

    @Test(.timed("hears of speech a moment after the block")) func otherAudioIsLoweredForTheVoice() throws {
        for (isAdvanced, near, gain) in [
            (false, [Float](repeating: 0, count: 48_000), Float(0.251_188_64)), (true, [Float](repeating: 0, count: 48_000), 1),
            (true, SyntheticSpeech(seed: 3).samples(seconds: 1), 0.251_188_64),
        ] {
            let call = try Call(farEnd: [Float](repeating: 0.5, count: 96_000), microphone: near + near)
            call.player.isOtherAudio = true
            call.engine.inputNode.voiceProcessingOtherAudioDuckingConfiguration =
                AudioVoiceProcessingOtherAudioDuckingConfiguration(enableAdvancedDucking: isAdvanced, duckingLevel: .default)
            try call.engine.start()
            call.player.play()
            // The host hears of speech a moment after the block.
            var played: [Float] = []
            for _ in 0..<48 {
                played += try call.engine.render(1000)[0]
                usleep(2000)
            }
            #expect(abs((played.suffix(30_000).min() ?? 0) - 0.5 * gain) < 0.001, "\(isAdvanced)")
            call.player.isOtherAudio = false
            #expect(abs((try call.engine.render(4000)[0].last ?? 0) - 0.5) < 0.001)
        }
    }
}

/// The events that a listener was told.
private final class EventBox: Sendable {
    let events = Mutex<[AudioVoiceProcessingSpeechActivityEvent]>([])
}
