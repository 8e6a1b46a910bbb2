// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A sound bank, loaded by FluidSynth and shared by all synthesizers of a unit. Control thread.

import CFluidSynth
import Glibc
import PluginSDK

/// A SoundFont bank in memory.
///
/// The samples are in memory once, for any number of synthesizers.
final class SoundBank {
    /// The sample rates of FluidSynth, in hertz.
    static let sampleRates = 8000.0...96_000.0
    /// The paths of General MIDI banks in distributions; the first one is the administrator's choice.
    private static let usualPaths = ["/usr/share/sounds/sf2/default-GM.sf2", "/usr/share/sounds/sf2/TimGM6mb.sf2"]

    let path: String
    /// FluidSynth's handle of the bank.
    let font: OpaquePointer
    /// The names of its presets.
    let presetNames: [PresetNumber: String]
    private let loader: Synthesizer

    /// Loads a bank, or a sound file as a bank of one instrument; throws `UnitError.failed` with the reason.
    init(_ path: String) throws(UnitError) {
        loader = try Synthesizer(sampleRate: 44_100, voiceCount: 1)
        if try Self.isBank(path) {
            let identifier = fluid_synth_sfload(loader.pointer, path, 0)
            guard identifier >= 0, let font = fluid_synth_get_sfont_by_id(loader.pointer, identifier) else {
                throw .failed("\"\(path)\" cannot be played: its contents are damaged, or of a kind that FluidSynth does not know")
            }
            self.font = font
            presetNames = Self.presetNames(of: font)
        } else {
            font = try Recording(path).makeBank()
            fluid_synth_add_sfont(loader.pointer, font)
            presetNames = [:]
        }
        self.path = path
    }

    /// The system's bank of General MIDI instruments; nil if there is none.
    static var ofSystem: SoundBank? {
        for path in usualPaths {
            if let bank = try? SoundBank(path) { return bank }
        }
        return nil
    }

    /// True if the file is a bank, by its first bytes, which hold its kind and its length; throws if it is not complete.
    private static func isBank(_ path: String) throws(UnitError) -> Bool {
        // A name can be a pipe: opening must not wait for it.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .failed("\"\(path)\" cannot be read: \(String(cString: strerror(errno)))") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .failed("\"\(path)\" is not a file") }
        var bytes = [UInt8](repeating: 0, count: 12)
        guard read(file, &bytes, 12) == 12, Array(bytes[..<4]) == Array("RIFF".utf8),
            ["sfbk", "DLS "].contains(String(decoding: bytes[8...], as: UTF8.self))
        else { return false }
        let length = 8 + bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard Int(status.st_size) >= length else {
            throw .failed("\"\(path)\" is cut short: it says that it has \(length) bytes, and has \(status.st_size)")
        }
        return true
    }
}
