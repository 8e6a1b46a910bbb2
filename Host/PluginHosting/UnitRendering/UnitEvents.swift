// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Events to a unit and from it: commands of the control thread, automation, and the unit's own. Render thread.

import AudioUnits
import ControlMessages
import Rendering
import Wire

/// Carries one unit's events through the render thread, in both directions.
struct UnitEvents: ~Copyable {
    private var writer: EventRingWriter
    private var reader: EventRingReader
    /// The commands of the control threads; the next field leads back to them.
    private var commands: EventRingReader
    private var notices: EventRingWriter
    /// The port through which sequencers reach the unit.
    private var port: MessagePortReader
    /// The events that a program hands over with its blocks; nil for a unit of a graph.
    private var block: UnsafeMutablePointer<BlockEvents>?
    private let lanes: UnsafeMutablePointer<AutomationReader>
    private let laneCount: Int
    /// True if automation has moved on without the unit.
    var mustCatchUp = false
    /// True if the unit must clear all sound.
    ///
    /// The control thread has asked for it, or the unit rendered invalid audio.
    private var mustReset = false
    /// True if the unit has stored an impossible counter, and the notice of that was sent.
    private var isRingBroken = false
    /// The first frame of the cycle.
    var sampleTime: Int64 = 0
    /// The log of taken events, and the identity of the unit there.
    var log: UnsafePointer<EventLogCore>?
    private let identity: UInt
    /// True if the unit was bypassed with its last request.
    private var wasBypassed = false
    /// The pace of a unit that stretches time, and the ratio that the unit has received.
    private let pace: Pace?
    private var toldRatio = Double.nan

    /// True if the unit stretches time, at the host's pace.
    var isPaced: Bool { pace != nil }

    /// A pace, and the address of the parameter that passes it to the unit.
    struct Pace {
        let core: UnsafeMutablePointer<TimePaceCore>
        let address: UInt64
    }

    init(
        region: Region, commands: EventRingReader, notices: EventRingWriter, port: MessagePort, lanes: [AutomationLane],
        isPipelined: Bool = false, pace: Pace? = nil
    ) {
        self.port = MessagePortReader(port.core, isPipelined: isPipelined)
        identity = port.logIdentity
        self.pace = pace
        writer = region.hostToPluginWriter()
        reader = region.pluginToHostReader()
        self.commands = commands
        self.notices = notices
        laneCount = lanes.count
        self.lanes = .allocate(capacity: max(1, lanes.count))
        for (index, lane) in lanes.enumerated() { (self.lanes + index).initialize(to: AutomationReader(lane)) }
    }

    deinit {
        lanes.deinitialize(count: laneCount)
        lanes.deallocate()
    }

    /// The free slots that a unit's own events leave for the render thread's notices.
    private static var roomForNotices: Int { @_noLocks get { 256 } }

    /// Resumes after a unit's death, with newly formatted rings.
    @_noLocks
    mutating func startAnew() {
        writer.startAnew()
        reader.startAnew()
        port.startAnew()
        mustCatchUp = true
        toldRatio = .nan
        mustReset = false
        isRingBroken = false
    }

    /// Lets the unit clear all sound with the next request; it gets its MIDI state again.
    @_noLocks
    mutating func demandReset() {
        mustReset = true
        port.startAnew()
    }

    /// True if the unit must be reset with the next request; true once.
    @_noLocks
    mutating func takeReset() -> Bool {
        defer { mustReset = false }
        return mustReset
    }

    /// Sends a notice to the control thread.
    @_noLocks
    mutating func notify(_ notice: UnitNotice, _ cycleIndex: UInt64) {
        _ = notices.write(WireEvent(notice, cycleIndex: cycleIndex, sampleTime: sampleTime))
    }

    /// Goes back to the beginning of a cycle, for a unit that must render it again.
    @_noLocks
    mutating func rewind() {
        for lane in 0..<laneCount { lanes[lane].rewind(to: sampleTime) }
        port.rewind(to: sampleTime)
        block?.pointee.rewind()
    }

    /// `[control]` Takes the events of blocks from a queue, which must exist until another call replaces it.
    mutating func follow(_ block: UnsafeMutablePointer<BlockEvents>?) { self.block = block }

    /// Moves commands and automation of this cycle into the ring; returns the number of events.
    @_noLocks
    mutating func write(_ cycle: RenderCycle) -> UInt32 {
        var count: UInt32 = 0
        if mustCatchUp { catchUp(cycle.sampleTime, &count) }
        mustCatchUp = false
        // Before the commands: parameters come on top of what MIDI has set.
        beginMessages(cycle, &count)
        // A state that needs more than one block is sent to its end first: another message must not change it meanwhile.
        let hasState = !port.isRepeating
        if hasState { takeCommands(&count) }
        automate(from: cycle.sampleTime, to: cycle.sampleTime &+ Int64(cycle.frameCount), &count)
        tellPace(cycle.sampleTime, &count)
        if hasState {
            play(cycle, &count)
            sendBlock(&count)
        }
        return count
    }

