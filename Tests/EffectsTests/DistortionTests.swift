// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The distortion: aliases, curves, ring modulator, crusher, band limits, clicks and tail. Test thread.

import Foundation
import HostingTestSupport
import TestSupport
import Testing

@Suite struct DistortionTests {
    private static let latency = 80
    private static let curves = ["soft", "hard", "fold", "rectifier", "clean", "squared", "cubed"]

    private func distort(
        _ input: [Float], _ values: [String: Double] = [:], preset: String? = nil, sampleRate: Double = 48_000,
        blockSize: Int = 64
    ) throws -> [Float] {
        let effect = RenderedEffect(
            "aufx:dist:blkh", sampleRate: sampleRate, channelCount: 1, blockSize: blockSize, values, preset: preset)
        return try effect.render([input])[0]
    }

    private func sine(_ frequency: Double, count: Int, amplitude: Double = 1, sampleRate: Double = 48_000) -> [Float] {
        (0..<count).map { Float(amplitude * sin(2 * Double.pi * frequency * Double($0) / sampleRate)) }
    }

    @Test(arguments: [44_100.0, 48_000, 96_000], [12.0, 24, 48])
    func keepsAliasesOfALoudSineSixtyDecibelsDown(sampleRate: Double, drive: Double) throws {
        let measure = AliasMeasure(near: 5000, sampleRate: sampleRate)
        for curve in Self.curves.indices {
            let values = ["curve": Double(curve), "drive": drive]
            let output = try distort(measure.sine, values, sampleRate: sampleRate)
            let line = measure.worstLine(of: output)
            #expect(line < -60, "\(Self.curves[curve]) at \(drive) dB and \(sampleRate) Hz: \(line) dB")
        }
    }

    @Test func theAliasMeasureReportsCurvesAtTheBaseRate() {
        let measure = AliasMeasure(near: 5000, sampleRate: 48_000)
        #expect(measure.worstLine(of: measure.sine) < -120)
        #expect(measure.worstLine(of: measure.sine.map { tanh(4 * $0) }) > -40)
        #expect(measure.worstLine(of: measure.sine.map { max(-1, min(1, 4 * $0)) }) > -40)
    }

    /// Compares the harmonics of a low sine with the curves' own, which alias there too little to matter.
    @Test(arguments: [0.0, 12, 24])
    func shapesALowSineAsTheCurvesSay(drive: Double) throws {
        let measure = AliasMeasure(near: 200, sampleRate: 48_000)
        let gain = pow(10, drive / 20)
        let curves: [(Double) -> Double] = [
            { tanh(gain * $0) }, { max(-1, min(1, gain * $0)) }, { sin(.pi / 2 * gain.squareRoot() * $0) },
            { min(1, (1 + (gain.squareRoot() - 1) / 5) * abs($0)) }, { $0 },
            { pow(max(-1, min(1, (1 + (gain.squareRoot() - 1) / 5) * $0)), 2) },
            { pow(max(-1, min(1, gain.squareRoot() * $0)), 3) },
        ]
        for (index, curve) in curves.enumerated() {
            let wanted = FourierTransform(measure.sine.suffix(AliasMeasure.windowLength).map { curve(Double($0)) })
            let values = ["curve": Double(index), "drive": drive]
            let found = FourierTransform(try distort(measure.sine, values).suffix(AliasMeasure.windowLength))
            for harmonic in 1...12 {
                let bin = harmonic * measure.cycleCount
                let difference = sqrt(found.powers[bin]) - sqrt(wanted.powers[bin])
                #expect(abs(difference) < 2e-3, "\(Self.curves[index]), harmonic \(harmonic): \(difference)")
            }
        }
    }

    @Test(arguments: [8000.0, 44_100, 48_000])
    func delaysTheDrySignalByItsLatencyAndAltersNothing(sampleRate: Double) throws {
        let input = SeededNoise(seed: 3).samples(5000)
        let output = try distort(input, ["mix": 0, "drive": 40], sampleRate: sampleRate)
        #expect(output.dropFirst(Self.latency).elementsEqual(input.dropLast(Self.latency)))
    }

    /// A cascade that is half a sample off would cancel at the top of the band when it is mixed with the dry signal.
    @Test func linesWetUpWithDry() throws {
        for frequency in [100.0, 1000, 10_000, 18_000] {
            let measure = AliasMeasure(near: frequency, sampleRate: 48_000)
            for mix in [50.0, 100] {
                let output = try distort(measure.sine, ["curve": 4, "mix": mix])
                let power = FourierTransform(output.suffix(AliasMeasure.windowLength)).powers[measure.cycleCount]
                #expect(abs(10 * log10(power)) < 0.15, "\(frequency) Hz, mix \(mix) %: \(10 * log10(power)) dB")
            }
        }
    }

