// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A frame of sound in SpeexDSP's format: one channel in 16 bits. Render thread.

import PluginSDK

/// A frame of samples with an owner.
struct VoiceFrame: ~Copyable {
    let samples: UnsafeMutablePointer<Int16>
    let count: Int

    /// `[control]` Allocates silence.
    init(count: Int) {
        self.count = count
        samples = .allocate(capacity: count)
        samples.initialize(repeating: 0, count: count)
    }

    deinit { samples.deallocate() }

    /// `[render]` Sets a sample; values beyond full scale, which is ±1, are clipped.
    @_noLocks
    func put(_ sample: Float, at index: Int) {
        samples[index] = Int16(min(32_767, max(-32_768, Maths.floor(sample * 32_768 + 0.5))))
    }

    /// `[render]` The sample, between ±1.
    @_noLocks
    func sample(at index: Int) -> Float { Float(samples[index]) * (1 / 32_768) }

    /// `[render]` Copies the samples of a frame of the same length.
    @_noLocks
    func copy(from other: borrowing VoiceFrame) {
        for index in 0..<count { samples[index] = other.samples[index] }
    }

    /// `[render]` Writes zeros.
    @_noLocks
    func silence() {
        for index in 0..<count { samples[index] = 0 }
    }

    /// `[render]` The energy of the frame after a pre-emphasis with this coefficient.
    @_noLocks
    func energy(preEmphasis: Float) -> Float {
        var (sum, last) = (Float(0), Float(0))
        for index in 0..<count {
            let sample = Float(samples[index])
            let emphasised = sample - preEmphasis * last
            sum += emphasised * emphasised
            last = sample
        }
        return sum
    }
}
