// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The reverb: decay times, echo density, colour, clicks, tail and presets. Test thread.

import Foundation
import HostingTestSupport
import TestSupport
import Testing

@Suite struct ReverbTests {
    /// The decay time in seconds that each preset states.
    private static let presets: [(name: String, decay: Double)] = [
        ("Small Room", 0.4), ("Medium Room", 0.8), ("Large Room", 1.2), ("Medium Hall", 1.8), ("Large Hall", 2.8),
        ("Plate", 2), ("Medium Chamber", 1.5), ("Large Chamber", 2.2), ("Cathedral", 6.5), ("Large Room 2", 1.6),
        ("Medium Hall 2", 2.1), ("Medium Hall 3", 1.4), ("Large Hall 2", 3.6), ("Ambience", 0.6), ("Endless", 20),
    ]

    private func reverberate(
        _ input: [[Float]], _ values: [String: Double] = [:], preset: String? = nil, sampleRate: Double = 48_000,
        blockSize: Int = 256
    ) throws -> [[Float]] {
        let effect = RenderedEffect(
            "aufx:rvrb:blkh", sampleRate: sampleRate, channelCount: input.count, blockSize: blockSize, values,
            preset: preset)
        return try effect.render(input)
    }

    private func impulse(
        seconds: Double, channelCount: Int = 2, channel: Int = 0, sampleRate: Double = 48_000
    ) -> [[Float]] {
        (0..<channelCount).map { index in
            var samples = [Float](repeating: 0, count: Int(seconds * sampleRate))
            if index == channel { samples[0] = 1 }
            return samples
        }
    }

    /// The decay time over the responses from either side to either side.
    ///
    /// A single response strays by some percent, as any draw of noise does.
    private func decayTime(
        _ values: [String: Double], preset: String? = nil, seconds: Double, octaveBand: Double = 1000,
        sampleRate: Double = 48_000
    ) throws -> Double {
        var energies: [Double] = []
        for channel in 0..<2 {
            let input = impulse(seconds: seconds, channel: channel, sampleRate: sampleRate)
            let values = values.merging(["mix": 100]) { $1 }
            for output in try reverberate(input, values, preset: preset, sampleRate: sampleRate) {
                let more = DecayMeasure(output, sampleRate: sampleRate).energies(octaveBand: octaveBand)
                energies = energies.isEmpty ? more : zip(energies, more).map { $0 + $1 }
            }
        }
        return DecayMeasure.decayTime(ofEnergies: energies, sampleRate: sampleRate)
    }

    @Test(arguments: Sample.of(presets.filter { $0.decay < 10 }, oneIn: 3))
    func decaysInTheTimeThatThePresetStates(name: String, decay: Double) throws {
        let found = try decayTime([:], preset: name, seconds: max(1.5, decay * 1.4))
        #expect(abs(found / decay - 1) < 0.05, "\(name) states \(decay) s and takes \(found) s")
    }

    @Test(arguments: [8000.0, 44_100, 96_000, 192_000])
    func decaysInTheSameTimeAtEverySampleRate(sampleRate: Double) throws {
        for (decay, size) in [(0.7, 5.0), (1.6, 25)] {
            let found = try decayTime(["decay": decay, "size": size], seconds: decay * 1.6, sampleRate: sampleRate)
            #expect(abs(found / decay - 1) < 0.05, "\(found) s for \(decay) s at \(sampleRate) Hz")
        }
    }

    @Test func decaysSlowerBelowAndFasterAboveAsToldTo() throws {
        let values = ["decay": 1.5, "lowDecay": 1.6, "highDecay": 0.4, "size": 12]
        let low = try decayTime(values, seconds: 3.5, octaveBand: 63)
        let high = try decayTime(values, seconds: 3.5, octaveBand: 12_000)
        #expect(abs(low / 2.4 - 1) < 0.12, "\(low) s")
        #expect(abs(high / 0.6 - 1) < 0.15, "\(high) s")
    }