    @Test func ringModulatorMovesASineToItsSideBands() throws {
        let measure = AliasMeasure(near: 3000, sampleRate: 48_000)
        let carrier = 257
        let values = ["curve": 4, "ring.mix": 100, "ring.frequency": Double(carrier) * 48_000 / 16_384]
        let powers = FourierTransform(try distort(measure.sine, values).suffix(AliasMeasure.windowLength)).powers
        let bands = [measure.cycleCount - carrier, measure.cycleCount + carrier]
        for band in bands { #expect(abs(10 * log10(powers[band] * 4)) < 0.1) }
        let rest = powers.enumerated().filter { !bands.contains($0.offset) }.map(\.element).max()!
        #expect(10 * log10(rest * 4) < -80)
    }

    /// The upper side band of 20 kHz + 8 kHz would fold back to 20 kHz − … if the sine were multiplied at the base rate.
    @Test func ringModulatorDoesNotAlias() throws {
        let measure = AliasMeasure(near: 20_000, sampleRate: 48_000)
        let carrier = 2729
        let values = ["curve": 4, "ring.mix": 100, "ring.frequency": Double(carrier) * 48_000 / 16_384]
        let powers = FourierTransform(try distort(measure.sine, values).suffix(AliasMeasure.windowLength)).powers
        let folded = AliasMeasure.windowLength - measure.cycleCount - carrier
        #expect(10 * log10(powers[folded] * 4) < -60)
        #expect(10 * log10(powers[measure.cycleCount - carrier] * 4) > -1)
    }

    @Test func crusherHoldsSamplesAndRoundsThem() throws {
        let values: [String: Double] = ["curve": 4, "crush.mix": 100, "crush.bits": 4, "crush.rate": 6000]
        let output = try distort(sine(300, count: 9600), values)
        // The low cut at 10 Hz tilts the steps a little. Of eight frames seven stand still, and the eighth moves by
        // whole eighths of full scale.
        let steps = zip(output.dropFirst(4000), output.dropFirst(4001)).map { abs($0 - $1) }
        let moves = steps.filter { $0 > 0.01 }
        #expect(moves.count > steps.count / 16 && moves.count <= steps.count / 8 + 1)
        #expect(moves.allSatisfy { abs($0 * 8 - ($0 * 8).rounded()) < 0.05 })
        let uncrushed = try distort(sine(300, count: 9600), ["curve": 4])
        #expect(zip(uncrushed, uncrushed.dropFirst()).filter { abs($0 - $1) > 0.01 }.count > 4000)
    }

    @Test(arguments: ["input", "tone"])
    func cutsTheBandThreeDecibelsAtItsEdges(band: String) throws {
        let values = ["curve": 4.0, "\(band).lowCut": 500, "\(band).highCut": 4000]
        for (frequency, wanted) in [(500.0, -3.01), (4000, -3.01), (125, -24.1), (1400, 0)] {
            let measure = AliasMeasure(near: frequency, sampleRate: 48_000)
            let output = try distort(measure.sine, values)
            let power = FourierTransform(output.suffix(AliasMeasure.windowLength)).powers[measure.cycleCount]
            #expect(abs(10 * log10(power) - wanted) < 0.4, "\(frequency) Hz: \(10 * log10(power)) dB")
        }
    }

    @Test func leavesNoConstantBehindAndKeepsSilenceSilent() throws {
        let biased: [String: Double] = ["drive": 30, "bias": 0.7]
        let silence = try distort([Float](repeating: 0, count: 4000), biased)
        #expect(silence.allSatisfy { abs($0) < 1e-6 })
        let output = try distort(sine(480, count: 96_000), biased).suffix(48_000)
        #expect(abs(output.reduce(0, +) / Float(output.count)) < 1e-3)
    }

    @Test(arguments: [1, 17, 480, 4096])
    func doesNotDependOnTheBlockSize(blockSize: Int) throws {
        let input = SeededNoise(seed: 11).samples(6000)
        for preset in ["Speech Alien Chatter", "Tube Amp", "Multi Everything Is Broken"] {
            let one = try distort(input, preset: preset, blockSize: 64)
            let other = try distort(input, preset: preset, blockSize: blockSize)
            #expect(other == one)
        }
    }

    @Test func recoversFromSamplesThatAreNotNumbers() throws {
        var input = sine(440, count: 20_000, amplitude: 0.5)
        let clean = try distort(input)
        input.replaceSubrange(5000..<5003, with: [.nan, .infinity, -3e38])
        let output = try distort(input)
        #expect(output.dropFirst(5003 + Self.latency).allSatisfy { $0.isFinite })
        #expect(zip(output, clean).dropFirst(16_000).allSatisfy { abs($0 - $1) < 1e-4 })
    }

    /// A quiet sine has nothing above 8 kHz, before and after.
    @Test(arguments: [
        ("drive", 0.0, 15.0), ("bias", 0, 0.2), ("mix", 100, 0), ("output", 0, -30), ("curve", 0, 4),
        ("tone.highCut", 22_000, 1000), ("input.lowCut", 10, 800), ("ring.mix", 0, 100), ("ring.frequency", 440, 900),
    ])
    func noJumpOfAParameterIsHeardAsAClick(keyPath: String, before: Double, after: Double) throws {
        var values = ["drive": 0.0]
        values[keyPath] = before
        var effect = RenderedEffect("aufx:dist:blkh", channelCount: 1, blockSize: 64, values)
        effect.automation = [AutomationPoint(0.1, keyPath, after)]
        let output = try effect.render([sine(500, count: 9600, amplitude: 0.2)])[0]
        let level = Spectrum.peak(Array(output[2400...]), from: 8000, to: 20_000, sampleRate: 48_000)
        #expect(level < -80, "\(keyPath): \(level) dB")
    }

    @Test func theClickMeasureReportsAJumpWithoutAGlide() {
        let tone = sine(500, count: 7200, amplitude: 0.2)
        let spliced = Array(tone[..<3624] + tone[3624...].map { $0 * 0.5 })
        #expect(Spectrum.peak(tone, from: 8000, to: 20_000, sampleRate: 48_000) < -100)
        #expect(Spectrum.peak(spliced, from: 8000, to: 20_000, sampleRate: 48_000) > -70)
    }

    @Test func rampsOverAsManyFramesAsItIsTold() throws {
        var effect = RenderedEffect("aufx:dist:blkh", channelCount: 1, blockSize: 64, ["curve": 4])
        let input = sine(500, count: 12_000)
        let steady = try effect.render([input])[0]
        effect.automation = [AutomationPoint(0.1, "output", -20, rampFrameCount: 4800)]
        let ramped = try effect.render([input])[0]
        for (frame, gain) in [(4790, 1.0), (7212, 0.5474), (9612, 0.1), (11_412, 0.1)] {
            #expect(abs(Double(ramped[frame]) / Double(steady[frame]) - gain) < 0.01)
        }
    }

    /// The tail: the ringing of the oversampling filters, and of the low cuts until they are 60 dB down after the drive.
    @Test(arguments: [0.0, 24, 48])
    func isSixtyDecibelsDownAfterItsTail(drive: Double) throws {
        let tail = 2 * Self.latency + Int(48_000 * (70 + drive) * 0.115_13 / (2 * Double.pi * 0.7071 * 10))
        let input = sine(100, count: 24_000) + [Float](repeating: 0, count: tail + 4800)
        let output = try distort(input, ["drive": drive])
        #expect(output[(24_000 + tail)...].allSatisfy { abs($0) < 1e-3 })
    }

    @Test func resetsToWhatAFreshOneIs() throws {
        let input = SeededNoise(seed: 17).samples(9600)
        var effect = RenderedEffect("aufx:dist:blkh", channelCount: 1, blockSize: 480, preset: "Speech Alien Chatter")
        let fresh = try effect.render([input])[0]
        effect.resetSeconds = 0.1
        let again = try effect.render([SeededNoise(seed: 18).samples(4800) + input])[0]
        #expect(Array(again[4800...]) == fresh)
    }

    @Test(arguments: Sample.of(FactoryPresetTests.distortions, oneIn: 4))
    func everyPresetSoundsAndStaysWithinReason(preset: String) throws {
        for sampleRate in [8000.0, 48_000, 192_000] {
            let output = try distort(SeededNoise(seed: 5).samples(12_000), preset: preset, sampleRate: sampleRate)
            let peak = output.reduce(0) { max($0, abs($1)) }
            #expect(output.allSatisfy { $0.isFinite })
            #expect(peak > 0.05 && peak < 2, "\(preset) at \(sampleRate) Hz peaks at \(peak)")
        }
    }
}
