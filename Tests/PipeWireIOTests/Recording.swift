// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A WAV file of 32-bit floats, and measures of its sound. Test thread.

import Glibc

struct Recording {
    var sampleRate = 0
    /// One array a channel.
    var channels: [[Float]] = []

    /// Reads the chunks of a RIFF file by hand; anything unexpected reads as an empty recording.
    init(path: String) {
        guard let file = fopen(path, "re") else { return }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: max(0, ftell(file)))
        rewind(file)
        fread(&bytes, 1, bytes.count, file)
        parse(bytes)
    }

    private mutating func parse(_ bytes: [UInt8]) {
        func word(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
        var offset = 12
        while offset + 8 <= bytes.count {
            let name = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
            let size = min(word(offset + 4), bytes.count - offset - 8)
            if name == "fmt " {
                channels = Array(repeating: [], count: word(offset + 8) >> 16)
                sampleRate = word(offset + 12)
            } else if name == "data" {
                for sample in 0..<size / 4 where !channels.isEmpty {
                    let value = Float(bitPattern: UInt32(word(offset + 8 + 4 * sample)))
                    channels[sample % channels.count].append(value)
                }
            }
            offset += 8 + size + size % 2
        }
    }

    /// One channel from the first to the last audible sample, less 0.1 s at both ends.
    func sounding(_ channel: Int) -> ArraySlice<Float> {
        guard channel < channels.count else { return [] }
        let samples = channels[channel]
        guard let first = samples.firstIndex(where: { abs($0) > 0.01 }) else { return [] }
        let last = samples.lastIndex { abs($0) > 0.01 } ?? first
        return samples[first...last].dropFirst(4800).dropLast(4800)
    }

    /// The amplitude of one frequency by Goertzel's algorithm.
    static func amplitude(of frequency: Double, in samples: ArraySlice<Float>, sampleRate: Int) -> Double {
        let coefficient = 2 * cos(2 * Double.pi * frequency / Double(sampleRate))
        var (one, two) = (0.0, 0.0)
        for sample in samples { (one, two) = (Double(sample) + coefficient * one - two, one) }
        return 2 * (one * one + two * two - coefficient * one * two).squareRoot() / Double(max(1, samples.count))
    }

    /// The largest step between neighbours; a sine's own is its amplitude times its angular step.
    static func largestStep(in samples: ArraySlice<Float>) -> Float {
        zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
    }
}
