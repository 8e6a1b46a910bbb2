// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The position of a source by the names of Apple's systems. Any thread but the render thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph

/// A source with a position in environments.
public typealias AVAudio3DMixing = Audio3DMixing
/// The treatment of a source inside the listener's head.
public typealias AVAudio3DMixingPointSourceInHeadMode = AudioPointSourceInHeadMode

/// The method by which an environment renders the direction of a source.
public enum AVAudio3DMixingRenderingAlgorithm: Int, Hashable, Sendable, CaseIterable {
    /// Different levels on the left and on the right.
    case equalPowerPanning = 0
    /// A rigid sphere between two ears.
    case sphericalHead = 1
    /// The sound of each direction at the ears of a head.
    case HRTF = 2
    /// A sound field of order 3, decoded once for all sources.
    case soundField = 3
    /// No direction.
    case stereoPassThrough = 5
    /// The same with all that was measured of the head.
    case HRTFHQ = 6
    /// The best method for the output: `HRTF` for headphones, and otherwise equal power.
    case auto = 7
}

/// The treatment of a source's channels.
public enum AVAudio3DMixingSourceMode: Int, Hashable, Sendable, CaseIterable {
    /// A single channel gets a position, and more channels pass unchanged.
    case spatializeIfMono = 0
    /// The channels pass unchanged.
    case bypass = 1
    /// The mean of the channels gets a position.
    case pointSource = 2
    /// The channels stand around the listener, who turns among them.
    case ambienceBed = 3
}

extension Audio3DMixing {
    /// The method that renders the direction of the source; `equalPowerPanning` by default.
    public var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm {
        get { AVAudio3DMixingRenderingAlgorithm(rawValue: placedAlgorithm.rawValue) ?? .equalPowerPanning }
        set { placedAlgorithm = AudioRenderingAlgorithm(rawValue: newValue.rawValue) ?? .equalPowerPanning }
    }

    /// The treatment of the source's channels; `spatializeIfMono` by default.
    public var sourceMode: AVAudio3DMixingSourceMode {
        get { AVAudio3DMixingSourceMode(rawValue: placedMode.rawValue) ?? .spatializeIfMono }
        set { placedMode = AudioSourceMode(rawValue: newValue.rawValue) ?? .spatializeIfMono }
    }
}
