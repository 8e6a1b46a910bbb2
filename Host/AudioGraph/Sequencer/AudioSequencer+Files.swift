// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Loads Standard MIDI Files into a sequencer, and writes them. Any thread but the render thread.

import Glibc
import LinuxSystem
import MIDIFiles
import PluginHosting
import Rendering

/// Options for making tracks of a file.
public struct AudioMusicSequenceLoadOptions: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: UInt

    /// Makes options from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Splits the track of a file with a single one into a track for each channel, in the order of the channels.
    public static let smfChannelsToTracks = AudioMusicSequenceLoadOptions(rawValue: 1)
}

/// The reason why a MIDI file could not be loaded or written.
public enum AudioSequencerError: Error, Hashable, Sendable {
    /// The file could not be read or written.
    case file(path: String, act: String, reason: String)
    /// The data are no playable Standard MIDI File; `path` is nil for bytes from the program.
    case malformed(path: String?, MIDIFileError)
    /// The resolution is not 1 to 32767 ticks in a quarter note.
    case resolution(Int)
    /// The sequencer was made without an engine, and cannot play.
    case noEngine
}

extension AudioSequencerError: CustomStringConvertible {
    /// One sentence for the user.
    public var description: String {
        switch self {
        case .file(let path, let act, let reason): "Couldn't \(act) \"\(path)\": \(reason)."
        case .malformed(let path?, let error): "Couldn't read \"\(path)\": \(error)."
        case .malformed(nil, let error): "Couldn't read the MIDI file: \(error)."
        case .noEngine: "Couldn't play: the sequencer was made without an engine."
        case .resolution(let ticks): "Couldn't write \(ticks) ticks a quarter note; a file has 1 to 32767 of them."
        }
    }
}

extension AudioSequencer {
    /// The largest size of a file in bytes.
    static var maximumByteCount: Int { 256 << 20 }

    /// Loads a Standard MIDI File of format 0 or 1, in place of the present tracks and tempos.
    ///
    /// Meta-events of other kinds are left out. The song keeps its position, and goes on if it plays.
    /// The first track of a file of format 1 often holds only tempos; it becomes a track all the same.
    public func load(
        contentsOf path: String, options: AudioMusicSequenceLoadOptions = []
    ) throws(AudioSequencerError) {
        let bytes: [UInt8]
        do throws(FileDefect) {
            bytes = try SmallFile.bytes(path, maximumByteCount: Self.maximumByteCount)
        } catch {
            throw .file(path: path, act: "read", reason: error.reason)
        }
        try load(bytes, path: path, options)
    }

    /// Loads the bytes of a Standard MIDI File.
    public func load(data: [UInt8], options: AudioMusicSequenceLoadOptions = []) throws(AudioSequencerError) {
        try load(data, path: nil, options)
    }

    private func load(
        _ bytes: [UInt8], path: String?, _ options: AudioMusicSequenceLoadOptions
    ) throws(AudioSequencerError) {
        let file: MIDIFile
        do throws(MIDIFileError) {
            file = try MIDIFile(bytes: bytes)
        } catch {
            throw .malformed(path: path, error)
        }
        let splits = options.contains(.smfChannelsToTracks) && file.tracks.count == 1
        let tracks = splits ? file.channelTracks : file.tracks
        replace(with: tracks.map { AudioMusicTrack($0, of: file) }, tempos: file.tempoEvents)
    }

    /// Returns a Standard MIDI File of format 1 with all tracks and tempos; loops, offsets and mutes are not in it.
    ///
    /// Beats are rounded to ticks; `ticksPerQuarter` is their number in a quarter note.
    public func data(ticksPerQuarter: Int = 960) throws(AudioSequencerError) -> [UInt8] {
        guard (1...0x7FFF).contains(ticksPerQuarter) else { throw .resolution(ticksPerQuarter) }
        return MIDIFile(tracks, tempoTrack, division: .ticksPerQuarter(ticksPerQuarter)).encoded()
    }

    /// Writes a Standard MIDI File; see `data`.
    ///
    /// Throws `file` if the file cannot be written, or exists and may not be replaced.
    public func write(
        to path: String, ticksPerQuarter: Int = 960, replaceExisting: Bool = false
    ) throws(AudioSequencerError) {
        let bytes = try data(ticksPerQuarter: ticksPerQuarter)
        guard replaceExisting || access(path, F_OK) != 0 else {
            throw .file(path: path, act: "write", reason: "it is there already, and may not be replaced")
        }
        do throws(SystemError) {
            try ReplacedFile.write(bytes, to: path)
        } catch {
            throw .file(path: path, act: "write", reason: error.reason)
        }
    }
}
