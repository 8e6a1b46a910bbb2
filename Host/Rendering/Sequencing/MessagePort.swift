// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a sequencer has for a unit in the present cycle: messages with their frames. Render thread; control threads open it.

import Synchronization

/// A MIDI message of two or three bytes that is due at a frame of the driver's clock.
package struct DueMessage {
    package var time: Int64
    package var status: UInt8
    package var data1: UInt8
    package var data2: UInt8

    @_noLocks
    package init(time: Int64, _ status: UInt8, _ data1: UInt8, _ data2: UInt8) {
        (self.time, self.status, self.data1, self.data2) = (time, status, data1, data2)
    }

    /// Whether it begins a note; a note-on of velocity 0 ends one.
    package var beginsNote: Bool { @_noLocks get { status >> 4 == 9 && data2 > 0 } }
}

/// The way from sequencers to one unit.
///
/// It lives as long as the unit, whether something plays or not. It has no memory until a sequencer opens it.
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

    /// `[control]` Gives it memory; a second call does nothing.
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

    /// The messages that were heard late because there was no room for them before.
    package var lateCount: UInt64 { core.pointee.lateCount.load(ordering: .relaxed) }
}

/// A ring of messages: one thread at a time writes, one reads.
package struct MessagePortCore: ~Copyable {
    static var capacity: Int { @_noLocks get { 8192 } }
    /// What only ends of notes and pedals may fill, so that they find room when nothing else does.
    static var reserve: Int { @_noLocks get { 4096 } }

    let slots = Atomic<UInt>(0)
    private let written = Atomic<UInt64>(0)
    private let read = Atomic<UInt64>(0)
    /// Held while a thread writes: engines that share no thread may have a unit for a destination both.
    private let isBusy = Atomic<Bool>(false)
    /// How often the unit has forgotten what it was sent: with new render resources, or in a new process.
    let generation = Atomic<UInt64>(0)
    /// The driver's frame after the last cycle in which the unit read.
    private let readTime = Atomic<Int64>(.min)
    /// Whether every note must end because the end of one found no room.
    private let mustSilence = Atomic<Bool>(false)
    let lateCount = Atomic<UInt64>(0)

    /// `[render]` Writes a message; false where there is no room, or another thread writes.
    @_noLocks
    func write(_ message: DueMessage, isUrgent: Bool) -> Bool {
        guard let slots = UnsafeMutablePointer<DueMessage>(bitPattern: slots.load(ordering: .acquiring)) else { return false }
        // Acquire and release: what the other thread wrote is complete.
        guard !isBusy.exchange(true, ordering: .acquiring) else { return false }
        defer { isBusy.store(false, ordering: .releasing) }
        let position = written.load(ordering: .relaxed)
        // Acquire: the reader is done with the slot.
        let free = Self.capacity &- Int(truncatingIfNeeded: position &- read.load(ordering: .acquiring))
        guard free > (isUrgent ? 0 : Self.reserve) else { return false }
        slots[Int(truncatingIfNeeded: position & UInt64(Self.capacity &- 1))] = message
        // Release: the message is complete.
        written.store(position &+ 1, ordering: .releasing)
        return true
    }

    /// `[render]` Asks the reader to end every note once it has read what is there.
    @_noLocks func silence() { mustSilence.store(true, ordering: .releasing) }

    /// `[render]` Whether there is room for a message that is not urgent.
    var hasRoom: Bool {
        @_noLocks get {
            written.load(ordering: .relaxed) &- read.load(ordering: .relaxed) < UInt64(Self.capacity &- Self.reserve)
        }
    }

    /// `[render]` Whether the unit has not read for so many frames.
    @_noLocks
    func isAbandoned(at time: Int64, longerThan frameCount: Double) -> Bool {
        let last = readTime.load(ordering: .relaxed)
        guard last != .min else { return true }
        let distance = Double(time) - Double(last)
        return distance > frameCount || distance < -frameCount
    }

    // MARK: The reader's side

    @_noLocks
    fileprivate func available(from position: UInt64) -> Bool { written.load(ordering: .acquiring) != position }

    @_noLocks
    fileprivate func message(at position: UInt64) -> DueMessage {
        guard let slots = UnsafeMutablePointer<DueMessage>(bitPattern: slots.load(ordering: .acquiring)) else {
            return DueMessage(time: 0, 0x80, 0, 0)
        }
        return slots[Int(truncatingIfNeeded: position & UInt64(Self.capacity &- 1))]
    }

    @_noLocks
    fileprivate func give(upTo position: UInt64, readTime time: Int64) {
        // Release: the slots have been read.
        read.store(position, ordering: .releasing)
        readTime.store(time, ordering: .relaxed)
    }

    @_noLocks fileprivate func takeSilence() -> Bool { mustSilence.exchange(false, ordering: .acquiring) }

    /// What has been written so far.
    @_noLocks fileprivate func end() -> UInt64 { written.load(ordering: .acquiring) }
}

