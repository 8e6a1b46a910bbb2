// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Input, output and voice processing by the names of Apple's systems. Any thread but the render thread.

import AudioGraph
import Foundation

/// The input or the output of the graph.
public typealias AVAudioIONode = AudioIONode
/// The speech that a muted microphone hears.
public typealias AVAudioVoiceProcessingSpeechActivityEvent = AudioVoiceProcessingSpeechActivityEvent
/// The ducking of other audio under the voice.
public typealias AVAudioVoiceProcessingOtherAudioDuckingConfiguration = AudioVoiceProcessingOtherAudioDuckingConfiguration

extension AudioVoiceProcessingOtherAudioDuckingConfiguration {
    /// True if other audio is ducked only while a person speaks into the microphone; otherwise it is always ducked.
    public var enableAdvancedDucking: ObjCBool {
        get { ObjCBool(isAdvanced) }
        set { isAdvanced = newValue.boolValue }
    }

    /// Makes a configuration.
    public init(enableAdvancedDucking: ObjCBool, duckingLevel: Level) {
        self.init(enableAdvancedDucking: enableAdvancedDucking.boolValue, duckingLevel: duckingLevel)
    }

    /// Makes a configuration without advanced ducking, at the default level.
    public init() { self.init(enableAdvancedDucking: false as Bool, duckingLevel: .default) }
}

extension AudioInputNode {
    /// The ducking of other audio under the voice.
    ///
    /// Other audio means nodes that the program marks by `isOtherAudio`, not other programs. Until a configuration is set,
    /// nothing is ducked. The property then has Apple's first values: advanced ducking off, and the default level.
    public var voiceProcessingOtherAudioDuckingConfiguration: AVAudioVoiceProcessingOtherAudioDuckingConfiguration {
        get { otherAudioDucking ?? AVAudioVoiceProcessingOtherAudioDuckingConfiguration() }
        set { otherAudioDucking = newValue }
    }

    /// Sets a listener for the start and the end of speech while the input is muted; nil removes it.
    ///
    /// It runs on a thread that supervises the plug-in. Returns false while voice processing is off.
    @discardableResult
    public func setMutedSpeechActivityEventListener(
        _ listener: ((AVAudioVoiceProcessingSpeechActivityEvent) -> Void)?
    ) -> Bool {
        // SAFETY: one thread at a time calls it, as the program knows.
        nonisolated(unsafe) let listener = listener
        guard listener != nil else { return listenToMutedSpeech(nil) }
        return listenToMutedSpeech { event in listener?(event) }
    }
}
