// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The messages of sequencers for a unit in the present cycle, with their frames. Render thread; control threads open it.

import Synchronization

/// A MIDI message of two or three bytes, or a packet of a system-exclusive one, that is due at a frame of the driver's clock.
package struct DueMessage {
    package var time: Int64
    package var status: UInt8
    package var data1: UInt8
    package var data2: UInt8
    package var cable: UInt8
    /// True if the unit's port keeps the value that the message sets.
    ///
    /// A sequencer knows the state of its tracks itself.
    package var isKept: Bool

    @_noLocks
    package init(time: Int64, _ status: UInt8, _ data1: UInt8, _ data2: UInt8, cable: UInt8 = 0, isKept: Bool = false) {
        (self.time, self.status, self.data1, self.data2, self.cable) = (time, status, data1, data2, cable)
        self.isKept = isKept
    }

    /// True if it begins a note; a note-on of velocity 0 ends one.
    package var beginsNote: Bool { @_noLocks get { status >> 4 == 9 && data2 > 0 } }
}

/// The way from sequencers and MIDI input to one unit, with the MIDI state of the unit.
///
/// It lives as long as the unit, also while nothing plays. It has no memory until something opens it.
package final class MessagePort: Sendable {
    // SAFETY: the core consists of atomics.
    package nonisolated(unsafe) let core: UnsafeMutablePointer<MessagePortCore>

    package init() {
        core = .allocate(capacity: 1)
        core.initialize(to: MessagePortCore())
    }

    deinit {
        UnsafeMutablePointer<DueMessage>(bitPattern: core.pointee.slots.load(ordering: .acquiring))?.deallocate()
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// The identity of the unit in a log.
    package let logIdentity = LogIdentity.next()

    /// `[control]` Allocates memory for the values that received messages set; a second call does nothing.
    package func openControls() {
        core.pointee.controls.open()
        core.pointee.exclusives.open()
    }

    /// `[control]` The messages that set the unit as MIDI has set it, in the order for sending them; without its notes and pedals.
    ///
    /// System-exclusive ones come first, then programs, controllers, bends and parameters.
    package var stateMessages: [StateMessage] {
        core.pointee.exclusives.messages + core.pointee.controls.messages.map(StateMessage.init)
    }

    /// Counts the changes of that state.
    package var stateRevision: UInt64 {
        core.pointee.controls.revision.load(ordering: .relaxed) &+ core.pointee.exclusives.revision
    }

    /// The number of messages that found no room in that state.
    package var unkeptCount: UInt64 {
        core.pointee.controls.droppedCount.load(ordering: .relaxed) &+ core.pointee.exclusives.droppedCount.load(ordering: .relaxed)
    }

    /// `[control]` Sets the state of a unit that has not rendered yet; the unit receives it with its first block.
    package func begin(with messages: [StateMessage]) {
        openControls()
        for message in messages {
            if message.isExclusive {
                for byte in message.bytes { core.pointee.keep(exclusive: byte, cable: message.cable) }
            } else if message.bytes.count > 1 {
                let third = message.bytes.count > 2 ? message.bytes[2] : 0
                core.pointee.keep(DueMessage(time: 0, message.bytes[0], message.bytes[1], third, cable: message.cable))
            }
        }
    }

    /// `[control]` Makes the unit end all notes and sound, and raise all pedals, at the beginning of its next block.
    package func panic() { core.pointee.panic() }

    /// `[control]` Allocates its memory; a second call does nothing.
    func open() {
        guard core.pointee.slots.load(ordering: .acquiring) == 0 else { return }
        let capacity = MessagePortCore.capacity
        let slots = UnsafeMutablePointer<DueMessage>.allocate(capacity: capacity)
        // Touched beforehand: the render thread meets no page fault.
        slots.initialize(repeating: DueMessage(time: 0, 0, 0, 0), count: capacity)
        let (isSet, _) = core.pointee.slots.compareExchange(
            expected: 0, desired: UInt(bitPattern: slots), ordering: .acquiringAndReleasing)
        if !isSet { slots.deallocate() }
    }

    /// `[control]` Sends the unit its MIDI state again, because the unit has lost it; sequencers do the same.
    package func startAnew() { core.pointee.generation.wrappingAdd(1, ordering: .releasing) }

    /// The number of messages that were heard late because there was no room for them before.
    package var lateCount: UInt64 { core.pointee.lateCount.load(ordering: .relaxed) }
}

/// A ring of messages: one thread at a time writes, one reads.
package struct MessagePortCore: ~Copyable {
    static var capacity: Int { @_noLocks get { 8192 } }
    /// The room that only ends of notes and pedals may use, so that they find some when other messages do not.
    static var reserve: Int { @_noLocks get { 4096 } }

    let slots = Atomic<UInt>(0)
    private let written = Atomic<UInt64>(0)
    private let read = Atomic<UInt64>(0)
    /// True while a thread writes: two engines on different threads may have the same unit as a destination.
    private let isBusy = Atomic<Bool>(false)
    /// The number of times that the unit has lost its state: with new render resources, in a new process, or after a reset.
    let generation = Atomic<UInt64>(0)
    /// The driver's frame after the last cycle in which the unit read.
    private let readTime = Atomic<Int64>(.min)
    /// The wishes to end every note: because the end of one found no room, or because of a panic.
    private let silences = Atomic<UInt8>(0)
    let lateCount = Atomic<UInt64>(0)
    /// The highest cable of all messages.
    private let highestCable = Atomic<UInt8>(0)
    /// The MIDI state of the unit: its channels, and what was set by long messages.
    let controls = ChannelControls()
    let exclusives = ExclusiveMessages()

    /// The bits of the wishes.
    private static var endsNotes: UInt8 { @_noLocks get { 1 } }
    private static var isPanic: UInt8 { @_noLocks get { 2 } }

    /// `[render]` Writes a message; false without room, or if another thread writes.
    @_noLocks
    func write(_ message: DueMessage, isUrgent: Bool) -> Bool {
        guard let slots = UnsafeMutablePointer<DueMessage>(bitPattern: slots.load(ordering: .acquiring)) else { return false }
        // Acquire and release: the other thread's message is complete.
        guard !isBusy.exchange(true, ordering: .acquiring) else { return false }
        defer { isBusy.store(false, ordering: .releasing) }
        let position = written.load(ordering: .relaxed)
        // Acquire: the reader is done with the slot.
        let free = Self.capacity &- Int(truncatingIfNeeded: position &- read.load(ordering: .acquiring))
        guard free > (isUrgent ? 0 : Self.reserve) else { return false }
        slots[Int(truncatingIfNeeded: position & UInt64(Self.capacity &- 1))] = message
        note(cable: message.cable)
        // Release: the message is complete.
        written.store(position &+ 1, ordering: .releasing)
        return true
    }

    /// `[render]` Notes that messages of a cable reach the unit.
    @_noLocks
    func note(cable: UInt8) {
        if cable > highestCable.load(ordering: .relaxed) { highestCable.store(cable, ordering: .relaxed) }
    }

    /// `[render]` Asks the reader to end every note after the present messages.
    @_noLocks func silence() { silences.bitwiseOr(Self.endsNotes, ordering: .releasing) }

    /// `[any]` Asks the reader to end all sound before the messages of the next block.
    @_noLocks func panic() { silences.bitwiseOr(Self.isPanic, ordering: .releasing) }

    /// Keeps what a message sets, and notes its cable.
    @_noLocks
    func keep(_ message: DueMessage) {
        note(cable: message.cable)
        controls.keep(message)
    }

    /// Keeps what a system-exclusive message sets that comes byte by byte, and not through the ring.
    @_noLocks
    func keep(exclusive byte: UInt8, cable: UInt8) {
        note(cable: cable)
        if exclusives.take(byte, cable: cable, by: .command) { controls.forget(cable: cable) }
    }

    /// Keeps what a system-exclusive message sets that comes through the ring.
    @_noLocks
    func keep(packet: DueMessage) {
        keep(byte: packet.status, of: packet)
        keep(byte: packet.data1, of: packet)
        keep(byte: packet.data2, of: packet)
    }

    @_noLocks
    private func keep(byte: UInt8, of packet: DueMessage) {
        if exclusives.take(byte, cable: packet.cable, by: .port) { controls.forget(cable: packet.cable) }
    }

    /// `[render]` True if there is room for a message that is not urgent.
    var hasRoom: Bool {
        @_noLocks get {
            written.load(ordering: .relaxed) &- read.load(ordering: .relaxed) < UInt64(Self.capacity &- Self.reserve)
        }
    }

    /// `[render]` True if the unit has not read for longer than this many frames.
    @_noLocks
    func isAbandoned(at time: Int64, longerThan frameCount: Double) -> Bool {
        let last = readTime.load(ordering: .relaxed)
        guard last != .min else { return true }
        let distance = Double(time) - Double(last)
        return distance > frameCount || distance < -frameCount
    }

    // MARK: The reader's side

    @_noLocks
    func available(from position: UInt64) -> Bool { written.load(ordering: .acquiring) != position }

    @_noLocks
    func message(at position: UInt64) -> DueMessage {
        guard let slots = UnsafeMutablePointer<DueMessage>(bitPattern: slots.load(ordering: .acquiring)) else {
            return DueMessage(time: 0, 0x80, 0, 0)
        }
        return slots[Int(truncatingIfNeeded: position & UInt64(Self.capacity &- 1))]
    }

    @_noLocks
    func give(upTo position: UInt64, readTime time: Int64) {
        // Release: the slots have been read.
        read.store(position, ordering: .releasing)
        readTime.store(time, ordering: .relaxed)
    }

    /// The number of cables on which notes may be held.
    var cableCount: Int { @_noLocks get { Int(highestCable.load(ordering: .relaxed)) &+ 1 } }

    /// The wishes to end every note since the last call.
    @_noLocks
    func takeSilences() -> (mustEnd: Bool, isPanic: Bool) {
        // Relaxed: the exchange below takes the wish.
        guard silences.load(ordering: .relaxed) != 0 else { return (false, false) }
        let wishes = silences.exchange(0, ordering: .acquiring)
        return (wishes & Self.endsNotes != 0, wishes & Self.isPanic != 0)
    }

    /// The position of the first message that no reader has given back.
    @_noLocks func beginning() -> UInt64 { read.load(ordering: .relaxed) }

    /// The position after the last written message.
    @_noLocks func end() -> UInt64 { written.load(ordering: .acquiring) }
}
