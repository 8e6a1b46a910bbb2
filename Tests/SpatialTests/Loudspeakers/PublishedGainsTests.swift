// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The point source panner beside another implementation of the same recommendation. Test thread.

import TestSupport
import Testing

@testable import Spatial

@Suite struct PublishedGainsTests {
    /// The layout of a row; after `@` stands the azimuth of the screen loudspeakers, which otherwise is 15°.
    private func speakers(of name: String) -> SpeakerLayout? {
        let parts = name.split(separator: "@")
        guard let layout = SpeakerLayout(bs2051: String(parts[0])), parts.count == 2, let azimuth = Double(parts[1]) else {
            return parts.count == 1 ? SpeakerLayout(bs2051: name) : nil
        }
        return SpeakerLayout(
            layout.places.map { place in
                abs(place.azimuth) == 15 ? SpeakerPlace(azimuth: place.azimuth < 0 ? -azimuth : azimuth) : place
            })
    }

    @Test func theGainsAreThoseOfTheRecommendation() throws {
        var panners: [String: SpeakerPanner] = [:]
        var greatest = 0.0
        let rows = publishedGains.split(separator: "\n").map { $0.split(separator: " ") }
        for row in rows {
            let name = String(row[0])
            let layout = try #require(speakers(of: name))
            let panner = try #require(panners[name] ?? SpeakerPanner(layout))
            panners[name] = panner
            let (azimuth, elevation) = (try #require(Double(row[1])), try #require(Double(row[2])))
            var wanted = [Double](repeating: 0, count: layout.places.count)
            for pair in row[3...].map({ $0.split(separator: ":") }) {
                wanted[try #require(Int(pair[0]))] = try #require(Double(pair[1]))
            }
            let gains = panner.gains(toward: SpeakerPlace(azimuth: azimuth, elevation: elevation).direction)
            let largest = zip(gains, wanted).map { abs($0 - $1) }.max() ?? 1
            greatest = max(greatest, largest)
            #expect(largest < 1e-6, "\(name) at \(azimuth)°, \(elevation)°: \(gains), not \(wanted)")
        }
        Figures.note(
            "panning to 11 layouts of BS.2051 against `ear` 2.1.0, 31 directions each", greatest, "", wanted: "below 1e-6")
        #expect(rows.count == 341 && panners.count == 11)
    }
}
