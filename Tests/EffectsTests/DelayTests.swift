// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The delay: the exactness of its time, its repeats, glides and fades, tempo and ping-pong. Test thread.

import Foundation
import TestSupport
import Testing

@Suite struct DelayTests {
    private let delay = RenderedEffect("aufx:dlay:blkh", ["mix": 100, "feedback": 0, "lowpass": 22_000])

    @Test(arguments: [8000, 44_100, 48_000, 192_000] as [Double])
    func isExactToAThousandthOfAFrame(sampleRate: Double) throws {
        for time in [0.001, 0.001_234_5, 0.012_345_67, 0.35, 0.350_007_77, 1.999_99] {
            var effect = delay.with(["time": time])
            effect.sampleRate = sampleRate
            let response = try effect.impulseResponse(frameCount: Int((time + 0.01) * sampleRate))
            for share in [0.01, 0.1, 0.25] {
                let found = phaseDelay(of: response, at: share * sampleRate, near: time, sampleRate: sampleRate)
                #expect(abs(found.frames) < 1e-3, "\(time) s at \(share) of \(sampleRate) Hz: \(found.frames) frames")
                #expect(abs(found.decibels) < 0.005)
            }
        }
    }

    @Test func aDelayAHundredthOfAFrameOffIsCaught() throws {
        let response = try delay.with(["time": 0.1]).impulseResponse(frameCount: 5000)
        let found = phaseDelay(of: response, at: 4800, near: 0.1 + 0.01 / 48_000, sampleRate: 48_000)
        #expect(abs(found.frames) > 5e-3)
    }

    @Test func wholeFramesAreCopiedBitForBit() throws {
        var random = Seed()
        let noise = Signal.noise(amplitude: 1, frameCount: 9600, random: &random)
        let output = try delay.with(["time": 0.1]).render(noise)
        #expect(Array(output[4800...]) == Array(noise[..<4800]))
        #expect(output[..<4800].allSatisfy { $0 == 0 })
    }

    @Test(arguments: [35.0, 100], [0.0, 90])
    func atZeroTheRepeatsAreTheInputItself(mix: Double, feedback: Double) throws {
        var random = Seed()
        let noise = Signal.noise(amplitude: 1, frameCount: 9600, random: &random)
        #expect(try delay.with(["time": 0, "mix": mix, "feedback": feedback]).render(noise) == noise)
        var effect = delay.with(["time": 0, "mix": mix, "feedback": feedback, "pingPong": 1])
        effect.channelCount = 2
        #expect(try effect.render([noise, noise]) == [noise, noise])
    }

    @Test func holdsTimesBelowTheShortest() throws {
        let shortest = try delay.with(["time": 0.001]).impulseResponse(frameCount: 1000)
        #expect(try delay.with(["time": 0.000_01]).impulseResponse(frameCount: 1000) == shortest)
        #expect(shortest[48] == 1)
    }

    @Test func goesToZeroAndBackWithoutAClick() throws {
        var effect = delay.with(["time": 0.03])
        effect.automation = [AutomationPoint(0.1, "time", 0), AutomationPoint(0.2, "time", 0.03)]
        let sine = Signal.sine(700, seconds: 0.4, sampleRate: 48_000)
        let output = try effect.render(sine)
        let level = Spectrum.peak(Array(output[2400...]), from: 6000, to: 20_000, sampleRate: 48_000)
        #expect(level < -85, "\(level) dB")
        #expect(output[6000..<9600] == sine[6000..<9600] && output[16_000...] != sine[16_000...])
    }

    @Test func atZeroNothingGoesRound() throws {
        var effect = delay.with(["time": 0, "feedback": 95])
        effect.automation = [AutomationPoint(0.05, "time", 0.1)]
        let output = try effect.impulseResponse(frameCount: 9600)
        #expect(output[0] == 1 && output[1..<4800].allSatisfy { $0 == 0 })
        // The line heard the input meanwhile, and nothing else.
        #expect(output[4800] == 1 && output[4801..<9500].allSatisfy { abs($0) < 1e-6 })
    }

    @Test func repeatsFallByTheFeedbackAndTheLowPass() throws {
        let effect = delay.with(["time": 0.1, "feedback": -60, "lowpass": 3000])
        let response = try effect.impulseResponse(frameCount: 24_000)
        for count in 1...4 {
            let echo = Array(response[(count * 4800 - 200)..<(count * 4800 + 2000)])
            for frequency in [100, 3000, 10_000] as [Double] {
                let once = 20 * log10(0.6) - 10 * log10(1 + frequency * frequency / 9e6)
                let expected = once * Double(count - 1)
                let level = Spectrum.decibels(echo, at: frequency, sampleRate: 48_000)
                #expect(abs(level - expected) < 0.1 * Double(count))
            }
        }
        #expect(response[4800] == 1 && response[9600] < 0)
    }

    @Test func isSilentAfterTheTailThatItsFeedbackGives() throws {
        let response = try delay.with(["time": 0.05, "feedback": 70]).impulseResponse(frameCount: 144_000)
        // 1 + 120 dB / 3.1 dB repeats of 50 ms.
        let tail = Int(2400.0 * (2 + 120 / (-20 * log10(0.7))))
        #expect(response[tail...].allSatisfy { abs($0) < 1e-6 })
        #expect(response[..<(tail * 2 / 3)].suffix(2400).contains { abs($0) > 1e-6 })
    }

