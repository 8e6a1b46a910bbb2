// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Standard MIDI Files into a sequencer and out of it. Any thread but the render thread.

import Glibc
import LinuxSystem
import MIDIFiles
import PluginHosting
import Rendering

/// How a file becomes tracks.
public struct AudioMusicSequenceLoadOptions: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: UInt

    /// Options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A file that has one track becomes a track for each channel, in order of the channels.
    public static let smfChannelsToTracks = AudioMusicSequenceLoadOptions(rawValue: 1)
}

/// Why a MIDI file could not be loaded or written.
public enum AudioSequencerError: Error, Hashable, Sendable {
    /// The file could not be read or written.
    case file(path: String, act: String, reason: String)
    /// What was read is no Standard MIDI File that can be played; no path where the bytes came from the program.
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
    /// The most bytes of a file.
    static var maximumByteCount: Int { 256 << 20 }

    /// Loads a Standard MIDI File of format 0 or 1, in the place of the tracks and tempos that are there.
    ///
    /// What goes to one device alone, such as system-exclusive messages, is left out. The song stays where it is, and goes on if it does. The first track of a file of format 1 often holds tempos alone; it is a track
    /// nevertheless.
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

    /// The bytes of a Standard MIDI File of format 1 with all tracks and tempos; loops, offsets and mutes are not in it.
    ///
    /// Beats are rounded to ticks, of which a quarter note has so many.
    public func data(ticksPerQuarter: Int = 960) throws(AudioSequencerError) -> [UInt8] {
        guard (1...0x7FFF).contains(ticksPerQuarter) else { throw .resolution(ticksPerQuarter) }
        return MIDIFile(tracks, tempoTrack, division: .ticksPerQuarter(ticksPerQuarter)).encoded()
    }

    /// Writes a Standard MIDI File; see `data`.
    ///
    /// Throws `file` where the file cannot be written, or is there already and may not be replaced.
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
