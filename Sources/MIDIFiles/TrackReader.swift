// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads one track of a MIDI file, as far as it can be understood. Any thread.

/// Tempos, time signatures and markers.
struct SongFacts {
    var tempoChanges: [MIDITempoChange] = []
    var timeSignatures: [MIDITimeSignature] = []
    var markers: [MIDIMarker] = []
}

/// Reads one track.
struct TrackReader {
    var bytes: ByteCursor
    private(set) var tick = 0
    private var runningStatus: UInt8?
    private var name: String?
    private(set) var events: [MIDIFileEvent] = []
    var facts = SongFacts()
    /// The port and the device that the track names.
    private var port = PortTable.Key() { didSet { portNumber = nil } }
    /// The port's present number, once a message has asked for it; nil in it if there are too many ports.
    private var portNumber: UInt8??
    /// A system-exclusive message without its end, the tick of its last packet, and its offset.
    var exclusive: (message: [UInt8], tick: Int, offset: Int)?
    /// True behind the event that ends the track.
    private(set) var hasEnded = false

    init(_ bytes: ByteCursor) { self.bytes = bytes }

    /// The offset in the file of the next byte.
    var offset: Int { bytes.offset }

    /// Reads until the track ends; a track without an end-of-track event ends with its bytes.
    ///
    /// It ends too at the first bytes that make no sense.
    mutating func read(
        _ ports: inout PortTable, _ damage: inout DamageLog
    ) throws(MIDIFileError) -> (track: MIDITrack, facts: SongFacts) {
        do throws(MIDIFileError) {
            while !hasEnded, bytes.remaining > 0 {
                let start = bytes.offset
                let next = tick + (try bytes.variableNumber(&damage))
                guard next <= MIDIFile.lastTick else { throw .tooLong(offset: start) }
                tick = next
                try readEvent(&ports, &damage)
            }
            try endExclusive(&ports, &damage)
        } catch {
            try damage.note(error)
        }
        return (MIDITrack(name: name ?? "", events: events, endTick: tick), facts)
    }

    private mutating func readEvent(_ ports: inout PortTable, _ damage: inout DamageLog) throws(MIDIFileError) {
        let start = bytes.offset
        let first = try bytes.byte()
        if first < 0xF7 { try endExclusive(&ports, &damage) }
        switch first {
        case 0..<0x80:
            // Without a status, the next byte may be one.
            guard let status = runningStatus else { return try damage.note(.missingStatus(offset: start)) }
            try readMessage(status, first, &ports, &damage)
        case 0x80..<0xF0:
            runningStatus = first
            try readMessage(first, try bytes.byte(), &ports, &damage)
        case 0xF0: try readExclusive(&ports, &damage)
        case 0xF7: try readEscape(&ports, &damage)
        case 0xFF: try readMeta(&damage)
        default:
            // A message that is meant for a cable, with as many bytes as it has there.
            try damage.note(.invalidStatus(offset: start, status: Int(first)))
            for _ in 0..<(first == 0xF2 ? 2 : first == 0xF1 || first == 0xF3 ? 1 : 0) { _ = try bytes.byte() }
        }
    }

    /// Reads the rest of a message; a value above 127 counts as 127, and a key or controller above 127 as none.
    private mutating func readMessage(
        _ status: UInt8, _ data1: UInt8, _ ports: inout PortTable, _ damage: inout DamageLog
    ) throws(MIDIFileError) {
        let start = bytes.offset - 1
        guard let kind = MIDIFileEvent.Kind(rawValue: status >> 4) else { return }
        let data2 = MIDIFileEvent.dataByteCount(kind) == 2 ? try bytes.byte() : 0
        if data1 > 127 { try damage.note(.invalidData(offset: start, value: Int(data1))) }
        if data2 > 127 { try damage.note(.invalidData(offset: start + 1, value: Int(data2))) }
        let isNumbered = kind != .programChange && kind != .channelPressure && kind != .pitchBend
        if data1 > 127, isNumbered { return }
        try add(
            MIDIFileEvent(tick: tick, kind, channel: Int(status & 15), Int(min(127, data1)), Int(min(127, data2))), &ports, &damage)
    }

    /// Adds a message at the track's port.
    mutating func add(_ event: MIDIFileEvent, _ ports: inout PortTable, _ damage: inout DamageLog) throws(MIDIFileError) {
        var event = event
        let known = portNumber ?? ports.number(of: port)
        portNumber = .some(known)
        guard let number = known else { return try damage.note(.tooManyPorts(offset: bytes.offset)) }
        ports.note(event, at: number)
        event.port = number
        events.append(event)
    }

    private mutating func readMeta(_ damage: inout DamageLog) throws(MIDIFileError) {
        let start = bytes.offset
        let type = Int(try bytes.byte())
        let data = try bytes.part(byteCount: try bytes.variableNumber(&damage))
        switch type {
        case MetaType.trackName: name = name ?? data.text
        case MetaType.marker: facts.markers.append(MIDIMarker(tick: tick, text: data.text))
        case MetaType.endOfTrack: hasEnded = true
        case MetaType.port: port.number = data.rest.first
        case MetaType.device: port.device = data.text
        case MetaType.tempo: try readTempo(data.rest, offset: start, &damage)
        case MetaType.timeSignature: try readTimeSignature(Array(data.rest), offset: start, &damage)
        default: break
        }
    }
}
