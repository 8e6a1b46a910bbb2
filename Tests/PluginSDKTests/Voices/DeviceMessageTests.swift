// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The joining of system-exclusive messages, and their meanings. Test thread.

import PluginSDK
import PluginTesting
import Testing

@Suite struct DeviceMessageTests {
    private func joined(_ bytes: [UInt8]) -> LongMessage {
        var message = LongMessage(capacity: 512)
        for piece in MIDIMessage.pieces(of: [0xF0] + bytes + [0xF7]) { _ = message.take(piece) }
        return message
    }

    /// The meaning as text, since the type has no equality.
    private func meaning(_ bytes: [UInt8]) -> String { DeviceMessage(joined(bytes)).map { "\($0)" } ?? "none" }

    @Test func messagesHaveTheirMeanings() {
        #expect(meaning([0x7E, 0x7F, 0x09, 0x01]) == "reset(PluginSDK.DeviceMessage.System.generalMIDI)")
        #expect(meaning([0x7E, 0x7F, 0x09, 0x02]) == "none")
        #expect(meaning([0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41]) == "reset(PluginSDK.DeviceMessage.System.gs)")
        #expect(meaning([0x43, 0x1F, 0x4C, 0, 0, 0x7E, 0]) == "reset(PluginSDK.DeviceMessage.System.xg)")
        #expect(meaning([0x7F, 0, 0x04, 0x01, 0x7F, 0x7F]) == "masterVolume(1.0)")
        #expect(meaning([0x7F, 0, 0x04, 0x03, 0, 0x40]) == "masterTuning(cents: 0.0)")
        #expect(meaning([0x7F, 0, 0x04, 0x04, 0, 0x34]) == "masterTransposition(semitones: -12.0)")
        #expect(meaning([0x41, 0x10, 0x42, 0x12, 0x40, 0x10, 0x15, 0, 0]) == "drumPart(channel: 9, isDrums: false)")
        #expect(meaning([0x41, 0x10, 0x42, 0x12, 0x40, 0x1A, 0x15, 1, 0]) == "drumPart(channel: 10, isDrums: true)")
        #expect(meaning([0x43, 0x10, 0x4C, 0x08, 0x0F, 0x07, 1]) == "drumPart(channel: 15, isDrums: true)")
        let octave = meaning([0x7E, 0x7F, 0x08, 0x08, 1, 0, 0x41] + [UInt8](repeating: 64, count: 12))
        #expect(octave == "octaveTuning(channels: \(1 << 14 | 1 << 6 | 1))")
        // Of the wrong length, or of another maker.
        for bytes in [[0x7F, 0, 0x04, 0x01, 0x7F], [0x7E, 0x7F, 0x08, 0x08, 1, 0, 0x41, 64], [0x40, 1, 2, 3], []] as [[UInt8]] {
            #expect(meaning(bytes) == "none")
        }
    }

    @Test func otherMessagesAndCablesMayLieBetweenPieces() {
        let bytes: [UInt8] = [0xF0] + (0..<40) + [0xF7]
        var message = LongMessage(capacity: 512)
        let pieces = MIDIMessage.pieces(of: bytes, cable: 1)
        let others = [
            MIDIMessage(0x90, 60, 100, cable: 1), MIDIMessage(low: 0x010203, byteCount: 3, cable: 2, continues: true),
        ]
        var ends: [Bool] = []
        for piece in [pieces[0]] + others + pieces.dropFirst() { ends.append(message.take(piece)) }
        #expect(ends == [false, false, false, false, true])
        let taken = (0..<message.byteCount).map { message.byte($0) }
        let beyond = [message.byte(42), message.byte(-1)]
        #expect(taken == bytes && beyond == [0, 0])
    }

    @Test func aMessageWithoutABeginningOrRoomIsForgotten() {
        let pieces = MIDIMessage.pieces(of: [0xF0] + [UInt8](repeating: 1, count: 40) + [0xF7])
        var message = LongMessage(capacity: 32)
        // Without a beginning; too long; ended by a new beginning.
        var ends: [Bool] = []
        for piece in pieces.dropFirst() + pieces + [pieces[0], MIDIMessage(low: 0xF7_01F0, byteCount: 3)] {
            ends.append(message.take(piece))
        }
        let count = message.byteCount
        #expect(ends == [false, false, false, false, false, false, true] && count == 3)
    }

    /// A voice of the SDK obeys without a word of its author.
    @Test func voicesHearTheMasterTuningAndAReset() throws {
        let silence = [[Float]](repeating: [Float](repeating: 0, count: 24_000), count: 2)
        func sound(_ messages: [[UInt8]]) throws -> [Float] {
            let unit = try RenderedUnit(Whistle.self)
            for bytes in messages {
                for piece in MIDIMessage.pieces(of: [0xF0] + bytes + [0xF7]) { try unit.send(piece) }
            }
            try unit.send(MIDIMessage(0x90, 69, 127), atFrame: 10)
            return try unit.render(silence)[0]
        }
        func crossings(_ sound: [Float]) -> Int { zip(sound[6000...], sound[6001...]).count { $0 < 0 && $1 >= 0 } }
        let usual = try sound([])
        let octave = try sound([[0x7F, 0x7F, 0x04, 0x04, 0, 76]])
        #expect(abs(crossings(octave) - 2 * crossings(usual)) <= 2)
        #expect(try sound([[0x7F, 0x7F, 0x04, 0x04, 0, 76], [0x7E, 0x7F, 0x09, 0x01]]) == usual)
    }
}
