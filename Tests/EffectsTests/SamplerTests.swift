// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sampler: pitch, velocity, ends of notes, programs, frames of onset, and the same bits however time is cut. Test thread.

import AudioUnits
import Foundation
import HostingTestSupport
import PluginHosting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct SamplerTests {
    private let folder = ScratchFolder()
    private var sines: String { folder.write("sines.sf2", SineBank.bytes) }

    /// A cent at 440 Hz is a quarter of a hertz.
    @Test(arguments: [8000, 44_100, 48_000, 96_000, 192_000, 384_000] as [Double])
    func noteSixtyNineIsConcertPitch(sampleRate: Double) throws {
        let sampler = RenderedInstrument("Sampler", sampleRate: sampleRate, bank: sines)
        let sound = try sampler.render([MIDIEvent(0, 0x90, 69, 100)], frameCount: Int(2.5 * sampleRate))[0]
        let found = Spectrum.frequency(of: Array(sound[Int(0.5 * sampleRate)...]), near: 440, sampleRate: sampleRate)
        #expect(abs(1200 * log2(found / 440)) < 0.1, "\(found) Hz")
    }

    @Test(arguments: [-2400, -100, 50, 1200, 2400] as [Double])
    func theTuningMovesThePitchByAsManyCents(cents: Double) throws {
        let sampler = RenderedInstrument("Sampler", values: ["tuning": cents], bank: sines)
        let sound = try sampler.render([MIDIEvent(0, 0x90, 69, 100)], frameCount: 120_000)[0]
        let expected = 440 * pow(2, cents / 1200)
        let found = Spectrum.frequency(of: Array(sound[24_000...]), near: expected, sampleRate: 48_000)
        #expect(abs(1200 * log2(found / expected)) < 0.2, "\(found) Hz for \(expected) Hz")
    }

    @Test func aHarderNoteIsLouder() throws {
        let levels = try [30, 80, 127].map { velocity in
            Spectrum.level(try RenderedInstrument("Sampler").render([MIDIEvent(0, 0x90, 60, velocity)], frameCount: 24_000)[0][...])
        }
        #expect(levels[0] + 3 < levels[1] && levels[1] + 3 < levels[2], "\(levels)")
    }

    @Test func aNoteEndsWhenItIsReleased() throws {
        let sampler = RenderedInstrument("Sampler", bank: sines)
        let held = try sampler.render([MIDIEvent(0, 0x90, 60, 100)], frameCount: 96_000)[0]
        let released = try sampler.render([MIDIEvent(0, 0x90, 60, 100), MIDIEvent(24_000, 0x80, 60, 64)], frameCount: 96_000)[0]
        #expect(Spectrum.level(held[72_000...]) > -50)
        #expect(released[26_400...].allSatisfy { $0 == 0 })
        #expect(held[..<24_000] == released[..<24_000])
    }

    @Test func aNoteBeginsAtItsOwnFrame() throws {
        let sampler = RenderedInstrument("Sampler", bank: sines)
        func onset(_ frame: Int) throws -> [Float] { try sampler.render([MIDIEvent(frame, 0x90, 69, 127)], frameCount: 6000)[0] }
        let first = try onset(0)
        let lead = try #require(first.firstIndex { $0 != 0 })
        print("a note is heard \(lead) frames after it began")
        #expect(lead <= 1)
        for frame in [1, 17, 63, 64, 65, 511, 512, 1000, 4097] {
            let sound = try onset(frame)
            #expect(sound.firstIndex { $0 != 0 } == frame + lead, "\(frame)")
            #expect(Array(sound[frame...]) == Array(first[..<(6000 - frame)]), "\(frame)")
        }
    }

    /// Thirty-two notes at frames that have nothing in common: each sounds as it does alone, so none has waited for a block.
    @Test func notesAtThirtyTwoFramesAreAllExact() throws {
        let starts = (0..<32).map { $0 * 401 }
        let sampler = RenderedInstrument("Sampler", bank: sines)
        let notes = starts.enumerated().map { MIDIEvent($1, 0x90, UInt8(48 + $0), 100) }
        let together = try sampler.render(notes, frameCount: 16_000)
        var sum = [Double](repeating: 0, count: 16_000)
        for note in notes {
            for (frame, sample) in try sampler.render([note], frameCount: 16_000)[0].enumerated() { sum[frame] += Double(sample) }
        }
        #expect(zip(together[0], sum).allSatisfy { abs(Double($0) - $1) < 1e-4 })
    }

    private var music: [MIDIEvent] {
        var random = SeededRandom(seed: 5)
        var events = [MIDIEvent(0, 0xC0, 6), MIDIEvent(0, 0xC1, 48), MIDIEvent(10, 0xB1, 7, 90)]
        for index in 0..<60 {
            let (frame, channel) = (index * 190 + .random(in: 0..<190, using: &random), [0, 1, 9].randomElement(using: &random)!)
            let key = UInt8.random(in: 36...84, using: &random)
            events.append(MIDIEvent(frame, 0x90 | UInt8(channel), key, .random(in: 40...127, using: &random)))
            events.append(MIDIEvent(frame + .random(in: 50..<5000, using: &random), 0x80 | UInt8(channel), key, 0))
            if index % 7 == 0 { events.append(MIDIEvent(frame, 0xE0, 0, .random(in: 0...127, using: &random))) }
            if index % 11 == 0 { events.append(MIDIEvent(frame, 0xB0, 64, index % 2 == 0 ? 127 : 0)) }
        }
        return events.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(\.element)
    }

    @Test func theSameMessagesAreTheSameBitsHoweverTimeIsCut() throws {
        let expected = try RenderedInstrument("Sampler").render(music, frameCount: 12_000)
        #expect(Spectrum.level(expected[0][...]) > -40)
        for sizes in [[1], [31], [64], [100, 28, 1], [4096]] {
            #expect(try RenderedInstrument("Sampler", blockSizes: sizes).render(music, frameCount: 12_000) == expected, "\(sizes)")
        }
        #expect(
            try RenderedInstrument("Sampler", blockSizes: [333], isInProcess: true).render(music, frameCount: 12_000) == expected)
    }

    @Test func aProgramChangeIsHeardAndKept() throws {
        let sampler = RenderedInstrument("Sampler")
        let unit = try sampler.unit()
        let notes = [MIDIEvent(5, 0x90, 60, 100), MIDIEvent(5, 0x99, 38, 100)]
        let changed = try sampler.render([MIDIEvent(0, 0xC0, 73), MIDIEvent(0, 0xC9, 25)] + notes, frameCount: 12_000, of: unit)
        #expect(try sampler.render(notes, frameCount: 12_000) != changed)
        let state = try unit.saveState()
        #expect(state.values["channel1.program"] == 73 && state.values["channel10.program"] == 25)
        #expect(state.values["channel10.bank"] == 128 && state.values["channel2.program"] == 0)
        let again = try sampler.unit()
        try again.restoreState(state)
        #expect(try sampler.render(notes, frameCount: 12_000, of: again) == changed)
    }

    /// A closed hi-hat ends an open one, though the two begin at different frames of FluidSynth's blocks.
    @Test func aClosedHiHatEndsAnOpenOne() throws {
        let open = try RenderedInstrument("Sampler").render([MIDIEvent(0, 0x99, 46, 127)], frameCount: 48_000)[0]
        let closed = try RenderedInstrument("Sampler").render(
            [MIDIEvent(0, 0x99, 46, 127), MIDIEvent(1029, 0x99, 42, 1)], frameCount: 48_000)[0]
        #expect(Spectrum.level(closed[9600..<14_400]) < Spectrum.level(open[9600..<14_400]) - 10)
    }

    @Test func gainAndPanScaleTheSound() throws {
        let notes = [MIDIEvent(0, 0x90, 60, 100)]
        let plain = try RenderedInstrument("Sampler").render(notes, frameCount: 9600)
        let quiet = try RenderedInstrument("Sampler", values: ["gain": -20]).render(notes, frameCount: 9600)
        #expect(zip(plain[0], quiet[0]).allSatisfy { abs($0 * 0.1 - $1) < 1e-6 })
        let right = try RenderedInstrument("Sampler", values: ["pan": 100]).render(notes, frameCount: 9600)
        #expect(right[0].allSatisfy { $0 == 0 } && right[1] == plain[1])
    }

    /// General MIDI is switched on again: program, controllers and notes are as at first.
    @Test func theMessageThatSwitchesGeneralMIDIOnBeginsAnew() throws {
        let sampler = RenderedInstrument("Sampler")
        let unit = try sampler.unit()
        let bench = [[Float]](repeating: [Float](repeating: 0, count: 24_000), count: 2)
        var rendering = try Bench([unit], input: bench, maximumFrameCount: 8192)
        for message in [MIDIMessage(0xC0, 73, byteCount: 2), MIDIMessage(0xB0, 7, 1), MIDIMessage(0x90, 60, 100)] {
            try unit.send(message, at: 0)
        }
        _ = rendering.render(4800)
        try unit.send(MIDIMessage(low: 0xF701_097F_7EF0, byteCount: 6), at: 4800)
        #expect(rendering.render(1200)[0].allSatisfy { $0 == 0 })
        try unit.send(MIDIMessage(0x90, 60, 100), at: 6000)
        // A filter of FluidSynth that has been used begins a note 70 dB below it differently.
        let fresh = try sampler.render([MIDIEvent(0, 0x90, 60, 100)], frameCount: 6000)
        #expect(zip(rendering.render(6000)[0], fresh[0]).allSatisfy { abs($0 - $1) < 5e-4 })
        #expect(try unit.saveState().values["channel1.program"] == 0)
    }

    @Test func theBankIsPartOfTheState() throws {
        let sampler = RenderedInstrument("Sampler", bank: sines)
        let expected = try sampler.render([MIDIEvent(0, 0x90, 69, 100)], frameCount: 4800)
        let state = try sampler.unit().saveState()
        #expect(state.texts == ["soundBank": sines])
        let again = try RenderedInstrument("Sampler").unit()
        try again.restoreState(state)
        #expect(try RenderedInstrument("Sampler").render([MIDIEvent(0, 0x90, 69, 100)], frameCount: 4800, of: again) == expected)
        try again.setText("soundBank", to: "")
        #expect(try RenderedInstrument("Sampler").render([MIDIEvent(0, 0x90, 69, 100)], frameCount: 4800, of: again) != expected)
    }

    @Test func theSystemsBankIsPartOfTheState() throws {
        let expected = try RenderedInstrument("Sampler").render([MIDIEvent(0, 0x90, 69, 100)], frameCount: 4800)
        let again = try RenderedInstrument("Sampler", bank: sines).unit()
        try again.restoreState(try RenderedInstrument("Sampler").unit().saveState())
        #expect(try RenderedInstrument("Sampler").render([MIDIEvent(0, 0x90, 69, 100)], frameCount: 4800, of: again) == expected)
    }

    /// A new kernel would be silent.
    @Test func aNoteGoesOnWhereNoTextChanges() throws {
        let unit = try RenderedInstrument("Sampler", isInProcess: true, bank: sines).unit()
        let state = try unit.saveState()
        var bench = try Bench([unit], input: [[Float]](repeating: [Float](repeating: 0, count: 48_000), count: 2))
        try unit.send(MIDIMessage(0x90, 69, 100), at: 0)
        #expect(Spectrum.level(bench.render(400)[0][...]) > -60)
        try unit.restoreState(state)
        #expect(Spectrum.level(bench.render(400)[0][...]) > -60)
        try unit.setText("soundBank", to: sines)
        #expect(Spectrum.level(bench.render(400)[0][...]) > -60)
    }

    /// A file that the plug-in may read anyway can be loaded while it renders.
    @Test(arguments: [false, true]) func aBankIsSwappedInWhileNotesAreRendered(isInProcess: Bool) throws {
        let unit = try RenderedInstrument("Sampler", isInProcess: isInProcess, values: ["channel1.program": 73], bank: "").unit()
        var bench = try Bench(
            [unit], input: [[Float]](repeating: [Float](repeating: 0, count: 48_000), count: 2), maximumFrameCount: 8192)
        try unit.send(MIDIMessage(0x90, 60, 100), at: 0)
        #expect(Spectrum.level(bench.render(4800)[0][...]) > -60)
        try unit.setText("soundBank", to: RenderedInstrument.generalMIDI)
        #expect(bench.render(4800)[0].allSatisfy { $0 == 0 })
        try unit.send(MIDIMessage(0x90, 60, 100), at: 9600)
        let expected = try RenderedInstrument("Sampler", values: ["channel1.program": 73]).render(
            [MIDIEvent(0, 0x90, 60, 100)], frameCount: 4800)
        #expect(bench.render(4800) == expected)
    }

    @Test func aFileThatIsNoBankIsRefusedWithTheReason() throws {
        let whole = SineBank.bytes
        var damaged = whole
        // The lists of presets and instruments say how long they are.
        for place in whole.indices.dropFirst(2200) where place % 3 == 0 { damaged[place] = 0xFF }
        for (bytes, reason) in [
            (Array("MThd and more".utf8), "is neither a sound bank"), (Array(whole.prefix(1000)), "is cut short"),
            ([], "is neither a sound bank"),
            (damaged, "damaged"),
        ] {
            let unit = try RenderedInstrument("Sampler").unit()
            let error = #expect(throws: HostingError.self) {
                try unit.setText("soundBank", to: folder.write("other.sf2", bytes))
            }
            #expect("\(try #require(error))".contains(reason), "\(error!)")
            let sound = try RenderedInstrument("Sampler").render([MIDIEvent(0, 0x90, 60, 100)], frameCount: 4800, of: unit)
            #expect(Spectrum.level(sound[0][...]) > -60)
        }
    }

    /// Bits are turned all over the file: the plug-in takes it or says no, and its process lives on.
    @Test func aDamagedBankEndsNothing() throws {
        let seed = Seed.chosen
        var random = SeededRandom(seed: seed)
        let whole = SineBank.bytes
        for _ in 0..<40 {
            var bytes = whole
            for _ in 0..<8 {
                bytes[.random(in: bytes.indices.dropFirst(2200), using: &random)] = .random(in: 0...255, using: &random)
            }
            let unit = try RenderedInstrument("Sampler").unit()
            do throws(HostingError) {
                try unit.setText("soundBank", to: folder.write("other.sf2", bytes))
            } catch .refused {
                continue
            }
            _ = try RenderedInstrument("Sampler").render([MIDIEvent(0, 0x90, 69, 100)], frameCount: 1000, of: unit)
        }
    }

    /// FluidSynth goes up to 96 kHz; the frames between are interpolated, in blocks of any length alike.
    @Test func aRateThatFluidSynthLacksSoundsAsHalfOfIt() throws {
        func sound(_ sampleRate: Double, block: Int) throws -> [Float] {
            let sampler = RenderedInstrument("Sampler", sampleRate: sampleRate, blockSizes: [block], bank: sines)
            return try sampler.render([MIDIEvent(Int(sampleRate / 100), 0x90, 69, 100)], frameCount: Int(sampleRate / 2))[0]
        }
        let (low, high) = (try sound(96_000, block: 512), try sound(192_000, block: 512))
        #expect(try sound(192_000, block: 77) == high)
        let latency = 2 * 41
        let differences = stride(from: 2000, to: 40_000, by: 7).map { abs(low[$0] - high[2 * $0 + latency]) }
        let (worst, loudest) = (differences.max() ?? 1, low.map { abs($0) }.max() ?? 0)
        #expect(worst < 0.01 * loudest && loudest > 0.01, "\(worst) of \(loudest)")
    }
}
