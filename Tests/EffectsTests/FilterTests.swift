// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The filter follows its analogue prototype, and stays quiet and bounded while it is swept. Test thread.

import Foundation
import TestSupport
import Testing

@Suite struct FilterTests {
    private let filter = RenderedEffect("aufx:filt:blkh")

    private static let sampleRates: [Double] = [8000, 44_100, 48_000, 96_000, 192_000]

    /// Each rate with other cut-offs, or with all in `make deep`.
    @Test(arguments: sampleRates.indices)
    func followsItsAnaloguePrototypeUpToAQuarterOfTheSampleRate(place: Int) throws {
        let sampleRate = Self.sampleRates[place]
        let cutoffs: [Double] = [60, 400, 1000, 3900, 4100, 9000, 12_000, 17_000, 22_000]
        var worst = 0.0
        for cutoff in Sample.of(cutoffs, oneIn: 3, from: place) {
            for resonance in [-20, -3.01, 0, 12, 24] as [Double] {
                let prototype = AnaloguePrototype.lowPass(cutoff, q: pow(10, resonance / 20))
                let error = try worstError(cutoff, resonance, sampleRate, against: prototype)
                #expect(error < 0.1, "cutoff \(cutoff) Hz, resonance \(resonance) dB")
                worst = max(worst, error)
            }
        }
        print("Filter at \(sampleRate) Hz: \(worst) dB off at worst")
    }

    @Test func aPrototypeTwoPercentOffIsCaught() throws {
        let error = try worstError(1000, 0, 48_000, against: .lowPass(1020, q: 1))
        #expect(error > 0.1)
    }

    @Test func aBilinearFilterWouldFail() {
        let prototype = AnaloguePrototype.lowPass(9000, q: 1)
        let difference = abs(prototype.bilinear(at: 12_000, sampleRate: 48_000) - prototype.decibels(at: 12_000))
        #expect(difference > 0.5)
    }

    @Test func aJumpOfTheCutoffIsNotHeardAsAClick() throws {
        var swept = filter.with(["cutoff": 300])
        swept.automation = [AutomationPoint(0.1, "cutoff", 8000)]
        let sine = Signal.sine(500, seconds: 0.25, sampleRate: 48_000)
        let output = try swept.render(sine)
        let level = Spectrum.peak(Array(output[2400...]), from: 8000, to: 20_000, sampleRate: 48_000)
        print("Filter, cutoff from 300 to 8000 Hz at once: \(level) dB above 8 kHz")
        #expect(level < -100)
        // The control: the same jump without a glide.
        let before = try filter.with(["cutoff": 300]).render(sine)
        let after = try filter.with(["cutoff": 8000]).render(sine)
        let spliced = Array(before[2400..<4800] + after[4800...])
        #expect(Spectrum.peak(spliced, from: 8000, to: 20_000, sampleRate: 48_000) > -80)
    }

    @Test func staysBoundedWhileBothParametersAreThrownAbout() throws {
        var random = Seed()
        var thrown = filter
        for index in 0..<400 {
            let seconds = Double(index) * 0.0023 + Double.random(in: 0...0.002, using: &random)
            let ramp = ([0, 1, 16, 100] as [UInt32]).randomElement(using: &random)!
            let octave = Double.random(in: log2(10)...log2(22_000), using: &random)
            let level = Double.random(in: -20...40, using: &random)
            let change = index.isMultiple(of: 2) ? ("cutoff", exp2(octave)) : ("resonance", level)
            thrown.automation.append(
                AutomationPoint(seconds, change.0, change.1, rampFrameCount: ramp))
        }
        let output = try thrown.render(Signal.noise(amplitude: 0.3, frameCount: 48_000, random: &random))
        #expect(output.allSatisfy { abs($0) < 30 })
    }

    @Test func soundsTheSameInBlocksOfAnySize() throws {
        var random = Seed()
        let noise = Signal.noise(amplitude: 0.5, frameCount: 9600, random: &random)
        var swept = filter
        swept.automation = [AutomationPoint(0.05, "cutoff", 5000, rampFrameCount: 3000)]
        let reference = try swept.render(noise)
        for blockSize in [37, 64, 2048] {
            swept.blockSize = blockSize
            let other = try swept.render(noise)
            #expect(zip(reference, other).allSatisfy { abs($0 - $1) < 1e-5 })
        }
    }

    @Test func recoversFromInputThatIsNotFinite() throws {
        var input = Signal.sine(200, seconds: 0.2, sampleRate: 48_000)
        input[2000] = .nan
        input[2001] = .infinity
        let output = try filter.render(input)
        #expect(output[4800...].allSatisfy { $0.isFinite })
        let level = Spectrum.decibels(Array(output[4800..<9600]), at: 200, sampleRate: 48_000) - 20 * log10(0.25 * 4800)
        #expect(abs(level - AnaloguePrototype.lowPass(1000, q: 1).decibels(at: 200)) < 0.01)
    }

    @Test func resetIsAsGoodAsNew() throws {
        try filter.with(["cutoff": 200, "resonance": 30]).expectResetToForget()
    }

    @Test func treatsEightChannelsEachForItself() throws { try filter.expectSeparateChannels(8, frameCount: 2048) }

    @Test func soundsTheSameInsideTheHostBitForBit() throws {
        var random = Seed()
        let noise = Signal.noise(amplitude: 0.5, frameCount: 9600, random: &random)
        var swept = filter
        swept.automation = [
            AutomationPoint(0.05, "cutoff", 5000, rampFrameCount: 3000), AutomationPoint(0.1, "resonance", 20),
        ]
        let outside = try swept.render(noise)
        swept.isInProcess = true
        #expect(try swept.render(noise) == outside)
    }

    private func worstError(
        _ cutoff: Double, _ resonance: Double, _ sampleRate: Double, against prototype: AnaloguePrototype
    ) throws -> Double {
        var effect = filter.with(["cutoff": cutoff, "resonance": resonance])
        effect.sampleRate = sampleRate
        // Long enough for the ringing, or for the slower of two real poles, to decay by 100 dB.
        let q = pow(10, resonance / 20)
        let decay = 2 * Double.pi * cutoff / sampleRate * min(q, 1 / (2 * q))
        let response = try effect.impulseResponse(frameCount: max(4096, Int(12 / decay)))
        return prototype.worstError(of: response, sampleRate: sampleRate)
    }
}
