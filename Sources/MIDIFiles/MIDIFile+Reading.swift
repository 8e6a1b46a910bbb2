// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads Standard MIDI Files of all formats, which need not be trusted. Any thread.

extension MIDIFile {
    /// Reads a file's bytes, and notes its damage; `isStrict` refuses a damaged file.
    ///
    /// The songs of format 2 follow each other. A file in RIFF's wrapping (RMID) is unwrapped. Unknown chunks and other meta events are
    /// skipped. Running status survives them, as many programs write it. The memory used grows with the number of bytes, and not with the
    /// sizes in the header.
    public init(bytes: [UInt8], isStrict: Bool = false) throws(MIDIFileError) {
        var damage = DamageLog(isStrict: isStrict)
        var file = try ByteCursor.song(in: bytes, &damage)
        let header = try FileHeader(&file, &damage)
        var parts = FileParts(isSequence: header.format == 2)
        var ports = PortTable()
        var count = 0
        while let chunk = try file.trackChunk(&damage) {
            count += 1
            var reader = TrackReader(chunk.bytes)
            let (track, facts) = try reader.read(&ports, &damage)
            if !chunk.isCutShort, reader.offset > chunk.end {
                try damage.note(.shortTrack(offset: chunk.start, promised: chunk.end - chunk.start))
            }
            file.skip(to: chunk.isCutShort && reader.hasEnded ? reader.offset : max(reader.offset, chunk.end))
            try parts.append(track, facts, offset: chunk.start, &damage)
        }
        guard count > 0 || header.trackCount == 0 else { throw .missingTracks(promised: header.trackCount, present: 0) }
        if count < header.trackCount { try damage.note(.missingTracks(promised: header.trackCount, present: count)) }
        if count > header.trackCount { try damage.note(.extraTracks(promised: header.trackCount, present: count)) }
        self.init(
            division: header.division, tracks: ports.numbered(parts.tracks), tempoChanges: parts.facts.tempoChanges,
            timeSignatures: parts.facts.timeSignatures, markers: parts.facts.markers)
        self.damage = damage.damage
    }

    /// True if a file that begins with these bytes, at least 12, is a MIDI file, in RIFF's wrapping or without it.
    public static func isMIDI(head: [UInt8]) -> Bool {
        let head = ByteCursor(head)
        return head.begins(with: "MThd") || head.isWrapped
    }
}

/// The header of a file.
private struct FileHeader {
    let format: Int
    let trackCount: Int
    let division: MIDIDivision

    init(_ file: inout ByteCursor, _ damage: inout DamageLog) throws(MIDIFileError) {
        _ = try file.number(byteCount: 4)
        let length = try file.number(byteCount: 4)
        let end = file.offset + length
        if length < 6 { try damage.note(.shortHeader(length)) }
        format = try file.number(byteCount: 2)
        trackCount = try file.number(byteCount: 2)
        division = try MIDIDivision(word: try file.number(byteCount: 2), &damage)
        if format > 2 { try damage.note(.unsupportedFormat(format)) }
        // A length that passes over the first track is wrong.
        let first = file.nextTrack(from: file.offset) ?? file.offset
        if end > first { try damage.note(.truncated(offset: file.offset, promised: length, present: first - file.offset + 6)) }
        file.skip(to: min(end, first))
    }
}

extension MIDIDivision {
    /// Reads the header's last word; a word without a meaning counts as 480 ticks in a quarter note.
    fileprivate init(word: Int, _ damage: inout DamageLog) throws(MIDIFileError) {
        let (frames, ticks) = (256 - word >> 8, word & 255)
        if word < 0x8000 {
            if word == 0 { try damage.note(.invalidDivision(word)) }
            self = .ticksPerQuarter(word > 0 ? word : 480)
        } else {
            if ![24, 25, 29, 30].contains(frames) || ticks == 0 { try damage.note(.invalidDivision(word)) }
            self = ticks > 0 ? .timecode(framesPerSecond: frames, ticksPerFrame: ticks) : .ticksPerQuarter(480)
        }
    }
}
