// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The program's settings of voice processing, for input and output together. Any thread but the render thread.

import PluginHosting
import Synchronization

/// An end of the graph: the input or the output.
public class AudioIONode: AudioNode, @unchecked Sendable {
    // SAFETY: as for AudioNode.

    /// Turns voice processing on or off, for input and output together.
    ///
    /// A plug-in in a process of its own removes the echo of the engine's output from the recording. It lowers steady noise, and evens out
    /// the level. The voice is 30 ms late. Cycles are rendered in pieces of 10 ms at most, offline too. Throws `notAttached`, `wrongState`
    /// unless the engine is stopped, and `unit` if the plug-in does not start.
    public func setVoiceProcessingEnabled(_ isEnabled: Bool) throws(AudioEngineError) {
        guard let engine else { throw .notAttached(node: NamedNode(self)) }
        try engine.setVoiceProcessing(isEnabled)
    }

    /// True if voice processing is on.
    public var isVoiceProcessingEnabled: Bool { engine?.voice != nil }

    /// The plug-in that processes the voice, with all its parameters; nil while voice processing is off.
    public var voiceProcessor: PluginUnit? { engine?.voice?.unit }
}

/// The speech activity at a muted microphone.
public enum AudioVoiceProcessingSpeechActivityEvent: Int, Sendable {
    /// Speech has begun.
    case started
    /// Speech has ended.
    case ended
}

/// The lowering of other audio for the voice.
public struct AudioVoiceProcessingOtherAudioDuckingConfiguration: Hashable, Sendable {
    /// The attenuation of other audio.
    public enum Level: Int, Sendable {
        /// 12 dB.
        case `default` = 0
        /// 6 dB.
        case min = 10
        /// 18 dB.
        case mid = 20
        /// 30 dB.
        case max = 30

        /// The gain as a factor.
        var gain: Float {
            switch self {
            case .default: 0.251_188_64
            case .min: 0.501_187_23
            case .mid: 0.125_892_54
            case .max: 0.031_622_777
            }
        }
    }

    /// True if other audio is lowered only during speech into the microphone; otherwise it is lowered all the time.
    @_disfavoredOverload public var enableAdvancedDucking: Bool
    /// The attenuation.
    public var duckingLevel: Level

    /// Makes a configuration; without one other audio keeps its level.
    public init(enableAdvancedDucking: Bool, duckingLevel: Level) {
        (self.enableAdvancedDucking, self.duckingLevel) = (enableAdvancedDucking, duckingLevel)
    }

    /// The same as `enableAdvancedDucking`, for modules in which another property has this name.
    package var isAdvanced: Bool {
        get { enableAdvancedDucking }
        set { enableAdvancedDucking = newValue }
    }
}

extension AudioInputNode {
    /// True if the voice passes unchanged, with the same latency.
    public var isVoiceProcessingBypassed: Bool {
        get { voiceProcessor?.shouldBypassEffect ?? false }
        set { voiceProcessor?.shouldBypassEffect = newValue }
    }

    /// True if the level of the voice is evened out; true by default.
    public var isVoiceProcessingAGCEnabled: Bool {
        get { voiceProcessor?.value(of: "gainControl") != 0 }
        set { set("gainControl", newValue) }
    }

    /// True if the voice is silent; speech is detected all the same.
    public var isVoiceProcessingInputMuted: Bool {
        get { voiceProcessor?.value(of: "mute") ?? 0 >= 0.5 }
        set {
            set("mute", newValue)
            speech.update()
        }
    }

    /// Sets a listener for the beginning and the end of speech while the input is muted; nil removes it.
    ///
    /// It is called on a thread that looks after the plug-in, and should return soon. Returns false while voice processing is off.
    @discardableResult
    @_disfavoredOverload
    public func setMutedSpeechActivityEventListener(
        _ listener: (@Sendable (AudioVoiceProcessingSpeechActivityEvent) -> Void)?
    ) -> Bool { listenToMutedSpeech(listener) }

    /// The same, for modules in which another function has this name.
    package func listenToMutedSpeech(_ listener: (@Sendable (AudioVoiceProcessingSpeechActivityEvent) -> Void)?) -> Bool {
        guard voiceProcessor != nil else { return false }
        speech.listen(listener, of: self)
        return true
    }

    /// The lowering of other audio for the voice; nil, the default, for none.
    ///
    /// A program marks other audio with `isOtherAudio`, such as a player of music beside the voices of a call.
    @_disfavoredOverload
    public var voiceProcessingOtherAudioDuckingConfiguration: AudioVoiceProcessingOtherAudioDuckingConfiguration? {
        get { otherAudioDucking }
        set { otherAudioDucking = newValue }
    }

    /// The same, for modules in which another property has this name.
    package var otherAudioDucking: AudioVoiceProcessingOtherAudioDuckingConfiguration? {
        get { speech.ducking }
        set { speech.duck(newValue, of: self) }
    }

    private func set(_ keyPath: String, _ isOn: Bool) {
        do throws(HostingError) {
            try voiceProcessor?.setValue(isOn ? 1 : 0, of: keyPath)
        } catch {
            engine?.keep(.unit(node: NamedNode(self), error))
        }
    }
}
