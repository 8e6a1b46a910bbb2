// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// WAV files put together byte by byte, so that each field can lie. Test thread.

struct WaveBytes {
    var channelCount = 2
    var sampleRate: UInt32 = 48_000
    var encoding = 1
    var bitCount = 16
    var promisedByteCount: UInt32?
    var audio = [UInt8](repeating: 0, count: 4000)

    var bytes: [UInt8] {
        let frameByteCount = channelCount * bitCount / 8
        let byteRate = UInt32(truncatingIfNeeded: UInt64(sampleRate) * UInt64(frameByteCount))
        return ascii("RIFF") + word(UInt32(36 + audio.count)) + ascii("WAVEfmt ") + word(16) + half(encoding)
            + half(channelCount) + word(sampleRate) + word(byteRate) + half(frameByteCount) + half(bitCount)
            + ascii("data") + word(promisedByteCount ?? UInt32(audio.count)) + audio
    }

    private func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }
    private func half(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
    private func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}
