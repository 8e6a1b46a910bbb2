// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes Standard MIDI Files of format 1. Any thread.

extension MIDIFile {
    /// The bytes of a file of format 1; the first track carries tempo, time signatures and markers.
    ///
    /// A reader gets the same song back, if it has a track and its numbers lie in the ranges of a file. The first track then
    /// lasts at least until its last tempo, time signature or marker.
    public func encoded() -> [UInt8] {
        let tracks = tracks.isEmpty ? [MIDITrack()] : tracks
        var bytes = Array("MThd".utf8) + word(6, byteCount: 4) + word(1, byteCount: 2)
        bytes += word(tracks.count, byteCount: 2) + word(division.word, byteCount: 2)
        for (index, track) in tracks.enumerated() {
            let contents = encoded(track, isFirst: index == 0)
            bytes += Array("MTrk".utf8) + word(contents.count, byteCount: 4) + contents
        }
        return bytes
    }

    private func encoded(_ track: MIDITrack, isFirst: Bool) -> [UInt8] {
        var timed: [(tick: Int, bytes: [UInt8])] = []
        if !track.name.isEmpty { timed.append((0, meta(MetaType.trackName, Array(track.name.utf8)))) }
        if isFirst { timed += songEvents }
        timed += track.events.map { ($0.tick, $0.kind == .systemExclusive ? exclusive($0.bytes) : $0.bytes) }
        var (bytes, now) = ([UInt8](), 0)
        for event in timed.sortedByTick(\.tick) {
            advance(&bytes, &now, to: event.tick)
            bytes += event.bytes
        }
        advance(&bytes, &now, to: track.endTick)
        return bytes + meta(MetaType.endOfTrack, [])
    }

    /// The events of the whole song: tempos, time signatures and markers.
    private var songEvents: [(tick: Int, bytes: [UInt8])] {
        tempoChanges.map { ($0.tick, meta(MetaType.tempo, word($0.microsecondsPerQuarter, byteCount: 3))) }
            + timeSignatures.map { signature in
                let data = [signature.numerator, signature.denominator.trailingZeroBitCount, 24, 8]
                return (signature.tick, meta(MetaType.timeSignature, data.map { UInt8(truncatingIfNeeded: $0) }))
            } + markers.map { ($0.tick, meta(MetaType.marker, Array($0.text.utf8))) }
    }

    /// Writes the ticks until the next event; empty texts bridge a gap that is too long for one number.
    private func advance(_ bytes: inout [UInt8], _ now: inout Int, to tick: Int) {
        var distance = max(0, tick - now)
        now += distance
        while distance > Self.largestNumber {
            bytes += variable(Self.largestNumber) + meta(MetaType.text, [])
            distance -= Self.largestNumber
        }
        bytes += variable(distance)
    }

    private static let largestNumber = 0xFFF_FFFF

    private func meta(_ type: Int, _ data: [UInt8]) -> [UInt8] {
        let data = data.prefix(Self.largestNumber)
        return [0xFF, UInt8(truncatingIfNeeded: type)] + variable(data.count) + data
    }

    /// A file has the number of the following bytes after the first one.
    private func exclusive(_ message: [UInt8]) -> [UInt8] {
        let rest = message.dropFirst().prefix(Self.largestNumber)
        return [0xF0] + variable(rest.count) + rest
    }

    private func word(_ value: Int, byteCount: Int) -> [UInt8] {
        (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Encodes a number in one to four bytes; all but the last have their highest bit set.
    private func variable(_ value: Int) -> [UInt8] {
        let groups = (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (7 * $0) & 127) }
        let wanted = groups.drop { $0 == 0 }
        return wanted.dropLast().map { $0 | 128 } + [groups[3]]
    }
}

extension MIDIDivision {
    /// The header's last word.
    fileprivate var word: Int {
        switch self {
        case .ticksPerQuarter(let count): count & 0x7FFF
        case .timecode(let frames, let ticks): (256 - frames) << 8 | ticks & 255
        }
    }
}
