// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The environment by the names of Apple's systems. Any thread but the render thread.

import AudioGraph
import Foundation

/// Places its sources in the space around a listener.
public typealias AVAudioEnvironmentNode = AudioEnvironmentNode
/// The fall of a source's level with its distance.
public typealias AVAudioEnvironmentDistanceAttenuationParameters = AudioEnvironmentDistanceAttenuationParameters
/// The law by which the level falls with the distance.
public typealias AVAudioEnvironmentDistanceAttenuationModel = AudioDistanceAttenuationModel

/// The kind of output of an environment.
public enum AVAudioEnvironmentOutputType: Int, Hashable, Sendable, CaseIterable {
    /// Any output.
    case auto = 0
    /// Headphones.
    case headphones = 1
    /// The device's own speakers.
    case builtInSpeakers = 2
    /// External speakers.
    case externalSpeakers = 3
}

extension AudioEnvironmentNode {
    /// The kind of output of the environment; `auto` by default.
    ///
    /// The value is kept. Panning by equal power is the same for all kinds; the first time, a line on standard error reports
    /// that.
    public var outputType: AVAudioEnvironmentOutputType {
        // Relaxed: nothing else depends on it.
        get { AVAudioEnvironmentOutputType(rawValue: askedOutputType.load(ordering: .relaxed)) ?? .auto }
        set {
            askedOutputType.store(newValue.rawValue, ordering: .relaxed)
            guard newValue != .auto else { return }
            AVFAudioLog.writeOnce(
                "AVAudioEnvironmentNode.outputType has no effect here: panning by equal power suits every output.")
        }
    }

    /// The raw values of the available algorithms.
    public var applicableRenderingAlgorithms: [NSNumber] {
        AudioRenderingAlgorithm.allCases.map { NSNumber(value: $0.rawValue) }
    }
}