    @Test func glidesLikeATapeWithoutZipperNoise() throws {
        // One second in which the delay grows by 0.1 s: the pitch falls to nine tenths.
        var effect = delay.with(["time": 0.3])
        effect.automation = [AutomationPoint(0.5, "time", 0.4, rampFrameCount: 48_000)]
        let output = try effect.render(Signal.sine(1000, seconds: 1.4, sampleRate: 48_000))
        let gliding = Array(output[30_000..<60_000])
        let level = Spectrum.peak(gliding, from: 875, to: 925, sampleRate: 48_000)
        let noise = Spectrum.peak(gliding, from: 3000, to: 23_000, sampleRate: 48_000)
        print("Delay, gliding: the tone at \(level) dB, beside it at most \(noise) dB")
        // Between two bins the window takes off up to 0.8 dB.
        #expect(abs(level - 20 * log10(0.5)) < 1)
        #expect(noise < -90)
        #expect(Spectrum.peak(gliding, from: 1100, to: 1200, sampleRate: 48_000) < -90)
    }

    @Test func aLargeJumpFadesAndDoesNotClick() throws {
        var effect = delay.with(["time": 0.03])
        effect.automation = [AutomationPoint(0.1, "time", 0.0817)]
        let output = try effect.render(Signal.sine(700, seconds: 0.3, sampleRate: 48_000))
        let level = Spectrum.peak(Array(output[2400...]), from: 6000, to: 20_000, sampleRate: 48_000)
        print("Delay, jumping: \(level) dB above 6 kHz")
        #expect(level < -85)
        let spliced = Array(output[2400..<4800] + output[7400...])
        #expect(Spectrum.peak(spliced, from: 6000, to: 20_000, sampleRate: 48_000) > -70)
    }

    @Test func followsTheTempoOfTheSong() throws {
        // A dotted eighth at 90 quarter notes a minute: half a second.
        var effect = delay.with(["sync": 8])
        effect.tempo = 90
        var input = [Float](repeating: 0, count: 48_000)
        input[12_000] = 1
        let output = try effect.render(input)
        #expect(output.firstIndex { abs($0) > 0.99 } == 36_000)
    }

    @Test func pingPongChangesSides() throws {
        var effect = delay.with(["time": 0.1, "pingPong": 1, "feedback": 50])
        effect.channelCount = 2
        var left = [Float](repeating: 0, count: 24_000)
        left[0] = 1
        let output = try effect.render([left, [Float](repeating: 0, count: 24_000)])
        #expect(abs(output[0][4800] - 0.5) < 1e-6 && abs(output[1][4800]) < 1e-6)
        #expect(abs(output[0][9600]) < 1e-6 && output[1][9590..<9610].contains { $0 > 0.1 })
        #expect(output[0][14_390..<14_410].contains { $0 > 0.05 } && abs(output[1][14_400]) < 1e-6)
    }

    @Test func staysStableAtFullFeedback() throws {
        var random = Seed()
        let noise = Signal.noise(amplitude: 0.1, frameCount: 48_000, random: &random)
        let effect = delay.with(["time": 0.0101, "feedback": 100])
        #expect(try effect.render(noise).allSatisfy { abs($0) < 10 })
    }

    @Test(arguments: [0.004, 0.0801])
    func resetIsAsGoodAsNew(time: Double) throws {
        try delay.with(["time": time, "feedback": 90, "lowpass": 2000]).expectResetToForget(frameCount: 8192)
    }

    @Test func treatsThreeChannelsEachForItself() throws {
        try delay.with(["time": 0.0123, "feedback": 50]).expectSeparateChannels(3)
    }

    @Test(arguments: ["Slapback", "Worn Tape", "Dotted Eighth", "Side to Side", "Doubler", "Comb", "Canyon"])
    func presetsRepeatWhatTheyHear(preset: String) throws {
        var effect = RenderedEffect("aufx:dlay:blkh", channelCount: 2, preset: preset)
        effect.isInProcess = true
        let impulse = [1] + [Float](repeating: 0, count: 48_000)
        let output = try effect.render([impulse, impulse])
        #expect(output[0][200...].contains { abs($0) > 0.01 } && output[0].allSatisfy { abs($0) <= 1 })
    }

    @Test func recoversFromInputThatIsNotFinite() throws {
        var input = [Float](repeating: 0.1, count: 48_000)
        input[1000] = .infinity
        input[1001] = .nan
        let output = try delay.with(["time": 0.01, "feedback": 90]).render(input)
        #expect(output.suffix(40_000).allSatisfy { $0.isFinite })
        #expect(abs(output[47_999] - 1) < 0.01)
    }

    /// The difference to a wanted delay in frames, and the gain, at one frequency.
    private func phaseDelay(
        of response: [Float], at frequency: Double, near time: Double, sampleRate: Double
    ) -> (frames: Double, decibels: Double) {
        let found = Spectrum.transform(response, at: frequency, sampleRate: sampleRate)
        let turn = 2 * Double.pi * frequency * time
        let real = found.real * cos(turn) - found.imaginary * sin(turn)
        let imaginary = found.real * sin(turn) + found.imaginary * cos(turn)
        let frames = -atan2(imaginary, real) / (2 * Double.pi * frequency) * sampleRate
        return (frames, 10 * log10(real * real + imaginary * imaginary))
    }
}
