// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Instruments by the names of Apple's systems. Any thread but the render thread.

import AudioGraph
import Foundation

/// An instrument: a unit without inputs that plays MIDI messages.
public typealias AVAudioUnitMIDIInstrument = AudioUnitMIDIInstrument
/// Plays sound banks and sound files.
public typealias AVAudioUnitSampler = AudioUnitSampler

extension AudioUnitSampler {
    /// Plays an instrument of a sound bank on all channels.
    public func loadSoundBankInstrument(at bankURL: URL, program: UInt8, bankMSB: UInt8, bankLSB: UInt8) throws {
        try loadSoundBankInstrument(at: bankURL.path, program: program, bankMSB: bankMSB, bankLSB: bankLSB)
    }

    /// Plays the first instrument of a sound bank, or a sound file.
    public func loadInstrument(at instrumentURL: URL) throws { try loadInstrument(at: instrumentURL.path) }

    /// Plays a sound file over the whole keyboard; several files are refused with the reason.
    public func loadAudioFiles(at audioFiles: [URL]) throws { try loadAudioFiles(at: audioFiles.map(\.path)) }
}
