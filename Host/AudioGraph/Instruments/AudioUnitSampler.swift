// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sampler that comes with Bulkhead, as a node. Any thread but the render thread.

import AudioUnits
import PluginHosting

/// Plays the instruments of sound banks (SoundFont), in a process of its own.
///
/// At first it has the system's General MIDI bank: a piano on all channels but the tenth (9), which has drums. Each note begins at its own
/// frame.
open class AudioUnitSampler: AudioUnitMIDIInstrument, @unchecked Sendable {
    // SAFETY: as for AudioNode; it has no properties of its own.
    /// Starts the plug-in.
    public init() { super.init(starting: "aumu:samp:blkh", name: "Sampler") }

    /// The MSB of the bank of melodic instruments, as General MIDI 2 defines it.
    public static let defaultMelodicBankMSB: UInt8 = 0x79
    /// The MSB of the bank of drum kits.
    public static let defaultPercussionBankMSB: UInt8 = 0x78
    /// The LSB of both banks.
    public static let defaultBankLSB: UInt8 = 0

    /// Loads a sound bank, and selects one of its instruments on all channels.
    ///
    /// Messages may select another program on a channel later. For an instrument that the bank lacks, the same program of its first bank
    /// plays, or the first drum kit. While the engine plays, a file can be loaded only if the plug-in may read it already, such as one of
    /// the system's banks. The sound pauses meanwhile, and controllers are reset.
    ///
    /// Throws `unit` with the reason. The file cannot be read, is damaged, or is no sound bank; the engine plays; or the plug-in could not
    /// be started. Then all stays as it was.
    public func loadSoundBankInstrument(
        at path: String, program: UInt8, bankMSB: UInt8, bankLSB: UInt8
    ) throws(AudioEngineError) {
        try load(path)
        let bank = Self.bank(min(bankMSB, 127), min(bankLSB, 127))
        for channel in 1...16 {
            set("channel\(channel).program", Double(min(program, 127)))
            set("channel\(channel).bank", Double(bank))
        }
    }

    /// Loads a sound bank, and selects its first instrument on all channels.
    ///
    /// Throws the errors of `loadSoundBankInstrument`.
    public func loadInstrument(at path: String) throws(AudioEngineError) {
        try loadSoundBankInstrument(
            at: path, program: 0, bankMSB: Self.defaultMelodicBankMSB, bankLSB: Self.defaultBankLSB)
    }

    /// Loads one sound file as an instrument for all channels and keys.
    ///
    /// The recording sounds unchanged at the key that the file names, or at middle C (60). Throws `unit` as `loadSoundBankInstrument` does.
    /// It also throws for any number of files but one: an instrument is made of one recording, of one or two channels.
    public func loadAudioFiles(at paths: [String]) throws(AudioEngineError) {
        guard paths.count == 1 else {
            let reason = UnitError.failed("it makes an instrument of one sound file, and \(paths.count) were given")
            throw .unit(node: NamedNode(self), .refused(unit: name, act: "load sound files into", cause: reason))
        }
        try loadInstrument(at: paths[0])
    }

    private func load(_ path: String) throws(AudioEngineError) {
        do throws(HostingError) {
            guard let plugin else {
                if let failure = unitBody.failure { throw failure }
                return
            }
            try plugin.setText(path.isEmpty ? path : FilePath.absolute(path), of: "soundBank")
        } catch {
            throw .unit(node: NamedNode(self), error)
        }
    }

    /// Returns the number of a bank in a file, by the plug-in's rule for bank select messages.
    private static func bank(_ msb: UInt8, _ lsb: UInt8) -> Int {
        switch msb {
        case 0, 121: Int(lsb)
        case 120, 127: 128
        default: Int(msb)
        }
    }

    /// The gain in decibels, −90 to 12.
    public var overallGain: Float {
        get { value("gain") }
        set { set("gain", newValue, within: -90...12) }
    }

    /// The same as `overallGain`.
    public var masterGain: Float {
        get { overallGain }
        set { overallGain = newValue }
    }

    /// The tuning of all notes in cents, −2400 to 2400; 100 are a semitone.
    public var globalTuning: Float {
        get { value("tuning") }
        set { set("tuning", newValue, within: -2400...2400) }
    }

    /// The pan between left and right, −100 to 100.
    public var stereoPan: Float {
        get { value("pan") }
        set { set("pan", newValue, within: -100...100) }
    }
}
