// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The placement of a source in an environment, under the names of Apple's systems. Any thread.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Spatial

/// The algorithm by which an environment makes the direction of a source audible.
public enum AudioRenderingAlgorithm: Int, Hashable, Sendable, CaseIterable {
    /// Sets the levels of left and right, whose powers have the same sum in every direction.
    ///
    /// More than two loudspeakers are panned after ITU-R BS.2127.
    case equalPowerPanning = 0
    /// Delays and filters the source for two ears as a rigid sphere does; other outputs than two channels get equal power.
    case sphericalHead = 1
    /// Lets a head hear the source: the sound of each direction at both ears, by filters of 2.7 ms.
    ///
    /// Outputs of more than two channels get equal power.
    case HRTF = 2
    /// Adds the source to a sound field of order 3, which is decoded once for all sources.
    case soundField = 3
    /// Passes the channels to the output unchanged, without a direction.
    case stereoPassThrough = 5
    /// The same as `HRTF` with all that was measured of the head, at a few times the cost.
    case HRTFHQ = 6
    /// Selects the best algorithm for the output: `HRTF` for headphones, and equal power for built-in and external loudspeakers.
    ///
    /// It follows the `outputType` of the environment, and changes with the device.
    case auto = 7
}

/// The treatment of a source's channels by an environment.
public enum AudioSourceMode: Int, Hashable, Sendable, CaseIterable {
    /// Places one channel, and passes several channels unchanged.
    case spatializeIfMono = 0
    /// Passes the channels unchanged.
    case bypass = 1
    /// Places the mean of the channels.
    case pointSource = 2
    /// Puts each channel at the direction of its loudspeaker, without a distance; the listener turns among them.
    ///
    /// The loudspeakers are the usual ones of the number of channels. 9 and 16 channels are a sound field of order 2 or 3, in ACN and SN3D,
    /// and so are 4 with `hasAmbisonicBed`.
    case ambienceBed = 3
}

/// The sound of a source with a position inside the listener's head.
public enum AudioPointSourceInHeadMode: Int, Hashable, Sendable, CaseIterable {
    /// It stays one point, and moves to both sides the more, the nearer it is to the middle.
    case mono = 0
    /// Its channels pass unchanged the more, the nearer it is to the middle.
    case bypass = 1
}

/// The values of a source's placement.
struct SourcePlacement: Hashable, Sendable {
    var position = Audio3DPoint()
    var algorithm = AudioRenderingAlgorithm.equalPowerPanning
    var mode = AudioSourceMode.spatializeIfMono
    var inHeadMode = AudioPointSourceInHeadMode.mono
    /// The obstruction in decibels, from −100 to 0.
    var obstruction: Float = 0
    var occlusion: Float = 0
    /// The share of the source that the room hears, from 0 to 1.
    var reverbBlend: Float = 0
    /// True if 4 channels of an ambience bed are a sound field.
    var hasFieldBed = false
    /// The way of the source; nil if its position holds.
    var path: AudioPath?

    /// The source as heard directly; behind both an obstruction and an occlusion, they add up.
    func direct(beside hasRoom: Bool) -> SpatialSource {
        var source = SpatialSource()
        if hasRoom { source.level = 1 - reverbBlend }
        source.position = SpacePoint(position)
        source.placing = placing
        source.inHeadMode = inHeadMode == .mono ? .mono : .bypass
        source.dampingDecibels = obstruction + occlusion
        return source
    }

    /// The source as the room hears it: an obstruction stands between it and the listener alone.
    var inRoom: SpatialSource {
        var source = direct(beside: false)
        (source.level, source.dampingDecibels, source.inHeadMode) = (reverbBlend, occlusion, .mono)
        if source.placing == .ambience { source.placing = .none }
        return source
    }

    /// The filters of a head that the algorithm asks for; nil for another algorithm, or if no channel gets a position.
    func headQuality(ofChannelCount channelCount: Int, for type: AudioEnvironmentOutputType) -> HeadQuality? {
        guard placing.isPoint(ofChannelCount: channelCount) else { return nil }
        switch algorithm {
        case .HRTFHQ: return .whole
        case .HRTF: return .short
        case .auto: return type == .headphones ? .short : nil
        case .equalPowerPanning, .sphericalHead, .soundField, .stereoPassThrough: return nil
        }
    }

    private var placing: SpatialSource.Placing {
        switch mode {
        case _ where algorithm == .stereoPassThrough: .none
        case .bypass: .none
        case .pointSource: .mean
        case .spatializeIfMono: .single
        case .ambienceBed: .ambience
        }
    }

    /// The algorithm for an output.
    func spatialAlgorithm(for type: AudioEnvironmentOutputType) -> SpatialAlgorithm {
        switch algorithm {
        case .equalPowerPanning, .stereoPassThrough: .equalPower
        case .sphericalHead: .sphericalHead
        case .soundField: .soundField
        case .HRTF, .HRTFHQ: .measuredHead
        case .auto: type == .headphones ? .measuredHead : .equalPower
        }
    }
}
