// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The speakers at the end of an allocation: what a unit believes, and what it refuses. Test thread.

import AudioUnits
import Testing
import Wire

@testable import ControlMessages

@Suite struct SpeakerTests {
    private static let layout = ChannelLayout([.frontRight, .lowFrequency, .frontLeft])
    private static let allocation = Allocation(
        sampleRate: 48_000, maximumFrameCount: 64,
        inputs: [BusFormat(channelCount: 3, layout: layout), BusFormat(channelCount: 1)],
        outputs: [BusFormat(channelCount: 3)], output: AudioMemoryLayout(slotCount: 2, channelCount: 3, maximumFrameCount: 64),
        connections: [nil, nil], hasSuccessor: false)

    /// The speakers of the allocation: two inputs, of which one is known, and an output of which nothing is.
    private static let speakers: [UInt8] = [2, 0, 0, 0, 3, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]

    private func read(_ speakers: [UInt8]) throws(WireViolation) -> HostMessage {
        let message = HostMessage.allocate(Self.allocation.withoutSpeakers)
        return try HostMessage(kind: message.kind, body: message.body + speakers)
    }

    @Test func theyFollowTheRestOfTheMessageInTheOrderOfTheChannels() throws {
        let message = HostMessage.allocate(Self.allocation)
        #expect(message.body == HostMessage.allocate(Self.allocation.withoutSpeakers).body + Self.speakers)
        #expect(try read(Self.speakers) == message)
    }

    @Test func aMessageOfVersion2HasNone() throws {
        #expect(try read([]) == .allocate(Self.allocation.withoutSpeakers))
        #expect(!Self.allocation.withoutSpeakers.saysSpeakers)
    }

    static let defects: [(UInt8, at: Int, String)] = [
        (1, 0, "speakers of 1 buses for 2"), (0, 0, "speakers of 0 buses for 2"), (2, 4, "2 speakers for 3 channels"),
        (18, 8, "a speaker that does not exist, or one for two channels"),
        (3, 8, "a speaker that does not exist, or one for two channels"), (255, 4, "a count of 255 with 15 bytes left"),
        (0, 15, "speakers of 0 buses for 1"),
    ]

    @Test(arguments: defects) func whatContradictsTheBusesIsRefused(byte: UInt8, place: Int, sentence: String) {
        var speakers = Self.speakers
        speakers[place] = byte
        #expect(throws: WireViolation(sentence)) { try read(speakers) }
    }

    @Test func halfOfThemIsRefused() {
        for count in 1..<Self.speakers.count {
            #expect(throws: WireViolation.self) { try read(Array(Self.speakers.prefix(count))) }
        }
        #expect(throws: WireViolation.self) { try read(Self.speakers + [0]) }
    }
}
