// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Removes a constant from a signal, and everything below voices. Render thread.

import PluginSDK

/// A high-pass of the first order at 20 Hz.
struct ConstantBlocker {
    private let pole: Float
    private var input: Float = 0
    private var output: Float = 0

    /// `[control]` Makes a filter; the sample rate is in frames a second.
    init(sampleRate: Double) { pole = Float(Maths.exp(-2 * Double.pi * 20 / sampleRate)) }

    /// `[render]` Filters one sample.
    @_noLocks
    mutating func process(_ sample: Float) -> Float {
        output = sample - input + pole * output
        input = sample
        return output
    }

    /// `[render]` Forgets the sound.
    @_noLocks mutating func reset() { (input, output) = (0, 0) }
}
