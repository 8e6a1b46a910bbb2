// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Watches the voice processor for speech; reports it to a muted program, and lowers other audio. Any thread.

import AudioUnits
import PluginHosting
import Synchronization

/// Reacts to speech into the microphone.
final class SpeechWatch: Sendable {
    typealias Listener = @Sendable (AudioVoiceProcessingSpeechActivityEvent) -> Void

    private struct State {
        weak var node: AudioInputNode?
        var listener: Listener?
        var ducking: AudioVoiceProcessingOtherAudioDuckingConfiguration?
        var isSpeaking = false
        /// True if the last report to the listener was the beginning of speech.
        var isToldOfSpeech = false
        /// The watched unit, and its observer.
        var watched: (unit: PluginUnit, token: ParameterObserverToken)?
    }

    private let state = Mutex(State())

    deinit {
        guard let watched = state.withLock({ $0.watched }) else { return }
        watched.unit.parameterValues.removeObserver(watched.token)
    }

    /// The lowering of other audio.
    var ducking: AudioVoiceProcessingOtherAudioDuckingConfiguration? { state.withLock { $0.ducking } }

    func listen(_ listener: Listener?, of node: AudioInputNode) {
        watch(node)
        state.withLock { ($0.listener, $0.isToldOfSpeech) = (listener, false) }
        update()
    }

    func duck(_ configuration: AudioVoiceProcessingOtherAudioDuckingConfiguration?, of node: AudioInputNode) {
        watch(node)
        state.withLock { $0.ducking = configuration }
        update()
    }

    /// Watches the present processor.
    func watch(_ node: AudioInputNode) {
        let unit = node.voiceProcessor
        let former = state.withLock { state -> (unit: PluginUnit, token: ParameterObserverToken)? in
            state.node = node
            guard state.watched?.unit !== unit else { return nil }
            state.isSpeaking = false
            return exchange(&state.watched, with: nil)
        }
        if let former { former.unit.parameterValues.removeObserver(former.token) }
        guard let unit, state.withLock({ $0.watched == nil }), let speech = unit.parameterTree[keyPath: "speech"]?.address else {
            return
        }
        let token = unit.parameterValues.addObserver { [weak self] address, value in
            guard address == speech else { return }
            self?.state.withLock { $0.isSpeaking = value >= 0.5 }
            self?.update()
        }
        state.withLock { $0.watched = (unit, token) }
    }

    /// Applies the present state to the listener and to other audio.
    func update() {
        let node = state.withLock { $0.node }
        guard let node else { return }
        let isMuted = node.isVoiceProcessingInputMuted
        let (gain, listener, event) = state.withLock { state in
            let isHeard = state.isSpeaking && isMuted
            let event: AudioVoiceProcessingSpeechActivityEvent? =
                isHeard == state.isToldOfSpeech ? nil : isHeard ? .started : .ended
            state.isToldOfSpeech = isHeard
            return (Self.gain(state), state.listener, event)
        }
        node.engine?.duckOtherAudio(to: gain)
        if let event { listener?(event) }
    }

    /// Returns the gain of other audio.
    private static func gain(_ state: State) -> Float {
        guard let ducking = state.ducking, state.watched != nil else { return 1 }
        return !ducking.enableAdvancedDucking || state.isSpeaking ? ducking.duckingLevel.gain : 1
    }
}

extension AudioEngine {
    /// Lowers the sources marked as other audio.
    func duckOtherAudio(to gain: Float) {
        let nodes = state.withLock { state in
            state.otherAudioGain = gain
            return state.graph.nodes
        }
        for node in nodes { node.body.mixing?.duck(to: gain) }
    }
}

extension AudioMixing {
    /// True if the source is lowered for the voice; see `AudioInputNode.voiceProcessingOtherAudioDuckingConfiguration`.
    public var isOtherAudio: Bool {
        get { mixingSettings.common.withLock { $0.isOtherAudio } }
        set {
            let gain = engine?.state.withLock { $0.otherAudioGain } ?? 1
            mixingSettings.setCommon { $0.isOtherAudio = newValue }
            mixingSettings.duck(to: gain)
        }
    }
}
