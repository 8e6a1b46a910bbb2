// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sampler's portamento, mono mode and legato, measured on the sound. Test thread.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct SamplerModeTests {
    /// The cents above concert pitch around a frame.
    private func cents(_ sound: [Float], at frame: Int) -> Double { SineSampler.cents(of: sound[(frame - 480)..<(frame + 480)]) }

    /// The level of a key's pitch in a part of a sound.
    private func level(_ sound: [Float], _ key: Double, _ frames: Range<Int>) -> Double {
        Spectrum.decibels(Array(sound[frames]), at: 440 * exp2((key - 69) / 12), sampleRate: 48_000)
    }

    /// The frames of a glide: the cube of the position, and 4 s at its end.
    private let glide = Int(4 * pow(64.0 / 127, 3) * 48_000)

    @Test func portamentoGlidesFromTheKeyBefore() throws {
        let events = [
            MIDIEvent(0, 0xB0, 5, 64), MIDIEvent(0, 0xB0, 65, 127), MIDIEvent(10, 0x90, 69, 100), MIDIEvent(4800, 0x80, 69, 0),
            MIDIEvent(9600, 0x90, 81, 100),
        ]
        let sound = try SineSampler().render(events, frameCount: 9600 + 2 * glide)
        #expect(abs(cents(sound, at: 3000)) < 3)
        for part in [0.25, 0.5, 0.75] {
            #expect(abs(cents(sound, at: 9600 + Int(part * Double(glide))) - 1200 * part) < 12, "\(part)")
        }
        #expect(abs(cents(sound, at: 9600 + glide + 2000) - 1200) < 2)
    }

    @Test func portamentoControlGlidesOnceFromItsKey() throws {
        let events = [
            MIDIEvent(0, 0xB0, 5, 64), MIDIEvent(0, 0xB0, 84, 57), MIDIEvent(10, 0x90, 69, 100),
            MIDIEvent(glide + 9000, 0x80, 69, 0),
            MIDIEvent(glide + 12_000, 0x90, 81, 100),
        ]
        let sound = try SineSampler().render(events, frameCount: glide + 24_000)
        #expect(abs(cents(sound, at: 10 + glide / 2) + 600) < 12)
        #expect(abs(cents(sound, at: glide + 3000)) < 2)
        #expect(abs(cents(sound, at: glide + 13_000) - 1200) < 2)
    }

    @Test func withoutPortamentoOrATimeNothingGlides() throws {
        for settings in [
            [MIDIEvent(0, 0xB0, 5, 64)], [MIDIEvent(0, 0xB0, 65, 127)], [MIDIEvent(0, 0xB0, 5, 64), MIDIEvent(1, 0xB0, 65, 0)],
        ] {
            let sound = try SineSampler().render(
                settings + [MIDIEvent(10, 0x90, 69, 100), MIDIEvent(4800, 0x80, 69, 0), MIDIEvent(9600, 0x90, 81, 100)],
                frameCount: 24_000)
            #expect(abs(cents(sound, at: 10_400) - 1200) < 3)
        }
    }

    @Test func inMonoModeTheLastKeySoundsAloneAndTheOneBeforeReturns() throws {
        let keys = [
            MIDIEvent(10, 0x90, 69, 100), MIDIEvent(12_000, 0x90, 76, 100), MIDIEvent(36_000, 0x80, 76, 0),
            MIDIEvent(60_000, 0x80, 69, 0),
        ]
        let mono = try SineSampler().render([MIDIEvent(0, 0xB0, 126, 1)] + keys, frameCount: 84_000)
        let (first, second, third) = (4000..<11_000, 26_000..<35_000, 50_000..<59_000)
        #expect(level(mono, 69, first) > level(mono, 76, first) + 40)
        #expect(level(mono, 76, second) > level(mono, 69, second) + 40)
        #expect(level(mono, 69, third) > level(mono, 76, third) + 40)
        #expect(Spectrum.level(mono[80_000...]) < -80)
        let poly = try SineSampler().render([MIDIEvent(0, 0xB0, 126, 1), MIDIEvent(1, 0xB0, 127, 0)] + keys, frameCount: 48_000)
        #expect(abs(level(poly, 76, second) - level(poly, 69, second)) < 3)
    }

    /// A stroke would begin at the crest of the sample, with a step.
    @Test func legatoMovesTheNoteWithoutANewStroke() throws {
        let keys = [
            MIDIEvent(10, 0x90, 69, 100), MIDIEvent(12_000, 0x90, 76, 100), MIDIEvent(36_000, 0x80, 76, 0),
            MIDIEvent(60_000, 0x80, 69, 0),
        ]
        let sound = try SineSampler().render([MIDIEvent(0, 0xB0, 68, 127)] + keys, frameCount: 84_000)
        #expect(abs(cents(sound, at: 24_000) - 700) < 2 && abs(cents(sound, at: 48_000)) < 2)
        #expect(Spectrum.level(sound[80_000...]) < -80)
        let (peak, steps) = (sound[100...].map(abs).max() ?? 0, zip(sound[100..<59_000], sound[101...]).map { abs($0 - $1) })
        #expect((steps.max() ?? 1) < peak * Float(2 * Double.pi * 660 / 48_000) * 1.05)
        // With a time of portamento the pitch glides.
        let glided = try SineSampler().render(
            [MIDIEvent(0, 0xB0, 68, 127), MIDIEvent(0, 0xB0, 65, 127), MIDIEvent(0, 0xB0, 5, 64)] + keys.prefix(2),
            frameCount: 12_000 + 2 * glide)
        #expect(abs(cents(glided, at: 12_000 + glide / 2) - 350) < 12)
    }
}
