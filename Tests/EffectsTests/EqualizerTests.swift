// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The equalizer: each shape against its analogue prototype, and changes without clicks. Test thread.

import Foundation
import TestSupport
import Testing

@Suite struct EqualizerTests {
    private static let shapes = [
        "parametric", "low pass", "high pass", "resonant low pass", "resonant high pass", "band pass", "band stop",
        "low shelf", "high shelf", "resonant low shelf", "resonant high shelf",
    ]
    private let equalizer = RenderedEffect("aufx:eqlz:blkh")

    @Test(arguments: Sample.of(Array(shapes.indices), oneIn: 3))
    func everyShapeFollowsItsAnaloguePrototypeUpToAQuarterOfTheSampleRate(shape: Int) throws {
        var worst = 0.0
        for sampleRate in [8000, 44_100, 192_000] as [Double] {
            for frequency in [300, 1000, 3900, 4100, 12_000, 17_000, 20_000] as [Double] {
                for bandwidth in [0.1, 1, 4] {
                    for gain in Self.hasGain(shape) ? [-24.0, 6, 24] : [0] {
                        let prototype = Self.prototype(shape, frequency, bandwidth, gain)
                        let error = try worstError(shape, frequency, bandwidth, gain, sampleRate, against: prototype)
                        #expect(error < 0.1, "\(frequency) Hz, \(bandwidth) octaves, \(gain) dB at \(sampleRate) Hz")
                        worst = max(worst, error)
                    }
                }
            }
        }
        print("Equalizer, \(Self.shapes[shape]): \(worst) dB off at worst")
    }

    @Test func prototypesSlightlyOffAreCaught() throws {
        let wrong = Self.prototype(0, 1000, 1, 6.2)
        #expect(try worstError(0, 1000, 1, 6, 48_000, against: wrong) > 0.1)
        let cramped = Self.prototype(8, 9000, 1, 12)
        #expect(abs(cramped.bilinear(at: 11_000, sampleRate: 48_000) - cramped.decibels(at: 11_000)) > 0.2)
    }

    @Test func bandsAddUpInDecibels() throws {
        let effect = equalizer.with([
            "band1.type": 7, "band1.frequency": 150, "band1.gain": 5, "band4.frequency": 900, "band4.gain": -8,
            "band4.bandwidth": 0.7, "band7.frequency": 6000, "band7.gain": 4, "band8.gain": 9, "band8.bypass": 1,
            "gain": -3,
        ])
        let response = try effect.impulseResponse(frameCount: 16_384)
        for frequency in Spectrum.frequencies(from: 30, to: 12_000, count: 40) {
            let expected =
                Self.prototype(7, 150, 1, 5).decibels(at: frequency)
                + Self.prototype(0, 900, 0.7, -8).decibels(at: frequency)
                + Self.prototype(0, 6000, 1, 4).decibels(at: frequency) - 3
            #expect(abs(Spectrum.decibels(response, at: frequency, sampleRate: 48_000) - expected) < 0.1)
        }
    }

    @Test func everyBandDoesTheSame() throws {
        let first = try band(1, type: 0, frequency: 3000, gain: 9).impulseResponse(frameCount: 2048)
        for number in 2...16 {
            #expect(try band(number, type: 0, frequency: 3000, gain: 9).impulseResponse(frameCount: 2048) == first)
        }
        #expect(throws: (any Error).self) { try band(17, type: 0, frequency: 3000, gain: 9).impulseResponse(frameCount: 1) }
    }

    @Test(arguments: [0, 7, 8, 9, 10])
    func takesNinetySixDecibelsOff(shape: Int) throws {
        let effect = band(16, type: shape, frequency: 1000, gain: -96)
        let response = try effect.impulseResponse(frameCount: 32_768)
        // A peak is deepest at its frequency, and a shelf far from it.
        let deepest = [0: 1000.0, 7: 20, 9: 20, 8: 20_000, 10: 20_000][shape]!
        let expected = Self.prototype(shape, 1000, 1, -96).decibels(at: deepest)
        #expect(expected < -90)
        #expect(Spectrum.decibels(response, at: deepest, sampleRate: 48_000) < -90)
        #expect(abs(Spectrum.decibels(response, at: 1000, sampleRate: 48_000) - (shape == 0 ? -96 : -48)) < 0.5)
    }

