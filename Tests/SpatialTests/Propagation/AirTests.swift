// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How much the air takes, by the formula and by the filter. Test thread.

import Glibc
import Realtime
import TestSupport
import Testing

@testable import Spatial

@Suite struct AirTests {
    /// The decibels in a kilometre at 1000 · 10^(0.3 k) Hz, for 63 Hz to 8 kHz, as ISO 9613-1 tables them.
    @Test(
        arguments: [
            (20, 50, [0.123, 0.445, 1.318, 2.733, 4.665, 9.86, 29.4, 103.9]),
            (10, 70, [0.122, 0.411, 1.043, 1.928, 3.658, 9.66, 32.8, 116.9]),
        ] as [(Double, Double, [Double])])
    func theLossIsThatOfTheStandard(celsius: Double, humidity: Double, losses: [Double]) {
        var air = Air()
        (air.temperatureCelsius, air.relativeHumidity) = (celsius, humidity)
        for (index, loss) in losses.enumerated() {
            let hertz = 1000 * pow(10, 0.3 * Double(index - 4))
            #expect(abs(1000 * air.attenuation(atHertz: hertz) / loss - 1) < 0.005, "\(hertz) Hz")
        }
    }

    /// The figure that pyfar 0.8.1 and acoustics print for 8 kHz.
    @Test func eightKilohertzLoseAsMuchAsPyfarSays() {
        let loss = 1000 * Air().attenuation(atHertz: 8000)
        Figures.note("air at 20 °C and 50 %: loss of 8 kHz by ISO 9613-1", loss, "dB/km", wanted: "105.3")
        #expect(abs(loss - 105.3) < 0.05)
    }

    @Test func impossibleWeatherIsBounded() {
        var air = Air()
        (air.temperatureCelsius, air.relativeHumidity, air.pressureKilopascals) = (.nan, .nan, .nan)
        #expect(air.attenuation(atHertz: 8000) == Air().attenuation(atHertz: 8000) && air.speedOfSound == 343.2)
        (air.temperatureCelsius, air.relativeHumidity, air.pressureKilopascals) = (-.infinity, 1e9, 0)
        #expect(air.attenuation(atHertz: 8000).isFinite && air.speedOfSound > 200)
    }

    /// The loss of the filter, from its impulse response.
    private func loss(_ coefficients: AirCoefficients, hertz: Double, sampleRate: Double) -> Double {
        var filter = AirFilter()
        filter.aim(from: coefficients, to: coefficients, over: 64)
        var samples = [Float](repeating: 0, count: 16_384)
        samples[0] = 1
        samples.withUnsafeMutableBufferPointer { filter.filter($0.baseAddress!, $0.count, elapsed: 0) }
        var (real, imaginary) = (0.0, 0.0)
        for (frame, sample) in samples.enumerated() {
            let angle = 2 * Double.pi * hertz * Double(frame) / sampleRate
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        return -10 * log10(real * real + imaginary * imaginary)
    }

    @Test(arguments: [44_100, 48_000, 96_000, 192_000] as [Double])
    func theFilterFollowsTheFormula(sampleRate: Double) {
        let table = AirTable(Air(), sampleRate: sampleRate)
        for metres in [3.0, 17, 60, 140, 330, 900, 2500] {
            let coefficients = table.coefficients(metres: metres)
            for hertz in stride(from: 250.0, through: 0.4 * min(sampleRate, 48_000), by: 250) {
                let wanted = Air().attenuation(atHertz: hertz) * metres
                guard wanted < 20 else { break }
                let found = loss(coefficients, hertz: hertz, sampleRate: sampleRate)
                #expect(abs(found - wanted) < (wanted < 6 ? 2 : 2.6), "\(hertz) Hz at \(metres) m: \(found) dB")
            }
        }
    }

    @Test func nothingIsLostAtNoDistanceAndNothingIsInfiniteFarAway() {
        let table = AirTable(Air(), sampleRate: 48_000)
        #expect(table.coefficients(metres: 0) == AirCoefficients())
        for metres in [-1, 1e6, .infinity, .nan] as [Double] {
            let coefficients = table.coefficients(metres: metres)
            #expect(loss(coefficients, hertz: 20, sampleRate: 48_000).isFinite)
        }
    }
}
