// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sends the messages of all tracks at the frames at which the song reaches their beats. Render thread.

import CRealtimeShims
import Synchronization

/// The tracks that sequencers play along an engine's song.
struct SequencerCore: ~Copyable {
    struct Shared: ~Copyable {
        let orders = HandOver<SequencerOrder>()
        /// The number of messages without room in the block of their frame.
        ///
        /// `droppedCount` is the number of times that a unit was given up because it did not read.
        let lateCount = Atomic<UInt64>(0)
        let droppedCount = Atomic<UInt64>(0)
    }

    let shared: UnsafeMutablePointer<Shared>
    private var order: HandOver<SequencerOrder>.Place?
    /// True if the song played in the last piece; then the number of its jumps by that time.
    private var isRolling = false
    private var jumpCount: UInt64 = 0

    init(shared: UnsafeMutablePointer<Shared>) { self.shared = shared }

    deinit {
        _ = HandOver.free(order)
    }

    /// Takes the newest order at the beginning of a cycle; tracks that are gone, or have another unit, end their notes.
    @_noLocks
    mutating func begin(at time: Int64) {
        guard let new = shared.pointee.orders.passage.take()?.assumingMemoryBound(to: SequencerOrder.self) else { return }
        for row in 0..<new.pointee.rowCount {
            let row = new.pointee.rows[row]
            row.state.pointee.stamp = new.pointee.serial
            row.state.pointee.port = UInt(bitPattern: row.port)
        }
        if let order {
            for row in 0..<order.pointee.rowCount {
                let row = order.pointee.rows[row]
                let hasStayed =
                    row.state.pointee.stamp == new.pointee.serial && row.state.pointee.port == UInt(bitPattern: row.port)
                if !hasStayed { row.state.pointee.release(to: row.port, at: time) }
                // A track that returns later begins anew.
                if !hasStayed { row.state.pointee.serial = 0 }
            }
            shared.pointee.orders.passage.giveBack(order)
        }
        order = new
    }

    /// The most messages in a piece.
    private static var mostSteps: Int { @_noLocks get { 16_384 } }

    /// Sends the messages of the next frames, in which the song has one tempo and does not jump.
    ///
    /// It delivers received MIDI messages in between, so that each unit gets its messages in the order of their frames.
    @_noLocks
    mutating func run(
        from time: Int64, _ frameCount: Int, _ song: borrowing TransportCore, beside midi: UnsafeMutablePointer<MIDIInputCore>
    ) {
        guard let order else { return }
        guard song.isPlaying else { return rest(at: time) }
        let hasJumped = !isRolling || jumpCount != song.jumpCount
        (isRolling, jumpCount) = (true, song.jumpCount)
        // All tracks release their notes before any resumes: several may play one channel of a unit.
        for index in 0..<order.pointee.rowCount { letGo(order.pointee.rows[index], at: time, hasJumped: hasJumped) }
        for index in 0..<order.pointee.rowCount {
            let row = order.pointee.rows[index]
            if row.state.pointee.mustEnter { enter(row, at: time, song) } else { aim(row, song) }
        }
        // Further messages are late: a loop may be as short as a file's tempo makes it.
        var left = Self.mostSteps
        while left > 0, let index = next(before: time &+ Int64(frameCount)) {
            left &-= 1
            let row = order.pointee.rows[index]
            midi.pointee.deliver(before: row.state.pointee.time, song.activeLog)
            if row.state.pointee.isAtSeam {
                wrap(row, at: max(time, row.state.pointee.time), song)
            } else {
                send(row, from: time, song)
            }
        }
    }

    /// Ends all notes if the song has stopped.
    @_noLocks
    private mutating func rest(at time: Int64) {
        guard let order, isRolling else { return }
        isRolling = false
        for index in 0..<order.pointee.rowCount {
            let row = order.pointee.rows[index]
            row.state.pointee.release(to: row.port, at: time)
        }
    }

    /// Ends the notes of a track that has jumped or changed, or whose unit has; the track then resumes at the present place.
    @_noLocks
    private func letGo(_ row: SequencerOrder.Row, at time: Int64, hasJumped: Bool) {
        let generation = row.port.pointee.generation.load(ordering: .acquiring)
        let isBack = row.state.pointee.isCutOff && row.port.pointee.hasRoom
        let isNew = row.state.pointee.serial != row.serial || row.state.pointee.generation != generation
        row.state.pointee.mustEnter = hasJumped || isNew || isBack
        guard row.state.pointee.mustEnter else { return }
        (row.state.pointee.serial, row.state.pointee.generation, row.state.pointee.isCutOff) = (row.serial, generation, false)
        row.state.pointee.release(to: row.port, at: time)
    }

    /// The track with the next message; nil if none comes before `end`.
    ///
    /// At one frame the ends of notes come first, beginnings last.
    @_noLocks
    private func next(before end: Int64) -> Int? {
        guard let order else { return nil }
        var (found, earliest, least) = (-1, end, Int.max)
        for index in 0..<order.pointee.rowCount {
            let row = order.pointee.rows[index]
            let time = row.state.pointee.time
            guard time < end, time <= earliest else { continue }
            let rank = rank(row)
            if time < earliest || rank < least { (found, earliest, least) = (index, time, rank) }
        }
        return found < 0 ? nil : found
    }

    @_noLocks
    private func rank(_ row: SequencerOrder.Row) -> Int {
        if row.state.pointee.isAtSeam { return 0 }
        let message = row.messages[row.state.pointee.index]
        return message.endsNote ? 0 : message.beginsNote ? 2 : 1
    }

    // MARK: One track

