// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A MIDI file, recognized by its content, and played to instruments by routes. Any thread but the render thread.

import Glibc
import LinuxSystem
import MIDIFiles
import PluginHosting
import Rendering

/// A MIDI file that has been read.
package struct MIDISongFile: Sendable {
    /// The path of the file.
    package let path: String
    let file: MIDIFile

    /// The usual extensions of MIDI files.
    private static let endings = [".mid", ".midi", ".smf", ".kar"]

    /// Returns true if a path leads to a regular file whose first bytes are those of a MIDI file.
    ///
    /// A file with a usual MIDI extension counts, too, unless it begins as a sound file does: an attempt to read it reports the error.
    package static func isMIDI(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        let head = Descriptor.head(of: descriptor, byteCount: 4)
        guard head.count == 4 else { return false }
        if head.elementsEqual("MThd".utf8) { return true }
        let isSound = ["RIFF", "RIFX", "RF64", "FORM", "fLaC", "OggS", "caff"].contains { head.elementsEqual($0.utf8) }
        return !isSound && endings.contains { path.lowercased().hasSuffix($0) }
    }

    /// Reads a Standard MIDI File of format 0 or 1.
    package init(path: String) throws(AudioSequencerError) {
        self.path = path
        let bytes: [UInt8]
        do throws(FileDefect) {
            bytes = try SmallFile.bytes(path, maximumByteCount: AudioSequencer.maximumByteCount)
        } catch {
            throw .file(path: path, act: "read", reason: error.reason)
        }
        do throws(MIDIFileError) {
            file = try MIDIFile(bytes: bytes)
        } catch {
            throw .malformed(path: path, error)
        }
    }

    /// The tempos and time signatures.
    package var tempoMap: TempoMap { TempoMap(file) }

    /// The beats up to the end of the longest track.
    package var lengthInBeats: Double { file.lengthInBeats }

    /// The time up to the end of the longest track, in seconds.
    package var seconds: Double { max(0, tempoMap.seconds(atBeat: lengthInBeats) - tempoMap.seconds(atBeat: 0)) }

    /// The number of tracks.
    package var trackCount: Int { file.tracks.count }

    /// Returns the messages of all tracks before a time in seconds, in order, each with its time.
    package func messages(before end: Double) -> [(seconds: Double, message: MIDIMessage)] {
        let map = tempoMap
        let events = file.tracks.flatMap(\.events).enumerated().sorted {
            ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
        }
        return events.map(\.element).map { event in
            let seconds = map.seconds(atBeat: file.division.beat(atTick: event.tick)) - map.seconds(atBeat: 0)
            let hasOneByte = [0xC0, 0xD0].contains(event.status & 0xF0)
            return (seconds, MIDIMessage(event.status, event.data1, event.data2, byteCount: hasOneByte ? 2 : 3))
        }.prefix { $0.seconds < end }.map { $0 }
    }

    /// True if the file begins a note.
    package var hasNotes: Bool { file.tracks.contains { $0.events.contains(where: \.beginsNote) } }
}

/// Selects the messages of a MIDI file that reach a unit.
package struct MIDIFileRoute: Sendable {
    /// The index of the track, from 0 on; nil for all tracks.
    package let track: Int?
    package let mapping: MIDIMapping
    package let unit: AudioUnit

    package init(track: Int? = nil, _ mapping: MIDIMapping = MIDIMapping(), to unit: AudioUnit) {
        (self.track, self.mapping, self.unit) = (track, mapping, unit)
    }
}

extension AudioSequencer {
    /// Plays files by routes, in place of the present tracks, at the tempos of the first file.
    ///
    /// Each route has tracks of its own, with the messages that it lets pass. Returns the units that get a note.
    package func play(_ files: [(file: MIDISongFile, routes: [MIDIFileRoute])]) -> Set<ObjectIdentifier> {
        var tracks: [AudioMusicTrack] = []
        var played: Set<ObjectIdentifier> = []
        for (song, routes) in files {
            for route in routes {
                for (index, track) in song.file.tracks.enumerated() where route.track == nil || route.track == index {
                    let passed = track.passed(by: route.mapping)
                    guard !passed.events.isEmpty else { continue }
                    if passed.events.contains(where: \.beginsNote) { played.insert(ObjectIdentifier(route.unit)) }
                    let made = AudioMusicTrack(passed, of: song.file)
                    made.content.withLock { $0.destination = route.unit }
                    tracks.append(made)
                }
            }
        }
        replace(with: tracks, tempos: files.first?.file.file.tempoEvents ?? [])
        return played
    }
}

extension MIDITrack {
    /// Returns the track with the messages that a mapping lets pass.
    fileprivate func passed(by mapping: MIDIMapping) -> MIDITrack {
        let events = events.compactMap { event -> MIDIFileEvent? in
            guard let mapped = mapping.mapped(event.status, event.data1) else { return nil }
            return MIDIFileEvent(
                tick: event.tick, event.kind, channel: Int(mapped >> 8 & 15), Int(mapped & 127), Int(event.data2))
        }
        return MIDITrack(name: name, events: events, endTick: endTick)
    }
}
