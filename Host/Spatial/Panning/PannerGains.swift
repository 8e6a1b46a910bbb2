// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What an equal-power panner is told about a source. Any thread.

/// The gains that follow from a place.
public struct PannerGains: Hashable, Sendable {
    /// The gain of the averaged channels at the left.
    public var left: Float = 1
    /// The gain of the averaged channels at the right.
    public var right: Float = 1
    /// The gain of the channels that go through as they are.
    public var through: Float = 0
    /// Where the low pass of the averaged channels begins, in hertz; infinity: it is off.
    public var cutoffHertz: Float = .infinity
    /// Whether a source of more than one channel is not placed, and goes through alone.
    public var passesChannels = false

    /// `[any]` A source at both sides.
    @_noLocks
    public init() {}

    /// The same with what is possible: 0 for what is not finite, 60 dB at most, and a cutoff that is NaN is off.
    var bounded: PannerGains {
        var gains = self
        (gains.left, gains.right, gains.through) = (Self.bounded(left), Self.bounded(right), Self.bounded(through))
        gains.cutoffHertz = cutoffHertz.isNaN ? .infinity : max(1, cutoffHertz)
        return gains
    }

    private static func bounded(_ gain: Float) -> Float { gain.isFinite ? max(-1000, min(1000, gain)) : 0 }
}
