// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The mixers that put the sounds of a tree to the output. Any thread.

import AudioFormats

/// The way from a sound to the output.
public enum SoundMixer: Sendable {
    /// Leaves the channels as they are.
    case channel(ChannelMixer)
}

/// Puts the channels of a sound to the loudspeakers that they mean, without a place.
public struct ChannelMixer: Hashable, Sendable {
    /// The identifier; mixers with the same one are the same.
    public var id: String
    /// The meaning of the channels; nil for the usual one of their number.
    public var layout: ChannelLayout?
    /// The level as a factor.
    public var gain = 1.0
    /// A gain that follows a parameter, 0 to 1.
    public var steeredGain: SteeredValue?

    /// Makes a mixer.
    public init(_ id: String = "channels", layout: ChannelLayout? = nil) { (self.id, self.layout) = (id, layout) }
}
