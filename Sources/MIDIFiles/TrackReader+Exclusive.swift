// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads system-exclusive messages, whole or in packets, and escapes. Any thread.

extension TrackReader {
    /// The most bytes of a system-exclusive message that is kept.
    private static let mostBytes = 65_536

    /// Reads a system-exclusive message, or its first packet.
    mutating func readExclusive(_ ports: inout PortTable, _ damage: inout DamageLog) throws(MIDIFileError) {
        let start = bytes.offset
        let data = try bytes.part(byteCount: try bytes.variableNumber(&damage)).rest
        exclusive = ([0xF0] + data, tick, start)
        if data.last == 0xF7 { try endExclusive(&ports, &damage) }
    }

    /// Reads the next packet of a system-exclusive message, or an escape: bytes as they are sent over a cable.
    mutating func readEscape(_ ports: inout PortTable, _ damage: inout DamageLog) throws(MIDIFileError) {
        let start = bytes.offset
        let data = try bytes.part(byteCount: try bytes.variableNumber(&damage)).rest
        if exclusive != nil {
            // In place: a message may come in very many packets.
            if (exclusive?.message.count ?? 0) <= Self.mostBytes { exclusive?.message += data }
            exclusive?.tick = tick
            if data.last == 0xF7 { try endExclusive(&ports, &damage) }
        } else if data.first == 0xF0 {
            exclusive = (Array(data), tick, start)
            if data.last == 0xF7 { try endExclusive(&ports, &damage) }
        } else {
            try readSent(data, start, &ports, &damage)
        }
    }

    /// Adds the system-exclusive message that has been read; one without an end gets it.
    mutating func endExclusive(_ ports: inout PortTable, _ damage: inout DamageLog) throws(MIDIFileError) {
        guard let (whole, tick, offset) = exclusive else { return }
        exclusive = nil
        let hasEnd = whole.last == 0xF7
        // Real-time bytes may come at any place of a message, and are no part of it.
        let data = whole.dropFirst().dropLast(hasEnd ? 1 : 0).filter { $0 < 0xF8 }
        let isValid = data.allSatisfy { $0 < 0x80 } && data.count + 2 <= Self.mostBytes
        if !hasEnd || !isValid { try damage.note(.invalidExclusive(offset: offset)) }
        if isValid { try add(MIDIFileEvent(tick: tick, systemExclusive: [0xF0] + data + [0xF7]), &ports, &damage) }
    }

    /// Adds the messages of channels among bytes for a cable; messages of the system are none of a song's.
    private mutating func readSent(
        _ sent: ArraySlice<UInt8>, _ offset: Int, _ ports: inout PortTable, _ damage: inout DamageLog
    ) throws(MIDIFileError) {
        var (rest, status) = (sent.filter { $0 < 0xF8 }[...], UInt8(0))
        while let next = rest.first {
            if next >= 0x80 {
                (status, rest) = (next, rest.dropFirst())
                if next >= 0xF0 { rest = rest.drop { $0 < 0x80 } }
                continue
            }
            guard let kind = MIDIFileEvent.Kind(rawValue: status >> 4), status < 0xF0 else {
                return try damage.note(.missingStatus(offset: offset))
            }
            let data = rest.prefix(MIDIFileEvent.dataByteCount(kind))
            guard data.count == MIDIFileEvent.dataByteCount(kind), data.allSatisfy({ $0 < 0x80 }) else {
                return try damage.note(.unexpectedEnd(offset: offset))
            }
            rest = rest.dropFirst(data.count)
            let second = data.count == 2 ? Int(data.last ?? 0) : 0
            try add(MIDIFileEvent(tick: tick, kind, channel: Int(status & 15), Int(next), second), &ports, &damage)
        }
    }
}
