// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The preset of each channel. Render thread.

import CFluidSynth
import PluginSDK

/// Bank and program of each channel.
struct Programs: ~Copyable {
    private let programs: UnsafeMutablePointer<Int32>
    private let banks: UnsafeMutablePointer<Int32>

    init() {
        programs = .allocate(capacity: GeneralMIDI.channelCount)
        programs.initialize(repeating: 0, count: GeneralMIDI.channelCount)
        banks = .allocate(capacity: GeneralMIDI.channelCount)
        banks.initialize(repeating: 0, count: GeneralMIDI.channelCount)
    }

    deinit {
        programs.deallocate()
        banks.deallocate()
    }

    @_noLocks func set(_ channel: Int, program: Int32, bank: Int32) {
        programs[channel] = program
        banks[channel] = bank
    }

    /// Gives a synthesizer the channel's preset, or a substitute: the same program of bank 0, or the first drum kit.
    @_noLocks func select(_ channel: Int, of synthesizer: OpaquePointer, _ font: OpaquePointer) {
        let (program, bank) = (programs[channel], banks[channel])
        let isDrums = bank == GeneralMIDI.drumBank
        if CFluidSynth_hasPreset(font, bank, program) != 0 {
            CFluidSynth_select(synthesizer, font, Int32(channel), bank, program)
        } else if CFluidSynth_hasPreset(font, isDrums ? bank : 0, isDrums ? 0 : program) != 0 {
            CFluidSynth_select(synthesizer, font, Int32(channel), isDrums ? bank : 0, isDrums ? 0 : program)
        } else {
            CFluidSynth_deselect(synthesizer, Int32(channel))
        }
    }
}
