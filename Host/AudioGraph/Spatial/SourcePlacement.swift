// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How a source is placed in an environment, by the names of Apple's systems. Any thread.

import Spatial

/// How an environment makes the direction of a source heard.
public enum AudioRenderingAlgorithm: Int, Hashable, Sendable, CaseIterable {
    /// By the levels of the left and the right, whose powers add up to the same in every direction.
    case equalPowerPanning = 0
    /// Not at all: the channels go to the output as they are.
    case stereoPassThrough = 5
    /// As suits the output best: by equal power.
    case auto = 7
}

/// What an environment does with the channels of a source.
public enum AudioSourceMode: Int, Hashable, Sendable, CaseIterable {
    /// One channel gets a place, and more than one go through as they are.
    case spatializeIfMono = 0
    /// The channels go through as they are.
    case bypass = 1
    /// The mean of the channels gets a place.
    case pointSource = 2
}

/// What becomes of a source with a place inside the listener's head.
public enum AudioPointSourceInHeadMode: Int, Hashable, Sendable, CaseIterable {
    /// It stays one point, and is heard at both sides the more, the nearer it is to the middle.
    case mono = 0
    /// Its channels go through as they are the more, the nearer it is to the middle.
    case bypass = 1
}

/// What a source is told about its place.
struct SourcePlacement: Hashable, Sendable {
    var position = Audio3DPoint()
    var algorithm = AudioRenderingAlgorithm.equalPowerPanning
    /// What a program has asked for by the names of Apple's systems, where that is not here.
    var askedAlgorithm: Int?
    var mode = AudioSourceMode.spatializeIfMono
    var inHeadMode = AudioPointSourceInHeadMode.mono
    /// In decibels, from −100 to 0.
    var obstruction: Float = 0
    var occlusion: Float = 0

    /// The source as it is placed: obstruction and occlusion add up, for there is only the direct way as yet.
    var source: SpatialSource {
        var source = SpatialSource()
        source.position = SpacePoint(position)
        source.placing = placing
        source.inHeadMode = inHeadMode == .mono ? .mono : .bypass
        source.dampingDecibels = obstruction + occlusion
        return source
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
