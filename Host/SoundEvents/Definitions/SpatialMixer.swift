// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The mixer that places the sounds of a tree in the scene. Any thread.

import Spatial

/// Puts a sound to the place of a source, as a listener hears it there.
///
/// Several channels of a sound become their mean. An event names source and listener by `MixerParameters`.
public struct SpatialMixer: Hashable, Sendable {
    /// The loss of level with the distance.
    public enum Distance: Hashable, Sendable {
        /// The level does not depend on the distance.
        case none
        /// (1 m / distance) to the power of the roll-off: 1 is −6 dB a doubling, and 0 is none; nearer than a metre the level is full.
        case spreading(rolloff: Double = 1)
        /// The factor over the distance in units of the scene, from 0 to 1.
        case envelope(Envelope)
    }

    /// The part of a sound that goes one way from the source to the listener.
    public struct Send: Hashable, Sendable {
        /// The level as a factor, from 0 to 1.
        public var level = 1.0
        /// A gain that follows a parameter, 0 to 1.
        public var steeredLevel: SteeredValue?

        /// Sends everything.
        public init(level: Double = 1, steeredLevel: SteeredValue? = nil) {
            (self.level, self.steeredLevel) = (level, steeredLevel)
        }
    }

    /// The identifier; mixers with the same one are the same.
    public var id: String
    /// The level as a factor.
    public var gain = 1.0
    /// A gain that follows a parameter, 0 to 1.
    public var steeredGain: SteeredValue?
    /// The sound on the straight way; nil for none.
    public var directPath: Send? = Send()
    /// The sound that the room hears, whose reverb `SoundEngine.setReverb` chooses; nil for none.
    public var lateReverb: Send?
    /// The loss of level with the distance; at first that of a point in the open.
    public var distance = Distance.spreading()
    /// The distance in units of the scene from which on nothing is heard, at least 1; nil for none.
    ///
    /// The level fades out over the last fifth of the way there. Beyond it `Sampler.culling` decides: the sound ends, sleeps, or goes on
    /// without being read, which costs next to nothing.
    public var cullDistance: Double?
    /// The level by the angle between the front of the source and the listener; nil for the same one all around.
    public var sourceDirectivity: SpatialDirectivity?
    /// The level by the angle between the front of the listener and the source; nil for the same one all around.
    public var listenerDirectivity: SpatialDirectivity?

    /// Makes a mixer for a source that sounds alike all around.
    public init(_ id: String = "spatial") { self.id = id }
}
