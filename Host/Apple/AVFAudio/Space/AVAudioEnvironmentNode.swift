// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The environment by the names of Apple's systems. Any thread but the render thread.

import AudioGraph
import Foundation

/// Puts its sources into the space around a listener.
public typealias AVAudioEnvironmentNode = AudioEnvironmentNode
/// How the level of sources falls with their distance.
public typealias AVAudioEnvironmentDistanceAttenuationParameters = AudioEnvironmentDistanceAttenuationParameters
/// The law by which the level falls.
public typealias AVAudioEnvironmentDistanceAttenuationModel = AudioDistanceAttenuationModel

/// What an environment plays to.
public enum AVAudioEnvironmentOutputType: Int, Hashable, Sendable, CaseIterable {
    /// Whatever is there.
    case auto = 0
    /// Headphones.
    case headphones = 1
    /// The device's own speakers.
    case builtInSpeakers = 2
    /// Speakers of their own.
    case externalSpeakers = 3
}

extension AudioEnvironmentNode {
    /// What the environment plays to; at first `auto`.
    ///
    /// The value is kept. Panning by equal power is the same for all of them; the first time, a line on standard error says so.
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

    /// The numbers of the algorithms that there are.
    public var applicableRenderingAlgorithms: [NSNumber] {
        AudioRenderingAlgorithm.allCases.map { NSNumber(value: $0.rawValue) }
    }
}
