// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How loud and from where a decoded field is heard. Test thread.

import Glibc
import TestSupport
import Testing

@testable import Spatial

@Suite struct FieldDecoderTests {
    private func decoded(_ decoder: FieldDecoder, _ direction: SpacePoint) -> [Double] {
        let field = SphericalHarmonics.encode(direction)
        return (0..<decoder.outputCount).map { output in
            field.indices.reduce(0.0) { $0 + field[$1] * Double(decoder.gain(output: output, channel: $1)) }
        }
    }

    @Test(arguments: ["0+2+0", "0+5+0", "4+5+0", "4+7+0", "9+10+3"], [1, 2, 3])
    func theMeanPowerIsOneAtEachOrder(name: String, order: Int) throws {
        let panner = try #require(SpeakerLayout(bs2051: name).flatMap { SpeakerPanner($0) })
        let decoder = FieldDecoder(to: panner, order: order)
        let power = EvenDirections.quadrature.reduce(0.0) { sum, point in
            sum + point.weight * decoded(decoder, point.direction).reduce(0) { $0 + $1 * $1 }
        }
        #expect(abs(power - 1) < 0.01, "\(power)")
        for channel in SphericalHarmonics.channelCount(order: order)..<16 {
            #expect((0..<decoder.outputCount).allSatisfy { decoder.gain(output: $0, channel: channel) == 0 })
        }
    }

    @Test func theEnergyPointsToTheSource() throws {
        let layout = try #require(SpeakerLayout(bs2051: "9+10+3"))
        let decoder = FieldDecoder(to: try #require(SpeakerPanner(layout)), order: 3)
        for source in EvenDirections.spiral(60) where source.y > -0.3 {
            let gains = decoded(decoder, source)
            let vector = zip(layout.places, gains).reduce(SpacePoint()) { $0 + $1.0.direction * ($1.1 * $1.1) }
            let cosine = vector.dot(source) / vector.dot(vector).squareRoot()
            #expect(acos(min(1, cosine)) * 180 / .pi < 20, "\(source)")
        }
    }

    @Test(arguments: [1, 2, 3])
    func aHeadHearsAsMuchAsFromTheSourcesThemselves(order: Int) {
        let head = SphericalHead()
        let decoder = FieldDecoder(to: head, order: order, sampleRate: 48_000)
        var (heard, wanted) = (0.0, 0.0)
        for point in EvenDirections.quadrature {
            let field = SphericalHarmonics.encode(point.direction)
            let ears = head.impulseResponses(toward: point.direction, sampleRate: 48_000)
            for (output, response) in [ears.left, ears.right].enumerated() {
                let responses = field.indices.map { decoder.response(output: output, channel: $0) }
                for tap in responses[0].indices {
                    let sample = field.indices.reduce(0.0) { $0 + field[$1] * Double(responses[$1][tap]) }
                    heard += sample * sample * point.weight
                }
                wanted += point.weight * response.reduce(0) { $0 + Double($1) * Double($1) }
            }
        }
        #expect(abs(10 * log10(heard / wanted)) < 0.01)
    }

    /// The spectra of both ears for a direction, and those of a decoder.
    private func spectra(
        _ head: any DirectionalHead, _ decoder: FieldDecoder, _ direction: SpacePoint
    ) -> [(wanted: [Float], heard: [Float])] {
        let transform = SpectralTransform(size: 1024, build: .best)
        let (field, ears) = (
            SphericalHarmonics.encode(direction), head.impulseResponses(toward: direction, sampleRate: 48_000)
        )
        return [ears.left, ears.right].enumerated().map { output, response in
            let responses = field.indices.map { decoder.response(output: output, channel: $0) }
            let heard = responses[0].indices.map { tap in
                Float(field.indices.reduce(0.0) { $0 + field[$1] * Double(responses[$1][tap]) })
            }
            return (transform.spectrum(of: response), transform.spectrum(of: heard))
        }
    }

    /// The mean difference of the levels between two frequencies, over directions and ears, in decibels.
    private func difference(
        _ head: any DirectionalHead, _ decoder: FieldDecoder, from low: Double, to high: Double
    ) -> Double {
        var (sum, count) = (0.0, 0)
        for direction in EvenDirections.spiral(97) {
            for (wanted, heard) in spectra(head, decoder, direction) {
                for bin in Int(low / 48_000 * 1024)...Int(high / 48_000 * 1024) {
                    func power(_ spectrum: [Float]) -> Double {
                        Double(spectrum[bin] * spectrum[bin] + spectrum[512 + bin] * spectrum[512 + bin]) + 1e-12
                    }
                    sum += abs(10 * log10(power(heard) / power(wanted)))
                    count += 1
                }
            }
        }
        return sum / Double(count)
    }

    private static let head: HeadResponses? = try? HeadResponses(
        SyntheticHead().measurements(), sampleRate: 48_000, quality: .short, level: .measured)

    @Test func levelsOfHighFrequenciesAreKept() throws {
        let head = try #require(Self.head)
        let decoder = FieldDecoder(keepingMagnitudesOf: head, order: 3, sampleRate: 48_000)
        let plain = FieldDecoder(to: head, order: 3, sampleRate: 48_000)
        let (kept, lost) = (
            difference(head, decoder, from: 3000, to: 10_000), difference(head, plain, from: 3000, to: 10_000)
        )
        let low = difference(head, decoder, from: 100, to: 1200)
        Figures.note("sound field to a head by MagLS: level from 3 to 10 kHz, mean difference", kept, "dB", wanted: "below 1")
        Figures.note("sound field to a head by the plain decoder: the same", lost, "dB", wanted: "")
        #expect(kept < 1, "\(kept) dB")
        // The control: a decoder that keeps phases instead does worse.
        #expect(lost > 2 * kept, "\(lost) dB")
        #expect(low < 0.5, "\(low) dB")
    }
}
