// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The placement of a source in an environment, under the names of Apple's systems. Any thread.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Spatial

/// The algorithm by which an environment makes the direction of a source audible.
public enum AudioRenderingAlgorithm: Int, Hashable, Sendable, CaseIterable {
    /// Sets the levels of left and right, whose powers have the same sum in every direction.
    case equalPowerPanning = 0
    /// Lets a head hear the source: the sound of each direction at both ears, by filters of 2.7 ms.
    case HRTF = 2
    /// Passes the channels to the output unchanged, without a direction.
    case stereoPassThrough = 5
    /// The same with all that was measured of the head, at a few times the cost.
    case HRTFHQ = 6
    /// Selects the best algorithm for the output: panning by equal power.
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
    /// The algorithm that a program has set under the names of Apple's systems, and this engine lacks.
    var askedAlgorithm: Int?
    var mode = AudioSourceMode.spatializeIfMono
    var inHeadMode = AudioPointSourceInHeadMode.mono
    /// The obstruction in decibels, from −100 to 0.
    var obstruction: Float = 0
    var occlusion: Float = 0

    /// The source as placed: obstruction and occlusion add up, for so far there is only the direct path.
    var source: SpatialSource {
        var source = SpatialSource()
        source.position = SpacePoint(position)
        source.placing = placing
        source.inHeadMode = inHeadMode == .mono ? .mono : .bypass
        source.dampingDecibels = obstruction + occlusion
        return source
    }

    /// The filters of a head that the algorithm asks for; nil for another algorithm, or if no channel gets a position.
    func headQuality(ofChannelCount channelCount: Int) -> HeadQuality? {
        guard placing == .mean || placing == .single && channelCount == 1 else { return nil }
        switch algorithm {
        case .HRTF: return .short
        case .HRTFHQ: return .whole
        case .equalPowerPanning, .stereoPassThrough, .auto: return nil
        }
    }

    private var placing: SpatialSource.Placing {
        switch mode {
        case _ where algorithm == .stereoPassThrough: .none
        case .bypass: .none
        case .pointSource: .mean
        case .spatializeIfMono: .single
        }
    }
}
