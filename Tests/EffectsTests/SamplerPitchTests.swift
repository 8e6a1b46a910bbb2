// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sampler's pitch: bends, registered parameters, master tunings and tunings of keys, measured on the sound. Test thread.

import AudioUnits
import Foundation
import HostingTestSupport
import TestSupport
import Testing

/// The sampler with a bank of sines, and the pitch that it plays.
struct SineSampler {
    private let folder = ScratchFolder()
    let instrument: RenderedInstrument

    init(_ values: [String: Double] = [:], blockSizes: [Int] = [512]) {
        instrument = RenderedInstrument(
            "Sampler", blockSizes: blockSizes, isInProcess: true, values: values, bank: folder.write("sines.sf2", SineBank.bytes))
    }

    func render(_ events: [MIDIEvent], frameCount: Int) throws -> [Float] {
        try instrument.renderLeft(events.inOrder, frameCount: frameCount)
    }

    /// The cents between concert pitch and the sound, in the half second that begins at `start`.
    func cents(_ events: [MIDIEvent], start: Int = 24_000) throws -> Double {
        Self.cents(of: try render(events, frameCount: start + 24_000)[start...])
    }

    /// The cents between concert pitch and a sine at 48 kHz, as its rising zero crossings tell.
    static func cents(of sine: ArraySlice<Float>) -> Double {
        let rising = sine.indices.dropFirst().filter { sine[$0 - 1] < 0 && sine[$0] >= 0 }
        let places = rising.map { Double($0) - Double(sine[$0] / (sine[$0] - sine[$0 - 1])) }
        guard let first = places.first, let last = places.last, places.count > 1 else { return .nan }
        return 1200 * log2(Double(places.count - 1) * 48_000 / (last - first) / 440)
    }
}

