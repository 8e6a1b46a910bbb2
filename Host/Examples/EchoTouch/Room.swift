// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Simulates a room in which a microphone hears a loudspeaker and a voice. The thread that renders.

import AudioGraph

/// Simulates a microphone that hears a loop from a loudspeaker, and a voice.
struct Room: Sendable {
    private let farEnd: AudioPCMBuffer
    private let near: AudioPCMBuffer
    /// The frame at which the voice begins.
    private let nearStart: Int
    private let reflections: [(delay: Int, gain: Float)]

    /// Makes a room with sixty reflections within 100 ms, the first after 8 ms; its echo is 6 dB lower than the sound itself.
    init(farEnd: AudioPCMBuffer, near: AudioPCMBuffer, nearStart: Int) {
        (self.farEnd, self.near, self.nearStart) = (farEnd, near, nearStart)
        let rate = farEnd.format.sampleRate
        var (seed, gain) = (UInt32(1), Float(1))
        var reflections: [(delay: Int, gain: Float)] = []
        for number in 0..<60 {
            seed = seed &* 1_664_525 &+ 1_013_904_223
            let delay = 0.008 + (Double(number) + Double(seed >> 16) / 65_536) * 0.092 / 60
            reflections.append((Int(delay * rate), seed & 1 << 15 == 0 ? gain : -gain))
            gain *= 0.92
        }
        let energy = reflections.reduce(0) { $0 + $1.gain * $1.gain }
        self.reflections = reflections.map { ($0.delay, 0.5 * $0.gain / energy.squareRoot()) }
    }

    /// Writes the sound at the microphone from a frame on, since the loudspeaker began.
    func hear(_ input: AudioBlock, from start: Int) {
        let (far, voice) = (farEnd.samples[0], near.samples[0])
        for frame in 0..<input.frameCount {
            let now = start + frame
            var sample: Float = 0
            for (delay, gain) in reflections where now >= delay { sample += gain * far[(now - delay) % farEnd.frameLength] }
            if (nearStart..<nearStart + near.frameLength).contains(now) { sample += voice[now - nearStart] }
            for channel in 0..<input.channelCount { input[channel][frame] = sample }
        }
    }
}
