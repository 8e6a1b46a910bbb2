// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Subtracts what the loudspeaker plays from what the microphone hears, frame by frame. Render thread.

import CSpeexDSP
import PluginSDK

/// The echo canceller of SpeexDSP: an adaptive filter in the frequency domain, with a foreground and a background filter.
///
/// Source: J.-M. Valin, "On Adjusting the Learning Rate in Frequency Domain Echo Cancellation With Double-Talk", 2007.
///
/// SpeexDSP judges each frame by its energy after a pre-emphasis, and complains on standard error if that is absurd or if it
/// rises for too long. The same energies are looked at here before that happens.
struct EchoCanceller: ~Copyable {
    /// The state, for the suppression of what echo is left.
    let state: OpaquePointer
    /// Beyond this a frame is not shown to the filter: half of what SpeexDSP takes.
    private let absurdEnergy: Float
    /// Energy that a silent frame may have.
    private let quietEnergy: Float
    /// Successive frames that came out louder than they went in.
    private var wildFrameCount = 0
    private var isFresh = true
    private static var preEmphasis: Float { @_noLocks get { 0.9 } }
    /// Half as many as SpeexDSP waits for.
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
