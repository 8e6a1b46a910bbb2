// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads Standard MIDI Files of formats 0 and 1, which need not be trusted. Any thread.

extension MIDIFile {
    /// Reads a file's bytes.
    ///
    /// Files of format 2 are refused. Unknown chunks, other meta events and system-exclusive messages are skipped. Running status survives
    /// them, as many programs write it. The memory used grows with the number of bytes, and not with the sizes in the header.
    public init(bytes: [UInt8]) throws(MIDIFileError) {
        var file = ByteCursor(bytes)
        guard file.begins(with: "MThd") else { throw .notMIDI }
        var header = try file.chunk()
        let format = try header.number(byteCount: 2)
        let trackCount = try header.number(byteCount: 2)
        let division = try MIDIDivision(word: try header.number(byteCount: 2))
        guard format < 2 else { throw .unsupportedFormat(format) }
        var (tracks, song) = ([MIDITrack](), TrackReader.Song())
        while tracks.count < trackCount, file.remaining > 0 {
            let isTrack = file.begins(with: "MTrk")
            let chunk = try file.chunk()
            guard isTrack else { continue }
            var reader = TrackReader(chunk)
            tracks.append(try reader.read(&song))
        }
        guard tracks.count == trackCount else { throw .missingTracks(promised: trackCount, present: tracks.count) }
        self.init(
            division: division, tracks: tracks, tempoChanges: song.tempoChanges, timeSignatures: song.timeSignatures,
            markers: song.markers)
    }
}

extension MIDIDivision {
    /// Reads the header's last word.
    fileprivate init(word: Int) throws(MIDIFileError) {
        let (frames, ticks) = (256 - word >> 8, word & 255)
        if word < 0x8000 {
            guard word > 0 else { throw .invalidDivision(word) }
            self = .ticksPerQuarter(word)
        } else {
            guard [24, 25, 29, 30].contains(frames), ticks > 0 else { throw .invalidDivision(word) }
            self = .timecode(framesPerSecond: frames, ticksPerFrame: ticks)
        }
    }
}

extension ByteCursor {
    /// Takes the contents of the next chunk; its type has already been read.
    fileprivate mutating func chunk() throws(MIDIFileError) -> ByteCursor {
        _ = try number(byteCount: 4)
        return try part(byteCount: try number(byteCount: 4))
    }
}

/// Reads one track.
private struct TrackReader {
    /// The facts about the whole song, from all tracks.
    struct Song {
        var tempoChanges: [MIDITempoChange] = []
        var timeSignatures: [MIDITimeSignature] = []
        var markers: [MIDIMarker] = []
    }

    private var bytes: ByteCursor
    private var tick = 0
    private var runningStatus: UInt8?
    private var name: String?
    private var events: [MIDIFileEvent] = []
    private var hasEnded = false

    init(_ bytes: ByteCursor) { self.bytes = bytes }

    /// Reads until the track ends; a track without an end-of-track event ends with its bytes.
    mutating func read(_ song: inout Song) throws(MIDIFileError) -> MIDITrack {
        while !hasEnded, bytes.remaining > 0 {
            let start = bytes.offset
            tick += try bytes.variableNumber()
            guard tick <= MIDIFile.lastTick else { throw .tooLong(offset: start) }
            try readEvent(&song)
        }
        return MIDITrack(name: name ?? "", events: events, endTick: tick)
    }

    private mutating func readEvent(_ song: inout Song) throws(MIDIFileError) {
        let start = bytes.offset
        let first = try bytes.byte()
        switch first {
        case 0..<0x80:
            guard let status = runningStatus else { throw .missingStatus(offset: start) }
            try readMessage(status, first)
        case 0x80..<0xF0:
            runningStatus = first
            try readMessage(first, try dataByte())
        case 0xF0, 0xF7: _ = try bytes.part(byteCount: try bytes.variableNumber())
        case 0xFF: try readMeta(&song)
        default: throw .invalidStatus(offset: start, status: Int(first))
        }
    }

    private mutating func readMessage(_ status: UInt8, _ data1: UInt8) throws(MIDIFileError) {
        guard let kind = MIDIFileEvent.Kind(rawValue: status >> 4) else { return }
        let data2 = MIDIFileEvent.dataByteCount(kind) == 2 ? try dataByte() : 0
        events.append(MIDIFileEvent(tick: tick, kind, channel: Int(status & 15), Int(data1), Int(data2)))
    }

    private mutating func dataByte() throws(MIDIFileError) -> UInt8 {
        let start = bytes.offset
        let value = try bytes.byte()
        guard value < 0x80 else { throw .invalidData(offset: start, value: Int(value)) }
        return value
    }

    private mutating func readMeta(_ song: inout Song) throws(MIDIFileError) {
        let start = bytes.offset
        let type = Int(try bytes.byte())
        var data = try bytes.part(byteCount: try bytes.variableNumber())
        switch type {
        case MetaType.trackName: name = name ?? data.text
        case MetaType.marker: song.markers.append(MIDIMarker(tick: tick, text: data.text))
        case MetaType.endOfTrack: hasEnded = true
        case MetaType.tempo:
            guard data.remaining == 3 else { throw .invalidMetaEvent(offset: start, type: type) }
            let tempo = try data.number(byteCount: 3)
            // A tempo of 0 would stop time.
            guard tempo > 0 else { throw .invalidMetaEvent(offset: start, type: type) }
            song.tempoChanges.append(MIDITempoChange(tick: tick, microsecondsPerQuarter: tempo))
        case MetaType.timeSignature:
            guard data.remaining >= 2 else { throw .invalidMetaEvent(offset: start, type: type) }
            let (numerator, power) = (Int(try data.byte()), Int(try data.byte()))
            guard numerator > 0, power < 8 else { throw .invalidMetaEvent(offset: start, type: type) }
            song.timeSignatures.append(MIDITimeSignature(tick: tick, numerator: numerator, denominator: 1 << power))
        default: break
        }
    }
}

/// The numbers of the meta events that are read or written.
enum MetaType {
    static let (text, trackName, marker) = (0x01, 0x03, 0x06)
    static let (endOfTrack, tempo, timeSignature) = (0x2F, 0x51, 0x58)
}