/// The unit's end of a port.
package struct MessagePortReader: ~Copyable {
    private let port: UnsafeMutablePointer<MessagePortCore>
    private var position: UInt64
    /// Where the present block began to read, and at which frame of the unit's clock.
    private var start: UInt64
    private var startTime: Int64 = .min
    /// The frame of the unit's clock after its last block; notes that begin before `oldest` are not begun any more.
    private var endTime: Int64?
    private var oldest: Int64 = .min
    /// The next of the messages that end all notes; nil for none.
    private var silencing: Int?
    /// The frames by which the unit may lag behind the driver.
    private let reach: Int64

    /// `[control]` Reads from now on, for a unit that has heard nothing yet.
    ///
    /// A unit of a pipeline renders cycles after the driver has begun them.
    package init(_ port: UnsafeMutablePointer<MessagePortCore>, isPipelined: Bool) {
        self.port = port
        reach = isPipelined ? 1 << 20 : 64
        position = port.pointee.end()
        start = position
        port.pointee.give(upTo: position, readTime: .min)
        port.pointee.generation.wrappingAdd(1, ordering: .releasing)
    }

    /// The unit has forgotten what it was sent.
    @_noLocks package func startAnew() { port.pointee.generation.wrappingAdd(1, ordering: .releasing) }

    /// Begins a block; a note that should have begun more than a tenth of a second ago, while the unit was away, is not begun.
    @_noLocks
    package mutating func begin(_ cycle: RenderCycle) {
        start = position
        startTime = cycle.sampleTime
        port.pointee.give(upTo: position, readTime: cycle.timing.driverTime)
        let patience = Int64(cycle.sampleRate / 10)
        if let endTime, cycle.sampleTime &- endTime > patience { oldest = cycle.sampleTime &- patience }
        endTime = cycle.sampleTime &+ Int64(cycle.frameCount)
        if port.pointee.takeSilence() { silencing = 0 }
    }

    /// Goes back to the beginning of the block at that frame, which must be rendered again.
    @_noLocks
    package mutating func rewind(to sampleTime: Int64) { if sampleTime == startTime { position = start } }

    /// Takes the next message that is due in the block, with its frame by the unit's clock; nil without one.
    @_noLocks
    package mutating func next(_ cycle: RenderCycle) -> DueMessage? {
        let end = cycle.sampleTime &+ Int64(cycle.frameCount)
        while port.pointee.available(from: position) {
            var message = port.pointee.message(at: position)
            message.time = cycle.timing.time(ofDriverFrame: message.time)
            // What is far ahead was written before the time line began anew.
            let isStray = message.time &- end > reach
            if message.time >= end, !isStray { return nil }
            position &+= 1
            if message.beginsNote, isStray || message.time < oldest { continue }
            if message.time < cycle.sampleTime || isStray {
                port.pointee.lateCount.wrappingAdd(1, ordering: .relaxed)
                message.time = cycle.sampleTime
            }
            return message
        }
        return nextSilencing(cycle.sampleTime)
    }

    /// On each channel: all notes off, and the pedals up.
    @_noLocks
    private mutating func nextSilencing(_ time: Int64) -> DueMessage? {
        guard let index = silencing else { return nil }
        silencing = index < 47 ? index &+ 1 : nil
        let controller: UInt8 = index % 3 == 0 ? 64 : index % 3 == 1 ? 66 : 123
        return DueMessage(time: time, 0xB0 | UInt8(truncatingIfNeeded: index / 3), controller, 0)
    }
}
