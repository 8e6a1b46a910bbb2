// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One synthesizer of FluidSynth, set up so that rendering neither allocates nor locks. Control thread.

import CFluidSynth
import PluginSDK

/// Owns a synthesizer.
struct Synthesizer: ~Copyable {
    let pointer: OpaquePointer
    /// The bank loader reads it as long as there is a synthesizer.
    private let settings: OpaquePointer

    init(sampleRate: Double, voiceCount: Int32) throws(UnitError) {
        CFluidSynth_silenceLog()
        guard let settings = new_fluid_settings() else { throw .failed("FluidSynth has no memory left") }
        for (name, value) in Self.switches { fluid_settings_setint(settings, name, value) }
        fluid_settings_setint(settings, "synth.polyphony", voiceCount)
        fluid_settings_setnum(settings, "synth.sample-rate", sampleRate)
        fluid_settings_setnum(settings, "synth.gain", Self.gain)
        guard let made = new_fluid_synth(settings) else {
            delete_fluid_settings(settings)
            throw .failed("FluidSynth has no memory left")
        }
        (pointer, self.settings) = (made, settings)
    }

    deinit {
        delete_fluid_synth(pointer)
        delete_fluid_settings(settings)
    }

    /// One thread renders, and all samples are in memory.
    ///
    /// Reverb and chorus are off: other effects can do that.
    private static let switches: [(String, Int32)] = [
        ("synth.threadsafe-api", 0), ("synth.dynamic-sample-loading", 0), ("synth.lock-memory", 0), ("synth.cpu-cores", 1),
        ("synth.reverb.active", 0), ("synth.chorus.active", 0), ("synth.midi-channels", 16),
    ]
    /// The gain at which a loud chord stays below full scale.
    private static let gain = 0.4
}