    @Test(arguments: shapes.indices)
    func holdsAFrequencyAboveHalfTheSampleRate(shape: Int) throws {
        var random = Seed()
        let noise = Signal.noise(amplitude: 1, frameCount: 8000, random: &random)
        for gain in [-96.0, 24] {
            var effect = band(16, type: shape, frequency: 22_000, gain: gain)
            effect.sampleRate = 8000
            #expect(try effect.render(noise).allSatisfy { abs($0) < 100 })
        }
    }

    @Test func aBandThatIsFlatAgainLeavesTheSignalAlone() throws {
        var random = Seed()
        let noise = Signal.noise(amplitude: 0.3, frameCount: 24_000, random: &random)
        var moved = band(12, type: 0, frequency: 3000, gain: 12)
        moved.automation = [
            AutomationPoint(0.1, "band12.gain", 0), AutomationPoint(0.2, "band9.gain", 6),
            AutomationPoint(0.3, "band9.bypass", 1),
        ]
        let output = try moved.render(noise)
        #expect(output[6000..<9600] == noise[6000..<9600] && output[16_000...] == noise[16_000...])
        #expect(output[..<4800] != noise[..<4800] && output[10_000..<14_400] != noise[10_000..<14_400])
    }

    private func band(_ number: Int, type: Int, frequency: Double, gain: Double) -> RenderedEffect {
        let band = "band\(number)"
        var effect = equalizer.with([
            "\(band).type": Double(type), "\(band).frequency": frequency, "\(band).gain": gain,
        ])
        effect.isInProcess = true
        return effect
    }

    @Test func leavesTheSignalAloneWhenItIsFlat() throws {
        var random = Seed()
        let noise = Signal.noise(amplitude: 1, frameCount: 4096, random: &random)
        #expect(try equalizer.render(noise) == noise)
    }

    @Test func switchingTheShapeIsNotHeardAsAClick() throws {
        let sine = Signal.sine(440, seconds: 0.9, sampleRate: 48_000)
        var switched = equalizer.with(["band4.frequency": 500, "band4.gain": 12])
        switched.automation = (1...10).map { AutomationPoint(Double($0) * 0.08, "band4.type", Double($0)) }
        let output = try switched.render(sine)
        let level = Spectrum.peak(Array(output[1500...]), from: 8000, to: 20_000, sampleRate: 48_000)
        print("Equalizer, through all shapes: \(level) dB above 8 kHz")
        #expect(level < -100)
        // The control: from peak to low-pass at once.
        let peak = try equalizer.with(["band4.frequency": 500, "band4.gain": 12]).render(sine)
        let low = try equalizer.with(["band4.frequency": 500, "band4.type": 1]).render(sine)
        let spliced = Array(peak[2400..<4800] + low[4800..<9600])
        #expect(Spectrum.peak(spliced, from: 8000, to: 20_000, sampleRate: 48_000) > -80)
    }

    @Test func anEndOfAutomationIsWhereItWouldHaveStartedFrom() throws {
        var random = Seed()
        let noise = Signal.noise(amplitude: 0.3, frameCount: 24_000, random: &random)
        let settled = equalizer.with(["band2.type": 3, "band2.frequency": 3000, "band5.gain": 10])
        var moved = equalizer
        moved.automation = [
            AutomationPoint(0.01, "band2.type", 3), AutomationPoint(0.05, "band5.gain", 10),
            AutomationPoint(0.02, "band2.frequency", 3000, rampFrameCount: 4000),
        ]
        let (still, glided) = (try settled.render(noise), try moved.render(noise))
        #expect(zip(still[12_000...], glided[12_000...]).allSatisfy { abs($0 - $1) < 1e-4 })
        #expect(zip(still[..<4000], glided[..<4000]).contains { abs($0 - $1) > 0.01 })
    }

