// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The voice processor: how much echo and noise it takes away, and that the voice stays. Test thread.

import Foundation
import HostingTestSupport
import LinuxSystem
import PluginHosting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct VoiceProcessorTests {
    private static let rate = 48_000.0
    private static let latency = 960
    private let processor = RenderedEffect("aufx:vpio:blkh")
    /// Without what changes levels on purpose.
    private var canceller: RenderedEffect { processor.with(["noiseSuppression": 0, "gainControl": 0]) }
    private let hiss = SeededNoise(seed: 9, amplitude: 0.000_3)

    private func level(_ sound: ArraySlice<Float>) -> Double {
        10 * log10(sound.reduce(1e-20) { $0 + Double($1) * Double($1) } / Double(max(1, sound.count)))
    }

    private func level(_ sound: [Float], from start: Double, to end: Double, rate: Double = Self.rate) -> Double {
        level(sound[Int(start * rate)..<Int(end * rate)])
    }

    /// The correlation of two sounds of equal length.
    private func correlation(_ first: ArraySlice<Float>, _ second: ArraySlice<Float>) -> Double {
        func product(_ a: ArraySlice<Float>, _ b: ArraySlice<Float>) -> Double {
            zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) }
        }
        return product(first, second) / (product(first, first) * product(second, second)).squareRoot()
    }

    private func sum(_ sounds: [Float]...) -> [Float] {
        sounds[0].indices.map { index in sounds.reduce(0) { $0 + $1[index] } }
    }

    // MARK: - Echo

    @Test(arguments: Sample.of([48_000, 44_100, 96_000] as [Double], oneIn: 3))
    func takesTheEchoAway(sampleRate: Double) throws {
        let farEnd = SyntheticSpeech(seed: 1, sampleRate: sampleRate).samples(seconds: 6)
        let echo = SyntheticRoom(seed: 2, sampleRate: sampleRate).echo(of: farEnd)
        let microphone = sum(echo, hiss.samples(echo.count))
        var effect = canceller
        effect.sampleRate = sampleRate
        let output = try effect.render([microphone], sideInput: [farEnd])[0]
        let loss = level(echo, from: 3, to: 5.9, rate: sampleRate) - level(output, from: 3, to: 5.9, rate: sampleRate)
        print("echo return loss enhancement at \(sampleRate) Hz: \(loss) dB")
        #expect(loss >= 20, "\(loss) dB")
    }

    /// Loudspeakers behind a network or a long buffer: the delay is found, up to the reach.
    @Test(arguments: [0.3, 0.6, 0.9]) func takesALateEchoAway(seconds: Double) throws {
        let farEnd = SyntheticSpeech(seed: 1).samples(seconds: 10)
        let late = [Float](repeating: 0, count: Int(seconds * Self.rate))
        let echo = Array((late + SyntheticRoom(seed: 2).echo(of: farEnd)).prefix(farEnd.count))
        let microphone = sum(echo, hiss.samples(echo.count))
        func loss(_ effect: RenderedEffect) throws -> Double {
            let output = try effect.render([microphone], sideInput: [farEnd])[0]
            return level(echo, from: 7, to: 9.9) - level(output, from: 7, to: 9.9)
        }
        let found = try loss(canceller)
        print("an echo after \(seconds) s is lowered by \(found) dB")
        #expect(found >= 15, "\(found) dB")
        if seconds > 0.5 { #expect(try loss(canceller.with(["echoReach": 0.25])) < 6) }
    }

    @Test func withoutCancellationTheEchoStays() throws {
        let farEnd = SyntheticSpeech(seed: 1).samples(seconds: 4)
        let echo = SyntheticRoom(seed: 2).echo(of: farEnd)
        let output = try canceller.with(["echoCancellation": 0]).render([echo], sideInput: [farEnd])[0]
        #expect(abs(level(echo, from: 1, to: 3.9) - level(output, from: 1.02, to: 3.92)) < 1)
    }

    @Test func aVoiceAloneStaysAsItIs() throws {
        let voice = SyntheticSpeech(seed: 3, pitch: 190).samples(seconds: 4)
        let silence = [Float](repeating: 0, count: voice.count)
        for effect in [canceller, processor.with(["gainControl": 0])] {
            let output = try effect.render([voice], sideInput: [silence])[0]
            let (before, after) = (voice[48_000..<180_000], output[(48_000 + Self.latency)..<(180_000 + Self.latency)])
            print("voice alone: \(level(after) - level(before)) dB, correlation \(correlation(before, after))")
            #expect(abs(level(after) - level(before)) < 3)
            #expect(correlation(before, after) > 0.9)
        }
    }

    @Test(arguments: [44_100, 48_000, 96_000, 192_000] as [Double])
    func lowVoicesStayAtEveryRate(sampleRate: Double) throws {
        let tone = Signal.sine(100, amplitude: 0.3, seconds: 1, sampleRate: sampleRate)
        var effect = canceller
        effect.sampleRate = sampleRate
        let output = try effect.render([tone], sideInput: [[Float](repeating: 0, count: tone.count)])[0]
        let change = level(output, from: 0.5, to: 0.9, rate: sampleRate) - level(tone, from: 0.5, to: 0.9, rate: sampleRate)
        #expect(abs(change) < 3, "\(change) dB")
    }

    @Test func aVoiceStaysWhileTheFarEndSpeaks() throws {
        let farEnd = SyntheticSpeech(seed: 1).samples(seconds: 8)
        let echo = SyntheticRoom(seed: 2).echo(of: farEnd)
        var voice = SyntheticSpeech(seed: 3, pitch: 190, peak: 0.4).samples(seconds: 8)
        for index in 0..<Int(4 * Self.rate) { voice[index] = 0 }
        let output = try canceller.render([sum(echo, voice, hiss.samples(voice.count))], sideInput: [farEnd])[0]
        let (before, after) = (voice[192_000..<380_000], output[(192_000 + Self.latency)..<(380_000 + Self.latency)])
        print("voice over the far end: \(level(after) - level(before)) dB, correlation \(correlation(before, after))")
        #expect(abs(level(after) - level(before)) < 6)
        #expect(correlation(before, after) > 0.8)
    }

    // MARK: - Noise, gain, muting

    @Test func lowersSteadyNoise() throws {
        let noise = SeededNoise(seed: 4, amplitude: 0.03).samples(Int(5 * Self.rate))
        let effect = processor.with(["gainControl": 0])
        let output = try effect.render(noise)
        let reduction = level(noise, from: 3, to: 5) - level(output, from: 3, to: 5)
        print("noise is lowered by \(reduction) dB")
        #expect(reduction >= 10, "\(reduction) dB")
        let strong = try effect.with(["noiseSuppressionAmount": 30]).render(noise)
        #expect(level(strong, from: 3, to: 5) < level(output, from: 3, to: 5) - 6)
        let off = try effect.with(["noiseSuppression": 0]).render(noise)
        #expect(abs(level(off, from: 3, to: 5) - level(noise, from: 3, to: 5)) < 0.5)
    }

    @Test func liftsAQuietVoice() throws {
        let voice = SyntheticSpeech(seed: 5, peak: 0.03).samples(seconds: 8)
        let effect = processor.with(["noiseSuppression": 0])
        let gain = try level(effect.render(voice), from: 6, to: 8) - level(voice, from: 6, to: 8)
        print("a quiet voice is lifted by \(gain) dB")
        #expect(gain > 6 && gain < 21, "\(gain) dB")
    }

    /// Speech of −19 dBFS stays as loud as it is, and another target is met.
    @Test(arguments: [(-20.0, nil), (-30, -30)] as [(Double, Double?)])
    func theGainControlAimsAtItsTarget(wanted: Double, target: Double?) throws {
        let voice = SyntheticSpeech(seed: 5).samples(seconds: 12)
        let factor = Float(pow(10, (-19 - level(voice, from: 8, to: 12)) / 20))
        let effect = processor.with(["noiseSuppression": 0]).with(target.map { ["gainTarget": $0] } ?? [:])
        let heard = try level(effect.render(voice.map { max(-1, min(1, $0 * factor)) }), from: 8, to: 12)
        print("speech of -19 dBFS becomes \(heard) dBFS for \(wanted)")
        #expect(abs(heard - wanted) < 3, "\(heard) dBFS")
    }

    /// A frame of 443 samples, a prime number, would take seven times as long.
    @Test func aFrameHasSmallFactorsAtEveryRate() throws {
        for (rate, latency) in [(44_300.0, 884), (44_100, 882), (48_000, 960)] {
            var effect = canceller
            effect.sampleRate = rate
            let response = try effect.impulseResponse(frameCount: 4800)
            #expect(response.indices.max { abs(response[$0]) < abs(response[$1]) } == latency, "at \(rate) Hz")
        }
    }

    /// Speech and then silence, muted, block by block.
    @Test func mutingIsSilenceAndSpeechIsStillNoticed() throws {
        let voice = SyntheticSpeech(seed: 3).samples(seconds: 1)
        let pause = [Float](repeating: 0, count: voice.count)
        let unit = try Build.unit(processor.id)
        try unit.set("mute", to: 1)
        var bench = try Bench([unit], input: [sum(pause, hiss.samples(pause.count)) + voice + pause])
        let speech = try #require(unit.parameters[keyPath: "speech"]).address
        var noticed: [Double] = []
        for _ in 0..<3 {
            let heard = bench.render(blocks: Array(repeating: 480, count: 100))[0]
            #expect(heard.allSatisfy { $0 == 0 })
            noticed.append(try lastValue(unit, speech, startingAt: noticed.count))
        }
        #expect(noticed == [0, 1, 0])
        try bench.checkWholeness()
    }

    /// The meter, which the host learns of a moment after the block.
    private func lastValue(_ unit: HostedUnit, _ address: UInt64, startingAt second: Int) throws -> Double {
        let expected: Double = second == 1 ? 1 : 0
        _ = Patience.until { unit.values[address] == expected }
        return try #require(unit.values[address])
    }

    // MARK: - As every effect

    @Test func bypassIsTheInputAsLateAsTheOutput() throws {
        var effect = processor
        effect.isBypassed = true
        let voice = SyntheticSpeech(seed: 3).samples(seconds: 1)
        let output = try effect.render(voice)
        #expect(Array(output[Self.latency...]) == Array(voice[..<(voice.count - Self.latency)]))
        #expect(output[..<Self.latency].allSatisfy { $0 == 0 })
    }

    @Test func theLatencyIsThatOfTheSound() throws {
        let response = try canceller.impulseResponse(frameCount: 4800)
        #expect(response.indices.max { abs(response[$0]) < abs(response[$1]) } == Self.latency)
    }

    @Test func blocksOfAnySizeSoundTheSame() throws {
        let farEnd = SyntheticSpeech(seed: 1).samples(seconds: 1)
        let microphone = sum(SyntheticRoom(seed: 2).echo(of: farEnd), SyntheticSpeech(seed: 3, pitch: 190).samples(seconds: 1))
        func output(_ blockSize: Int) throws -> [Float] {
            var effect = processor
            effect.blockSize = blockSize
            return try effect.render([microphone], sideInput: [farEnd])[0]
        }
        let whole = try output(4096)
        for size in [1, 31, 64] { #expect(try output(size) == whole, "blocks of \(size)") }
    }

    @Test func soundsTheSameInProcess() throws {
        let voice = SyntheticSpeech(seed: 3).samples(seconds: 1)
        var effect = processor
        effect.isInProcess = true
        #expect(try effect.render([voice], sideInput: [voice]) == processor.render([voice], sideInput: [voice]))
    }

    @Test func resetForgets() throws { try processor.expectResetToForget(frameCount: 24_576) }

    @Test func aResetForgetsTheRoom() throws {
        let farEnd = SyntheticSpeech(seed: 1).samples(seconds: 1)
        let echo = SyntheticRoom(seed: 2).echo(of: farEnd)
        let fresh = try processor.render([echo], sideInput: [farEnd])[0]
        var effect = processor
        // A reset comes before the block in which it lies.
        (effect.resetSeconds, effect.blockSize) = (1, 480)
        let again = try effect.render([echo + echo], sideInput: [farEnd + farEnd])[0]
        let isFresh = Array(again[48_000...]) == fresh
        #expect(isFresh)
    }

    @Test func channelsAreMixed() throws {
        let (left, right) = (SyntheticSpeech(seed: 3).samples(seconds: 1), SyntheticSpeech(seed: 4).samples(seconds: 1))
        var wide = processor
        wide.channelCount = 2
        let output = try wide.render([left, right])
        #expect(output[0] == output[1])
        #expect(try output[0] == processor.render(zip(left, right).map { ($0 + $1) * 0.5 }))
    }

    /// Sound that makes SpeexDSP complain, and print, unless it is kept away: full scale at the highest frequency, and an echo
    /// path that changes its sign.
    @Test func absurdSoundPrintsNothing() throws {
        let buzz = (0..<96_000).map { $0 % 2 == 0 ? Float(1) : -1 }
        let noise = SeededNoise(seed: 6, amplitude: 1).samples(96_000)
        let turned = noise.enumerated().map { $0.offset / 24_000 % 2 == 0 ? $0.element : -$0.element }
        let lines = Mutex<[String]>([])
        let before = HostConfiguration.current.pluginOutput
        HostConfiguration.current.pluginOutput = { output in lines.withLock { $0.append("\(output)") } }
        defer { HostConfiguration.current.pluginOutput = before }
        for (microphone, farEnd) in [(buzz, buzz), (noise, buzz), (turned, noise), (buzz, noise)] {
            let output = try canceller.render([microphone], sideInput: [farEnd])[0]
            #expect(output.allSatisfy { $0.isFinite && abs($0) <= 1 })
        }
        OutputReader.shared.settle()
        #expect(lines.withLock { $0 } == [])
    }
}
