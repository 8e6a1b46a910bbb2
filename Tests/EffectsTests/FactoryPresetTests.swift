// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The factory presets of the reverb and of the distortion: names, order and level. Test thread.

import Foundation
import HostingTestSupport
import PluginHosting
import TestSupport
import Testing

@Suite struct FactoryPresetTests {
    private static let rooms = [
        "Small Room", "Medium Room", "Large Room", "Medium Hall", "Large Hall", "Plate", "Medium Chamber",
        "Large Chamber", "Cathedral", "Large Room 2", "Medium Hall 2", "Medium Hall 3", "Large Hall 2", "Ambience",
        "Endless",
    ]
    static let distortions = [
        "Drums Bit Brush", "Drums Buffer Beats", "Drums Lo-Fi", "Multi Broken Speaker", "Multi Cellphone Concert",
        "Multi Decimated 1", "Multi Decimated 2", "Multi Decimated 3", "Multi Decimated 4", "Multi Distorted Funk",
        "Multi Distorted Cubed", "Multi Distorted Squared", "Multi Echo 1", "Multi Echo 2", "Multi Echo Tight 1",
        "Multi Echo Tight 2", "Multi Everything Is Broken", "Speech Alien Chatter", "Speech Cosmic Interference",
        "Speech Golden Pi", "Speech Radio Tower", "Speech Waves", "Warm Tape", "Tube Amp", "Fuzz", "Octave Fuzz",
        "Wave Folder", "Drum Crunch", "Eight Bits", "Robot Voice",
    ]

    @Test func namesAndOrderAreThoseThatProgramsExpect() throws {
        #expect(try Build.unit("Reverb").factoryPresets.map(\.name) == Self.rooms)
        #expect(try Build.unit("Distortion").factoryPresets.map(\.name) == Self.distortions)
    }

    /// Two seconds like speech: syllables of pulses in three formants, up to full scale.
    private static let burst: [Float] = {
        let frames = (0..<96_000).map { frame -> Double in
            let seconds = Double(frame) / 48_000
            let syllable = max(0, sin(2 * .pi * 3.7 * seconds))
            let turns = 120 * seconds + 2 * sin(2 * .pi * 2.3 * seconds)
            let pulse = exp(-7 * (turns - turns.rounded(.down)))
            let formants = [(600.0, 1.0), (1300, 0.6), (2700, 0.3)].map { sin(2 * .pi * $0 * seconds) * $1 }
            return syllable * pulse * formants.reduce(0, +)
        }
        let peak = frames.map(abs).max()!
        return frames.map { Float($0 / peak) }
    }()

    /// The distortion limits what it makes; the reverb adds to the dry sound, at equal power.
    @Test(arguments: Sample.of(rooms.map { ("Reverb", $0, 3.0) } + distortions.map { ("Distortion", $0, 0.0) }, oneIn: 3))
    func isHeardAndKeepsItsLevelWithSpeechAtFullScale(effect: String, preset: String, decibels: Double) throws {
        var rendered = RenderedEffect(effect, preset: preset)
        rendered.isInProcess = true
        let output = try rendered.render(Self.burst)
        let level = { (samples: [Float]) in 10 * log10(samples.reduce(0) { $0 + Double($1 * $1) } / 96_000) }
        #expect(output.allSatisfy { $0.isFinite })
        #expect(20 * log10(Double(output.map(abs).max()!)) < decibels)
        #expect(abs(level(output) - level(Self.burst)) < 12, "\(preset): \(level(output) - level(Self.burst)) dB")
    }

    @Test func noTwoPresetsSoundAlike() throws {
        for (effect, presets) in [("Reverb", Self.rooms), ("Distortion", Self.distortions)] {
            let outputs = try presets.map { preset in
                var rendered = RenderedEffect(effect, preset: preset)
                rendered.isInProcess = true
                return try rendered.render(Array(Self.burst[..<24_000]))
            }
            #expect(Set(outputs).count == presets.count)
        }
    }
}
