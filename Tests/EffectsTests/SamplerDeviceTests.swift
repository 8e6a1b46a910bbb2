// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sampler and the synthesizers under system-exclusive messages: resets, master volume, drum parts. Test thread.

import AudioUnits
import Foundation
import HostingTestSupport
import PluginHosting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct SamplerDeviceTests {
    static let resets: [[UInt8]] = [
        [0x7E, 0x7F, 0x09, 0x01], [0x7E, 0x7F, 0x09, 0x03], [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41],
        [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0],
    ]

    /// Everything that changes a note is set before, and a whole second of the note after the reset is as that of a new unit.
    @Test(arguments: resets) func aResetForgetsAllThatWasSet(reset: [UInt8]) throws {
        let octave: [UInt8] = [0x7E, 0x7F, 0x08, 0x08, 0, 0, 1] + [UInt8](repeating: 90, count: 12)
        let set =
            MIDIEvent.registered(0, 0, 12) + MIDIEvent.registered(0, 2, 70) + [
                MIDIEvent(0, 0xB0, 7, 20), MIDIEvent(0, 0xE0, 127, 127),
            ]
            + MIDIEvent.exclusive(0, [0x7F, 0x7F, 0x04, 0x01, 0, 30]) + MIDIEvent.exclusive(0, [0x7F, 0x7F, 0x04, 0x04, 0, 70])
            + MIDIEvent.exclusive(0, octave) + [MIDIEvent(0, 0xB0, 126, 1), MIDIEvent(0, 0xC0, 1)]
        let note = MIDIEvent(4800, 0x90, 69, 100)
        let fresh = try SineSampler().render([note], frameCount: 52_800)
        let before = try SineSampler().render(set + [note], frameCount: 52_800)
        #expect(Spectrum.level(before[9600...]) < Spectrum.level(fresh[9600...]) - 20)
        let after = try SineSampler().render(set + MIDIEvent.exclusive(2400, reset) + [note], frameCount: 52_800)
        #expect(zip(after[9600...], fresh[9600...]).allSatisfy { abs($0 - $1) < 5e-4 })
    }

    /// Of 16,383 steps, 2048 are an eighth; the level falls by its square.
    @Test(arguments: ["Sampler", "Synth", "Drums"]) func theMasterVolumeIsHeard(name: String) throws {
        let quiet = MIDIEvent.exclusive(0, [0x7F, 0x7F, 0x04, 0x01, 0, 16])
        func sound(_ first: [MIDIEvent]) throws -> [Float] {
            let instrument = RenderedInstrument(name, isInProcess: true, values: name == "Drums" ? ["room": 0] : [:])
            return try instrument.renderLeft(first + [MIDIEvent(4800, name == "Drums" ? 0x99 : 0x90, 60, 110)], frameCount: 24_000)
        }
        let (usual, soft) = (try sound([]), try sound(quiet))
        let fall = Spectrum.level(soft[6000..<9600]) - Spectrum.level(usual[6000..<9600])
        #expect(abs(fall - 40 * log10(2048.0 / 16_383)) < 0.2, "\(fall) dB")
        let back = try sound(quiet + MIDIEvent.exclusive(10, [0x7E, 0x7F, 0x09, 0x01]))
        #expect(abs(Spectrum.level(back[6000..<9600]) - Spectrum.level(usual[6000..<9600])) < 0.1)
    }

    /// A channel that becomes one for drums has the first kit, by GS and XG alike.
    @Test func aPartForDrumsPlaysTheKit() throws {
        let messages: [[UInt8]] = [[0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x15, 2, 0x18], [0x43, 0x10, 0x4C, 0x08, 0, 0x07, 1]]
        for message in messages {
            let instrument = RenderedInstrument("Sampler", isInProcess: true)
            let unit = try instrument.unit()
            let drums = try instrument.render(
                MIDIEvent.exclusive(0, message) + [MIDIEvent(1, 0xB0, 0, 0), MIDIEvent(2, 0xC0, 0), MIDIEvent(10, 0x90, 38, 100)],
                frameCount: 24_000, of: unit)
            #expect(try unit.saveState().values["channel1.bank"] == 128)
            #expect(try drums == instrument.render([MIDIEvent(10, 0x99, 38, 100)], frameCount: 24_000))
        }
        // Part 0 is channel 10, which then plays melodies.
        let unit = try RenderedInstrument("Sampler", isInProcess: true).unit()
        _ = try RenderedInstrument("Sampler").render(
            MIDIEvent.exclusive(0, [0x41, 0x10, 0x42, 0x12, 0x40, 0x10, 0x15, 0, 0x1B]), frameCount: 512, of: unit)
        #expect(try unit.saveState().values["channel10.bank"] == 0)
    }

    /// In GS the second bank number chooses among generations of devices.
    @Test func theSecondBankNumberIsNotABankInGS() throws {
        let select = [MIDIEvent(1, 0xB0, 32, 3), MIDIEvent(2, 0xC0, 5)]
        for (reset, bank) in [(Self.resets[2], 0.0), (Self.resets[3], 3)] {
            let instrument = RenderedInstrument("Sampler", isInProcess: true)
            let unit = try instrument.unit()
            _ = try instrument.render(MIDIEvent.exclusive(0, reset) + select, frameCount: 512, of: unit)
            #expect(try unit.saveState().values["channel1.bank"] == bank)
        }
    }

    @Test func notesWithoutASoundAndProgramsWithASubstituteAreCounted() throws {
        let folder = ScratchFolder()
        let sines = folder.write("sines.sf2", SineBank.bytes)
        func figures(_ name: String, _ events: [MIDIEvent]) throws -> [Int] {
            let unit = try RenderedInstrument(name, bank: name == "Sampler" ? sines : nil).unit()
            var bench = try Bench(
                [unit], input: [[Float]](repeating: [Float](repeating: 0, count: 9600), count: 2), maximumFrameCount: 4096)
            for event in events { try unit.send(event.message, at: Int64(event.frame)) }
            _ = bench.render(4096)
            return [bench.row.members[0].unplayedNoteCount, bench.row.members[0].substitutedProgramCount]
        }
        #expect(
            try figures("Sampler", [MIDIEvent(0, 0x90, 60, 100), MIDIEvent(5, 0xC1, 1), MIDIEvent(6, 0x91, 60, 100)]) == [0, 0])
        // The bank has neither drums nor a third program.
        #expect(
            try figures(
                "Sampler",
                [MIDIEvent(0, 0x99, 38, 100), MIDIEvent(5, 0xC1, 2), MIDIEvent(6, 0x91, 60, 1), MIDIEvent(7, 0x99, 38, 9)])
                == [3, 0])
        // Bank 45 is replaced by bank 0, once for all notes of the program.
        let foreign = [MIDIEvent(0, 0xB0, 0, 45), MIDIEvent(1, 0xC0, 1), MIDIEvent(2, 0x90, 60, 100), MIDIEvent(3, 0x90, 62, 100)]
        #expect(try figures("Sampler", foreign) == [0, 1])
        #expect(try figures("Sampler", Array(foreign.prefix(2))) == [0, 0])
        #expect(
            try figures("Drums", [MIDIEvent(0, 0x99, 34, 100), MIDIEvent(0, 0x99, 83, 100), MIDIEvent(0, 0x99, 35, 100)]) == [2, 0])
    }
}
