// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the tracks among the chunks of a file, also where lengths are wrong. Any thread.

/// The bytes of a track.
struct TrackChunk {
    /// The bytes to read, which may go on behind the promised end.
    let bytes: ByteCursor
    /// The offset of the first byte; then the promised end.
    let start, end: Int
    /// True if the file ends before the promised end.
    let isCutShort: Bool
}

extension ByteCursor {
    /// True if the bytes are a MIDI file in RIFF's wrapping.
    var isWrapped: Bool { begins(with: "RIFF") && begins(with: "RMID", after: 8) }

    /// Returns the bytes of a song: all of them, or those in RIFF's wrapping.
    static func song(in bytes: [UInt8], _ damage: inout DamageLog) throws(MIDIFileError) -> ByteCursor {
        let file = ByteCursor(bytes)
        if file.begins(with: "MThd") { return file }
        guard file.isWrapped else { throw .notMIDI }
        var riff = file
        riff.skip(to: 12)
        while riff.remaining >= 8 {
            let isData = riff.begins(with: "data")
            riff.skip(to: riff.offset + 4)
            let length = try riff.number(byteCount: 4).byteSwapped32
            let song = riff.part(from: riff.offset, to: riff.offset + length)
            if isData, song.begins(with: "MThd") {
                if length > riff.remaining {
                    try damage.note(.truncated(offset: riff.offset, promised: length, present: riff.remaining))
                }
                return song
            }
            // A chunk of an odd length has a byte of padding behind it.
            riff.skip(to: riff.offset + length + length % 2)
        }
        throw .notMIDI
    }

    /// Takes the head of the next track's chunk, and passes over others; nil behind the last one.
    mutating func trackChunk(_ damage: inout DamageLog) throws(MIDIFileError) -> TrackChunk? {
        while remaining >= 8 {
            if begins(with: "MTrk") { return try track(&damage) }
            if let length = chunkLength {
                skip(to: offset + 8 + length)
            } else {
                guard let next = nextTrack(from: offset) else { break }
                try damage.note(.strayBytes(offset: offset, count: next - offset))
                skip(to: next)
            }
        }
        return nil
    }

    private mutating func track(_ damage: inout DamageLog) throws(MIDIFileError) -> TrackChunk {
        skip(to: offset + 4)
        let length = try number(byteCount: 4)
        let isCutShort = length > remaining
        let end = offset + min(length, remaining)
        if isCutShort { try damage.note(.truncated(offset: offset, promised: length, present: remaining)) }
        var limit = end
        // With a wrong length, the next track begins where it says so.
        if isCutShort || !isChunkEnd(end) { limit = nextTrack(from: isCutShort ? offset : end) ?? offset + remaining }
        return TrackChunk(bytes: part(from: offset, to: limit), start: offset, end: min(end, limit), isCutShort: isCutShort)
    }

    /// True if the file, or another chunk, may begin or end at an offset.
    private func isChunkEnd(_ end: Int) -> Bool {
        var behind = self
        behind.skip(to: end)
        return behind.remaining == 0 || behind.begins(with: "MTrk") || behind.chunkLength != nil
    }

    /// The length of the chunk that begins here; nil if the next bytes are not the head of a chunk that is whole.
    private var chunkLength: Int? {
        guard remaining >= 8, rest.prefix(4).allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let length = rest.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return length <= remaining - 8 ? length : nil
    }
}

extension Int {
    /// A number of four bytes, read from the other end.
    fileprivate var byteSwapped32: Int { Int(UInt32(truncatingIfNeeded: self).byteSwapped) }
}
