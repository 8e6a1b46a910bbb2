// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A stream of sound, piece by piece: a file, or raw samples from standard input. The thread that reads it.

import AudioGraph
import Glibc

/// A stream of sound with an unknown length.
protocol SoundStream {
    var format: AudioFormat { get }
    /// The next piece; nil at the end.
    func next() throws -> AudioPCMBuffer?
}

/// The frames of a piece.
let pieceFrameCount = 4096

/// A sound file, decoded piece by piece.
struct FileStream: SoundStream {
    private let file: AudioFile
    var format: AudioFormat { file.processingFormat }

    init(path: String) throws { file = try AudioFile(forReading: path) }

    func next() throws -> AudioPCMBuffer? {
        guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: pieceFrameCount) else { return nil }
        try file.read(into: buffer)
        return buffer.frameLength > 0 ? buffer : nil
    }
}

/// Raw samples from standard input: 16 bits, little-endian, stereo, 48 kHz.
struct RawStream: SoundStream {
    let format = AudioFormat(sampleRate: 48_000, channelCount: 2)
    private let input = fdopen(STDIN_FILENO, "r")

    func next() throws -> AudioPCMBuffer? {
        let raw = AudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: true)
        guard let raw, let buffer = AudioPCMBuffer(pcmFormat: raw, frameCapacity: pieceFrameCount),
            let samples = buffer.int16ChannelData?[0], let input
        else { return nil }
        // The last piece may be shorter, and a program at the other end of a pipe may write any number of bytes.
        buffer.frameLength = fread(samples, 4, pieceFrameCount, input)
        return buffer.frameLength > 0 ? buffer : nil
    }
}
