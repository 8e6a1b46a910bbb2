// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Events to a unit and from it: what the control thread asked for, automation, and what the unit says. Render thread.

import AudioUnits
import ControlMessages
import Rendering
import Wire

/// The ways of one unit's events through the render thread.
struct UnitEvents: ~Copyable {
    private var writer: EventRingWriter
    private var reader: EventRingReader
    /// From the control threads to this thread, and back.
    private var commands: EventRingReader
    private var notices: EventRingWriter
    private let lanes: UnsafeMutablePointer<AutomationReader>
    private let laneCount: Int
    /// Automation has moved on without the unit.
    var mustCatchUp = false
    /// The unit is to forget all sound: the control thread has asked for it, or it has put out what must not be heard.
    var mustReset = false
    /// The unit has stored an impossible counter, and that has been told.
    private var isRingBroken = false
    /// The first frame of the cycle.
    var sampleTime: Int64 = 0

    init(region: Region, commands: EventRingReader, notices: EventRingWriter, lanes: [AutomationLane]) {
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

    /// What a unit says leaves so much room for what the render thread has to say of it.
    private static var roomForNotices: Int { @_noLocks get { 256 } }

    /// Takes up where a unit died, with rings formatted anew.
    @_noLocks
    mutating func startAnew() {
        writer.startAnew()
        reader.startAnew()
        mustCatchUp = true
        mustReset = false
        isRingBroken = false
    }

    /// Whether the unit has to be reset with the next request; once.
    @_noLocks
    mutating func takeReset() -> Bool {
        defer { mustReset = false }
        return mustReset
    }

    /// Tells the control thread.
    @_noLocks
    mutating func notify(_ notice: UnitNotice, _ cycleIndex: UInt64) {
        _ = notices.write(WireEvent(notice, cycleIndex: cycleIndex, sampleTime: sampleTime))
    }

    /// Goes back to the beginning of a cycle, for a unit that is to render it once more.
    @_noLocks
    mutating func rewind() {
        for lane in 0..<laneCount { lanes[lane].rewind(to: sampleTime) }
    }

    /// Moves what the control thread asked for, and what automation says, into the ring; how many events.
    @_noLocks
    mutating func write(_ cycle: RenderCycle) -> UInt32 {
        var count: UInt32 = 0
        if mustCatchUp { catchUp(cycle.sampleTime, &count) }
        mustCatchUp = false
        if case .count(let waiting) = commands.available() {
            for _ in 0..<min(waiting, writer.freeCount()) { take(commands.next(), &count) }
        }
        let end = cycle.sampleTime &+ Int64(cycle.frameCount)
        for lane in 0..<laneCount {
            while let (change, time) = lanes[lane].takeChange(before: end) {
                // What finds no room is made up for in the next block.
                if !write(RenderEvent.parameter(change).wireEvent(at: time), &count) { mustCatchUp = true }
            }
        }
        return count
    }

    @_noLocks
    private mutating func take(_ command: WireEvent, _ count: inout UInt32) {
        if command.isReset {
            mustReset = true
        } else {
            write(command, &count)
        }
    }

    @_noLocks
    private mutating func catchUp(_ sampleTime: Int64, _ count: inout UInt32) {
        for lane in 0..<laneCount {
            guard let (now, ahead) = lanes[lane].catchUp(to: sampleTime) else { continue }
            write(RenderEvent.parameter(now).wireEvent(at: sampleTime), &count)
            write(RenderEvent.parameter(ahead).wireEvent(at: sampleTime), &count)
        }
    }

    @_noLocks @discardableResult
    private mutating func write(_ event: WireEvent, _ count: inout UInt32) -> Bool {
        let isWritten = writer.write(event)
        if isWritten { count &+= 1 }
        return isWritten
    }

    /// Passes on what the unit says: a bounded number a cycle, so that a flood costs the host nothing.
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
                // Only what the protocol knows goes on; a notice cannot be forged, nor be crowded out.
                guard room > 0, case .some = RenderEvent(event) else { continue }
                _ = notices.write(event)
                room -= 1
            }
        }
    }
}