    /// Moves the commands of the control threads into the ring; those without room stay for the next block.
    @_noLocks
    private mutating func takeCommands(_ count: inout UInt32) {
        guard case .count(let waiting) = commands.available() else { return }
        for _ in 0..<min(waiting, writer.freeCount()) { take(commands.next(), &count) }
        // One of the commands may have set another rate.
        if waiting > 0 { toldRatio = .nan }
    }

    /// Moves the lanes' changes of this cycle into the ring.
    ///
    /// The first values of lanes come first. So a unit that has rendered nothing knows them all before a ramp begins.
    @_noLocks
    private mutating func automate(from start: Int64, to end: Int64, _ count: inout UInt32) {
        for lane in 0..<laneCount {
            if let (change, time) = lanes[lane].takeBeginning(from: start, to: end) { send(change, at: time, &count) }
        }
        for lane in 0..<laneCount {
            while let (change, time) = lanes[lane].takeChange(before: end) { send(change, at: time, &count) }
        }
    }

    @_noLocks
    private mutating func send(_ change: ParameterChange, at time: Int64, _ count: inout UInt32) {
        // A change that found no room is repeated in the next block.
        if !write(RenderEvent.parameter(change).wireEvent(at: time), &count) { mustCatchUp = true }
        toldRatio = .nan
    }

    /// Moves the events of the program's block into the ring; those without room stay for the next one.
    @_noLocks
    private mutating func sendBlock(_ count: inout UInt32) {
        guard let block else { return }
        while let event = block.pointee.next, write(event, &count) {
            block.pointee.advance()
            toldRatio = .nan
        }
    }

    /// Reports the values that the program has set with its block to the control thread; true if there were other changes.
    ///
    /// A unit may map messages to anything, or there may be no room for another notice.
    @_noLocks
    mutating func endBlock() -> Bool {
        guard let block else { return false }
        var (index, hasMore) = (0, false)
        while let event = block.pointee.sent(index) {
            index &+= 1
            if case .parameter? = RenderEvent(event), notices.freeCount() > Self.roomForNotices, notices.write(event) { continue }
            hasMore = true
        }
        block.pointee.endBlock()
        return hasMore
    }

    /// Moves the sequencers' messages of this cycle into the ring; those without room stay for the next one.
    @_noLocks
    private mutating func play(_ cycle: RenderCycle, _ count: inout UInt32) {
        var joiner = SystemExclusiveJoiner()
        // One slot is left for the rest of an unfinished piece.
        while writer.freeCount() > 1, let due = port.next(cycle) {
            send(due, by: &joiner, &count)
        }
        if joiner.isOpen { send(&joiner, continues: true, &count) }
    }

    /// Begins the block of the port, with the messages of a panic and of the unit's state.
    ///
    /// They have the time of commands, so that the unit takes both in the order in which they are sent.
    @_noLocks
    private mutating func beginMessages(_ cycle: RenderCycle, _ count: inout UInt32) {
        port.begin(cycle)
        if port.beginsPanic, let log { log.pointee.write(LoggedEvent(.panic, at: log.pointee.now, of: identity)) }
        var joiner = SystemExclusiveJoiner()
        // A message of several pieces is sent whole, or with the next block: another message must not come between them.
        while writer.freeCount() > (joiner.isOpen ? 1 : min(port.ownEventCount, UnitRings.eventCapacity - 2)),
            var due = port.nextOwn(cycle)
        {
            due.time = .min
            send(due, by: &joiner, &count)
        }
        if joiner.isOpen { send(&joiner, continues: true, &count) }
    }

    /// Moves a message of a channel, or a packet of a system-exclusive one, into the ring.
    @_noLocks
    private mutating func send(_ due: DueMessage, by joiner: inout SystemExclusiveJoiner, _ count: inout UInt32) {
        guard SystemExclusivePacket.begins(with: due.status) else {
            if joiner.isOpen { send(&joiner, continues: true, &count) }
            return send(due, &count)
        }
        if joiner.isFull(before: due) { send(&joiner, continues: true, &count) }
        if joiner.add(due) { send(&joiner, continues: false, &count) }
    }

    /// Moves a message of a channel into the ring.
    @_noLocks
    private mutating func send(_ due: DueMessage, _ count: inout UInt32) {
        let isShort = due.status >> 4 == 0xC || due.status >> 4 == 0xD
        let message = MIDIMessage(due.status, due.data1, isShort ? 0 : due.data2, byteCount: isShort ? 2 : 3, cable: due.cable)
        write(RenderEvent.midi(message).wireEvent(at: due.time), &count)
    }

