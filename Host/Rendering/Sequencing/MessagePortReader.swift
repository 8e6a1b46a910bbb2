// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Takes the sequencers' messages for a unit one by one, each at its frame. Render thread.

/// The unit's end of a port.
package struct MessagePortReader: ~Copyable {
    private let port: UnsafeMutablePointer<MessagePortCore>
    private var position: UInt64
    /// The position at which the present block began to read, and the frame of the unit's clock there.
    private var start: UInt64
    private var startTime: Int64 = .min
    /// The frame of the unit's clock after its last block; notes before `oldest` no longer begin.
    private var endTime: Int64?
    private var oldest: Int64 = .min
    /// The next of the messages that end all notes; nil for none.
    private var silencing: Int?
    /// The frames by which the unit may lag behind the driver.
    private let reach: Int64

    /// `[control]` Reads from now on, for a unit that has received nothing yet.
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

    /// Makes sequencers send their present state again, because the unit has lost it.
    @_noLocks package func startAnew() { port.pointee.generation.wrappingAdd(1, ordering: .releasing) }

    /// Begins a block.
    ///
    /// A note that is more than a tenth of a second late, because the unit was away, does not begin.
    @_noLocks
    package mutating func begin(_ cycle: RenderCycle) {
        start = position
        // A block that is rendered again has the same beginning.
        let isAgain = cycle.sampleTime == startTime
        startTime = cycle.sampleTime
        port.pointee.give(upTo: position, readTime: cycle.timing.driverTime)
        // Cannot trap: clamped, and NaN becomes an end.
        let patience = Int64(max(0, min(0x1p31, cycle.sampleRate / 10)))
        if let endTime {
            if cycle.sampleTime &- endTime > patience { oldest = cycle.sampleTime &- patience }
            // The time line has begun anew.
            if cycle.sampleTime < endTime, !isAgain { oldest = .min }
        }
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
            // A message far ahead was written before the time line began anew.
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

    /// The next of the messages that end all notes and lift the pedals on each channel of each used cable.
    @_noLocks
    private mutating func nextSilencing(_ time: Int64) -> DueMessage? {
        guard let index = silencing else { return nil }
        silencing = index < 48 &* port.pointee.cableCount &- 1 ? index &+ 1 : nil
        let controller: UInt8 = index % 3 == 0 ? 64 : index % 3 == 1 ? 66 : 123
        return DueMessage(
            time: time, 0xB0 | UInt8(truncatingIfNeeded: index / 3 & 15), controller, 0,
            cable: UInt8(truncatingIfNeeded: index / 48))
    }
}
