// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sound files for the command to read: good ones, and ones with lies in their headers.

import AudioFiles
import Foundation

extension Workbench {
    /// A sine of 440 Hz and an amplitude of 0.25 in every channel.
    @discardableResult
    func writeTone(
        _ name: String = "in.wav", channels: Int = 2, rate: Double = 48_000, frames: Int = 24_000
    ) throws -> String {
        let samples = (0..<frames).map { 0.25 * Float(sin(2 * .pi * 440 * Double($0) / rate)) }
        return try writeSamples(name, samples, channels: channels, rate: rate)
    }

    /// The same samples in every channel.
    @discardableResult
    func writeSamples(_ name: String, _ samples: [Float], channels: Int = 2, rate: Double = 48_000) throws -> String {
        let writer = try AudioFileWriter(path: path(name), sampleRate: rate, channelCount: channels)
        var samples = samples
        try samples.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            let pointers = [UnsafeMutablePointer<Float>](repeating: base, count: channels)
            try pointers.withUnsafeBufferPointer { try writer.write($0.baseAddress!, frameCount: buffer.count) }
        }
        try writer.finish()
        return name
    }

    func write(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path(name))) }

    /// A PCM WAV file of 1000 frames whose header says what it is told to say.
    func writeWave(_ name: String, channels: UInt16 = 2, rate: UInt32 = 48_000) throws {
        func little(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }
        let audio = [UInt8](repeating: 0, count: 4000)
        let shape = [1, 0, UInt8(truncatingIfNeeded: channels), UInt8(channels >> 8)] + little(rate)
        let rest = little(rate &* UInt32(channels) &* 2) + [UInt8(truncatingIfNeeded: channels &* 2), 0, 16, 0]
        let format = Array("fmt ".utf8) + little(16) + shape + rest
        let body = Array("WAVE".utf8) + format + Array("data".utf8) + little(4000) + audio
        try write(name, Array("RIFF".utf8) + little(UInt32(body.count)) + body)
    }

    /// A file of this folder, decoded.
    func load(_ name: String) throws -> LoadedAudio { try LoadedAudio.load(path(name)) }
}

extension LoadedAudio {
    /// The samples of a channel, for as long as the caller likes.
    func samples(ofChannel channel: Int) -> [Float] { withExtendedLifetime(self) { Array(self[channel]) } }

    /// The largest sample of a channel.
    func peak(ofChannel channel: Int) -> Float { self[channel].reduce(0) { max($0, abs($1)) } }
}
