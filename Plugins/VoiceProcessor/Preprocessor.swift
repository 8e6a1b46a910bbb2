// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Suppresses noise and residual echo, controls the gain, and detects speech, frame by frame. Render thread.

import CSpeexDSP
import PluginSDK

/// The settings of SpeexDSP's preprocessor.
struct VoiceSettings {
    var cancelsEcho = true
    var suppressesNoise = true
    /// The suppression in decibels.
    var suppression: Int32 = 15
    var controlsGain = true
    /// The level of speech that the gain control aims at, in decibels relative to full scale.
    var gainTarget: Float = -20
}

/// The preprocessor of SpeexDSP: spectral suppression after Ephraim and Malah in overlapping windows of two frames.
///
/// Its output is one frame late.
struct Preprocessor: ~Copyable {
    private let state: OpaquePointer
    private let silence: VoiceFrame
    private var isFresh = true
    /// True if the last frame held speech.
    private(set) var isSpeech = false
    /// Speech starts above the first probability and ends below the second, both in per cent, as in SpeexDSP.
    private static var startPercent: Int32 { @_noLocks get { 35 } }
    private static var endPercent: Int32 { @_noLocks get { 20 } }
    /// The most that the gain control amplifies, in decibels.
    private static let largestGain: Int32 = 20

    /// `[control]` Allocates for frames of `frameLength`.
    init(frameLength: Int, sampleRate: Double) {
        state = speex_preprocess_state_init(Int32(frameLength), Int32(sampleRate))
        silence = VoiceFrame(count: frameLength)
        CSpeexDSP_set(state, SPEEX_PREPROCESS_SET_AGC_MAX_GAIN, Self.largestGain)
    }

    deinit { speex_preprocess_state_destroy(state) }

    /// `[render]` Applies new settings, and the canceller whose residual echo is suppressed.
    @_noLocks
    func set(_ settings: VoiceSettings, canceller: OpaquePointer?) {
        let canceller = settings.cancelsEcho ? canceller : nil
        // Residual echo is suppressed in the same way as noise. Suppression by 0 dB does not change noise.
        CSpeexDSP_set(state, SPEEX_PREPROCESS_SET_DENOISE, settings.suppressesNoise || canceller != nil ? 1 : 0)
        CSpeexDSP_set(state, SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, settings.suppressesNoise ? -settings.suppression : 0)
        CSpeexDSP_set(state, SPEEX_PREPROCESS_SET_AGC, settings.controlsGain ? 1 : 0)
        CSpeexDSP_set(state, SPEEX_PREPROCESS_SET_AGC_TARGET, Self.target(settings.gainTarget))
        CSpeexDSP_setEcho(state, canceller)
    }

    /// SpeexDSP's number for a level: 8000 was measured as −30 dBFS, and the number counts amplitude.
    @_noLocks
    private static func target(_ decibels: Float) -> Int32 {
        Int32(max(1, min(32_767, 8000 * Maths.gain(fromDecibels: decibels + 30))))
    }

    /// `[render]` Replaces a frame by the processed former frame.
    @_noLocks
    mutating func process(_ frame: borrowing VoiceFrame) {
        CSpeexDSP_preprocess(state, frame.samples)
        isFresh = false
        let percent = CSpeexDSP_speechProbability(state)
        isSpeech = percent > (isSpeech ? Self.endPercent : Self.startPercent)
    }

    /// `[render]` Forgets the sound.
    ///
    /// SpeexDSP cannot forget its estimates of noise and loudness. Silence pushes the sound out of the windows.
    @_noLocks
    mutating func reset() {
        for _ in 0..<(isFresh ? 0 : 2) {
            silence.silence()
            CSpeexDSP_preprocess(state, silence.samples)
        }
        (isFresh, isSpeech) = (true, false)
    }
}