    @Test func theDecayMeasureIsExactOnAnExponential() {
        for decay in [0.3, 2.0] {
            let noise = SeededNoise(seed: 2).samples(96_000 * 2)
            let tail = noise.enumerated().map { $1 * Float(pow(10, -3 * Double($0) / (decay * 48_000))) }
            let bare = tail.indices.map { Float(pow(10, -3 * Double($0) / (decay * 48_000))) }
            #expect(abs(DecayMeasure(bare, sampleRate: 48_000).decayTime(octaveBand: nil) / decay - 1) < 0.001)
            #expect(abs(DecayMeasure(tail, sampleRate: 48_000).decayTime() / decay - 1) < 0.06)
        }
    }

    /// The echoes are dense within the mixing time and half a window.
    ///
    /// The mixing time is √V in milliseconds, V being the volume in cubic metres (J.-D. Polack).
    @Test(arguments: [("Small Room", 4.5), ("Medium Room", 8), ("Large Hall", 28), ("Cathedral", 42)])
    func echoesGrowDenseWithinTheRoomsMixingTime(name: String, size: Double) throws {
        let output = try reverberate(impulse(seconds: 1), ["mix": 100], preset: name)
        let densities = DecayMeasure(output[0], sampleRate: 48_000).echoDensities(until: 0.6)
        let preDelays = ["Medium Room": 5, "Large Hall": 25, "Cathedral": 35]
        let mixingTime = Int((size * size * size * 0.83 * 0.58).squareRoot()) + preDelays[name, default: 0] + 20
        let mixed = densities[mixingTime..<400]
        #expect(mixed.allSatisfy { $0 > 0.7 }, "\(name) falls to \(mixed.min()!)")
        #expect(mixed.reduce(0, +) / Double(mixed.count) > 0.93)
        // The density grows: it hardly falls on the way up.
        var highest = 0.0
        for density in densities[..<mixingTime] {
            #expect(density > min(highest, 1) - 0.3)
            highest = max(highest, density)
        }
    }

    @Test func theEchoDensityMeasureTellsNoiseFromSparseEchoes() {
        let noise = SeededNoise(seed: 9).samples(20_000).indices.map { index in
            SeededNoise(seed: UInt64(index + 1)).samples(12).reduce(0, +)
        }
        let dense = DecayMeasure(noise, sampleRate: 48_000).echoDensities(until: 0.3)
        #expect(dense[50...].allSatisfy { $0 > 0.8 && $0 < 1.2 })
        let sparse = (0..<20_000).map { $0 % 240 == 0 ? Float(1) : 0 }
        #expect(DecayMeasure(sparse, sampleRate: 48_000).echoDensities(until: 0.3)[50...].allSatisfy { $0 < 0.1 })
    }

    /// The strongest line of two thirds of a second of a decay against the lines' mean, with the decay evened out.
    private func peakiness(_ responses: [[Float]], decay: Double) -> Double {
        let levels = responses.map { response in
            let flat = response.dropFirst(9600).prefix(32_768).enumerated().map {
                Double($1) * pow(10, 3 * Double($0) / (decay * 48_000)) * pow(sin(.pi * Double($0) / 32_768), 2)
            }
            let powers = FourierTransform(flat).powers[200..<2000]
            return 10 * log10(powers.max()! / (powers.reduce(0, +) / Double(powers.count)))
        }
        return levels.reduce(0, +) / Double(levels.count)
    }

    /// For Gaussian noise, the strongest of 1800 lines stands 9 dB above their mean.
    @Test func ringsHardlyMoreThanNoiseDoes() throws {
        let flat = ["mix": 100.0, "highDecay": 1, "lowDecay": 1, "lowCut": 10]
        for (name, decay) in [("Plate", 2.0), ("Large Hall", 2.8), ("Medium Chamber", 1.5), ("Medium Hall 2", 2.1)] {
            let responses = try (0..<2).flatMap { side in
                try reverberate(impulse(seconds: 1.2, channel: side), flat, preset: name)
            }
            let peak = peakiness(responses, decay: decay)
            #expect(peak < 13.5, "\(name): \(peak) dB")
        }
    }

