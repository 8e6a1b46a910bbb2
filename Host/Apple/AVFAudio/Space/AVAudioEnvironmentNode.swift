// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The environment by the names of Apple's systems. Any thread but the render thread.

import AudioGraph
import Foundation

/// Places its sources in the space around a listener.
public typealias AVAudioEnvironmentNode = AudioEnvironmentNode
/// The fall of a source's level with its distance.
public typealias AVAudioEnvironmentDistanceAttenuationParameters = AudioEnvironmentDistanceAttenuationParameters
/// The room of an environment.
public typealias AVAudioEnvironmentReverbParameters = AudioEnvironmentReverbParameters
/// The law by which the level falls with the distance.
public typealias AVAudioEnvironmentDistanceAttenuationModel = AudioDistanceAttenuationModel

/// The kind of output of an environment.
public typealias AVAudioEnvironmentOutputType = AudioEnvironmentOutputType

extension AudioEnvironmentNode {
    /// The raw values of the available algorithms.
    public var applicableRenderingAlgorithms: [NSNumber] {
        AudioRenderingAlgorithm.allCases.map { NSNumber(value: $0.rawValue) }
    }
}
