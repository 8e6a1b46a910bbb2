// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Takes the sequencers' messages for a unit one by one, each at its frame. Render thread.

/// The unit's end of a port.
///
/// A unit that has lost its state first gets the MIDI state that the port keeps, and then its messages.
package struct MessagePortReader: ~Copyable {
    private let port: UnsafeMutablePointer<MessagePortCore>
    private var position: UInt64
    /// The position at which the present block began to read, and the frame of the unit's clock there.
    private var start: UInt64
    private var startTime: Int64 = .min
    /// The frame of the unit's clock after its last block; notes before `oldest` no longer begin.
    private var endTime: Int64?
    private var oldest: Int64 = .min
    /// The messages of the host's own that are under way; then those at the beginning of the present block.
    private var own = Own()
    private var ownAtStart = Own()
    /// The life of the unit in which it last got its state.
    private var generation: UInt64
    /// True if the present block begins with a panic.
    package private(set) var beginsPanic = false
    /// The frames by which the unit may lag behind the driver.
    private let reach: Int64

    /// The places in the messages of the host's own; nil for none.
    private struct Own {
        /// The next message that ends all notes, of a panic and of one that found no room.
        var panicking: Int?
        var silencing: Int?
        /// The next packet and the next message that set the unit's state: packets first.
        var repeatingExclusives: ExclusiveMessagesCursor?
        var repeating: ChannelControlsCursor?

        @_noLocks init() {}
    }

    /// `[control]` Reads from now on, for a unit that has received nothing yet.
    ///
    /// A unit of a pipeline renders cycles after the driver has begun them.
    package init(_ port: UnsafeMutablePointer<MessagePortCore>, isPipelined: Bool) {
        self.port = port
        reach = isPipelined ? 1 << 20 : 64
        start = port.pointee.beginning()
        position = port.pointee.end()
        generation = port.pointee.generation.load(ordering: .acquiring)
        keepMessages()
        start = position
        port.pointee.give(upTo: position, readTime: .min)
        port.pointee.generation.wrappingAdd(1, ordering: .releasing)
    }

    /// Gives the unit its state again, because it has lost it; sequencers do the same.
    @_noLocks package func startAnew() { port.pointee.generation.wrappingAdd(1, ordering: .releasing) }

    /// Keeps what a message sets that reaches the unit by another way.
    @_noLocks package func keep(_ message: DueMessage) { port.pointee.keep(message) }

    /// Keeps what a system-exclusive message sets that reaches the unit byte by byte, by another way.
    @_noLocks package func keep(exclusive byte: UInt8, cable: UInt8) { port.pointee.keep(exclusive: byte, cable: cable) }

    /// Begins a block.
    ///
    /// A note that is more than a tenth of a second late, because the unit was away, does not begin.
    @_noLocks
    package mutating func begin(_ cycle: RenderCycle) {
        keepMessages()
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
        takeWishes()
        ownAtStart = own
    }

    /// Takes the wishes to end all notes and to send the state again.
    @_noLocks
    private mutating func takeWishes() {
        let silences = port.pointee.takeSilences()
        if silences.mustEnd { own.silencing = 0 }
        if silences.isPanic { own.panicking = 0 }
        if silences.mustEnd || silences.isPanic { port.pointee.controls.liftPedals() }
        beginsPanic = silences.isPanic
        // Acquire: the unit's new life has begun.
        let now = port.pointee.generation.load(ordering: .acquiring)
        guard now != generation else { return }
        generation = now
        (own.repeatingExclusives, own.repeating) = (ExclusiveMessagesCursor(), ChannelControlsCursor())
    }

    /// Keeps what the messages of the block before have set.
    ///
    /// They are still in the ring. A block that is rendered again therefore begins with the state before it.
    @_noLocks
    private mutating func keepMessages() {
        while start != position {
            let message = port.pointee.message(at: start)
            start &+= 1
            guard message.isKept else { continue }
            if SystemExclusivePacket.begins(with: message.status) {
                port.pointee.keep(packet: message)
            } else {
                port.pointee.controls.keep(message)
            }
        }
    }

    /// Goes back to the beginning of the block at that frame, which must be rendered again.
    @_noLocks
    package mutating func rewind(to sampleTime: Int64) {
        guard sampleTime == startTime else { return }
        (position, own) = (start, ownAtStart)
    }

    /// True if the unit has not received all of its state yet.
    package var isRepeating: Bool { @_noLocks get { own.repeatingExclusives != nil || own.repeating != nil } }

    /// The number of events that the next message of `nextOwn` takes: several for a long one.
    package var ownEventCount: Int {
        @_noLocks get {
            guard own.panicking == nil, let cursor = own.repeatingExclusives else { return 1 }
            return max(1, cursor.pieceCount(in: port.pointee.exclusives))
        }
    }

    /// Takes the next message of a panic or of the unit's state, which come before all else in a block; nil without one.
    ///
    /// Packets of system-exclusive messages are among them.
    @_noLocks
    package mutating func nextOwn(_ cycle: RenderCycle) -> DueMessage? {
        if let message = Self.nextEnd(&own.panicking, of: 4, port, cycle.sampleTime) { return message }
        if let packet = own.repeatingExclusives?.next(in: port.pointee.exclusives, at: cycle.sampleTime) { return packet }
        own.repeatingExclusives = nil
        if let message = own.repeating?.next(in: port.pointee.controls, at: cycle.sampleTime) { return message }
        own.repeating = nil
        return nil
    }

    /// Takes the next message that is due in the block, with its frame by the unit's clock; nil without one.
    @_noLocks
    package mutating func next(_ cycle: RenderCycle) -> DueMessage? {
        if let message = nextOwn(cycle) { return message }
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
        return Self.nextEnd(&own.silencing, of: 3, port, cycle.sampleTime)
    }

    /// The next of the messages that end all notes on each channel of each used cable; a panic ends the sound, too.
    ///
    /// On each channel the first `count` controllers are sent: both pedals up, the end of all notes, the end of all sound.
    @_noLocks
    private static func nextEnd(
        _ next: inout Int?, of count: Int, _ port: UnsafeMutablePointer<MessagePortCore>, _ time: Int64
    ) -> DueMessage? {
        guard let index = next else { return nil }
        let perCable = 16 &* count
        next = index < perCable &* port.pointee.cableCount &- 1 ? index &+ 1 : nil
        let place = index % count
        let controller: UInt8 = place == 0 ? 64 : place == 1 ? 66 : place == 2 ? 123 : 120
        return DueMessage(
            time: time, 0xB0 | UInt8(truncatingIfNeeded: index / count & 15), controller, 0,
            cable: UInt8(truncatingIfNeeded: index / perCable))
    }
}
