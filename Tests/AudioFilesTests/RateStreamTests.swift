// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The quality of rate conversion, its place in time, and that the pieces of a stream do not matter. Test thread.

import Glibc
import RateConversion
import TestSupport
import Testing

@Suite struct RateStreamTests {
    /// Converts samples in pieces whose sizes `piece` gives, until `count` frames have been put out; silence follows the samples.
    private static func convert(
        _ samples: [Float], ratio: Double, _ quality: RateQuality, count: Int, piece: () -> (taken: Int, made: Int)
    ) throws -> [Float] {
        var stream = try RateStream(channelCount: 1, from: 48_000, to: 48_000 * ratio, quality: quality)
        var input = samples + [Float](repeating: 0, count: RateStream.lookahead(ratio: ratio, quality: quality) + 8)
        var output = [Float](repeating: 0, count: count)
        var (taken, made) = (0, 0)
        input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var (source, sink) = (input.baseAddress!, output.baseAddress!)
                while made < count, taken < input.count || made < count {
                    let size = piece()
                    let step = stream.convert(
                        &source, from: taken, min(size.taken, input.count - taken), to: &sink, from: made,
                        min(size.made, count - made))
                    if taken == input.count, step.made == 0, size.made > 0 { break }
                    taken += step.taken
                    made += step.made
                }
            }
        }
        #expect(made == count)
        return output
    }

    /// The level of a sine, and its ratio to the strongest line of all else in the spectrum in decibels.
    private static func measure(_ samples: ArraySlice<Float>, frequency: Double) -> (level: Double, ratio: Double) {
        let values = samples.map(Double.init)
        let step = 2 * Double.pi * frequency
        var (a, b, c, d, e) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for (index, sample) in values.enumerated() {
            let (s, k) = (sin(step * Double(index)), cos(step * Double(index)))
            (a, b, c, d, e) = (a + s * s, b + s * k, c + k * k, d + sample * s, e + sample * k)
        }
        let determinant = a * c - b * b
        let (x, y) = ((d * c - e * b) / determinant, (e * a - d * b) / determinant)
        let rest = values.enumerated().map { index, sample in
            let window = 0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(values.count))
            return window * (sample - x * sin(step * Double(index)) - y * cos(step * Double(index)))
        }
        let noise = (0..<rest.count / 2).map { line(rest, Double($0) / Double(rest.count)) }.max() ?? 0
        let level = (x * x + y * y).squareRoot()
        return (level, 20 * log10(level / max(noise, 1e-20)))
    }

    /// The amplitude of one frequency under a Hann window, by Goertzel's recursion.
    private static func line(_ samples: [Double], _ frequency: Double) -> Double {
        let factor = 2 * cos(2 * Double.pi * frequency)
        var (last, former) = (0.0, 0.0)
        for sample in samples { (last, former) = (sample + factor * last - former, last) }
        return (last * last + former * former - factor * last * former).magnitude.squareRoot() * 4 / Double(samples.count)
    }

    /// The thresholds of libsamplerate's own tests, at the ratios that those use.
    @Test(arguments: [(RateQuality.best, 144.0), (.medium, 121), (.fastest, 97)])
    func theNoiseIsBelowWhatLibsamplerateAsksOfItself(quality: RateQuality, least: Double) throws {
        for ratio in [3, 0.6, 0.3, 1.001, 1.9999, 0.456789, 1.33] {
            for frequency in [0.01111, 0.1111] where frequency < 0.35 * min(1, ratio) {
                let samples = (0..<20_000).map { Float(sin(2 * Double.pi * frequency * Double($0))) }
                let count = Int(20_000 * ratio)
                let output = try Self.convert(samples, ratio: ratio, quality, count: count) { (512, 512) }
                let middle = output[count / 2 - 1000..<count / 2 + 1000]
                let heard = Self.measure(middle, frequency: frequency / ratio)
                #expect(heard.ratio >= least, "\(quality) at \(ratio), frequency \(frequency)")
                #expect(abs(heard.level - 1) < 0.01)
            }
        }
    }

    @Test(arguments: RateQuality.allCases) func thePiecesOfAStreamDoNotMatter(quality: RateQuality) throws {
        var random = SeededRandom(seed: 7)
        let samples = (0..<6000).map { _ in Float.random(in: -1...1, using: &random) }
        for ratio in [3, 0.3, 160.0 / 147, 147.0 / 160, 1.001] {
            let count = Int(5800 * ratio)
            let whole = try Self.convert(samples, ratio: ratio, quality, count: count) { (1 << 20, 1 << 20) }
            let single = try Self.convert(samples, ratio: ratio, quality, count: count) { (1, 1) }
            let pieces = try Self.convert(samples, ratio: ratio, quality, count: count) {
                (Int.random(in: 0...700, using: &random), Int.random(in: 0...700, using: &random))
            }
            #expect(whole == single && whole == pieces, "\(quality) at \(ratio)")
        }
    }

    /// Nothing is put out before so many frames have been taken in, and everything is then.
    @Test(arguments: RateQuality.allCases) func theLookaheadSuffices(quality: RateQuality) throws {
        for ratio in [3, 0.3, 160.0 / 147, 147.0 / 160, 1.0 / 24, 24] {
            let lookahead = RateStream.lookahead(ratio: ratio, quality: quality)
            var stream = try RateStream(channelCount: 1, from: 48_000, to: 48_000 * ratio, quality: quality)
            var input = [Float](repeating: 0.5, count: 10_000)
            var output = [Float](repeating: 0, count: Int(10_000 * ratio) + 1)
            let made = input.withUnsafeMutableBufferPointer { input in
                output.withUnsafeMutableBufferPointer { output in
                    var (source, sink) = (input.baseAddress!, output.baseAddress!)
                    return stream.convert(&source, from: 0, 10_000, to: &sink, from: 0, output.count).made
                }
            }
            #expect(Double(made) >= Double(10_000 - lookahead) * ratio - 1, "\(quality) at \(ratio): \(made)")
        }
    }

    @Test func whatLibsamplerateCannotDoIsRefused() {
        #expect(throws: RateConversionError.self) {
            try RateStream(channelCount: 2, from: 48_000, to: 100, quality: .best).channelCount
        }
        #expect(throws: RateConversionError.self) {
            try RateStream(channelCount: 0, from: 48_000, to: 44_100, quality: .best).channelCount
        }
        #expect(throws: RateConversionError.self) {
            try RateStream(channelCount: 1, from: 0, to: 44_100, quality: .best).channelCount
        }
    }
}