    @Test func rampsItsLevelOverExactlyTheFramesAskedFor() throws {
        var effect = equalizer
        effect.automation = [AutomationPoint(0.01, "gain", 6.0206, rampFrameCount: 1000)]
        let output = try effect.render([Float](repeating: 0.25, count: 2000))
        #expect(output[480] == 0.25)
        #expect(abs(output[480 + 500] - 0.375) < 1e-4)
        #expect(abs(output[480 + 999] - 0.5) < 1e-3 && abs(output[480 + 1000] - 0.5) < 1e-5)
    }

    @Test func staysBoundedWhileEverythingIsThrownAbout() throws {
        var random = Seed()
        var thrown = equalizer
        for index in 0..<400 {
            let band = Int.random(in: 1...16, using: &random)
            let change = [
                ("type", Double(Int.random(in: 0...10, using: &random))),
                ("gain", Double.random(in: -96...10, using: &random)),
                ("frequency", exp2(Double.random(in: log2(20)...log2(22_000), using: &random))),
                ("bandwidth", Double.random(in: 0.05...5, using: &random)),
            ][index % 4]
            thrown.automation.append(AutomationPoint(Double(index) * 0.0024, "band\(band).\(change.0)", change.1))
        }
        let output = try thrown.render(Signal.noise(amplitude: 0.3, frameCount: 48_000, random: &random))
        #expect(output.allSatisfy { abs($0) < 100 })
    }

    @Test func resetIsAsGoodAsNew() throws {
        var random = Seed()
        let noise = Signal.noise(amplitude: 0.5, frameCount: 4096, random: &random)
        let tuned = equalizer.with(["band1.gain": 12, "band2.type": 3, "band2.bandwidth": 0.1, "gain": -6])
        var disturbed = tuned
        disturbed.resetSeconds = 4096 / 48_000
        disturbed.automation = [
            AutomationPoint(4000 / 48_000, "band5.type", 4), AutomationPoint(0.084, "band6.gain", 9),
        ]
        let fresh = try tuned.with(["band5.type": 4, "band6.gain": 9]).render(noise)
        #expect(try Array(disturbed.render(noise + noise)[4096...]) == fresh)
    }

    @Test func treatsThreeChannelsEachForItself() throws {
        var tuned = equalizer.with(["band1.gain": 12, "band2.type": 3, "gain": -6])
        tuned.automation = [AutomationPoint(0.02, "band2.type", 4), AutomationPoint(0.03, "band4.gain", 9)]
        try tuned.expectSeparateChannels(3)
    }

    private func worstError(
        _ shape: Int, _ frequency: Double, _ bandwidth: Double, _ gain: Double, _ sampleRate: Double,
        against prototype: AnaloguePrototype
    ) throws -> Double {
        var effect = equalizer.with([
            "band3.type": Double(shape), "band3.frequency": frequency, "band3.bandwidth": bandwidth, "band3.gain": gain,
        ])
        effect.sampleRate = sampleRate
        // A thousand filters are measured: they do without a process each.
        effect.isInProcess = true
        // Long enough for the sharpest poles that a gain makes, and for the slower of two real ones.
        let q = 1 / (2 * sinh(log(2) / 2 * bandwidth))
        let spread = pow(10, abs(gain) / 40)
        let decay = 2 * Double.pi * frequency / sampleRate * min(1 / (2 * q * spread), q / spread, 0.3)
        let response = try effect.impulseResponse(frameCount: max(2048, Int(18 / decay)))
        return prototype.worstError(of: response, sampleRate: sampleRate)
    }

    private static func hasGain(_ shape: Int) -> Bool { shape == 0 || shape >= 7 }

    private static func prototype(
        _ shape: Int, _ frequency: Double, _ bandwidth: Double, _ gain: Double
    ) -> AnaloguePrototype {
        let isResonant = ![1, 2, 7, 8].contains(shape)
        let q = isResonant ? 1 / (2 * sinh(log(2) / 2 * bandwidth)) : 0.5.squareRoot()
        switch shape {
        case 0: return .peak(frequency, q: q, gain: gain)
        case 1, 3: return .lowPass(frequency, q: q)
        case 2, 4: return .highPass(frequency, q: q)
        case 5: return .bandPass(frequency, q: q)
        case 6: return .bandStop(frequency, q: q)
        case 7, 9: return .lowShelf(frequency, q: q, gain: gain)
        default: return .highShelf(frequency, q: q, gain: gain)
        }
    }
}
