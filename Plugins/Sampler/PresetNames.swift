// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The names of the sound bank's presets, for the view. Control thread and the view's thread.

import CFluidSynth
import Synchronization

/// The number of a preset in a bank file.
struct PresetNumber: Hashable {
    let bank, program: Int
}

/// The names of the present bank, which may change while a view looks.
final class PresetNames: Sendable {
    private let bank = Mutex<[PresetNumber: String]>([:])

    /// `[control]` Takes the names of a bank; nil removes all.
    func take(_ bank: SoundBank?) {
        let names = bank?.presetNames ?? [:]
        self.bank.withLock { $0 = names }
    }

    /// The preset for a bank and a program, by the rules of `Programs.select`; nil if there is none.
    func name(bank number: Int, program: Int) -> String? {
        let isDrums = number == Int(GeneralMIDI.drumBank)
        let substitute = PresetNumber(bank: isDrums ? number : 0, program: isDrums ? 0 : program)
        return bank.withLock { $0[PresetNumber(bank: number, program: program)] ?? $0[substitute] }
    }
}

extension SoundBank {
    /// The names of all presets of a bank file.
    static func presetNames(of font: OpaquePointer) -> [PresetNumber: String] {
        var names: [PresetNumber: String] = [:]
        fluid_sfont_iteration_start(font)
        while let preset = fluid_sfont_iteration_next(font) {
            let number = PresetNumber(bank: Int(fluid_preset_get_banknum(preset)), program: Int(fluid_preset_get_num(preset)))
            if let name = fluid_preset_get_name(preset) { names[number] = String(cString: name) }
        }
        return names
    }
}
