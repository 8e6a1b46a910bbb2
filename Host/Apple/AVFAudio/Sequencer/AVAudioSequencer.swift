// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sequencers by the names of Apple's systems. Any thread but the render thread.

import AudioGraph
import Foundation

/// Plays tracks of MIDI events to the units of an engine.
///
/// `isPlaying` becomes false at the end of the longest track; on Apple's systems it stays true until `stop()`.
public typealias AVAudioSequencer = AudioSequencer
/// The way in which a file becomes tracks.
public typealias AVMusicSequenceLoadOptions = AudioMusicSequenceLoadOptions
/// A failure of a sequencer.
public typealias AVAudioSequencerError = AudioSequencerError

extension AudioSequencer {
    /// Makes a sequencer without an engine: it loads, edits and writes tracks, and `start()` throws.
    public convenience init() { self.init(audioEngine: AudioEngine(), hasEngine: false) }

    /// Loads a Standard MIDI File, in place of the present tracks and tempos.
    public func load(from fileURL: URL, options: AVMusicSequenceLoadOptions = []) throws {
        try load(contentsOf: fileURL.path, options: options)
    }

    /// Loads the bytes of a Standard MIDI File, in place of the present tracks and tempos.
    public func load(from data: Data, options: AVMusicSequenceLoadOptions = []) throws {
        try load(data: [UInt8](data), options: options)
    }

    /// Plays from the present position on; if the engine does not run yet, from its first cycle on.
    ///
    /// Throws `noEngine` if the sequencer was made without an engine.
    public func start() throws {
        guard hasEngine else { throw AudioSequencerError.noEngine }
        begin()
    }

    /// The factor of the song's tempos; 1 by default.
    ///
    /// A rate outside of 1/64 to 64 changes nothing.
    public var rate: Float {
        get { Float(songRate) }
        set { songRate = Double(newValue) }
    }

    /// Writes a Standard MIDI File with `resolution` ticks a quarter note; 0 means those of the tempo track.
    public func write(to fileURL: URL, smpteResolution resolution: Int, replaceExisting replace: Bool) throws {
        try write(to: fileURL.path, ticksPerQuarter: ticks(resolution), replaceExisting: replace)
    }

    /// The bytes of a Standard MIDI File with `resolution` ticks a quarter note; 0 means those of the tempo track.
    ///
    /// If a file cannot have the resolution, the data is empty, and `outError` has the reason.
    public func data(withSMPTEResolution resolution: Int, error outError: NSErrorPointer) -> Data {
        do throws(AudioSequencerError) {
            return Data(try data(ticksPerQuarter: ticks(resolution)))
        } catch {
            outError?.pointee = NSError(
                domain: "AVFAudio", code: Int(kAudio_ParamError), userInfo: [NSLocalizedDescriptionKey: error.description])
            return Data()
        }
    }

    private func ticks(_ resolution: Int) -> Int { resolution == 0 ? tempoTrack.timeResolution : resolution }
}

extension AudioSequencerError: LocalizedError {
    /// The error in a sentence.
    public var errorDescription: String? { description }
}
