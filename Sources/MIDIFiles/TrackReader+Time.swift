// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads tempos and time signatures; malformed ones are noted and left out. Any thread.

extension TrackReader {
    /// Reads a tempo of three bytes, the highest first.
    ///
    /// Of two bytes the lowest one is missing. Of four, one is too much: the first if it is 0, and else the last. A tempo of 0 would stop
    /// time, and is left out.
    mutating func readTempo(_ data: ArraySlice<UInt8>, offset: Int, _ damage: inout DamageLog) throws(MIDIFileError) {
        let digits = data.count == 4 && data.first == 0 ? data.dropFirst() : data.prefix(3)
        let tempo = (Array(digits) + [0, 0, 0]).prefix(3).reduce(0) { $0 << 8 | Int($1) }
        if data.count != 3 || tempo == 0 { try damage.note(.invalidMetaEvent(offset: offset, type: MetaType.tempo)) }
        guard (2...4).contains(data.count), tempo > 0 else { return }
        facts.tempoChanges.append(MIDITempoChange(tick: tick, microsecondsPerQuarter: tempo))
    }

    /// Reads a time signature: its numerator, and the power of two of its denominator.
    mutating func readTimeSignature(_ data: [UInt8], offset: Int, _ damage: inout DamageLog) throws(MIDIFileError) {
        guard data.count >= 2, data[0] > 0, data[1] < 8 else {
            return try damage.note(.invalidMetaEvent(offset: offset, type: MetaType.timeSignature))
        }
        facts.timeSignatures.append(MIDITimeSignature(tick: tick, numerator: Int(data[0]), denominator: 1 << Int(data[1])))
    }
}
