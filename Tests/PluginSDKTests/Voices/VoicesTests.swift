// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Voices: who plays which note, pedals, modes, stealing and expression. Test thread.

import PluginSDK
import Synchronization
import Testing

@Suite struct VoicesTests {
    @Test func aNoteEndsWithItsOwnKeyOnItsOwnChannel() {
        let player = ProbePlayer()
        player.send(0x90, 60, 100)
        player.send(0x91, 60, 100)
        player.send(0x90, 64, 100)
        #expect(player.keys == 184)
        player.send(0x80, 60, 0)
        #expect(player.keys == 124)
        // A note with velocity 0 is an end, too.
        player.send(0x90, 64, 0)
        #expect(player.keys == 60)
        player.send(0x81, 61, 0)
        #expect(player.keys == 60)
    }

    @Test func aKeyThatIsStruckAgainHasOneNote() {
        let player = ProbePlayer()
        player.send(0x90, 60, 100)
        player.send(0x90, 60, 100)
        #expect(player.keys == 60)
        player.send(0x80, 60, 0)
        #expect(player.keys == 0)
    }

    // MARK: Pedals and modes

    @Test func theSustainPedalHoldsNotesUntilItGoesUp() {
        let player = ProbePlayer()
        player.send(0x90, 60, 100)
        player.send(0xB0, 64, 127)
        player.send(0x80, 60, 0)
        player.send(0x90, 64, 100)
        #expect(player.keys == 124)
        player.send(0xB0, 64, 0)
        #expect(player.keys == 64)
    }

    @Test func theSostenutoPedalHoldsOnlyWhatWasDownWithIt() {
        let player = ProbePlayer()
        player.send(0x90, 60, 100)
        player.send(0xB0, 66, 127)
        player.send(0x90, 64, 100)
        for key in [60, 64] as [UInt8] { player.send(0x80, key, 0) }
        #expect(player.keys == 60)
        // The other pedal goes up, and the note is still latched.
        player.send(0xB0, 64, 127)
        player.send(0xB0, 64, 0)
        #expect(player.keys == 60)
        player.send(0xB0, 66, 0)
        #expect(player.keys == 0)
    }

    @Test func allNotesOffLiftsTheKeysOfOneChannelAndLeavesThePedal() {
        let player = ProbePlayer()
        player.send(0x90, 60, 100)
        player.send(0x91, 62, 100)
        player.send(0xB0, 64, 127)
        player.send(0xB0, 123, 0)
        #expect(player.keys == 122)
        player.send(0xB0, 64, 0)
        #expect(player.keys == 62)
    }

    @Test func resettingControllersLiftsThePedalAndCentresTheWheel() {
        let player = ProbePlayer()
        player.send(0x90, 60, 100)
        player.send(0x90, 64, 100)
        player.send(0xB0, 64, 127)
        player.send(0x80, 64, 0)
        player.send(0xE0, 0, 0)
        player.send(MIDIMessage(0xD0, 127, byteCount: 2))
        #expect(player.expression[..<2] == [-4, 2])
        player.send(0xB0, 121, 0)
        #expect(player.keys == 60 && player.expression == [0, 0, 0.5])
    }

    @Test func allSoundOffFadesWithinTwoMilliseconds() {
        let player = ProbePlayer(releaseFrameCount: 10_000)
        player.send(0x90, 100, 100)
        _ = player.play(100)
        player.send(0xB0, 120, 0)
        let end = player.play(200)[0]
        #expect(end[96...].allSatisfy { $0 == 0 } && end[0] > 98 && end[90] > 0)
        #expect(zip([100] + end, end).allSatisfy { $0 >= $1 && $0 - $1 < 2 })
    }

    @Test func bytesThatAreNoMessageChangeNothing() {
        let player = ProbePlayer()
        player.send(0x90, 60, 100)
        for status in UInt8.min...UInt8.max {
            for count in 0...16 as ClosedRange<UInt8> {
                player.send(MIDIMessage(low: UInt64(status) | 0xFFFF_FFFF_FFFF_FF00, high: .max, byteCount: count))
            }
        }
        player.send(MIDIMessage(0x80, 60, byteCount: 2))
        #expect(player.keys == 60)
    }

    @Test func aResetEndsAllSoundAtOnce() {
        let player = ProbePlayer(releaseFrameCount: 100)
        player.send(0x90, 60, 100)
        #expect(player.keys == 60)
        player.reset()
        #expect(player.keys == 0)
        player.send(0x80, 60, 0)
        player.send(0x90, 62, 100)
        #expect(player.keys == 62)
    }

    /// Counts the voices that exist.
    private struct CountedVoice: Voice, ~Copyable {
        static let count = Atomic(0)

        init(_ setup: RenderSetup) { Self.count.add(1, ordering: .relaxed) }
        deinit { Self.count.subtract(1, ordering: .relaxed) }
        mutating func start(_ note: Note, _ patch: Int) {}
        mutating func release() {}
        mutating func render(_ output: AudioBlock, _ expression: NoteExpression, _ patch: Int) {}
        var isSilent: Bool { true }
    }

