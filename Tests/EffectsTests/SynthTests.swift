// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The synthesizer: pitch, aliasing, envelopes, modulation, voices, presets, and the same bits however time is cut. Test thread.

import AudioUnits
import Foundation
import HostingTestSupport
import PluginHosting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct SynthTests {
    /// One oscillator alone, as it is: nothing is filtered, and the envelope only opens and closes.
    private static func plain(_ wave: Double) -> [String: Double] {
        [
            "oscillator.wave": wave, "oscillator.mix": 0, "oscillator.detune": 0, "oscillator.spread": 0, "filter.type": 3,
            "filter.cutoff": 20, "filter.amount": 0, "filter.keyTracking": 0, "filter.resonance": 0, "amplifier.attack": 0.001,
            "amplifier.sustain": 100, "amplifier.release": 0.1, "amplifier.velocity": 0,
        ]
    }

    private func synth(_ wave: Double, _ values: [String: Double] = [:]) -> RenderedInstrument {
        RenderedInstrument("Synth", isInProcess: true, values: Self.plain(wave).merging(values) { $1 })
    }

    // MARK: Oscillators

    /// The loudest line beside the harmonics, in decibels against the fundamental.
    private func worstLine(_ wave: Double, key: UInt8) throws -> Double {
        let count = 65_536
        let sound = try synth(wave).renderLeft([MIDIEvent(0, 0x90, key, 127)], frameCount: count + 4800)[4800...]
        // Blackman and Harris's window of four terms leaks less than −92 dB beside its main lobe of eight bins.
        let windowed = sound.enumerated().map { index, sample -> Double in
            let phase = 2 * Double.pi * (Double(index) + 0.5) / Double(count)
            return Double(sample) * (0.35875 - 0.48829 * cos(phase) + 0.14128 * cos(2 * phase) - 0.01168 * cos(3 * phase))
        }
        let powers = FourierTransform(windowed).powers
        let fundamental = 440 * exp2((Double(key) - 69) / 12) * Double(count) / 48_000
        func isHarmonic(_ bin: Int) -> Bool {
            let order = (Double(bin) / fundamental).rounded()
            return abs(Double(bin) - order * fundamental) < 8
        }
        let harmonic = powers[Int(fundamental) - 4...Int(fundamental) + 5].max() ?? 0
        return 10 * log10((powers.indices.filter { !isHarmonic($0) }.map { powers[$0] }.max() ?? 0) / harmonic)
    }

    /// Triangle, saw and pulse near 5 kHz, and lower and higher.
    @Test(arguments: [1, 2, 3] as [Double], [60, 87, 111, 118] as [UInt8])
    func whatIsNoHarmonicLiesSeventyDecibelsBelow(wave: Double, key: UInt8) throws {
        let worst = try worstLine(wave, key: key)
        print("wave \(Int(wave)), key \(key): \(worst) dB")
        #expect(worst < -70)
    }

    @Test(arguments: [0, 1, 2, 3] as [Double], Sample.of([44_100, 48_000, 96_000] as [Double], oneIn: 3))
    func noteSixtyNineIsConcertPitch(wave: Double, sampleRate: Double) throws {
        var synth = synth(wave)
        synth.sampleRate = sampleRate
        let sound = try synth.renderLeft([MIDIEvent(0, 0x90, 69, 100)], frameCount: Int(2 * sampleRate))
        let found = Spectrum.frequency(of: Array(sound[Int(0.2 * sampleRate)...]), near: 440, sampleRate: sampleRate)
        #expect(abs(1200 * log2(found / 440)) < 0.1, "\(found) Hz")
    }

    @Test func aSquareHasNoEvenHarmonicsAndANarrowPulseHas() throws {
        func second(_ width: Double) throws -> Double {
            let sound = try synth(3, ["oscillator.width": width]).renderLeft([MIDIEvent(0, 0x90, 57, 100)], frameCount: 60_000)
            let part = Array(sound[12_000...])
            return Spectrum.decibels(part, at: 440, sampleRate: 48_000) - Spectrum.decibels(part, at: 220, sampleRate: 48_000)
        }
        #expect(try second(50) < -35)
        #expect(abs(try second(25) + 3) < 0.5)
    }

    // MARK: Notes

    @Test func aNoteBeginsAtItsOwnFrameAndEndsInSilence() throws {
        for frame in [0, 1, 511, 513, 4097] {
            let sound = try synth(2).renderLeft(
                [MIDIEvent(frame, 0x90, 60, 100), MIDIEvent(frame + 4800, 0x80, 60, 0)], frameCount: frame + 24_000)
            let first = try #require(sound.firstIndex { $0 != 0 })
            #expect(first >= frame && first <= frame + 1, "\(first)")
            #expect(sound[(frame + 4800)...].contains { abs($0) > 0.01 })
            #expect(sound.suffix(9600).allSatisfy { $0 == 0 })
        }
    }

    /// A sine ends, and another one's voice is taken: nothing but the sines is heard.
    @Test func endsOfNotesAndTakenVoicesMakeNoClick() throws {
        let end = try synth(0, ["amplifier.release": 0.05]).renderLeft(
            [MIDIEvent(0, 0x90, 48, 127), MIDIEvent(12_000, 0x80, 48, 0)], frameCount: 24_000)
        #expect(Spectrum.peak(Array(end[4800...]), from: 6000, to: 20_000, sampleRate: 48_000) < -75)
        let notes = (0..<40).map { MIDIEvent($0 * 600, 0x90, UInt8(36 + $0 % 12), 127) } + [MIDIEvent(24_000, 0xB0, 123, 0)]
        // One voice, and 32 of which eight are taken.
        for mode in [1, 0] as [Double] {
            let taken = try synth(0, ["amplifier.attack": 0.02, "output.mode": mode]).renderLeft(notes, frameCount: 30_000)
            #expect(Spectrum.peak(taken, from: 6000, to: 20_000, sampleRate: 48_000) < -60, "\(mode)")
        }
    }

    @Test func aHarderNoteIsLouderAndBrighter() throws {
        let sounds = try [30, 80, 127].map { velocity in
            Array(
                try RenderedInstrument("Synth", isInProcess: true).render([MIDIEvent(0, 0x90, 48, velocity)], frameCount: 12_000)[0]
            )
        }
        let levels = sounds.map { Spectrum.level($0[...]) }
        let tops = sounds.map { Spectrum.peak($0, from: 3000, to: 6000, sampleRate: 48_000) - Spectrum.level($0[...]) }
        #expect(levels[0] + 3 < levels[1] && levels[1] + 3 < levels[2], "\(levels)")
        #expect(tops[0] + 1 < tops[1] && tops[1] < tops[2], "\(tops)")
    }

    @Test func theWheelAddsVibratoAndTheBendMovesThePitch() throws {
        func level(at hertz: Double, _ events: [MIDIEvent]) throws -> Double {
            let sound = try synth(0, ["modulation.wheel": 100]).renderLeft(
                [MIDIEvent(0, 0x90, 69, 100)] + events, frameCount: 60_000)
            return Spectrum.decibels(Array(sound[12_000...]), at: hertz, sampleRate: 48_000)
        }
        let still = try level(at: 440, [])
        #expect(try level(at: 440, [MIDIEvent(0, 0xB0, 1, 127)]) < still - 6)
        let bent = try level(at: 440 * exp2(2.0 / 12), [MIDIEvent(0, 0xE0, 127, 127)])
        #expect(abs(bent - still) < 0.1)
    }

    @Test func aTiedNoteGlidesInMonoMode() throws {
        let synth = synth(0, ["output.mode": 1, "output.glide": 0.5])
        let events = [MIDIEvent(0, 0x90, 57, 100), MIDIEvent(24_000, 0x90, 69, 100)]
        let sound = try synth.renderLeft(events, frameCount: 96_000)
        func loudest(_ frames: Range<Int>, _ frequencies: [Double]) -> Double? {
            frequencies.max {
                Spectrum.decibels(Array(sound[frames]), at: $0, sampleRate: 48_000)
                    < Spectrum.decibels(Array(sound[frames]), at: $1, sampleRate: 48_000)
            }
        }
        // Half of the way is an augmented fourth.
        let choices = [220, 311.13, 440]
        #expect(loudest(12_000..<20_000, choices) == 220)
        #expect(loudest(35_000..<37_000, choices) == 311.13)
        #expect(loudest(60_000..<90_000, choices) == 440)
        #expect(zip(sound[4800...], sound[4801...]).allSatisfy { abs($0 - $1) < 0.03 })
    }

    // MARK: Parameters

    /// Jumps of the cutoff, the volume and the mix under a sine leave nothing above it.
    @Test(
        arguments: [
            ("filter.cutoff", 20, 2000), ("output.volume", 0, -30), ("oscillator.mix", 0, 100), ("oscillator.sub", 0, 100),
            ("oscillator.spread", 0, 100), ("filter.resonance", 0, 90), ("oscillator.width", 50, 90),
        ] as [(String, Double, Double)])
    func aChangeMakesNoNoise(keyPath: String, before: Double, after: Double) throws {
        var synth = synth(0, ["oscillator.wave2": 0, keyPath: before])
        synth.automation = [AutomationPoint(0.25, keyPath, after), AutomationPoint(0.35, keyPath, before)]
        let sound = try synth.renderLeft([MIDIEvent(0, 0x90, 45, 127)], frameCount: 24_000)
        #expect(Spectrum.peak(Array(sound[9600...]), from: 6000, to: 20_000, sampleRate: 48_000) < -75)
    }

    @Test(arguments: [1, 7, 11, 74] as [UInt8]) func aStepOfAControllerMakesNoNoise(controller: UInt8) throws {
        let sound = try synth(0, ["filter.cutoff": 100]).renderLeft(
            [MIDIEvent(0, 0x90, 45, 127), MIDIEvent(12_000, 0xB0, controller, 30), MIDIEvent(18_000, 0xB0, controller, 100)],
            frameCount: 24_000)
        #expect(Spectrum.peak(Array(sound[9600...]), from: 6000, to: 20_000, sampleRate: 48_000) < -75)
    }

    private var music: [MIDIEvent] {
        var random = SeededRandom(seed: 7)
        var events = [MIDIEvent(0, 0xB0, 1, 50)]
        for index in 0..<70 {
            let (frame, channel) = (index * 160 + .random(in: 0..<160, using: &random), UInt8.random(in: 0...1, using: &random))
            let key = UInt8.random(in: 36...90, using: &random)
            events.append(MIDIEvent(frame, 0x90 | channel, key, .random(in: 40...127, using: &random)))
            events.append(MIDIEvent(frame + .random(in: 50..<5000, using: &random), 0x80 | channel, key, 0))
            if index % 7 == 0 { events.append(MIDIEvent(frame, 0xE0 | channel, 0, .random(in: 0...127, using: &random))) }
            if index % 11 == 0 { events.append(MIDIEvent(frame, 0xB0, 64, index % 2 == 0 ? 127 : 0)) }
            if index % 5 == 0 { events.append(MIDIEvent(frame, 0xD0 | channel, .random(in: 0...127, using: &random))) }
        }
        return events.inOrder
    }

    @Test(arguments: ["Pad", "Lead", "Pluck"]) func theSameMessagesAreTheSameBitsHoweverTimeIsCut(preset: String) throws {
        func sound(_ sizes: [Int], isInProcess: Bool) throws -> [[Float]] {
            var synth = RenderedInstrument("Synth", blockSizes: sizes, isInProcess: isInProcess, preset: preset)
            synth.values = ["oscillator.noise": 20]
            synth.automation = [
                AutomationPoint(0.05, "filter.cutoff", 4000, rampFrameCount: 3333), AutomationPoint(0.11, "modulation.rate", 9),
                AutomationPoint(0.13, "oscillator.detune", 40), AutomationPoint(0.17, "output.volume", -8),
            ]
            return try synth.render(music, frameCount: 12_000)
        }
        let expected = try sound([512], isInProcess: false)
        #expect(Spectrum.level(expected[0][...]) > -40)
        for sizes in [[1], [31], [64], [100, 28, 1], [4096]] {
            #expect(try sound(sizes, isInProcess: true) == expected, "\(sizes)")
        }
    }

    @Test func theStateGoesToAnotherUnit() throws {
        let brass = RenderedInstrument("Synth", preset: "Brass", values: ["filter.cutoff": 900])
        let unit = try brass.unit()
        let state = try unit.saveState()
        let expected = try brass.render([MIDIEvent(0, 0x90, 60, 100)], frameCount: 12_000, of: unit)
        let other = try RenderedInstrument("Synth").unit()
        try other.restoreState(state)
        #expect(try brass.render([MIDIEvent(0, 0x90, 60, 100)], frameCount: 12_000, of: other) == expected)
    }

    // MARK: Presets

    static let presets = ["Bass", "Lead", "Pad", "Pluck", "Brass", "Organ", "Bell", "Strings"]

    @Test func thePresetsAreThoseThatTheManualNames() throws {
        #expect(try Build.unit("Synth").factoryPresets.map(\.name) == Self.presets)
    }

    /// Six notes at velocity 100 stay below full scale, and are heard.
    @Test(arguments: presets) func aChordOfSixStaysBelowFullScale(preset: String) throws {
        let keys: [UInt8] = [36, 48, 55, 60, 64, 67]
        let notes = keys.map { MIDIEvent(0, 0x90, $0, 100) } + keys.map { MIDIEvent(72_000, 0x80, $0, 0) }
        let sound = try RenderedInstrument("Synth", isInProcess: true, preset: preset).render(notes, frameCount: 96_000)
        let peak = (sound[0] + sound[1]).map(abs).max() ?? 0
        let level = Spectrum.level(sound[0][12_000..<60_000])
        print("\(preset): peak \(20 * log10(peak)) dBFS, level \(level) dB")
        #expect(peak < 1 && level > -38)
    }

    @Test func noTwoPresetsSoundAlike() throws {
        let sounds = try Self.presets.map {
            try RenderedInstrument("Synth", isInProcess: true, preset: $0).renderLeft(
                [MIDIEvent(0, 0x90, 60, 100)], frameCount: 4800)
        }
        #expect(Set(sounds).count == sounds.count)
    }
}
