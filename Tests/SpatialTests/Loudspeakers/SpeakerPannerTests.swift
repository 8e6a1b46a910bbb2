// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The gains of loudspeakers for a direction. Test thread.

import AudioFormats
import Testing

@testable import Spatial

@Suite struct SpeakerPannerTests {
    private func panner(_ name: String) throws -> SpeakerPanner {
        try #require(SpeakerLayout(bs2051: name).flatMap { SpeakerPanner($0) })
    }

    @Test(arguments: SpeakerLayout.names)
    func aLoudspeakersDirectionIsPlayedByItAlone(name: String) throws {
        let panner = try panner(name)
        for (index, place) in panner.layout.places.enumerated() where !place.isLowFrequency {
            let gains = panner.gains(toward: place.direction)
            // Two loudspeakers are panned as if there were one between them, too.
            #expect(abs(gains[index] - 1) < 1e-9, "\(place)")
        }
    }

    @Test(arguments: SpeakerLayout.names)
    func thePowerIsOneInAllDirections(name: String) throws {
        let panner = try panner(name)
        for direction in EvenDirections.spiral(500) {
            let gains = panner.gains(toward: direction)
            let power = gains.reduce(0) { $0 + $1 * $1 }
            #expect(name == "0+2+0" ? power > 0.499 && power < 1 + 1e-9 : abs(power - 1) < 1e-9, "\(direction)")
            for (place, gain) in zip(panner.layout.places, gains) { #expect(gain >= 0 && (!place.isLowFrequency || gain == 0)) }
        }
    }

    @Test(arguments: SpeakerLayout.names)
    func gainsDoNotJumpAlongACircle(name: String) throws {
        let panner = try panner(name)
        for elevation in [-80.0, -29.99, 0, 10, 30, 60, 89] {
            var former = panner.gains(toward: SpeakerPlace(azimuth: 0, elevation: elevation).direction)
            for step in 1...7200 {
                let gains = panner.gains(toward: SpeakerPlace(azimuth: Double(step) * 0.05, elevation: elevation).direction)
                let largest = zip(gains, former).map { abs($0 - $1) }.max() ?? 0
                #expect(largest < 0.02, "\(Double(step) * 0.05)°, \(elevation)°")
                former = gains
            }
        }
    }

    @Test func theBackOfTwoLoudspeakersIsFoldedAndLower() throws {
        let gains = try panner("0+2+0").gains(toward: SpacePoint(0, 0, 1))
        #expect(gains.allSatisfy { abs($0 - 0.5) < 1e-12 })
    }

    @Test func layoutsOfChannelsHaveTheirLoudspeakers() throws {
        let mask = Speaker.allCases.filter { [.topFrontLeft, .topFrontRight, .topBackLeft, .topBackRight].contains($0) }
        let eight = try #require(ChannelLayout.usual(8))
        let twelve = try #require(ChannelLayout(eight.speakers + mask))
        for (layout, name) in [(ChannelLayout.usual(6), "0+5+0"), (eight, "0+7+0"), (twelve, "4+7+0")] {
            let found = try #require(layout.flatMap { SpeakerLayout($0) })
            let wanted = try #require(SpeakerLayout(bs2051: name))
            let angles = found.places.filter { !$0.isLowFrequency }.map { [$0.azimuth, $0.elevation] }
            #expect(Set(angles) == Set(wanted.places.filter { !$0.isLowFrequency }.map { [$0.azimuth, $0.elevation] }))
            #expect(SpeakerPanner(found) != nil)
        }
    }

    @Test func loudspeakersThatLeaveTheBackOpenAreRefused() throws {
        #expect(SpeakerPanner(SpeakerLayout([30, 0, -30].map { SpeakerPlace(azimuth: $0) })) == nil)
        #expect(SpeakerPanner(SpeakerLayout([SpeakerPlace(azimuth: 0)])) == nil && SpeakerLayout(bs2051: "1+1+1") == nil)
    }
}
