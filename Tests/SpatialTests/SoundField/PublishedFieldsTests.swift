// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sound fields beside other implementations of the same rules. Test thread.

import Glibc
import TestSupport
import Testing

@testable import Spatial

@Suite struct PublishedFieldsTests {
    /// The rows of a table, as words.
    private func rows(_ table: String) -> [[Substring]] { table.split(separator: "\n").map { $0.split(separator: " ") } }

    private func numbers(_ words: some Collection<Substring>) throws -> [Double] { try words.map { try #require(Double($0)) } }

    @Test func aFieldTurnsAsElsewhere() throws {
        var greatest = 0.0
        for row in try rows(publishedRotations).map({ try numbers($0) }) {
            let rotation = FieldRotation(listener: HeadAxes(HeadAngles(yaw: row[0], pitch: row[1], roll: row[2])))
            for channel in 0..<16 {
                let turned = (0..<16).reduce(0.0) { $0 + rotation.entry(channel, $1) / Double($1 + 1) }
                greatest = max(greatest, abs(turned - row[3 + channel]))
            }
        }
        Figures.note("rotation of a sound field of order 3 against `spaudiopy` 0.2.0", greatest, "", wanted: "below 1e-6")
        #expect(greatest < 1e-6 && rows(publishedRotations).count == 6)
    }

    @Test func loudspeakersPlayAFieldAsElsewhere() throws {
        var (decoders, greatest): ([String: FieldDecoder], Double) = ([:], 0)
        for row in rows(publishedDecoders) {
            let (name, order, output) = (String(row[0]), try #require(Int(row[1])), try #require(Int(row[2])))
            let panner = try #require(SpeakerLayout(bs2051: name).flatMap { SpeakerPanner($0) })
            let decoder = decoders[name] ?? FieldDecoder(to: panner, order: order)
            decoders[name] = decoder
            for (channel, wanted) in try numbers(row[3...]).enumerated() {
                greatest = max(greatest, abs(Double(decoder.gain(output: output, channel: channel)) - wanted))
            }
        }
        Figures.note("decoders to three layouts, orders 1 to 3, against `ear` 2.1.0", greatest, "", wanted: "below 1e-6")
        #expect(greatest < 1e-6 && decoders.count == 3)
    }

    /// The levels of a head's two ears that hear a source through a sound field, from 3 to 10 kHz.
    private func levels(_ decoder: FieldDecoder, _ direction: SpacePoint, ear: Int) -> [Double] {
        let field = SphericalHarmonics.encode(direction)
        let responses = field.indices.map { decoder.response(output: ear, channel: $0) }
        return stride(from: 3000.0, through: 10_000, by: 1000).map { frequency in
            var (real, imaginary) = (0.0, 0.0)
            for tap in responses[0].indices {
                let sample = field.indices.reduce(0.0) { $0 + field[$1] * Double(responses[$1][tap]) }
                real += sample * cos(2 * .pi * frequency * Double(tap) / 48_000)
                imaginary -= sample * sin(2 * .pi * frequency * Double(tap) / 48_000)
            }
            return 10 * log10(real * real + imaginary * imaginary)
        }
    }

    @Test func aHeadHearsTheLevelsOfAFieldAsElsewhere() throws {
        let head = try HeadResponses(SyntheticHead().measurements(), sampleRate: 48_000, quality: .short, level: .measured)
        let (kept, plain) = (
            FieldDecoder(keepingMagnitudesOf: head, order: 3, sampleRate: 48_000),
            FieldDecoder(to: head, order: 3, sampleRate: 48_000)
        )
        let directions = EvenDirections.spiral(12)
        var (gap, plainGap, count) = (0.0, 0.0, 0.0)
        for row in rows(publishedMagnitudes) {
            let (direction, ear) = (directions[try #require(Int(row[0]))], try #require(Int(row[1])))
            let wanted = try numbers(row[2...])
            gap += zip(levels(kept, direction, ear: ear), wanted).reduce(0) { $0 + abs($1.0 - $1.1) }
            plainGap += zip(levels(plain, direction, ear: ear), wanted).reduce(0) { $0 + abs($1.0 - $1.1) }
            count += Double(wanted.count)
        }
        Figures.note("MagLS against `spaudiopy` 0.2.0, 3 to 10 kHz: level, mean difference", gap / count, "dB", wanted: "below 1")
        #expect(gap / count < 1 && count == 192, "\(gap / count) dB")
        // The control: a decoder that keeps phases instead is farther away.
        #expect(plainGap > 2 * gap, "\(plainGap / count) dB")
    }
}