    /// Moves a piece of a system-exclusive message into the ring.
    @_noLocks
    private mutating func send(_ joiner: inout SystemExclusiveJoiner, continues: Bool, _ count: inout UInt32) {
        let time = joiner.time
        write(RenderEvent.midi(joiner.take(continues: continues)).wireEvent(at: time), &count)
    }

    /// Sends a unit that stretches time the rate of its input frames from this request on, if it has changed.
    @_noLocks
    private mutating func tellPace(_ sampleTime: Int64, _ count: inout UInt32) {
        guard let pace, pace.core.pointee.ratio != toldRatio else { return }
        let ratio = pace.core.pointee.ratio
        let change = ParameterChange(address: pace.address, value: ratio, rampFrameCount: 0)
        if write(RenderEvent.parameter(change).wireEvent(at: sampleTime), &count) { toldRatio = ratio }
    }

    @_noLocks
    private mutating func take(_ command: WireEvent, _ count: inout UInt32) {
        if let log { note(command, in: log) }
        if command.isReset {
            mustReset = true
        } else {
            write(command, &count)
            if case .midi(let message)? = RenderEvent(command) { keep(message) }
        }
    }

    /// Keeps what a message sets that did not come through the port.
    @_noLocks
    private func keep(_ message: MIDIMessage) {
        if message.isSystemExclusivePiece {
            for index in 0..<Int(message.byteCount) { port.keep(exclusive: message[index], cable: message.cable) }
            return
        }
        guard message.byteCount > 1, message.byteCount <= 3, message[0] >= 0x80, message[0] < 0xF0, (message[1] | message[2]) < 0x80
        else { return }
        port.keep(DueMessage(time: 0, message[0], message[1], message[2], cable: message.cable))
    }

    @_noLocks
    private func note(_ command: WireEvent, in log: UnsafePointer<EventLogCore>) {
        var event = LoggedEvent(.other, at: log.pointee.now, of: identity)
        // A change that is scheduled for another frame does not take effect here.
        if case .parameter(let change)? = RenderEvent(command), command.sampleTime <= log.pointee.now {
            event.kind = .parameter
            (event.address, event.value, event.detail) = (change.address, change.value, change.rampFrameCount)
        }
        log.pointee.write(event)
    }

    /// Notes with a request that the unit's bypass has changed, if it has.
    @_noLocks
    mutating func note(isBypassed: Bool) {
        guard isBypassed != wasBypassed else { return }
        wasBypassed = isBypassed
        guard let log else { return }
        log.pointee.write(LoggedEvent(.bypass, at: log.pointee.now, of: identity, value: isBypassed ? 1 : 0))
    }

    /// Notes that a block of the unit was replaced.
    @_noLocks
    func noteReplacement(_ frameCount: Int) {
        guard let log else { return }
        log.pointee.write(
            LoggedEvent(.replaced, at: log.pointee.now, of: identity, detail: UInt32(truncatingIfNeeded: frameCount)))
    }

    @_noLocks
    private mutating func catchUp(_ sampleTime: Int64, _ count: inout UInt32) {
        for lane in 0..<laneCount {
            guard let (now, _) = lanes[lane].catchUp(to: sampleTime) else { continue }
            write(RenderEvent.parameter(now).wireEvent(at: sampleTime), &count)
        }
        for lane in 0..<laneCount {
            guard let (_, ahead) = lanes[lane].catchUp(to: sampleTime) else { continue }
            write(RenderEvent.parameter(ahead).wireEvent(at: sampleTime), &count)
        }
    }

    @_noLocks @discardableResult
    private mutating func write(_ event: WireEvent, _ count: inout UInt32) -> Bool {
        let isWritten = writer.write(event)
        if isWritten { count &+= 1 }
        return isWritten
    }

    /// Forwards the unit's events, at most 64 a cycle, so that a flood costs the host nothing.
    @_noLocks
    mutating func forward(_ cycleIndex: UInt64) {
        switch reader.available() {
        case .violation:
            if !isRingBroken { notify(.invalidEvents, cycleIndex) }
            isRingBroken = true
        case .count(let count):
            isRingBroken = false
            var room = notices.freeCount() - Self.roomForNotices
            for _ in 0..<min(count, 64) {
                let event = reader.next()
                // Only known events go on: a unit can neither forge notices nor crowd them out.
                guard room > 0, case .some = RenderEvent(event) else { continue }
                _ = notices.write(event)
                room -= 1
            }
        }
    }
}