@Suite(.timeLimit(.minutes(15))) struct SamplerPitchTests {
    private let note = MIDIEvent(100, 0x90, 69, 100)

    private func expect(_ events: [MIDIEvent], _ cents: Double, _ values: [String: Double] = [:], _ text: String = "") throws {
        let found = try SineSampler(values).cents(events)
        // FluidSynth renders whole cents.
        #expect(abs(found - cents) < 0.7, "\(text) \(found) cents, not \(cents)")
    }

    @Test(arguments: [(2, 0), (12, 0), (48, 0), (2, 50), (0, 25), (7, 99)] as [(UInt8, UInt8)])
    func theWheelBendsByExactlyItsRange(semitones: UInt8, cents: UInt8) throws {
        let range = Double(semitones) * 100 + Double(cents)
        let set = MIDIEvent.registered(0, 0, semitones, cents)
        try expect(set + [note, MIDIEvent(200, 0xE0, 127, 127)], range, [:], "up")
        try expect(set + [note, MIDIEvent(200, 0xE0, 0, 96)], range * 4096 / 8191, [:], "half")
        if semitones < 48 { try expect(set + [note, MIDIEvent(200, 0xE0, 0, 0)], -range, [:], "down") }
        try expect(set + [note, MIDIEvent(200, 0xE0, 127, 127), MIDIEvent(300, 0xE0, 0, 64)], 0, [:], "back")
    }

    /// A range that is set with the bend, and a null parameter, which nothing sets.
    @Test func theRangeMayChangeUnderTheBend() throws {
        let bent = [note, MIDIEvent(200, 0xE0, 127, 127)]
        try expect(bent + MIDIEvent.registered(300, 0, 12), 1200)
        let null = [MIDIEvent(300, 0xB0, 101, 127), MIDIEvent(300, 0xB0, 100, 127), MIDIEvent(300, 0xB0, 6, 64)]
        try expect(MIDIEvent.registered(0, 0, 12) + bent + null, 1200)
    }

    @Test func tuningsOfTheUnitAndOfTheChannelAddUp() throws {
        let unit = ["tuning": 50.0]
        // 96 of 128 steps are half of the upper semitone.
        let fine = MIDIEvent.registered(0, 1, 96, 0)
        try expect([note] + fine, 100, unit)
        try expect([note] + fine + MIDIEvent.registered(0, 2, 67), 400, unit)
        // All controllers are reset: the wheel is, the tunings are not.
        try expect([note] + fine + [MIDIEvent(200, 0xE0, 0, 0), MIDIEvent(300, 0xB0, 121, 0)], 100, unit)
    }

    @Test func masterTuningsMoveAllButTheDrums() throws {
        try expect([note] + MIDIEvent.exclusive(0, [0x7F, 0x7F, 0x04, 0x03, 0, 96]), 50)
        try expect([note] + MIDIEvent.exclusive(0, [0x7F, 0x7F, 0x04, 0x04, 0, 67]), 300)
        // GS and XG: in tenths of a cent, and in semitones.
        try expect([note] + MIDIEvent.exclusive(0, [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0, 0, 5, 15, 4, 0]), 50)
        try expect([note] + MIDIEvent.exclusive(0, [0x41, 0x10, 0x42, 0x12, 0x40, 0, 5, 62, 0]), -200)
        try expect([note] + MIDIEvent.exclusive(0, [0x43, 0x10, 0x4C, 0, 0, 6, 66]), 200)
    }

    @Test func anOctaveTuningIsThatOfItsChannelsAlone() throws {
        var bytes: [UInt8] = [0x7E, 0x7F, 0x08, 0x08, 0, 0, 1] + [UInt8](repeating: 64, count: 12)
        bytes[7 + 9] = 84
        let tuned = MIDIEvent.exclusive(0, bytes)
        try expect(tuned + [note], 20)
        // A sounding note follows, and the channel beside it does not.
        try expect([note] + MIDIEvent.exclusive(300, bytes), 20)
        try expect(tuned + [MIDIEvent(100, 0x91, 69, 100)], 0)
        try expect(tuned + [MIDIEvent(100, 0x90, 81, 100)], 1220)
        // Two bytes a note, on channel 16; then GS, on its part 1.
        var fine: [UInt8] = [0x7F, 0x7F, 0x08, 0x09, 2, 0, 0]
        for _ in 0..<12 { fine += [96, 0] }
        try expect(MIDIEvent.exclusive(0, fine) + [MIDIEvent(100, 0x9F, 69, 100)], 50)
        let gs: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x40] + [UInt8](repeating: 94, count: 12) + [0]
        try expect(MIDIEvent.exclusive(0, gs) + [note], 30)
    }

    @Test func theTuningOfAKeyIsThatOfItsProgram() throws {
        let half = MIDIEvent.exclusive(300, [0x7F, 0x7F, 0x08, 0x02, 0, 1, 69, 69, 64, 0])
        try expect([note] + half, 50)
        try expect([MIDIEvent(100, 0x90, 70, 100)] + half, 100)
        let other = MIDIEvent.exclusive(300, [0x7F, 0x7F, 0x08, 0x02, 5, 1, 69, 72, 0, 0])
        try expect([note] + other, 0)
        try expect([note] + other + MIDIEvent.registered(400, 3, 5), 300)
        var bulk: [UInt8] = [0x7E, 0x7F, 0x08, 0x01, 0] + [UInt8](repeating: 32, count: 16)
        for key in 0..<128 as Range<UInt8> { bulk += key == 69 ? [68, 64, 0] : [key, 0, 0] }
        try expect([note] + MIDIEvent.exclusive(0, bulk + [0]), -50)
    }

    @Test func blocksOfAnySizeHaveTheSamePitches() throws {
        let events =
            MIDIEvent.registered(0, 0, 12) + [note, MIDIEvent(700, 0xB0, 5, 40), MIDIEvent(700, 0xB0, 65, 127)]
            + [MIDIEvent(1111, 0xE0, 11, 80), MIDIEvent(2000, 0x90, 81, 90), MIDIEvent(2500, 0x80, 69, 0)]
            + MIDIEvent.exclusive(2600, [0x7F, 0x7F, 0x08, 0x02, 0, 1, 81, 81, 64, 0])
        let expected = try SineSampler().render(events, frameCount: 9000)
        for size in [1, 31, 64, 4096] {
            #expect(try SineSampler(blockSizes: [size]).render(events, frameCount: 9000) == expected, "\(size)")
        }
    }
}