    /// Finds the frame of the track's next message, or of the end of its loop.
    @_noLocks
    private func aim(_ row: SequencerOrder.Row, _ song: borrowing TransportCore) {
        if row.state.pointee.isCutOff {
            row.state.pointee.time = .max
            return
        }
        let (index, pass) = (row.state.pointee.index, row.state.pointee.passIndex)
        let start = row.offset + Double(pass) * row.loopLength
        let isLast = pass &+ 1 >= row.passCount
        let isAtSeam = !isLast && (index >= row.count || row.messages[index].beat >= row.loopEnd)
        row.state.pointee.isAtSeam = isAtSeam
        if isAtSeam {
            row.state.pointee.time = song.time(ofBeat: start + row.loopEnd)
        } else {
            row.state.pointee.time = index < row.count ? song.time(ofBeat: start + row.messages[index].beat) : .max
        }
    }

    /// Resumes a track at the song's present place, as if it had been played until there, but without the notes.
    @_noLocks
    private func enter(_ row: SequencerOrder.Row, at time: Int64, _ song: borrowing TransportCore) {
        var beat = song.beat(at: time) - row.offset
        row.state.pointee.passIndex = 0
        if row.passCount > 1, beat >= row.loopEnd {
            let passed = CRealtimeShims_floor((beat - row.loopStart) / row.loopLength)
            let passes = min(passed, min(Double(row.passCount &- 1), 1e15))
            row.state.pointee.passIndex = Int(passes)
            beat -= passes * row.loopLength
        }
        // A message that rounding has put before the place is skipped again.
        row.state.pointee.index = row.firstIndex(from: beat - 1e-6)
        aim(row, song)
        while !row.state.pointee.isAtSeam, row.state.pointee.time < time {
            row.state.pointee.index &+= 1
            aim(row, song)
        }
        chase(row, at: time)
    }

    /// Sends the last values that messages before the present place have set.
    @_noLocks
    private func chase(_ row: SequencerOrder.Row, at time: Int64) {
        for state in 0..<row.stateCount {
            let state = row.states[state]
            var index = row.lastIndex(of: state, before: row.state.pointee.index)
            if state.reset >= 0, index < row.lastIndex(of: row.states[state.reset], before: row.state.pointee.index) { index = -1 }
            if state.systemReset >= 0, index < row.lastIndex(of: row.states[state.systemReset], before: row.state.pointee.index) {
                index = -1
            }
            if state.status == 0xF0 {
                if index >= 0 { repeatExclusive(row, from: index, at: time) }
                continue
            }
            var message = SequencedMessage(beat: 0, state.status, 0)
            if index >= 0 {
                message = row.messages[index]
            } else if let initial = state.initial {
                (message.data1, message.data2) = initial
            } else {
                continue
            }
            let due = DueMessage(time: time, message.status, message.data1, message.data2)
            // Half of the port is free for this; if that does not suffice, the unit does not read.
            if row.port.pointee.write(due, isUrgent: true) {
                row.state.pointee.note(message)
            } else {
                shared.pointee.droppedCount.wrappingAdd(1, ordering: .relaxed)
            }
        }
    }

    /// Sends one system-exclusive message again.
    @_noLocks
    private func repeatExclusive(_ row: SequencerOrder.Row, from start: Int, at time: Int64) {
        for index in start..<row.count {
            let packet = row.messages[index]
            guard packet.isPacket else { return }
            // Without its end the unit forgets the message.
            guard row.port.pointee.write(DueMessage(time: time, packet.status, packet.data1, packet.data2), isUrgent: true) else {
                shared.pointee.droppedCount.wrappingAdd(1, ordering: .relaxed)
                return
            }
            if packet.endsMessage { return }
        }
    }

    /// Ends a pass of the loop.
    @_noLocks
    private func wrap(_ row: SequencerOrder.Row, at time: Int64, _ song: borrowing TransportCore) {
        row.state.pointee.release(to: row.port, at: time)
        row.state.pointee.passIndex &+= 1
        row.state.pointee.index = row.firstIndex(from: row.loopStart)
        chase(row, at: time)
        aim(row, song)
    }

    /// Sends the next message of a track, or leaves it for the next piece if there is no room.
    @_noLocks
    private func send(_ row: SequencerOrder.Row, from start: Int64, _ song: borrowing TransportCore) {
        let message = row.messages[row.state.pointee.index]
        let isVoid =
            message.endsNote
            ? !row.state.pointee.isSounding(message) : message.beginsNote && (row.isMuted || row.state.pointee.isFull(message))
        if !isVoid {
            let time = row.state.pointee.time
            let due = DueMessage(time: max(start, time), message.status, message.data1, message.data2)
            guard row.port.pointee.write(due, isUrgent: message.endsNote) else { return leave(row, at: start, song) }
            if time < start { shared.pointee.lateCount.wrappingAdd(1, ordering: .relaxed) }
            row.state.pointee.note(message)
            row.state.pointee.blockedSince = nil
        }
        row.state.pointee.index &+= 1
        aim(row, song)
    }

    /// Leaves a track alone for this piece.
    ///
    /// If the unit has not read for a second, the track rests until it reads again.
    @_noLocks
    private func leave(_ row: SequencerOrder.Row, at time: Int64, _ song: borrowing TransportCore) {
        row.state.pointee.time = .max
        let since = row.state.pointee.blockedSince ?? time
        row.state.pointee.blockedSince = since
        let isLong = Double(time &- since) > song.sampleRate || time < since
        guard isLong, row.port.pointee.isAbandoned(at: time, longerThan: song.sampleRate) else { return }
        (row.state.pointee.isCutOff, row.state.pointee.blockedSince) = (true, nil)
        shared.pointee.droppedCount.wrappingAdd(1, ordering: .relaxed)
    }
}
