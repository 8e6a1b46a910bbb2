// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Hands each received message to the units of its routes, at its frame. Render thread.

import LinuxSystem
import Synchronization

/// The messages of the driver and of the program, on their way to the units.
struct MIDIInputCore: ~Copyable {
    struct Shared: ~Copyable {
        let tables = HandOver<MIDIRouteTable>()
        /// The messages from the program to the render thread; then the messages back.
        let sent = MIDIRing()
        let received = MIDIRing()
        /// True if a program reads the received messages.
        let isRead = Atomic<Bool>(false)
        /// The event descriptor to ring at received messages, or a negative number.
        let bell = Atomic<Int32>(-1)
        /// The number of messages without room.
        let droppedCount = Atomic<UInt64>(0)
    }

    let shared: UnsafeMutablePointer<Shared>
    private var table: HandOver<MIDIRouteTable>.Place?
    /// The messages that have yet to be delivered, sorted by frame.
    private let waiting: UnsafeMutablePointer<MIDIInputMessage>
    private var first = 0
    private var count = 0
    /// The keyboards behind the driver's ports, with what they hold.
    private var sources = MIDISources()

    static var capacity: Int { @_noLocks get { 2048 } }
    /// The places that the program's messages leave to a driver's.
    private static var reserve: Int { @_noLocks get { 512 } }

    init(shared: UnsafeMutablePointer<Shared>) {
        self.shared = shared
        waiting = .allocate(capacity: Self.capacity)
        waiting.initialize(repeating: MIDIInputMessage(sampleTime: 0, byteCount: 0, 0), count: Self.capacity)
    }

    deinit {
        _ = HandOver.free(table)
        waiting.deallocate()
    }

    /// Takes the newest table and the new messages, at the beginning of a cycle.
    @_noLocks
    mutating func begin(_ cycle: RenderCycle, _ log: UnsafePointer<EventLogCore>?) {
        takeTable(at: cycle.sampleTime, log)
        endSources(at: cycle.sampleTime)
        for index in 0..<cycle.midi.count {
            var message = cycle.midi.message(at: index)
            if message.isEndOfSource {
                sources.end(message.source)
                endSources(at: cycle.sampleTime)
                continue
            }
            let offset = max(0, min(message.sampleTime, Int64(cycle.frameCount) &- 1))
            message.sampleTime = cycle.sampleTime &+ offset
            if insert(message) { sources.note(message) } else { drop() }
        }
        while count < Self.capacity &- Self.reserve, shared.pointee.sent.hasMessage {
            var message = shared.pointee.sent.next()
            message.sampleTime = max(message.sampleTime, cycle.sampleTime)
            if !insert(message) { drop() }
        }
    }

    /// Ends what keyboards hold that are gone, as if they had sent it themselves; the rest follows where there is no room.
    @_noLocks
    private mutating func endSources(at time: Int64) {
        while var message = sources.nextEnd() {
            message.sampleTime = time
            guard insert(message) else { return }
            sources.take(message)
        }
    }

    /// Delivers the messages of all frames before one.
    @_noLocks
    mutating func deliver(before end: Int64, _ log: UnsafePointer<EventLogCore>?) {
        guard count > 0, waiting[first].sampleTime < end else { return }
        while count > 0, waiting[first].sampleTime < end {
            let message = waiting[first]
            first &+= 1
            count &-= 1
            // Relaxed: only the flag itself is passed.
            if shared.pointee.isRead.load(ordering: .relaxed) { _ = shared.pointee.received.write(message) }
            if let log { log.pointee.write(message.logged) }
            if message.isOfChannel { route(message) } else if message.isPacket { routePacket(message) }
        }
        // Relaxed: the line keeps every descriptor open that was ever set.
        if shared.pointee.isRead.load(ordering: .relaxed) {
            EventBell(descriptor: shared.pointee.bell.load(ordering: .relaxed)).ring()
        }
    }

    /// Ends the notes of units that have lost their state, at the beginning of a piece.
    @_noLocks
    func follow(at time: Int64) {
        guard let table else { return }
        for index in 0..<table.pointee.rowCount {
            let row = table.pointee.rows[index]
            row.state.pointee.follow(row.port, at: time)
        }
    }

    @_noLocks
    private func route(_ message: MIDIInputMessage) {
        guard let table else { return }
        for index in 0..<table.pointee.rowCount {
            let row = table.pointee.rows[index]
            guard row.source < 0 || row.source == Int(message.port) else { continue }
            guard let mapped = row.mapping.mapped(message.status, message.data1) else { continue }
            let due = DueMessage(
                time: message.sampleTime, UInt8(truncatingIfNeeded: mapped >> 8), UInt8(truncatingIfNeeded: mapped), message.data2)
            if !row.state.pointee.send(due, to: row.port) { drop() }
        }
    }

    /// Sends a packet of a system-exclusive message, which belongs to no channel, to all units of its port.
    @_noLocks
    private func routePacket(_ message: MIDIInputMessage) {
        guard let table else { return }
        for index in 0..<table.pointee.rowCount {
            let row = table.pointee.rows[index]
            guard row.source < 0 || row.source == Int(message.port) else { continue }
            let due = message.packet
            if !row.state.pointee.sendPacket(due, to: row.port) { drop() }
        }
    }

    @_noLocks private func drop() { shared.pointee.droppedCount.wrappingAdd(1, ordering: .relaxed) }

    /// Puts a message behind those of its frame; false without room.
    @_noLocks
    private mutating func insert(_ message: MIDIInputMessage) -> Bool {
        if first &+ count == Self.capacity, first > 0 {
            for index in 0..<count { waiting[index] = waiting[first &+ index] }
            first = 0
        }
        guard first &+ count < Self.capacity else { return false }
        var place = first &+ count
        while place > first, waiting[place &- 1].sampleTime > message.sampleTime {
            waiting[place] = waiting[place &- 1]
            place &-= 1
        }
        waiting[place] = message
        count &+= 1
        return true
    }

    /// Changes to the newest table; removed routes end their notes.
    @_noLocks
    private mutating func takeTable(at time: Int64, _ log: UnsafePointer<EventLogCore>?) {
        guard let new = shared.pointee.tables.passage.take()?.assumingMemoryBound(to: MIDIRouteTable.self) else { return }
        if let log { log.pointee.write(LoggedEvent(.routes, at: time, address: new.pointee.serial)) }
        for index in 0..<new.pointee.rowCount { new.pointee.rows[index].state.pointee.stamp = new.pointee.serial }
        if let table {
            for index in 0..<table.pointee.rowCount {
                let row = table.pointee.rows[index]
                if row.state.pointee.stamp != new.pointee.serial { row.state.pointee.release(to: row.port, at: time) }
            }
            shared.pointee.tables.passage.giveBack(table)
        }
        table = new
    }
}
