// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Views of our own instruments: what the mouse and keys do, and which notes are seen. Test thread.

import AudioUnits
import Cells
import HostingTestSupport
import TestSupport
import Testing
import ViewChannel

@testable import PluginHosting

@Suite struct InstrumentViewTests {
    private let folder = ScratchFolder()

    @Test func envelopesAndTheFilterOfTheSynthAreDragged() throws {
        let eye = try Eye("Synth", columns: 65, rows: 17)
        #expect(eye.sees("Cutoff 1200 Hz   Resonance 15 %   Wave Saw"))
        // The decay of the amplifier, on the left below, is dragged down to the right.
        eye.view.send(.mouse(.press, column: 7, row: 11, []))
        #expect(eye.sees("Decay 0.8 s   Sustain 70 %"))
        eye.view.send(.mouse(.drag, column: 8, row: 15, []))
        eye.view.send(.mouse(.release, column: 8, row: 15, []))
        let addresses = ["attack", "decay", "sustain"].map { eye.unit.parameters[keyPath: "amplifier.\($0)"]?.address ?? 0 }
        #expect(waitUntil(milliseconds: 3000) { abs((eye.unit.values[addresses[1]] ?? 0) - 1.607) < 0.01 })
        #expect(waitUntil(milliseconds: 3000) { eye.unit.values[addresses[2]] == 0 })
        #expect(eye.unit.values[addresses[0]] == 0.004)
        // The one point of the filter, on the right above: half a cell right of the middle, at 0 dB.
        eye.view.send(.mouse(.press, column: 33, row: 1, []))
        eye.view.send(.mouse(.drag, column: 49, row: 4, []))
        #expect(eye.sees("Cutoff 704.5") && eye.sees("Resonance 10.71"))
        eye.view.send(.key(.character("W"), []))
        eye.view.send(.key(.character("t"), []))
        let choices = ["oscillator.wave2", "filter.type"].map { eye.unit.parameters[keyPath: $0]?.address ?? 0 }
        #expect(waitUntil(milliseconds: 3000) { eye.unit.values[choices[0]] == 3 && eye.unit.values[choices[1]] == 1 })
        eye.view.send(.key(.character("n"), []))
        #expect(eye.sees("Attack 0.004 s"))
    }

    @Test func aGroupOfDrumsIsDraggedToASideAndToALevel() throws {
        let eye = try Eye("Drums", columns: 74, rows: 17)
        #expect(eye.sees("Level 0 dB   Tuning 0 semitones"))
        // The second of three panels above: the snare. Its lower left corner is silent and on the left.
        eye.view.send(.mouse(.press, column: 40, row: 3, []))
        eye.view.send(.mouse(.drag, column: 25, row: 6, []))
        #expect(waitUntil(milliseconds: 3000) { eye.unit.values[8] == -60 && eye.unit.values[11] == -100 })
        eye.view.send(.mouse(.drag, column: 48, row: 1, []))
        eye.view.send(.mouse(.release, column: 48, row: 1, []))
        #expect(waitUntil(milliseconds: 3000) { eye.unit.values[8] == 12 && eye.unit.values[11] == 100 })
        eye.view.send(.key(.character("t"), []))
        #expect(eye.sees("Level 12 dB   Tuning 1 "))
        eye.view.send(.key(.delete, []))
        #expect(waitUntil(milliseconds: 3000) { (8...11).map { eye.unit.values[$0] } == [0, 0, 100, -8] })
    }

    @Test func aStrokeLightsTheKeyOfItsDrum() throws {
        let eye = try Eye("Drums", columns: 74, rows: 17)
        #expect(eye.sees("37 38 40"))
        var bench = try Bench([eye.unit], input: [[Float](repeating: 0, count: 4800)])
        #expect(eye.litText.isEmpty)
        // A stroke that is over before the next picture.
        try eye.unit.send(MIDIMessage(0x99, 38, 100))
        try eye.unit.send(MIDIMessage(0x89, 38, 0))
        _ = bench.render(512)
        #expect(waitUntil(milliseconds: 3000) { eye.litText == "38" })
        #expect(waitUntil(milliseconds: 3000) { eye.litText.isEmpty })
    }

    @Test func theProgramOfAChannelIsDragged() throws {
        let eye = try Eye("Sampler", columns: 76, rows: 14)
        try eye.unit.setText("soundBank", to: folder.write("sines.sf2", SineBank.bytes))
        #expect(eye.sees(" 1 Sine"))
        // The ninth channel is the first one of the second column.
        eye.view.send(.mouse(.press, column: 40, row: 0, []))
        eye.view.send(.mouse(.drag, column: 40, row: -1, []))
        eye.view.send(.mouse(.release, column: 40, row: -1, []))
        #expect(eye.sees("Channel 9   Program 1") && eye.sees(" 9 Octave"))
        let program = try #require(eye.unit.parameters[keyPath: "channel9.program"]).address
        #expect(waitUntil(milliseconds: 3000) { eye.unit.values[program] == 1 })
        eye.view.send(.key(.delete, []))
        #expect(waitUntil(milliseconds: 3000) { eye.unit.values[program] == 0 })
    }

    @Test func aHeldNoteIsSeenOnTheKeyboardUntilItEnds() throws {
        let eye = try Eye("Sampler", columns: 76, rows: 14)
        try eye.unit.setText("soundBank", to: folder.write("sines.sf2", SineBank.bytes))
        var bench = try Bench([eye.unit], input: [[Float]](repeating: [Float](repeating: 0, count: 4800), count: 2))
        #expect(eye.sees(" 2 Sine") && eye.litText.isEmpty)
        try eye.unit.send(MIDIMessage(0x91, 60, 100))
        _ = bench.render(512)
        // The name of its key, and its channel.
        #expect(waitUntil(milliseconds: 3000) { eye.litText.contains("C4") && eye.litText.contains("2 Sine") })
        // The note on another channel does not end it; all notes off of its own does.
        try eye.unit.send(MIDIMessage(0x80, 60, 0))
        _ = bench.render(512)
        #expect(Patience.never(milliseconds: 400) { !eye.litText.contains("C4") })
        try eye.unit.send(MIDIMessage(0xB1, 123, 0))
        _ = bench.render(512)
        #expect(waitUntil(milliseconds: 3000) { eye.litText.isEmpty })
    }
}

extension Eye {
    /// What stands on green, or is green, in the latest picture.
    fileprivate var litText: String {
        for case .picture(let grid) in updates.reversed() {
            let lit = grid.cells.filter { ($0.foreground == .green || $0.background == .green) && $0.codePoint != 0x25CF }
            return String(String.UnicodeScalarView(lit.compactMap { Unicode.Scalar($0.codePoint) }))
                .trimmingCharacters(of: " ▏█")
        }
        return ""
    }
}

extension String {
    /// Without these characters at both ends.
    fileprivate func trimmingCharacters(of set: String) -> String {
        String(drop { set.contains($0) }.reversed().drop { set.contains($0) }.reversed())
    }
}
