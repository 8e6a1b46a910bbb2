// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A MIDI file, recognized by its content, and played to instruments by routes. Any thread but the render thread.

import AudioFiles
import Glibc
import LinuxSystem
import MIDIFiles
import PluginHosting
import Rendering

/// A MIDI file that has been read.
package struct MIDISongFile: Sendable {
    /// The path of the file; `-` for standard input.
    package let path: String
    var file: MIDIFile
    /// The speed as a factor of the file's tempos.
    var rate = 1.0
    /// The number of notes that a transposition has moved beyond the keys of MIDI.
    package internal(set) var lostNoteCount = 0

    /// The usual extensions of MIDI files.
    private static let endings = [".mid", ".midi", ".smf", ".kar", ".rmi"]

    /// Returns true if a path leads to a regular file whose first bytes are those of a MIDI file.
    ///
    /// A file with a usual MIDI extension counts, too, unless it begins as a sound file does: an attempt to read it reports the error.
    /// With `takesPipes` the path may be `-`, for standard input.
    package static func isMIDI(_ path: String, takesPipes: Bool = false) -> Bool {
        if takesPipes, path == "-" { return MIDIFile.isMIDI(head: StandardInput.head(byteCount: 12)) }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        let head = Descriptor.head(of: descriptor, byteCount: 12)
        guard head.count >= 4 else { return false }
        if MIDIFile.isMIDI(head: head) { return true }
        let isSound = ["RIFF", "RIFX", "RF64", "FORM", "fLaC", "OggS", "caff"].contains { head.starts(with: $0.utf8) }
        return !isSound && endings.contains { path.lowercased().hasSuffix($0) }
    }

    /// Reads a Standard MIDI File; `isStrict` refuses a damaged one.
    ///
    /// With `takesPipes` the path may be `-`, for standard input.
    package init(path: String, takesPipes: Bool = false, isStrict: Bool = false) throws(AudioSequencerError) {
        self.path = path
        let bytes = try Self.bytes(path, takesPipes: takesPipes)
        do throws(MIDIFileError) {
            file = try MIDIFile(bytes: bytes, isStrict: isStrict)
        } catch {
            throw .malformed(path: path, error)
        }
    }

    private static func bytes(_ path: String, takesPipes: Bool) throws(AudioSequencerError) -> [UInt8] {
        let most = AudioSequencer.maximumByteCount
        guard takesPipes, path == "-" else {
            do throws(FileDefect) {
                return try SmallFile.bytes(path, maximumByteCount: most)
            } catch {
                throw .file(path: path, act: "read", reason: error.reason)
            }
        }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try StandardInput.bytes(atMost: most + 1)
        } catch {
            throw .file(path: path, act: "read", reason: error.reason)
        }
        if bytes.count > most { throw .file(path: path, act: "read", reason: "it has more than \(most) bytes") }
        return bytes
    }

    /// The damage of the file in a sentence; nil for none.
    package var damage: String? {
        file.damage.map { "\"\(path)\" is damaged, and played as far as it can be understood: \($0)." }
    }

    /// The number of ports, each with sixteen channels of its own.
    package var portCount: Int { file.portCount }

    /// The tempos and time signatures.
    package var tempoMap: TempoMap { TempoMap(of: tempoEvents) }

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
        let timed = events.map(\.element).flatMap { event -> [(seconds: Double, message: MIDIMessage)] in
            let seconds = map.seconds(atBeat: file.division.beat(atTick: event.tick)) - map.seconds(atBeat: 0)
            return MIDIMessage.pieces(of: event.bytes).map { (seconds: seconds, message: $0) }
        }
        return Array(timed.prefix { $0.seconds < end })
    }

    /// True if the file begins a note.
    package var hasNotes: Bool { file.tracks.contains { $0.events.contains(where: \.beginsNote) } }

    /// True if a mapping lets a note of a port pass.
    package func hasNotes(port: UInt8, passing mapping: MIDIMapping) -> Bool {
        file.tracks.contains { track in
            track.events.contains { $0.port == port && $0.beginsNote && mapping.mapped($0.status, $0.data1) != nil }
        }
    }
}

/// Selects the messages of a MIDI file that reach a unit.
package struct MIDIFileRoute: Sendable {
    /// The index of the track, from 0 on; nil for all tracks.
    package let track: Int?
    /// The port, from 0 on; nil for all ports.
    package let port: UInt8?
    package let mapping: MIDIMapping
    package let unit: AudioUnit

    package init(track: Int? = nil, port: UInt8? = nil, _ mapping: MIDIMapping = MIDIMapping(), to unit: AudioUnit) {
        (self.track, self.port, self.mapping, self.unit) = (track, port, mapping, unit)
    }
}

/// The units that files reach.
package struct MIDIFileReach: Sendable {
    /// The units that get a message of a channel.
    package var heard: Set<ObjectIdentifier> = []
    /// The units that get a note.
    package var noted: Set<ObjectIdentifier> = []
    /// The routes that lead several ports of a file to one unit: the index of the file, and the unit.
    package var mixed: [(file: Int, unit: AudioUnit)] = []

    package init() {}
}

extension AudioSequencer {
    /// Plays files by routes, in place of the present tracks, at the tempos of the first file.
    ///
    /// Each route has tracks of its own, with the messages that it lets pass. Each port of a file is a cable of its own.
    package func play(_ files: [(file: MIDISongFile, routes: [MIDIFileRoute])]) -> MIDIFileReach {
        var tracks: [AudioMusicTrack] = []
        var reach = MIDIFileReach()
        for (number, (song, routes)) in files.enumerated() {
            for route in routes {
                let passed = song.file.tracks.enumerated().filter { route.track == nil || route.track == $0.offset }
                    .flatMap { $0.element.passed(by: route).ports }.filter { !$0.events.isEmpty }
                let events = passed.lazy.flatMap(\.events).filter { $0.kind != .systemExclusive }
                if !events.isEmpty { reach.heard.insert(ObjectIdentifier(route.unit)) }
                if events.contains(where: \.beginsNote) { reach.noted.insert(ObjectIdentifier(route.unit)) }
                if Set(events.map(\.port)).count > 1 { reach.mixed.append((number, route.unit)) }
                for track in passed {
                    let made = AudioMusicTrack(track, of: song.file)
                    made.content.withLock { $0.destination = route.unit }
                    tracks.append(made)
                }
            }
        }
        replace(with: tracks, tempos: files.first?.file.tempoEvents ?? [])
        return reach
    }
}

extension MIDITrack {
    /// Returns the track with the messages that a route lets pass; those of a chosen port get port 0.
    fileprivate func passed(by route: MIDIFileRoute) -> MIDITrack {
        let mapping = route.mapping
        let events = events.compactMap { event -> MIDIFileEvent? in
            guard route.port == nil || route.port == event.port else { return nil }
            var event = event
            if route.port != nil { event.port = 0 }
            if event.kind == .systemExclusive { return event }
            guard let mapped = mapping.mapped(event.status, event.data1) else { return nil }
            return MIDIFileEvent(
                tick: event.tick, event.kind, channel: Int(mapped >> 8 & 15), Int(mapped & 127), Int(event.data2),
                port: event.port)
        }
        return MIDITrack(name: name, events: events, endTick: endTick)
    }
}
