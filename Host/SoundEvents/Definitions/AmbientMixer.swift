// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The mixer that puts the channels of a sound around a listener. Any thread.

import AudioFormats
import Spatial

/// Puts each channel of a sound to the direction of its loudspeaker, without a distance: the listener turns among them.
///
/// Low-frequency channels are not heard. An event names the listener by `MixerParameters`.
public struct AmbientMixer: Hashable, Sendable {
    /// The identifier; mixers with the same one are the same.
    public var id: String
    /// The meaning of the channels; nil for that of the sound, or the usual one of their number.
    public var layout: ChannelLayout?
    /// The orientation of all loudspeakers in the scene.
    public var orientation = HeadAxes()
    /// The level as a factor.
    public var gain = 1.0
    /// A gain that follows a parameter, 0 to 1.
    public var steeredGain: SteeredValue?

    /// Makes a mixer whose loudspeakers look along −z.
    public init(_ id: String = "ambience", layout: ChannelLayout? = nil) { (self.id, self.layout) = (id, layout) }
}

extension AmbientMixer {
    /// The loudspeakers of the channels that are heard, turned by the orientation, and these channels; nil for discrete channels.
    func bed(_ layout: ChannelLayout) -> (places: SpeakerLayout, channels: [Int])? {
        guard let speakers = SpeakerLayout(layout) else { return nil }
        let channels = speakers.places.indices.filter { !speakers.places[$0].isLowFrequency }
        guard !channels.isEmpty else { return nil }
        return (SpeakerLayout(channels.map { SpeakerPlace(toward: turned(speakers.places[$0].direction)) }), channels)
    }

    private func turned(_ way: SIMD3<Double>) -> SIMD3<Double> {
        orientation.right * way.x + orientation.up * way.y - orientation.forward * way.z
    }
}
