// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Describes how a source is rendered: the algorithm, the air, the ways through space. Any thread.

/// The algorithm that makes the direction of a source audible.
public enum SpatialAlgorithm: Hashable, Sendable {
    /// Sets the levels of the loudspeakers: two by equal power, and more by ITU-R BS.2127.
    case equalPower
    /// Delays and filters the source for two ears as a rigid sphere does; it equals equal power for other outputs than two channels.
    case sphericalHead
    /// Lets a measured head hear the source: `SpatialSettings.head`. It equals equal power without one, and for more than two channels.
    case measuredHead
    /// Adds the source to the sound field of its environment, which is decoded once for all sources.
    case soundField

    var isSphericalHead: Bool {
        @_noLocks get {
            switch self {
            case .sphericalHead: true
            default: false
            }
        }
    }

    var isMeasuredHead: Bool {
        @_noLocks get {
            switch self {
            case .measuredHead: true
            default: false
            }
        }
    }

    var isEqualPower: Bool {
        @_noLocks get {
            switch self {
            case .equalPower: true
            default: false
            }
        }
    }
}

/// The effects of the way from a source to a listener; all are off at first.
public struct SpatialPropagation: Hashable, Sendable {
    /// The air on the way.
    public var air = Air()
    /// True if the air takes treble, by the true distance.
    public var isAbsorbing = false
    /// True if the sound travels at its speed: it arrives late, and motion changes its pitch.
    public var hasDoppler = false

    /// Makes propagation without air and without travel.
    public init() {}
}

/// All that a processor knows of its source and the listener.
public struct SpatialSettings: Sendable {
    /// The source.
    public var source = SpatialSource()
    /// The listener.
    public var listener = SpatialListener()
    /// The algorithm.
    public var algorithm = SpatialAlgorithm.equalPower
    /// The filters of the measured head; the algorithm `measuredHead` needs them.
    public var head: HeadResponses?
    /// The way between both.
    public var propagation = SpatialPropagation()
    /// The way of the source; nil if its position holds.
    public var sourcePath: SpatialPath?
    /// The way of the listener; nil if the position holds.
    public var listenerPath: SpatialPath?
    /// The turns of the listener's head; nil if the orientation holds.
    public var listenerTurn: SpatialTurn?
    /// The place and the orientation of the source, which moves as its program tells; nil if its position holds.
    ///
    /// A way comes first.
    public var sourceMotion: SpatialMotion?
    /// The place and the orientation of the listener, which moves as its program tells; nil if they hold.
    ///
    /// A way and turns come first.
    public var listenerMotion: SpatialMotion?
    /// The level of the source by the angle between its front and the listener; nil for the same one all around.
    public var sourceDirectivity: SpatialDirectivity?
    /// The level at the listener by the angle between the nose and the source; nil for the same one all around.
    public var listenerDirectivity: SpatialDirectivity?
    /// A factor of the level over the distance, beside the listener's law; nil for none.
    public var distanceCurve: DistanceCurve?
    /// The loudspeakers of an ambience bed, in the order of the source's channels; nil for the usual ones of their number.
    ///
    /// A number of channels without usual loudspeakers, such as 9 or 16, is a sound field in ACN and SN3D.
    public var bed: SpeakerLayout?
    /// True if 4 channels of a bed are a sound field, too.
    public var isFieldBed = false

    /// Makes a source at the origin, for a listener at the origin.
    public init() {}
}
