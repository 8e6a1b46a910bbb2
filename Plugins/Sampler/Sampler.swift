// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sampler: plays the instruments of a sound bank. Control thread.

import PluginSDK

/// Plays SoundFont banks with FluidSynth: the system's General MIDI bank, or one that the user names.
///
/// A sound file counts as a bank of one instrument. The programs of the channels are parameters, so that they are part of the
/// state. The bank is a text.
final class Sampler: NativeUnit {
    let texts = [TextProperty(Sampler.bankIdentifier, name: "Sound Bank", kind: .path)]
    let isRemadeByText = true
    /// The bank that the user has named; nil for the system's bank.
    private var named: SoundBank?
    /// The system's bank, once a kernel has requested it.
    private var usual: SoundBank?
    private let names = PresetNames()

    /// Beyond the rates of FluidSynth, the synthesizers run at a part of the rate.
    private static let sampleRates = 8000.0...768_000.0
    private static let bankIdentifier = "soundBank"

    init() {}

    func makeKernel(_ setup: RenderSetup) throws(UnitError) -> KernelBox {
        guard Self.sampleRates.contains(setup.sampleRate) else {
            let (lowest, highest) = (Self.sampleRates.lowerBound, Self.sampleRates.upperBound)
            throw .formatRefused("\(Int(setup.sampleRate)) Hz; it takes \(Int(lowest)) to \(Int(highest))")
        }
        let bank = named ?? usualBank()
        names.take(bank)
        return KernelBox.holding(try SamplerKernel(setup, bank))
    }

    var view: ViewMaker? {
        ViewMaker(preferredSizes: SamplerView.preferredSizes, frameRate: SamplerView.frameRate) { [names] in SamplerView($0, names)
        }
    }

    /// The path of the bank; empty for the system's bank, so that a state can restore that, too.
    var textValues: [String: String] { [Self.bankIdentifier: named?.path ?? ""] }

    /// Loads the bank at a path; an empty path means the system's bank.
    func setText(_ identifier: String, to value: String) throws(UnitError) {
        guard value != named?.path ?? "" else { return }
        do throws(UnitError) {
            named = value.isEmpty ? nil : try SoundBank(value)
            names.take(named ?? usual)
        } catch {
            // The restoring of a state ignores this error, so it is reported here.
            Message.write("\(error)")
            throw error
        }
    }

    /// The system's bank; without one the unit reports that, and is silent.
    private func usualBank() -> SoundBank? {
        if usual == nil { usual = SoundBank.ofSystem }
        if usual == nil {
            Message.write(
                "There is no sound bank, so this is silent. Install timgm6mb-soundfont, or set soundBank to a SoundFont file.")
        }
        return usual
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Sampler.exported }
