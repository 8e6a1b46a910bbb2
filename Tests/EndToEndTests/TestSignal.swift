// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A sound in which most knobs can be heard: all bands, loud and soft, different left and right, the same over and over. Any thread.

import AudioFiles
import Foundation
import TestSupport

enum TestSignal {
    /// The frames after which it begins again.
    static let period = 24_000

    /// Writes one period to the file `in.wav`.
    ///
    /// Each third of an octave has four sines of whole periods and as much power as any other, so that the signal is pink. A tone with
    /// overtones is added, for plug-ins that look for a pitch. The second half is 12 dB softer than the first.
    static func write(to bench: Workbench) throws {
        var random = SeededRandom(seed: 1)
        var channels = [[Float]](repeating: [Float](repeating: 0, count: period), count: 2)
        let sines = (0..<period).map { Float(sin(2 * Double.pi * Double($0) / Double(period))) }
        func add(_ hertz: Double, _ amplitude: Float, isMono: Bool) {
            let turns = Int(hertz * Double(period) / 48_000)
            let phase = Int.random(in: 0..<period, using: &random)
            for channel in 0..<2 {
                let offset = isMono ? phase : Int.random(in: 0..<period, using: &random)
                for frame in 0..<period { channels[channel][frame] += amplitude * sines[(frame * turns + offset) % period] }
            }
        }
        for band in BandLevels.bands {
            let centre = 1000 * pow(2, Double(band) / 3)
            for _ in 0..<4 { add(.random(in: 0.92..<1.1, using: &random) * centre, 0.017, isMono: false) }
        }
        // A little above the A, so that a tuner has something to do.
        for overtone in 1...10 { add(224 * Double(overtone), 0.12 / Float(overtone), isMono: true) }
        for frame in period / 2..<period {
            channels[0][frame] *= 0.25
            channels[1][frame] *= 0.25
        }
        let writer = try AudioFileWriter(path: bench.path("in.wav"), sampleRate: 48_000, channelCount: 2)
        var (left, right) = (channels[0], channels[1])
        try left.withUnsafeMutableBufferPointer { left in
            try right.withUnsafeMutableBufferPointer { right in
                guard let first = left.baseAddress, let second = right.baseAddress else { return }
                try [first, second].withUnsafeBufferPointer { try writer.write($0.baseAddress!, frameCount: period) }
            }
        }
        try writer.finish()
    }

    /// Writes a MIDI file of half a second to `in.mid`: a low and a high note, loud and soft.
    static func writeNotes(to bench: Workbench) throws {
        // Ticks of 1/480 of half a second, the default tempo.
        let events: [UInt8] =
            [0, 0x90, 45, 120, 0x81, 0x40, 0x80, 45, 0, 0x30, 0x90, 57, 60, 0x81, 0x40, 0x80, 57, 0, 0x30, 0xFF, 0x2F, 0]
        let track = Array("MTrk".utf8) + [0, 0, 0, UInt8(events.count)] + events
        try bench.write("in.mid", Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0x01, 0xE0] + track)
    }
}
