// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The example of an instrument, rendered as a host would. Test thread.

import Glibc
import PluginSDK
import PluginTesting
import Testing

@Suite struct WhistleTests {
    private let silence = [[Float]](repeating: [Float](repeating: 0, count: 24_000), count: 2)

    private func unit(_ maximumFrameCount: Int = 512) throws -> RenderedUnit {
        try RenderedUnit(Whistle.self, maximumFrameCount: maximumFrameCount)
    }

    /// The frames of a tone's period, as its zero crossings tell.
    private func period(_ sound: ArraySlice<Float>) -> Double {
        let rising = sound.indices.dropFirst().filter { sound[$0 - 1] < 0 && sound[$0] >= 0 }
        return Double((rising.last ?? 0) - (rising.first ?? 0)) / Double(max(1, rising.count - 1))
    }

    @Test func aNoteSoundsFromItsFrameOnAndEndsAfterItsRelease() throws {
        let unit = try unit()
        try unit.send(MIDIMessage(0x90, 69, 100), atFrame: 777)
        try unit.send(MIDIMessage(0x80, 69, 0), atFrame: 12_000)
        let sound = try unit.render(silence)[0]
        #expect(sound.firstIndex { $0 != 0 } == 777)
        #expect(abs(period(sound[4000..<12_000]) - 48_000 / 440) < 0.05)
        #expect(sound[20_000...].allSatisfy { $0 == 0 })
    }

    @Test func theWheelBendsByTheRangeThatIsSet() throws {
        let unit = try unit()
        for (frame, message) in [
            (0, MIDIMessage(0x90, 69, 100)), (10, MIDIMessage(0xB0, 101, 0)), (10, MIDIMessage(0xB0, 100, 0)),
            (10, MIDIMessage(0xB0, 6, 12)), (10, MIDIMessage(0xE0, 127, 127)),
        ] { try unit.send(message, atFrame: frame) }
        #expect(abs(period(try unit.render(silence)[0][2000...]) - 48_000 / 880) < 0.05)
    }

    /// Pressure on the channel, and on the key alone.
    @Test(arguments: [[0xD0, 127], [0xA0, 69, 127]] as [[UInt8]]) func pressureMakesItLouder(_ bytes: [UInt8]) throws {
        let unit = try unit()
        try unit.send(MIDIMessage(0x90, 69, 127), atFrame: 0)
        let pressure = MIDIMessage(bytes[0], bytes[1], bytes.count > 2 ? bytes[2] : 0, byteCount: UInt8(bytes.count))
        try unit.send(pressure, atFrame: 12_000)
        let sound = try unit.render(silence)[0]
        func peak(_ frames: Range<Int>) -> Float { sound[frames].map(abs).max() ?? 0 }
        #expect(abs(peak(6000..<12_000) - 0.2) < 0.002 && abs(peak(18_000..<24_000) - 0.4) < 0.004)
    }

    @Test func theSizeOfBlocksIsNotHeard() throws {
        func sound(_ maximumFrameCount: Int) throws -> [[Float]] {
            let unit = try unit(maximumFrameCount)
            // More notes than voices, so that some are taken; all are sent before the first block.
            for index in 0..<40 {
                try unit.send(MIDIMessage(0x90, UInt8(40 + index), UInt8(40 + index)), atFrame: 301 * index)
                if index % 3 == 0 { try unit.send(MIDIMessage(0x80, UInt8(40 + index), 0), atFrame: 301 * index + 200) }
                if index % 7 == 0 { try unit.send(MIDIMessage(0xE0, 0, UInt8(index)), atFrame: 301 * index + 100) }
            }
            try unit.send(MIDIMessage(0xD0, 90, byteCount: 2), atFrame: 5000)
            return try unit.render(silence)
        }
        let whole = try sound(24_000)
        #expect(whole[0].contains { abs($0) > 0.1 })
        for size in [1, 61, 512] { #expect(try sound(size) == whole, "\(size)") }
    }

    /// A taken voice falls silent within 2 ms, and nothing jumps.
    @Test func aVoiceThatIsTakenMakesNoClick() throws {
        let unit = try unit()
        for index in 0..<17 { try unit.send(MIDIMessage(0x90, UInt8(30 + index), 127), atFrame: index < 16 ? 0 : 12_000) }
        let sound = try unit.render(silence)[0]
        let steps = zip(sound, sound.dropFirst()).map { abs($0 - $1) }
        let usual = steps[6000..<12_000].max() ?? 0
        #expect(steps[12_000..<13_000].max() ?? 1 < 1.1 * usual)
    }
}
