// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Filters a source as a sphere does at one ear. Render thread.

/// The numerator of a head's shadow at one sample rate; its denominator is the same for all directions.
public struct ShadowCoefficients: Equatable {
    /// The weight of the present sample.
    public var present: Float
    /// The weight of the sample before.
    public var former: Float

    /// `[any]` Makes coefficients; without arguments they pass nothing.
    @_noLocks
    public init(present: Float = 0, former: Float = 0) { (self.present, self.former) = (present, former) }
}

/// The filter of an ear: one pole at about 1.2 kHz, and a zero that follows the direction.
///
/// Only the numerator moves, so the filter is stable however fast it does.
public struct HeadShadow {
    private var input = 0.0
    private var output = 0.0

    /// Makes the state of silence.
    @_noLocks
    public init() {}

    /// The weight of the last output, by which the pole enters, at a sample rate.
    @_noLocks
    public static func pole(of head: SphericalHead, sampleRate: Double) -> Double {
        let ratio = 2 * sampleRate / head.corner
        return (1 - ratio) / (1 + ratio)
    }

    /// The numerator for an ear, times a gain: the bilinear transform.
    @_noLocks
    public static func coefficients(
        of ear: SphericalHead.Ear, _ head: SphericalHead, sampleRate: Double, gain: Double
    ) -> ShadowCoefficients {
        let ratio = 2 * sampleRate / head.corner
        let share = gain / (1 + ratio)
        return ShadowCoefficients(
            present: Float((ear.lowGain + ear.highGain * ratio) * share),
            former: Float((ear.lowGain - ear.highGain * ratio) * share))
    }

    /// True if its tail would be heard in silence.
    public var isRinging: Bool {
        @_noLocks get { output != 0 }
    }

    /// The next sample.
    @inline(__always) @_noLocks
    public mutating func filtered(_ sample: Float, present: Float, former: Float, pole: Double) -> Float {
        output = Double(present) * Double(sample) + Double(former) * input - pole * output
        input = Double(sample)
        return Float(output)
    }

    /// Forgets the samples before.
    @_noLocks
    public mutating func forget() { (input, output) = (0, 0) }

    /// Ends a tail below −240 dB.
    @_noLocks
    public mutating func tidy() {
        if !(abs(output) < 1e30) { forget() }
        if abs(output) < 1e-12 { output = 0 }
    }
}
