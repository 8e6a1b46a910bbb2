// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Voice processing of input and output together, as programs set it. Any thread but the render thread.

import PluginHosting
import Synchronization

/// An end of the graph: the input or the output.
public class AudioIONode: AudioNode, @unchecked Sendable {
    // SAFETY: as for AudioNode.

    /// Turns voice processing on or off, for input and output together.
    ///
    /// A plug-in in a process of its own takes the echo of what the engine plays out of what it records, lowers steady noise, and evens out the level.
    /// The voice is 30 ms late. Cycles are rendered in pieces of 10 ms at most, offline too. Throws `notAttached`, `wrongState` unless the engine is stopped,
    /// and `unit` where the plug-in does not start.
    public func setVoiceProcessingEnabled(_ isEnabled: Bool) throws(AudioEngineError) {
        guard let engine else { throw .notAttached(node: NamedNode(self)) }
        try engine.setVoiceProcessing(isEnabled)
    }

    /// Whether voice processing is on.
    public var isVoiceProcessingEnabled: Bool { engine?.voice != nil }

    /// The plug-in that processes the voice, with all its parameters; nil while that is off.
    public var voiceProcessor: PluginUnit? { engine?.voice?.unit }
}

/// What a muted microphone hears.
public enum AudioVoiceProcessingSpeechActivityEvent: Int, Sendable {
    /// Somebody has begun to speak.
    case started
    /// Nobody speaks any more.
    case ended
}

/// How other audio is lowered for the voice.
public struct AudioVoiceProcessingOtherAudioDuckingConfiguration: Hashable, Sendable {
    /// By how much other audio is lowered.
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

    /// Whether other audio is lowered only while somebody speaks into the microphone; otherwise it is lowered all the time.
    @_disfavoredOverload public var enableAdvancedDucking: Bool
    /// By how much.
    public var duckingLevel: Level

    /// A configuration; without one other audio stays as it is.
    public init(enableAdvancedDucking: Bool, duckingLevel: Level) {
        (self.enableAdvancedDucking, self.duckingLevel) = (enableAdvancedDucking, duckingLevel)
    }

    /// The same as `enableAdvancedDucking`, for modules in which another property has the name.
    package var isAdvanced: Bool {
        get { enableAdvancedDucking }
        set { enableAdvancedDucking = newValue }
    }
}

extension AudioInputNode {
    /// Whether the voice passes as it is, as late as it would be otherwise.
    public var isVoiceProcessingBypassed: Bool {
        get { voiceProcessor?.shouldBypassEffect ?? false }
        set { voiceProcessor?.shouldBypassEffect = newValue }
    }

    /// Whether the level of the voice is evened out; it is unless a program says otherwise.
    public var isVoiceProcessingAGCEnabled: Bool {
        get { voiceProcessor?.value(of: "gainControl") != 0 }
        set { set("gainControl", newValue) }
    }

    /// Whether the voice is silent; whether somebody speaks is noticed all the same.
    public var isVoiceProcessingInputMuted: Bool {
        get { voiceProcessor?.value(of: "mute") ?? 0 >= 0.5 }
        set {
            set("mute", newValue)
            speech.update()
        }
    }

    /// Has `listener` told when somebody begins to speak and ends while the input is muted; nil removes it.
    ///
    /// It is called on a thread that looks after the plug-in, and should return soon. False while voice processing is off.
    @discardableResult
    @_disfavoredOverload
    public func setMutedSpeechActivityEventListener(
        _ listener: (@Sendable (AudioVoiceProcessingSpeechActivityEvent) -> Void)?
    ) -> Bool { listenToMutedSpeech(listener) }

    /// The same, for modules in which another function has the name.
    package func listenToMutedSpeech(_ listener: (@Sendable (AudioVoiceProcessingSpeechActivityEvent) -> Void)?) -> Bool {
        guard voiceProcessor != nil else { return false }
        speech.listen(listener, of: self)
        return true
    }

    /// How other audio is lowered for the voice; nil, as it is at first, for not at all.
    ///
    /// Other audio is what a program marks by `isOtherAudio`, such as a player of music beside the voices of a call.
    @_disfavoredOverload
    public var voiceProcessingOtherAudioDuckingConfiguration: AudioVoiceProcessingOtherAudioDuckingConfiguration? {
        get { otherAudioDucking }
        set { otherAudioDucking = newValue }
    }

    /// The same, for modules in which another property has the name.
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