    @Test func theVoicesEndWithTheInstrument() {
        func count() -> Int { CountedVoice.count.load(ordering: .relaxed) }
        do {
            let setup = RenderSetup(sampleRate: 48_000, maximumFrameCount: 64, inputs: [], outputs: [BusFormat(channelCount: 2)])
            let voices = Voices<CountedVoice>(setup, count: 5, patch: 0)
            #expect(count() >= 5 && voices.soundingCount == 0)
        }
        #expect(count() == 0)
    }

    // MARK: Stealing

    /// The frames of a fade are over.
    private func settled(_ player: ProbePlayer) -> Float {
        _ = player.play(96)
        return player.keys
    }

    @Test func theQuietestReleasedNoteLosesItsVoice() {
        let player = ProbePlayer(voiceCount: 3, releaseFrameCount: 10_000)
        for (key, velocity) in [(1, 100), (10, 90), (100, 95)] as [(UInt8, UInt8)] { player.send(0x90, key, velocity) }
        for key in [10, 100] as [UInt8] { player.send(0x80, key, 0) }
        player.send(0x90, 50, 100)
        #expect(settled(player) == 151)
        player.send(0x90, 51, 100)
        #expect(settled(player) == 102)
    }

    @Test func theOldestNoteLosesItsVoiceWhereNoneIsReleased() {
        let player = ProbePlayer(voiceCount: 2)
        for key in [1, 10, 100] as [UInt8] { player.send(0x90, key, 100) }
        #expect(settled(player) == 110)
        // What was taken is gone: its release is nobody's.
        player.send(0x80, 1, 0)
        #expect(player.keys == 110)
    }

    @Test func aThousandNotesAtOnceLeaveAsManyAsThereAreVoices() {
        let player = ProbePlayer(voiceCount: 4)
        for index in 0..<1000 { player.send(0x90 | UInt8(index % 16), UInt8(index % 128), 100) }
        let last = (996..<1000).map { Float($0 % 128) }.reduce(0, +)
        #expect(settled(player) == last && player.soundingCount == 4)
    }

    // MARK: Expression

    @Test func theBendHasTheRangeOfItsChannel() {
        let player = ProbePlayer()
        player.send(0x93, 60, 100)
        player.send(0xE3, 127, 127)
        #expect(player.expression[0] == 2)
        player.send(0xB3, 101, 0)
        player.send(0xB3, 100, 0)
        player.send(0xB3, 6, 7)
        #expect(player.expression[0] == 7)
        player.send(0xB3, 38, 50)
        #expect(player.expression[0] == 7.5)
        // Data entry for another parameter, or for none, changes nothing.
        player.send(0xB3, 99, 0)
        player.send(0xB3, 6, 12)
        #expect(player.expression[0] == 7.5)
        player.send(0xE3, 0, 0)
        #expect(player.expression[0] == -7.5)
        player.send(0xE4, 127, 127)
        #expect(player.expression[0] == -7.5)
    }

    @Test func pressureIsThatOfTheKeyOrOfTheChannel() {
        let player = ProbePlayer()
        player.send(0x90, 60, 100)
        player.send(0x90, 64, 100)
        player.send(0xA0, 60, 127)
        #expect(player.expression[1] == 1)
        player.send(MIDIMessage(0xD0, 127, byteCount: 2))
        #expect(player.expression[1] == 2)
        player.send(0xA0, 60, 0)
        #expect(player.expression[1] == 2)
    }

    /// A channel a note: each has its own bend, pressure and timbre, and the master bends all of them.
    @Test func aZoneGivesEachNoteItsOwnExpression() {
        let player = ProbePlayer()
        for (controller, value) in [(101, 0), (100, 6), (6, 3)] as [(UInt8, UInt8)] { player.send(0xB0, controller, value) }
        player.send(0x91, 60, 100)
        player.send(0xE1, 127, 127)
        player.send(0xB1, 74, 127)
        #expect(player.expression == [48, 0, 1])
        player.send(0xE0, 127, 127)
        #expect(player.expression[0] == 50)
        // The pedal of the master is that of the note.
        player.send(0xB0, 64, 127)
        player.send(0x81, 60, 0)
        #expect(player.keys == 60)
        player.send(0xB0, 64, 0)
        #expect(player.keys == 0)
        // The fifth channel is no member: the master does not bend it.
        player.send(0x94, 60, 100)
        #expect(player.expression == [0, 0, 0.5])
    }

    // MARK: Mono

    @Test func inMonoModeTheLastKeySoundsAndThenTheOneBefore() {
        let player = ProbePlayer()
        player.setMono(true)
        for key in [60, 64, 67] as [UInt8] { player.send(0x90, key, 100) }
        #expect(player.keys == 67)
        player.send(0x80, 64, 0)
        #expect(player.keys == 67)
        player.send(0x80, 67, 0)
        #expect(player.keys == 60)
        player.send(0x80, 60, 0)
        #expect(player.keys == 0)
    }

    @Test func inMonoModeANewNoteTakesTheVoiceOfTheOneThatFades() {
        let player = ProbePlayer(releaseFrameCount: 10_000)
        player.setMono(true)
        player.send(0x90, 60, 100)
        player.send(0x80, 60, 0)
        player.send(0x90, 64, 100)
        #expect(settled(player) == 64)
    }
}
