// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Settings of several groups that are taken together. Any thread.

/// Settings of several groups; see `SoundEngine.activate(_:over:)`.
public struct GroupPreset: Hashable, Sendable {
    /// The setting of a group.
    public struct Setting: Hashable, Sendable {
        /// A level that multiplies the group's own, 0 to 1.
        public var gain: Double
        /// A speed that multiplies the group's own, 0.25 to 4.
        public var rate: Double
        /// The shape of the way to the level, and back.
        public var gainCurve: FadeCurve
        /// The shape of the way to the speed, and back.
        public var rateCurve: FadeCurve

        /// Makes a setting.
        public init(
            gain: Double = 1, rate: Double = 1, gainCurve: FadeCurve = .linear, rateCurve: FadeCurve = .linear
        ) {
            (self.gain, self.rate, self.gainCurve, self.rateCurve) = (gain, rate, gainCurve, rateCurve)
        }
    }

    /// The settings by the identifiers of their groups.
    public var settings: [String: Setting]
    /// The seconds to the settings.
    public var fadeInSeconds: Double
    /// The seconds back to unity.
    public var fadeOutSeconds: Double

    /// Makes a preset.
    public init(_ settings: [String: Setting], fadeInSeconds: Double = 0, fadeOutSeconds: Double = 0) {
        (self.settings, self.fadeInSeconds, self.fadeOutSeconds) = (settings, fadeInSeconds, fadeOutSeconds)
    }
}
