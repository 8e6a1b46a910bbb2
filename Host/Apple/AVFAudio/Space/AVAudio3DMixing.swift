// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The place of a source by the names of Apple's systems. Any thread but the render thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph

/// A source with a place at environments.
public typealias AVAudio3DMixing = Audio3DMixing
/// What becomes of a source inside the listener's head.
public typealias AVAudio3DMixingPointSourceInHeadMode = AudioPointSourceInHeadMode

/// How an environment makes the direction of a source heard.
public enum AVAudio3DMixingRenderingAlgorithm: Int, Hashable, Sendable, CaseIterable {
    /// By the levels of the left and the right.
    case equalPowerPanning = 0
    /// Not here as yet: by equal power.
    case sphericalHead = 1
    /// Not here as yet: by equal power.
    case HRTF = 2
    /// Not here as yet: by equal power.
    case soundField = 3
    /// Not at all.
    case stereoPassThrough = 5
    /// Not here as yet: by equal power.
    case HRTFHQ = 6
    /// As suits the output best: by equal power.
    case auto = 7
}

/// What an environment does with the channels of a source.
public enum AVAudio3DMixingSourceMode: Int, Hashable, Sendable, CaseIterable {
    /// One channel gets a place, and more than one go through as they are.
    case spatializeIfMono = 0
    /// The channels go through as they are.
    case bypass = 1
    /// The mean of the channels gets a place.
    case pointSource = 2
    /// Not here as yet: it is refused.
    case ambienceBed = 3
}

extension Audio3DMixing {
    /// How the direction of the source is made heard; at first `equalPowerPanning`.
    ///
    /// An algorithm that is not here is kept, and the source is panned by equal power. The first time, a line on standard error says
    /// so.
    public var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm {
        get { AVAudio3DMixingRenderingAlgorithm(rawValue: askedAlgorithm ?? placedAlgorithm.rawValue) ?? .equalPowerPanning }
        set {
            if let native = AudioRenderingAlgorithm(rawValue: newValue.rawValue) {
                placedAlgorithm = native
                return
            }
            askedAlgorithm = newValue.rawValue
            AVFAudioLog.writeOnce(
                "AVAudio3DMixingRenderingAlgorithm.\(newValue) is not here as yet: such sources are panned by equal power.")
        }
    }

    /// What is done with the channels of the source; at first `spatializeIfMono`.
    ///
    /// `ambienceBed` is refused, and a line on standard error says so.
    public var sourceMode: AVAudio3DMixingSourceMode {
        get { AVAudio3DMixingSourceMode(rawValue: placedMode.rawValue) ?? .spatializeIfMono }
        set {
            if let native = AudioSourceMode(rawValue: newValue.rawValue) {
                placedMode = native
                return
            }
            AVFAudioLog.writeOnce("AVAudio3DMixingSourceMode.\(newValue) is not here as yet: the source stays as it was.")
        }
    }
}
