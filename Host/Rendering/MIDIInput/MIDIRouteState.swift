// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The state of one route: held notes and pedals. Render thread.

/// The render thread's state of a route, which survives a change of the table.
struct MIDIRouteState: ~Copyable {
    /// The held notes, and the pedals.
    private var notes: TrackState
    /// The cable of all messages.
    private let cable: UInt8
    /// The unit's life in which the held notes began.
    private var generation: UInt64 = 0
    /// True while packets of a system-exclusive message are dropped, because one of them found no room.
    private var dropsPackets = false
    /// The last table with the route.
    var stamp: UInt64 = 0

    init(cable: UInt8) {
        self.cable = cable
        notes = TrackState(cable: cable, isKept: true)
    }

    /// Sends a mapped message; false if it found no room.
    @_noLocks
    mutating func send(_ mapped: DueMessage, to port: UnsafeMutablePointer<MessagePortCore>) -> Bool {
        var message = mapped
        (message.cable, message.isKept) = (cable, true)
        let note = SequencedMessage(beat: 0, message.status, message.data1, message.data2)
        if note.endsNote {
            guard notes.isSounding(note) else { return true }
            // Without room for the end of a note, the unit ends all notes.
            if !port.pointee.write(message, isUrgent: true) { port.pointee.silence() }
        } else {
            if note.beginsNote, notes.isFull(note) { return true }
            guard port.pointee.write(message, isUrgent: false) else { return false }
        }
        notes.note(note)
        return true
    }

    /// Sends a packet of a system-exclusive message; false if it found no room.
    ///
    /// The rest of the message is then dropped, so that the unit never receives its end.
    @_noLocks
    mutating func sendPacket(_ packet: DueMessage, to port: UnsafeMutablePointer<MessagePortCore>) -> Bool {
        if packet.status == 0xF0 { dropsPackets = false }
        guard !dropsPackets else { return true }
        var packet = packet
        (packet.cable, packet.isKept) = (cable, true)
        dropsPackets = !port.pointee.write(packet, isUrgent: false)
        return !dropsPackets
    }

    /// Ends the notes of a unit that has lost its state; the port gives it its controllers again, pedals that are down among them.
    @_noLocks
    mutating func follow(_ port: UnsafeMutablePointer<MessagePortCore>, at time: Int64) {
        // Acquire: the unit's new life has begun.
        let now = port.pointee.generation.load(ordering: .acquiring)
        guard now != generation else { return }
        generation = now
        notes.endNotes(to: port, at: time)
    }

    /// Ends held notes and pedals.
    @_noLocks
    mutating func release(to port: UnsafeMutablePointer<MessagePortCore>, at time: Int64) { notes.release(to: port, at: time) }
}
