// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// With which channels a file is played on sinks of all sizes. Test thread.

import AudioFormats
import Testing

@testable import TerminalHost

@Suite struct PlayedChannelsTests {
    private static let stereo = ["FL", "FR"]
    private static let fiveOne = ["FL", "FR", "FC", "LFE", "RL", "RR"]
    private static let sevenOne = fiveOne + ["SL", "SR"]

    @Test func aFileHasAllItsChannelsWhereTheSinkHasItsSpeakers() {
        let usual = PlayedChannels(of: nil, count: 6, onto: Self.fiveOne)
        #expect(usual.count == 6 && usual.layout == .usual(6))
        let larger = PlayedChannels(of: .usual(6), count: 6, onto: Self.sevenOne)
        #expect(larger.count == 6 && larger.layout == .usual(6))
        let sides = ChannelLayout(mask: 0x60F)
        #expect(PlayedChannels(of: sides, count: 6, onto: Self.sevenOne).layout == sides)
        #expect(PlayedChannels(of: .discrete(6), count: 6, onto: Self.fiveOne).layout == .discrete(6))
    }

    @Test func aSmallerSinkOrOneWithOtherSpeakersGetsItsOwn() {
        let quad = PlayedChannels(of: .usual(6), count: 6, onto: ["FL", "FR", "RL", "RR"])
        #expect(quad.count == 4 && quad.layout == .usual(4))
        let behind = PlayedChannels(of: ChannelLayout(mask: 0x60F), count: 6, onto: Self.fiveOne)
        #expect(behind.count == 6 && behind.layout == .usual(6))
    }

    @Test func allElseIsMixedToTwo() {
        for sink in [[], ["MONO"], Self.stereo, ["AUX0", "AUX1", "AUX2"]] {
            let mixed = PlayedChannels(of: .usual(6), count: 6, onto: sink)
            #expect(mixed.count == 2 && mixed.layout == nil)
        }
        for count in 1...2 { #expect(PlayedChannels(of: nil, count: count, onto: Self.fiveOne).count == count) }
        // The sink is larger, and yet it has no centre behind.
        #expect(PlayedChannels(of: ChannelLayout(mask: 0x107), count: 4, onto: Self.fiveOne).count == 2)
    }
}
