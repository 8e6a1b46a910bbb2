// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Input, output and voice processing by the names of Apple's systems. Any thread but the render thread.

import AudioGraph
import Foundation

/// An end of the graph.
public typealias AVAudioIONode = AudioIONode
/// What a muted microphone hears.
public typealias AVAudioVoiceProcessingSpeechActivityEvent = AudioVoiceProcessingSpeechActivityEvent
/// How other audio is lowered for the voice.
public typealias AVAudioVoiceProcessingOtherAudioDuckingConfiguration = AudioVoiceProcessingOtherAudioDuckingConfiguration

extension AudioVoiceProcessingOtherAudioDuckingConfiguration {
    /// Whether other audio is lowered only while somebody speaks into the microphone; otherwise it is lowered all the time.
    public var enableAdvancedDucking: ObjCBool {
        get { ObjCBool(isAdvanced) }
        set { isAdvanced = newValue.boolValue }
    }

    /// A configuration.
    public init(enableAdvancedDucking: ObjCBool, duckingLevel: Level) {
        self.init(enableAdvancedDucking: enableAdvancedDucking.boolValue, duckingLevel: duckingLevel)
    }

    /// Advanced ducking off, and the default level.
    public init() { self.init(enableAdvancedDucking: false as Bool, duckingLevel: .default) }
}

extension AudioInputNode {
    /// How other audio is lowered for the voice.
    ///
    /// Other audio is what a program marks by `isOtherAudio`, and not what other programs play. Before a configuration is set,
    /// nothing is lowered, and this has Apple's first values: advanced ducking off, and the default level.
    public var voiceProcessingOtherAudioDuckingConfiguration: AVAudioVoiceProcessingOtherAudioDuckingConfiguration {
        get { otherAudioDucking ?? AVAudioVoiceProcessingOtherAudioDuckingConfiguration() }
        set { otherAudioDucking = newValue }
    }

    /// Has a listener told when somebody begins to speak and ends while the input is muted; nil removes it.
    ///
    /// It is called on a thread that looks after the plug-in. False while voice processing is off.
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
