// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Groups that make room for others. Any thread.

/// Lowers groups while others sound; see `SoundDucker`.
public struct Ducker: Hashable, Sendable {
    /// The groups that are made room for.
    public var sources: Set<String>
    /// The groups that make room.
    public var targets: Set<String>
    /// The level of the targets while a source sounds, 0 to 1; 0 is silence.
    public var gain: Double
    /// The seconds to that level.
    public var attackSeconds: Double
    /// The seconds back to 1.
    public var releaseSeconds: Double
    /// The shape of the way to that level.
    public var attackCurve = FadeCurve.linear
    /// The shape of the way back.
    public var releaseCurve = FadeCurve.linear

    /// Makes a ducker.
    public init(
        sources: Set<String>, targets: Set<String>, gain: Double, attackSeconds: Double = 0.05, releaseSeconds: Double = 0.5
    ) {
        (self.sources, self.targets, self.gain) = (sources, targets, gain)
        (self.attackSeconds, self.releaseSeconds) = (attackSeconds, releaseSeconds)
    }
}
