// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The level by the angle and by the frequency, beside the formulas. Test thread.

import Glibc
import Testing

@testable import Spatial

@Suite struct DirectivityTests {
    private func directivity(_ shapes: [(Double, SpatialDirectivity.Shape)]) throws -> SpatialDirectivity {
        try #require(SpatialDirectivity(shapes.map { SpatialDirectivity.Band(hertz: $0.0, $0.1) }))
    }

    @Test(arguments: [(0.0, 1.0), (0.5, 1), (1, 1), (0.5, 3), (0.3, 2.5)])
    func aCardioidFollowsItsFormula(pattern: Double, sharpness: Double) throws {
        let shape = try directivity([(1000, .cardioid(pattern: pattern, sharpness: sharpness))])
        for degrees in stride(from: 0.0, through: 180, by: 15) {
            let cosine = cos(degrees * .pi / 180)
            #expect(abs(shape.gain(ofBand: 0, cosine: cosine) - pow(abs(1 - pattern + pattern * cosine), sharpness)) < 1e-12)
        }
    }

    @Test func aConeIsFullInsideAndFallsToItsOuterGain() throws {
        let shape = try directivity([(1000, .cone(innerDegrees: 60, outerDegrees: 180, outerGain: 0.2))])
        func gain(_ degrees: Double) -> Double { shape.gain(ofBand: 0, cosine: cos(degrees * .pi / 180)) }
        #expect(gain(0) == 1 && gain(29.9) == 1 && abs(gain(90.1) - 0.2) < 1e-9 && abs(gain(180) - 0.2) < 1e-9)
        let middle = cos(Double.pi / 6) / 2
        #expect(abs(shape.gain(ofBand: 0, cosine: middle) - 0.6) < 1e-12)
        let whole = try directivity([(1000, .cone(innerDegrees: 360, outerDegrees: 360, outerGain: 0))])
        #expect(whole.gain(ofBand: 0, cosine: -1) == 1)
    }

    @Test func whatIsNoDirectivityIsNil() {
        let shape = SpatialDirectivity.Shape.cardioid(pattern: 0.5)
        #expect(SpatialDirectivity([]) == nil)
        #expect(SpatialDirectivity([.init(hertz: 10, shape)]) == nil && SpatialDirectivity([.init(hertz: .nan, shape)]) == nil)
        #expect(SpatialDirectivity([.init(hertz: 100, shape), .init(hertz: 100, shape)]) == nil)
        #expect(SpatialDirectivity([.init(.cardioid(pattern: .nan))]) == nil)
        #expect(SpatialDirectivity((1...9).map { .init(hertz: 100 * Double($0), shape) }) == nil)
    }

    /// The level of a filter at a frequency, with a gain for each band, from its impulse response.
    private func level(_ hertz: [Double], _ gains: [Double], at frequency: Double) throws -> Double {
        let table = DirectivityTable(try directivity(hertz.map { ($0, .cardioid(pattern: 0)) }))
        var filter = BandFilter()
        filter.take(UnsafePointer(table.core), sampleRate: 48_000)
        var values = GlidingValues(count: 8)
        defer { values.deallocate() }
        for (band, gain) in gains.enumerated() { values.goal[band] = Float(gain) }
        values.jump()
        var samples = [Float](repeating: 0, count: 8192)
        samples[0] = 1
        filter.filter(&samples, samples.count, values, 0, cellFrame: 0)
        var (real, imaginary) = (0.0, 0.0)
        for (frame, sample) in samples.enumerated() {
            let angle = 2 * .pi * frequency * Double(frame) / 48_000
            real += Double(sample) * cos(angle)
            imaginary -= Double(sample) * sin(angle)
        }
        return (real * real + imaginary * imaginary).squareRoot()
    }

    @Test(arguments: [50.0, 250, 700, 1000, 3000, 4000, 15_000]) func equalBandsPassAllFrequencies(frequency: Double) throws {
        #expect(abs(try level([250, 1000, 4000], [0.5, 0.5, 0.5], at: frequency) - 0.5) < 1e-4)
    }

    @Test func neighboursBlendBetweenTheirFrequencies() throws {
        let (hertz, gains) = ([500.0, 8000], [1.0, 0.25])
        // In the middle, at 2 kHz, both have the same share; two octaves away one has 16 of 17.
        func warped(_ hertz: Double) -> Double { tan(.pi * hertz / 48_000) }
        for frequency in [30.0, 500, 1000, 2000, 4000, 8000] {
            let place = pow(warped(frequency) / warped(2000), 2)
            let wanted = (gains[0] + gains[1] * place) / (1 + place)
            #expect(abs(try level(hertz, gains, at: frequency) - wanted) < 1e-4, "\(frequency)")
        }
        #expect(abs(try level(hertz, gains, at: 30) - 1) < 1e-3)
    }
}
