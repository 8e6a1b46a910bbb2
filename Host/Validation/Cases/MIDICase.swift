// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Random MIDI messages, valid and invalid. Thread of the case.

import AudioUnits
import PluginHosting

struct MIDICase: ValidationCase {
    static let name = "midi"
    static let summary = "random MIDI messages, broken ones among them, put out numbers"
    private static let blocks = 120

    static func run(_ trial: Trial) throws(CaseEnd) {
        let unit = try trial.open()
        guard unit.description.flags.contains(.midiInput) else { throw .notApplicable("It takes no MIDI.") }
        let bench = try Bench(trial, unit, BenchSettings(maximumFrameCount: 256))
        for block in 1...blocks {
            for _ in 0..<Int.random(in: 0...6, using: &trial.random) {
                let message = message(using: &trial.random)
                let time = bench.sampleTime + Int64.random(in: 0..<256, using: &trial.random)
                try trial.attempt { () throws(HostingError) in try unit.send(message, at: time) }
            }
            trial.doing("rendering block \(block) of random MIDI")
            try trial.requireFinite(try bench.renderNoise(256))
        }
        try bench.close()
    }

    /// Makes a channel message in most cases; now and then meaningless bytes, or a piece of a long message.
    private static func message(using random: inout SeededRandom) -> MIDIMessage {
        let kind = Int.random(in: 0..<10, using: &random)
        if kind == 0 {
            return MIDIMessage(
                low: .random(in: 0 ... .max, using: &random), high: .random(in: 0 ... .max, using: &random),
                byteCount: .random(in: 0...16, using: &random), cable: .random(in: 0...3, using: &random),
                continues: .random(using: &random))
        }
        let statuses: [UInt8] = [0x80, 0x90, 0x90, 0xA0, 0xB0, 0xB0, 0xC0, 0xD0, 0xE0]
        let status = statuses[kind - 1] | UInt8.random(in: 0...15, using: &random)
        return MIDIMessage(
            status, .random(in: 0...127, using: &random), .random(in: 0...127, using: &random),
            byteCount: status & 0xE0 == 0xC0 ? 2 : 3)
    }
}