    /// Short combs without allpasses are what metallic means.
    @Test func thePeakinessMeasureTellsNoiseFromCombFilters() {
        let noise = SeededNoise(seed: 4).samples(48_000)
        #expect(peakiness([noise.indices.map { noise[$0] * Float(pow(10, -3 * Double($0) / 96_000)) }], decay: 2) < 11)
        var response = [Float](repeating: 0, count: 48_000)
        for length in [211, 241, 283, 307] {
            for echo in stride(from: 0, to: response.count, by: length) {
                response[echo] += Float(pow(10, -3 * Double(echo) / 96_000))
            }
        }
        #expect(peakiness([response], decay: 2) > 15)
    }

    @Test func theEarsHearDifferentThings() throws {
        let output = try reverberate(impulse(seconds: 1), ["mix": 100, "decay": 1.5])
        #expect(abs(DecayMeasure.correlation(output[0][...], output[1][...])) < 0.15)
        let narrow = try reverberate(impulse(seconds: 1), ["mix": 100, "width": 0])
        #expect(DecayMeasure.correlation(narrow[0][...], narrow[1][...]) > 0.999)
    }

    @Test func monoSoundsAsTheLeftOfTwoEqualSides() throws {
        let noise = SeededNoise(seed: 8).samples(24_000)
        let mono = try reverberate([noise])
        let stereo = try reverberate([noise, noise])
        #expect(mono[0] == stereo[0])
    }

    @Test func leavesTheDrySoundAloneAndAddsNoLatency() throws {
        let noise = [SeededNoise(seed: 1).samples(4800), SeededNoise(seed: 6).samples(4800)]
        let output = try reverberate(noise, ["mix": 0])
        #expect(output == noise)
    }

    @Test func waitsForThePreDelay() throws {
        let output = try reverberate(impulse(seconds: 0.5), ["mix": 100, "preDelay": 100, "size": 3])
        #expect(output[0][..<4800].allSatisfy { abs($0) < 1e-9 })
        #expect(output[0][4800..<5400].contains { abs($0) > 1e-3 })
    }

    @Test(arguments: [1, 17, 480, 4096])
    func doesNotDependOnTheBlockSize(blockSize: Int) throws {
        let noise = [SeededNoise(seed: 12).samples(6000), SeededNoise(seed: 13).samples(6000)]
        let one = try reverberate(noise, preset: "Plate", blockSize: 64)
        let other = try reverberate(noise, preset: "Plate", blockSize: blockSize)
        #expect(other == one)
    }

    @Test func recoversFromSamplesThatAreNotNumbers() throws {
        var noise = SeededNoise(seed: 20).samples(48_000)
        let clean = try reverberate([noise], ["decay": 0.3])[0]
        noise.replaceSubrange(1000..<1003, with: [.nan, .infinity, -3e38])
        let output = try reverberate([noise], ["decay": 0.3])[0]
        #expect(output.dropFirst(1003).allSatisfy { $0.isFinite })
        #expect(zip(output, clean).dropFirst(40_000).allSatisfy { abs($0 - $1) < 1e-4 })
    }

