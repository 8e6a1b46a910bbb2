// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keeps low voices at high sample rates. Render thread.

import PluginSDK

/// Moves the corner of the notch by which SpeexDSP's canceller removes a constant from its input.
///
/// The notch is made for up to 48 kHz. Its poles have a fixed radius, so its corner of 60 Hz rises with the rate, to 240 Hz at
/// 192 kHz. This filter comes before it: its zeros cancel those poles, and its own poles are in the position for 48 kHz.
struct NotchCorrection {
    /// The radius of SpeexDSP's poles from 24 kHz on.
    private static let radius = 0.992
    private let zeros: (gain: Float, first: Float, second: Float)
    private let poles: (first: Float, second: Float)
    private var (first, second) = (Float(0), Float(0))

    /// `[control]` Makes the filter; nil for a rate that needs no correction.
    init?(sampleRate: Double) {
        guard sampleRate > 48_000 else { return nil }
        let wanted = 1 - (1 - Self.radius) * 48_000 / sampleRate
        let gain = wanted / Self.radius
        zeros = (Float(gain), Float(-2 * Self.radius * gain), Float(Self.square(Self.radius) * gain))
        poles = (Float(-2 * wanted), Float(Self.square(wanted)))
    }

    /// The product of a pair of poles in SpeexDSP, which are slightly beside the real axis.
    private static func square(_ radius: Double) -> Double { radius * radius + 0.7 * (1 - radius) * (1 - radius) }

    /// `[render]` Filters one sample, in the transposed direct form.
    @_noLocks
    mutating func process(_ sample: Float) -> Float {
        let output = zeros.gain * sample + first
        first = zeros.first * sample - poles.first * output + second
        second = zeros.second * sample - poles.second * output
        return output
    }

    /// `[render]` Forgets the sound.
    @_noLocks mutating func reset() { (first, second) = (0, 0) }
}
