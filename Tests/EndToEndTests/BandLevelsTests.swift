// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The levels by which turns of knobs are heard: sines whose levels are known. Test thread.

import Foundation
import TestSupport
import Testing

@Suite struct BandLevelsTests {
    /// Two sines, one in each channel, interleaved.
    private func sound(_ left: (hertz: Double, amplitude: Double), _ right: (hertz: Double, amplitude: Double)) -> [Float] {
        var samples: [Float] = []
        for frame in 0..<24_000 {
            for sine in [left, right] {
                let phase = 2 * Double.pi * sine.hertz * Double(frame) / 48_000
                samples.append(Float(sine.amplitude * sin(phase)))
            }
        }
        return samples
    }

    private func level(_ name: String, of samples: [Float]) throws -> Double {
        BandLevels(samples).decibels[try #require(BandLevels.names.firstIndex(of: name))]
    }

    @Test func aSineOfFullScaleHas0DecibelsInItsBandAndItsChannelAlone() throws {
        let samples = sound((1000, 1), (4000, 0.1))
        #expect(abs(try level("left, 1000 Hz", of: samples)) < 0.1)
        #expect(abs(try level("left, all", of: samples)) < 0.1)
        #expect(abs(try level("right, 4000 Hz", of: samples) + 20) < 0.1)
        #expect(try level("left, 4000 Hz", of: samples) < -70 && level("right, 1000 Hz", of: samples) < -70)
        #expect(abs(try level("difference, 1000 Hz", of: samples)) < 0.1)
        #expect(try level("difference, all", of: sound((1000, 0.5), (1000, 0.5))) == -90)
    }

    @Test func aDifferenceIsHeardFromOneDecibelOnUnlessTheSoundVariesAsMuchByItself() {
        func measured(_ decibels: Double...) -> Measurement {
            Measurement(stretches: decibels.map { BandLevels(sound((1000, 0.1 * pow(10, $0 / 20)), (250, 0.1))) })
        }
        let difference = Difference(from: measured(0, 0), to: measured(1.2, 1.2), control: measured(0, 0, 0))
        #expect(difference.isHeard && abs(difference.decibels - 1.2) < 0.01 && difference.spread < 0.01)
        #expect(difference.name.hasPrefix("left") || difference.name.hasPrefix("difference"))
        #expect(!Difference(from: measured(0), to: measured(0.9), control: measured(0, 0)).isHeard)
        #expect(!Difference(from: measured(0), to: measured(1.2), control: measured(0, 0.7)).isHeard)
        #expect(Difference(from: measured(0), to: measured(-3), control: measured(0, 0.7)).isHeard)
    }
}
