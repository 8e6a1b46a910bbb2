// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Holds the gains of an equal-power panner for a source. Any thread.

/// The gains that follow from a position.
public struct PannerGains: Hashable, Sendable {
    /// The gain of the averaged channels at the left.
    public var left: Float = 1
    /// The gain of the averaged channels at the right.
    public var right: Float = 1
    /// The gain of the channels that go through as they are.
    public var through: Float = 0
    /// The cutoff of the low pass of the averaged channels, in hertz; infinity: it is off.
    public var cutoffHertz: Float = .infinity
    /// True if a source of more than one channel is not placed, and only goes through.
    public var passesChannels = false

    /// `[any]` Makes the gains of a source at both sides.
    @_noLocks
    public init() {}

    /// The gains within limits: 0 if not finite, 60 dB at most; a cutoff of NaN turns the filter off.
    var bounded: PannerGains {
        var gains = self
        (gains.left, gains.right, gains.through) = (Self.bounded(left), Self.bounded(right), Self.bounded(through))
        gains.cutoffHertz = cutoffHertz.isNaN ? .infinity : max(1, cutoffHertz)
        return gains
    }

    private static func bounded(_ gain: Float) -> Float { gain.isFinite ? max(-1000, min(1000, gain)) : 0 }
}
