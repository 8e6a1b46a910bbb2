// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The state of one route: held notes, and the last values of controllers. Render thread.

/// The render thread's state of a route, which survives a change of the table.
struct MIDIRouteState: ~Copyable {
    /// The held notes, and the pedals.
    private var notes: TrackState
    /// The cable of all messages.
    private let cable: UInt8
    /// The controllers, the program, the pressure, and two bytes of the pitch bend for each channel.
    ///
    /// `unset` stands for a value that was never sent.
    private let controls: UnsafeMutablePointer<UInt8>
    /// The unit's life in which the state was last sent.
    private var generation: UInt64 = 0
    /// True while packets of a system-exclusive message are dropped, because one of them found no room.
    private var dropsPackets = false
    /// The last table with the route.
    var stamp: UInt64 = 0

    private static var unset: UInt8 { @_noLocks get { 0xFF } }
    private static var program: Int { @_noLocks get { 128 } }
    private static var pressure: Int { @_noLocks get { 129 } }
    private static var bend: Int { @_noLocks get { 130 } }
    private static var stride: Int { @_noLocks get { 132 } }

    init(cable: UInt8) {
        self.cable = cable
        notes = TrackState(cable: cable)
        controls = .allocate(capacity: 16 * Self.stride)
        controls.initialize(repeating: Self.unset, count: 16 * Self.stride)
    }

    deinit { controls.deallocate() }

    /// Sends a mapped message; false if it found no room.
    @_noLocks
    mutating func send(_ mapped: DueMessage, to port: UnsafeMutablePointer<MessagePortCore>) -> Bool {
        var message = mapped
        message.cable = cable
        let note = SequencedMessage(beat: 0, message.status, message.data1, message.data2)
        if note.endsNote {
            guard notes.isSounding(note) else { return true }
            // Without room for the end of a note, the unit ends all notes.
            if !port.pointee.write(message, isUrgent: true) { port.pointee.silence() }
        } else {
            if note.beginsNote, notes.isFull(note) { return true }
            guard port.pointee.write(message, isUrgent: false) else { return false }
            keep(message)
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
        packet.cable = cable
        dropsPackets = !port.pointee.write(packet, isUrgent: false)
        return !dropsPackets
    }

    /// Sends the controllers again to a unit that has lost its state; its notes are over.
    @_noLocks
    mutating func follow(_ port: UnsafeMutablePointer<MessagePortCore>, at time: Int64) {
        // Acquire: the unit's new life has begun.
        let now = port.pointee.generation.load(ordering: .acquiring)
        guard now != generation else { return }
        generation = now
        release(to: port, at: time)
        for channel in 0..<16 { chase(UInt8(truncatingIfNeeded: channel), port, at: time) }
    }

    /// Ends held notes and pedals.
    @_noLocks
    mutating func release(to port: UnsafeMutablePointer<MessagePortCore>, at time: Int64) { notes.release(to: port, at: time) }

    @_noLocks
    private func keep(_ message: DueMessage) {
        let own = controls + Int(message.status & 15) &* Self.stride
        switch message.status >> 4 {
        case 0xB where message.data1 == 121:
            for control in 0..<120 where !Self.survivesReset(control) { own[control] = Self.unset }
            for control in Self.pressure..<Self.stride { own[control] = Self.unset }
        case 0xB where message.data1 < 120: own[Int(message.data1)] = message.data2
        case 0xC: own[Self.program] = message.data1
        case 0xD: own[Self.pressure] = message.data1
        case 0xE: (own[Self.bend], own[Self.bend &+ 1]) = (message.data1, message.data2)
        default: break
        }
    }

    /// True for banks, volume, pan and effect depths, which stay when all controllers are reset (RP-015).
    @_noLocks
    private static func survivesReset(_ control: Int) -> Bool {
        control == 0 || control == 32 || control == 7 || control == 10 || control >= 91 && control <= 95
    }

    /// Sends a channel's controllers: banks before the program, and the number of a parameter before its value.
    @_noLocks
    private func chase(_ channel: UInt8, _ port: UnsafeMutablePointer<MessagePortCore>, at time: Int64) {
        let own = controls + Int(channel) &* Self.stride
        send(0, channel, port, at: time)
        send(32, channel, port, at: time)
        if own[Self.program] < 128 { write(0xC0 | channel, own[Self.program], 0, port, at: time) }
        for control in 98..<102 { send(control, channel, port, at: time) }
        for control in 1..<120 where control != 32 && (control < 98 || control > 101) { send(control, channel, port, at: time) }
        if own[Self.pressure] < 128 { write(0xD0 | channel, own[Self.pressure], 0, port, at: time) }
        if own[Self.bend] < 128 { write(0xE0 | channel, own[Self.bend], own[Self.bend &+ 1], port, at: time) }
    }

    @_noLocks
    private func send(_ control: Int, _ channel: UInt8, _ port: UnsafeMutablePointer<MessagePortCore>, at time: Int64) {
        let value = controls[Int(channel) &* Self.stride &+ control]
        if value < 128 { write(0xB0 | channel, UInt8(truncatingIfNeeded: control), value, port, at: time) }
    }

    @_noLocks
    private func write(
        _ status: UInt8, _ data1: UInt8, _ data2: UInt8, _ port: UnsafeMutablePointer<MessagePortCore>, at time: Int64
    ) {
        _ = port.pointee.write(DueMessage(time: time, status, data1, data2, cable: cable), isUrgent: true)
    }
}
