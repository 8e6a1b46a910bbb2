// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The drum kit: its keys, velocity, chokes, groups, presets, and the same bits however time is cut. Test thread.

import AudioUnits
import Foundation
import HostingTestSupport
import PluginHosting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct DrumsTests {
    /// The percussion keys of General MIDI, and a shaker.
    static let keys: [UInt8] = Array(35...82)

    private func kit(_ values: [String: Double] = [:]) -> RenderedInstrument {
        RenderedInstrument("Drums", isInProcess: true, values: values)
    }

    /// The kit's own sound, without the room.
    private func strike(_ key: UInt8, _ velocity: UInt8 = 110, _ values: [String: Double] = [:]) throws -> [[Float]] {
        try kit(["room": 0].merging(values) { $1 }).render([MIDIEvent(100, 0x99, key, velocity)], frameCount: 48_000)
    }

    @Test func everyKeyOfTheKitSoundsAtItsFrameAndAllOtherKeysAreSilent() throws {
        for key in UInt8.min..<128 {
            let sound = try kit(["room": 0]).render(
                [MIDIEvent(100, 0x93, key, 110)], frameCount: Self.keys.contains(key) ? 9600 : 512)
            let first = sound[0].firstIndex { $0 != 0 }
            guard Self.keys.contains(key) else {
                #expect(first == nil, "\(key)")
                continue
            }
            #expect(first == 100 || first == 101, "\(key)")
            let peak = sound[0].map(abs).max() ?? 0
            #expect(peak > 0.03 && peak < 0.7, "\(key): \(peak)")
        }
    }

    @Test(arguments: keys) func everyDrumEndsWithoutAClick(key: UInt8) throws {
        let sound = try kit(["room": 0]).renderLeft([MIDIEvent(0, 0x99, key, 127)], frameCount: 240_000)
        #expect(sound.suffix(480).allSatisfy { $0 == 0 })
        let last = try #require(sound.lastIndex { $0 != 0 })
        let steps = zip(sound[(last - 200)...last], sound[(last - 199)...(last + 1)]).map { abs($0 - $1) }
        #expect(steps.max() ?? 1 < 1e-3)
        let mean = sound[..<last].reduce(0, +) / Float(last)
        #expect(abs(mean) < 0.01)
    }

    @Test(arguments: keys) func aHarderStrokeIsLouderAndBrighter(key: UInt8) throws {
        let sounds = try [25, 70, 125].map { try strike(key, $0)[0] }
        let levels = sounds.map { Spectrum.level($0[..<9600]) }
        #expect(levels[0] + 3 < levels[1] && levels[1] + 2 < levels[2], "\(levels)")
        // The differences of neighbouring frames have more of the high frequencies.
        let slopes = sounds.map { sound in
            Spectrum.level(zip(sound[..<9600], sound[1...]).map { $1 - $0 }[...]) - Spectrum.level(sound[..<9600])
        }
        // A hat that is hardly touched is thin, and has no body below its hiss.
        #expect([42, 44, 46].contains(key) ? slopes[0] > slopes[2] : slopes[0] + 0.2 < slopes[2], "\(slopes)")
    }

    @Test func theHatsEndEachOther() throws {
        let open = try kit().renderLeft([MIDIEvent(0, 0x99, 46, 120)], frameCount: 24_000)
        for key in [42, 44] as [UInt8] {
            let choked = try kit(["room": 0]).renderLeft(
                [MIDIEvent(0, 0x99, 46, 120), MIDIEvent(4800, 0x99, key, 1)], frameCount: 24_000)
            #expect(Spectrum.level(choked[9600..<12_000]) < Spectrum.level(open[9600..<12_000]) - 30)
        }
    }

    /// Two notes of one whistle, guiro, cuica or triangle.
    @Test(arguments: [(72, 71), (74, 73), (79, 78), (81, 80)] as [(UInt8, UInt8)])
    func theLongSoundEndsWithTheShortOne(long: UInt8, short: UInt8) throws {
        let open = try kit(["room": 0]).renderLeft([MIDIEvent(0, 0x99, long, 120)], frameCount: 24_000)
        let choked = try kit(["room": 0]).renderLeft(
            [MIDIEvent(0, 0x99, long, 120), MIDIEvent(2400, 0x99, short, 1)], frameCount: 24_000)
        #expect(Spectrum.level(choked[9600..<12_000]) < Spectrum.level(open[9600..<12_000]) - 20)
        // A drum of another kind ends nothing.
        let other = try kit(["room": 0]).renderLeft(
            [MIDIEvent(0, 0x99, long, 120), MIDIEvent(2400, 0x99, 75, 1)], frameCount: 24_000)
        #expect(Spectrum.level(other[9600..<12_000]) > Spectrum.level(open[9600..<12_000]) - 1)
    }

    private func product(_ first: [Float], _ second: [Float]) -> Double {
        var sum = 0.0
        for index in 0..<9600 { sum += Double(first[index]) * Double(second[index]) }
        return sum
    }

    /// No two keys share a sound, and none is much louder or softer than the others.
    @Test func eachKeyHasASoundOfItsOwn() throws {
        let sounds = try Self.keys.map { try strike($0)[0] }
        let loudest = sounds.map { sound -> Double in
            let levels = (0..<40).map { (part: Int) -> Double in
                let start = 100 + 240 * part
                return Spectrum.level(sound[start..<(start + 960)])
            }
            return levels.max() ?? -200
        }
        print(zip(Self.keys, loudest).map { "\($0) \(Int($1))" }.joined(separator: ", "))
        #expect(zip(Self.keys, loudest).filter { $1 < -36 || $1 > -6 }.isEmpty)
        for (index, sound) in sounds.enumerated() {
            for other in 0..<index {
                let bound = 0.9 * sqrt(product(sound, sound) * product(sounds[other], sounds[other]))
                #expect(abs(product(sound, sounds[other])) < bound, "\(Self.keys[index]) and \(Self.keys[other])")
            }
        }
    }

    /// The pitch that a musician expects of tuned percussion: the high one above the low one.
    @Test(arguments: [(60, 61), (62, 64), (63, 64), (65, 66), (67, 68), (76, 77)] as [(UInt8, UInt8)])
    func theHighDrumIsAboveTheLowOne(high: UInt8, low: UInt8) throws {
        func pitch(_ key: UInt8) throws -> Double {
            let sound = Array(try strike(key)[0][400..<4000])
            let frequencies = Spectrum.frequencies(from: 100, to: 3000, count: 300)
            return frequencies.max {
                Spectrum.decibels(sound, at: $0, sampleRate: 48_000) < Spectrum.decibels(sound, at: $1, sampleRate: 48_000)
            } ?? 0
        }
        let (higher, lower) = (try pitch(high), try pitch(low))
        #expect(higher > 1.2 * lower, "\(higher) Hz and \(lower) Hz")
    }

    @Test func aReleaseEndsNoDrum() throws {
        let held = try kit().renderLeft([MIDIEvent(0, 0x99, 49, 110)], frameCount: 24_000)
        let released = try kit().renderLeft([MIDIEvent(0, 0x99, 49, 110), MIDIEvent(50, 0x89, 49, 0)], frameCount: 24_000)
        #expect(held == released)
    }

    @Test func levelTuningDecayAndPlaceAreThoseOfTheGroup() throws {
        let usual = try strike(36)
        let quiet = try strike(36, 110, ["kick.level": -20])
        #expect(zip(usual[0], quiet[0]).allSatisfy { abs($0 * 0.1 - $1) < 1e-6 })
        #expect(try strike(36, 110, ["snare.level": -20, "hats.tuning": 5]) == usual)
        let right = try strike(36, 110, ["kick.pan": 100])
        #expect(right[0].allSatisfy { abs($0) < 1e-6 } && Spectrum.level(right[1][...]) > Spectrum.level(usual[1][...]) + 2)
        let long = try strike(36, 110, ["kick.decay": 200])
        #expect(Spectrum.level(long[0][12_000..<18_000]) > Spectrum.level(usual[0][12_000..<18_000]) + 10)
        let high = try strike(45, 110, ["toms.tuning": 12])
        let tom = try strike(45)
        func level(_ sound: [[Float]], _ hertz: Double) -> Double {
            Spectrum.decibels(Array(sound[0][6000..<15_600]), at: hertz, sampleRate: 48_000)
        }
        #expect(level(tom, 108) > level(tom, 216) + 10 && level(high, 216) > level(high, 108) + 10)
    }

    private var music: [MIDIEvent] {
        var random = SeededRandom(seed: 3)
        return (0..<80).map { index in
            MIDIEvent(
                index * 150 + .random(in: 0..<150, using: &random), 0x99, Self.keys.randomElement(using: &random)!,
                .random(in: 20...127, using: &random))
        }.inOrder
    }

    @Test func theSameStrokesAreTheSameBitsHoweverTimeIsCut() throws {
        func sound(_ sizes: [Int], isInProcess: Bool) throws -> [[Float]] {
            var kit = RenderedInstrument("Drums", blockSizes: sizes, isInProcess: isInProcess, preset: "Room")
            kit.automation = [AutomationPoint(0.1, "hats.level", -12), AutomationPoint(0.12, "toms.pan", -80, rampFrameCount: 999)]
            return try kit.render(music, frameCount: 12_000)
        }
        let expected = try sound([512], isInProcess: false)
        #expect(Spectrum.level(expected[0][...]) > -40)
        for sizes in [[1], [31], [64], [100, 28, 1], [4096]] {
            #expect(try sound(sizes, isInProcess: true) == expected, "\(sizes)")
        }
    }

    @Test func theStateGoesToAnotherUnit() throws {
        let kit = RenderedInstrument("Drums", preset: "Electronic", values: ["snare.tuning": -4])
        let unit = try kit.unit()
        let state = try unit.saveState()
        let expected = try kit.render(music, frameCount: 12_000, of: unit)
        let other = try RenderedInstrument("Drums").unit()
        try other.restoreState(state)
        #expect(try kit.render(music, frameCount: 12_000, of: other) == expected)
    }

    // MARK: Presets

    static let presets = ["Studio", "Electronic", "Tight", "Room"]

    /// A bar of kick, snare and hats with a crash on its first beat stays below full scale.
    @Test(arguments: presets) func aBarStaysBelowFullScale(preset: String) throws {
        let step = 6000
        var events: [MIDIEvent] = [MIDIEvent(0, 0x99, 49, 120)]
        for beat in 0..<8 {
            events.append(MIDIEvent(beat * step, 0x99, beat == 7 ? 46 : 42, 100))
            if beat % 4 == 0 { events.append(MIDIEvent(beat * step, 0x99, 36, 127)) }
            if beat % 4 == 2 { events.append(MIDIEvent(beat * step, 0x99, 38, 120)) }
        }
        let sound = try RenderedInstrument("Drums", isInProcess: true, preset: preset).render(events, frameCount: 60_000)
        let peak = (sound[0] + sound[1]).map(abs).max() ?? 0
        print("\(preset): peak \(20 * log10(peak)) dBFS, level \(Spectrum.level(sound[0][...])) dB")
        #expect(peak < 1 && Spectrum.level(sound[0][...]) > -32)
    }

    @Test func thePresetsAreThoseThatTheManualNamesAndNoTwoSoundAlike() throws {
        #expect(try Build.unit("Drums").factoryPresets.map(\.name) == Self.presets)
        let sounds = try Self.presets.map {
            try RenderedInstrument("Drums", isInProcess: true, preset: $0).renderLeft(music, frameCount: 9600)
        }
        #expect(Set(sounds).count == sounds.count)
    }
}
