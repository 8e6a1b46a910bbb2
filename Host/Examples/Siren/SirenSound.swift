// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The three parts of a siren, computed so that each begins at the end of the one before. Any thread.

import AudioGraph
import Glibc

/// The sound of a siren in three buffers.
///
/// The pitch of each part begins at the final pitch of the part before. Each part has a whole number of cycles. So there is no step from
/// the attack to the loop, between two turns of the loop, or from the loop to the release.
struct SirenSound {
    /// The pitch rises from 300 to 600 Hz within a second.
    let attack: AudioPCMBuffer
    /// The pitch goes from 600 to 900 Hz and back within two seconds.
    let loop: AudioPCMBuffer
    /// The pitch falls from 600 to 200 Hz within one and a half seconds.
    let release: AudioPCMBuffer

    /// The level of the siren.
    static let amplitude = 0.5

    /// Computes the parts; nil without memory for them.
    init?(format: AudioFormat) {
        // The phase in cycles is the integral of the pitch.
        let attack = Self.buffer(format, seconds: 1, phase: { 300 * $0 + 150 * $0 * $0 }, level: { min(1, 10 * $0) })
        let loop = Self.buffer(format, seconds: 2, phase: { 750 * $0 - 150 / .pi * sin(.pi * $0) }, level: { _ in 1 })
        let release = Self.buffer(
            format, seconds: 1.5, phase: { 600 * $0 - 400 / 3 * $0 * $0 }, level: { min(1, 10 * (1.5 - $0)) })
        guard let attack, let loop, let release else { return nil }
        (self.attack, self.loop, self.release) = (attack, loop, release)
    }

    private static func buffer(
        _ format: AudioFormat, seconds: Double, phase: (Double) -> Double, level: (Double) -> Double
    ) -> AudioPCMBuffer? {
        let count = Int(seconds * format.sampleRate)
        guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: count) else { return nil }
        buffer.frameLength = count
        for frame in 0..<count {
            let time = Double(frame) / format.sampleRate
            let sample = Float(amplitude * level(time) * sin(2 * .pi * phase(time)))
            for channel in 0..<format.channelCount { buffer.samples[channel][frame] = sample }
        }
        return buffer
    }
}