    /// A low sine has nothing above 8 kHz, before and after.
    @Test(arguments: [
        ("size", 5.0, 30.0), ("preDelay", 0, 80), ("decay", 0.5, 8), ("highDecay", 1, 0.1), ("diffusion", 100, 20),
        ("mix", 100, 10), ("width", 100, 0), ("early", 100, 0), ("highCut", 22_000, 2000), ("modulationDepth", 0, 100),
    ])
    func noJumpOfAParameterIsHeardAsAClick(keyPath: String, before: Double, after: Double) throws {
        var values = ["mix": 60.0]
        values[keyPath] = before
        var effect = RenderedEffect("aufx:rvrb:blkh", channelCount: 1, blockSize: 64, values)
        effect.automation = [AutomationPoint(0.4, keyPath, after)]
        let sine = (0..<28_800).map { Float(0.2 * sin(2 * Double.pi * 500 / 48_000 * Double($0))) }
        let output = try effect.render([sine])[0]
        let level = Spectrum.peak(Array(output[17_000...]), from: 8000, to: 20_000, sampleRate: 48_000)
        #expect(level < -80, "\(keyPath): \(level) dB")
    }

    /// The tail: the longest decay time, the pre-delay, and three times the room's crossing by sound.
    @Test func isSixtyDecibelsDownAfterItsTail() throws {
        for (decay, low, size, preDelay) in [(0.5, 1.5, 10.0, 50.0), (0.1, 1, 50, 0), (1.5, 0.5, 30, 20)] {
            let values = [
                "mix": 100, "decay": decay, "lowDecay": low, "highDecay": 1, "size": size, "preDelay": preDelay,
            ]
            let tail = Int(48_000 * (decay * max(1, low) + preDelay / 1000 + 3 * size / 343))
            let noise = SeededNoise(seed: 33).samples(96_000) + [Float](repeating: 0, count: tail + 4800)
            let output = try reverberate([noise], values)[0]
            let rms = { (part: ArraySlice<Float>) in part.reduce(0) { $0 + $1 * $1 } / Float(part.count) }
            let level = 10 * log10(rms(output[(96_000 + tail)...]) / rms(output[48_000..<96_000]))
            #expect(level < -60, "\(level) dB")
        }
    }

    @Test func resetsToWhatAFreshOneIs() throws {
        let input = [SeededNoise(seed: 21).samples(19_200)]
        var effect = RenderedEffect("aufx:rvrb:blkh", channelCount: 1, blockSize: 480, preset: "Plate")
        let fresh = try effect.render(input)[0]
        effect.resetSeconds = 0.2
        let again = try effect.render([SeededNoise(seed: 22).samples(9600) + input[0]])[0]
        #expect(Array(again[9600...]) == fresh)
    }

    /// The longest decay in the smallest and the largest room, with everything that could add energy turned up.
    @Test(arguments: [8000.0, 48_000])
    func neverGrows(sampleRate: Double) throws {
        let second = Int(sampleRate)
        let silence = [Float](repeating: 0, count: 19 * second)
        let noise = [SeededNoise(seed: 30).samples(second) + silence, SeededNoise(seed: 31).samples(second) + silence]
        for size in [2.0, 50] {
            let values = [
                "decay": 20, "lowDecay": 2, "highDecay": 1, "size": size, "modulationDepth": 100, "modulationRate": 3,
                "mix": 100,
            ]
            let output = try reverberate(noise, values, sampleRate: sampleRate)[0]
            let energies = (0..<20).map { part in
                output[part * second..<(part + 1) * second].reduce(0) { $0 + Double($1) * Double($1) }
            }
            #expect(zip(energies.dropFirst(), energies.dropFirst(2)).allSatisfy { $1 < $0 })
        }
    }

    @Test(arguments: presets)
    func everyPresetIsAsLoudAsWhatGoesIn(name: String, decay: Double) throws {
        let noise = [SeededNoise(seed: 40).samples(144_000), SeededNoise(seed: 41).samples(144_000)]
        let output = try reverberate(noise, ["mix": 100], preset: name)
        let energies = [noise[0], output[0]].map { $0.suffix(24_000).reduce(0) { $0 + Double($1) * Double($1) } }
        let level = 10 * log10(energies[1] / energies[0])
        #expect(level > -10 && level < 3, "\(name): \(level) dB")
    }
}
