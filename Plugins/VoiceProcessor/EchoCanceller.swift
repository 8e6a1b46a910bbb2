// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Subtracts the loudspeaker's sound from the microphone's, frame by frame. Render thread.

import CSpeexDSP
import PluginSDK

/// The echo canceller of SpeexDSP: an adaptive filter in the frequency domain, with a foreground and a background filter.
///
/// SpeexDSP judges each frame by its energy after a pre-emphasis. If that energy is extreme, or rises for too long, SpeexDSP
/// writes to standard error. This type checks the same energies before that happens.
///
/// Source: J.-M. Valin, "On Adjusting the Learning Rate in Frequency Domain Echo Cancellation With Double-Talk", 2007.
struct EchoCanceller: ~Copyable {
    /// The state, which the suppression of residual echo uses.
    let state: OpaquePointer
    /// The energy above which the filter does not see a frame: half of SpeexDSP's limit.
    private let absurdEnergy: Float
    /// The energy that a silent frame may have.
    private let quietEnergy: Float
    /// The number of successive frames whose output was louder than their input.
    private var wildFrameCount = 0
    private var isFresh = true
    private static var preEmphasis: Float { @_noLocks get { 0.9 } }
    /// The limit of that number: half of SpeexDSP's.
    private static var longestWildness: Int { @_noLocks get { 25 } }

    /// `[control]` Makes a filter of at least `filterLength` frames of sound.
    init(frameLength: Int, filterLength: Int, sampleRate: Double) {
        state = speex_echo_state_init(Int32(frameLength), Int32(filterLength))
        absurdEnergy = Float(frameLength) * 1e9
        quietEnergy = Float(frameLength) * 600
        var rate = Int32(sampleRate)
        speex_echo_ctl(state, SPEEX_ECHO_SET_SAMPLING_RATE, &rate)
    }

    deinit { speex_echo_state_destroy(state) }

    /// `[render]` Writes the microphone's frame without the echo of the far end.
    @_noLocks
    mutating func process(microphone: borrowing VoiceFrame, farEnd: borrowing VoiceFrame, output: borrowing VoiceFrame) {
        let before = microphone.energy(preEmphasis: Self.preEmphasis)
        guard before < absurdEnergy, farEnd.energy(preEmphasis: Self.preEmphasis) < absurdEnergy else {
            return output.copy(from: microphone)
        }
        CSpeexDSP_cancelEcho(state, microphone.samples, farEnd.samples, output.samples)
        isFresh = false
        let isWild = output.energy(preEmphasis: Self.preEmphasis) > 2 * before + quietEnergy
        wildFrameCount = isWild ? wildFrameCount + 1 : 0
        if wildFrameCount >= Self.longestWildness { reset() }
    }

    /// `[render]` Forgets the room and the sound.
    @_noLocks
    mutating func reset() {
        if !isFresh { CSpeexDSP_resetEcho(state) }
        (isFresh, wildFrameCount) = (true, 0)
    }
}
