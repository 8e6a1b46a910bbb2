// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The schedule of a player as a list that one thread extends and the render thread follows. Both threads.

import CRealtimeShims
import Realtime
import Rendering
import Synchronization

/// A scheduled item, as the render thread sees it.
///
/// The control thread makes it, and frees it after the render thread has left it.
struct PlayerItem: ~Copyable {
    /// The end of an item.
    enum Outcome: UInt8 {
        case waiting, played, cancelled
    }

    let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    let channelCount: Int
    /// The frames of a file, in place of samples in memory.
    let frames: UnsafeMutablePointer<FileFrames>?
    private let bufferFrameCount: Int
    let loops: Bool
    /// True if the item ends the playing item, at once or at the end of a loop.
    let interrupts: Bool
    let interruptsAtLoop: Bool
    /// The player's time at which the item begins; nil to follow the item before.
    let startTime: Int64?
    /// The CLOCK_MONOTONIC nanoseconds at which it begins, without a player's time; 0 for none.
    let startHostTime: UInt64
    /// The number of calls of `stop` before it: an item of a lower number is skipped.
    let generation: UInt64
    let next = Atomic<UInt>(0)
    /// The outcome of the item, and the player's time at its end.
    let outcome = Atomic<UInt8>(0)
    let endTime = Atomic<Int64>(0)
    /// The engine's sample time at the end.
    let endSampleTime = Atomic<Int64>(0)
    /// The number of the buffer's rendered frames, loops included.
    let renderedCount = Atomic<Int64>(0)

    init(_ schedule: PlayerSchedule, generation: UInt64) {
        let block = schedule.buffer?.samples
        // Cannot trap: 8 is not 0.
        channels = block?.channels ?? UnsafePointer(bitPattern: 8)!
        (channelCount, bufferFrameCount) = (block?.channelCount ?? 0, block?.frameCount ?? 0)
        frames = schedule.piece?.frames
        loops = schedule.options.contains(.loops) && bufferFrameCount > 0
        interrupts = schedule.options.contains(.interrupts) && !schedule.options.contains(.interruptsAtLoop)
        interruptsAtLoop = schedule.options.contains(.interruptsAtLoop)
        startTime = schedule.when?.sampleTime
        startHostTime = schedule.when?.sampleTime == nil ? schedule.when?.hostTime ?? 0 : 0
        self.generation = generation
    }

    /// The length in frames; that of a file shrinks if the file ends early.
    var frameCount: Int {
        // Cannot trap: it is not nil there; a binding would count references.
        @_noLocks get { frames == nil ? bufferFrameCount : frames!.pointee.length.load(ordering: .acquiring) }
    }

    /// `[render]` Notes the end.
    @_noLocks
    func end(_ outcome: Outcome, at time: Int64, sampleTime: Int64) {
        endTime.store(time, ordering: .relaxed)
        endSampleTime.store(sampleTime, ordering: .relaxed)
        // Release: a thread that sees the outcome sees the time.
        self.outcome.store(outcome.rawValue, ordering: .releasing)
        if let frames { frames.pointee.isOver.store(true, ordering: .releasing) }
    }
}

/// A buffer or a piece of a file that the program has scheduled, with its options.
struct PlayerSchedule {
    var buffer: AudioPCMBuffer?
    var piece: FilePiece?
    var when: AudioTime?
    var options: AudioPlayerNodeBufferOptions = []
}

/// The orders of the control threads to a player, at one address while it lives.
struct PlayerOrders: ~Copyable {
    let isPlaying = Atomic<Bool>(false)
    let generation = Atomic<UInt64>(0)
    /// The engine's sample time before which the player waits; `Int64.min` for none.
    let startTime = Atomic<Int64>(.min)
    /// The CLOCK_MONOTONIC nanoseconds before which it waits; 0 for none.
    let startHostTime = Atomic<UInt64>(0)
    /// True if a player that sees its start late skips the part that has passed, to be in step with other players.
    let keepsStep = Atomic<Bool>(false)
    /// The number of interrupting items that have not begun.
    let interruptCount = Atomic<Int>(0)
    /// The number of frames that the player has played since its last stop.
    let time = Atomic<Int64>(0)
    /// The engine's sample time at the player's time 0, without later pauses; `Int64.min` before it plays.
    let origin = Atomic<Int64>(.min)
    /// The number of frames of files that were missing when they were due.
    let underrunCount = Atomic<Int64>(0)
    /// The generation that the render thread has taken over.
    let seenGeneration = Atomic<UInt64>(0)
}

/// Relates host times to the engine's sample times in a cycle.
private struct PlayerClock {
    var isOffline = true
    private var sampleTime: Int64 = 0
    private var hostTime: UInt64 = 0
    private var sampleRate = 1.0

    @_noLocks
    init() {}

    @_noLocks
    init(_ cycle: UnsafePointer<RenderCycle>) {
        (isOffline, sampleTime) = (cycle.pointee.isOffline, cycle.pointee.sampleTime)
        (hostTime, sampleRate) = (cycle.pointee.hostTime, cycle.pointee.sampleRate)
    }

    /// Returns the sample time at a host time, to the nearest frame; within some years.
    @_noLocks
    func sampleTime(ofHost host: UInt64) -> Int64 {
        let nanoseconds = Double(Int64(truncatingIfNeeded: host &- hostTime))
        // Cannot trap: at most a day of nanoseconds times the engine's rate.
        return sampleTime &+ Int64(CRealtimeShims_floor(max(-1e17, min(1e17, nanoseconds)) * sampleRate / 1e9 + 0.5))
    }
}

/// The render thread's state of a player.
struct PlayerCore: ~Copyable {
    typealias Item = UnsafeMutablePointer<PlayerItem>

    private let orders: UnsafeMutablePointer<PlayerOrders>
    /// The item that plays or played last; its successor is next.
    private var current: Item
    private var isCurrentDone = true
    private var position = 0
    private var generation: UInt64 = 0
    private var time: Int64 = 0
    /// The engine's sample time at the player's time 0, and the cycle's relation to host times.
    private var origin: Int64 = 0
    private var clock = PlayerClock()
    /// Pointers into the playing buffer, for a whole cycle that lies in one piece of it.
    private let window: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    static let mostChannels = 256

    init(orders: UnsafeMutablePointer<PlayerOrders>, first: Item) {
        self.orders = orders
        current = first
        window = .allocate(capacity: Self.mostChannels)
    }

    deinit { window.deallocate() }

    @_noLocks
    mutating func render(_ output: inout BusAudio, _ cycle: UnsafePointer<RenderCycle>) {
        takeGeneration()
        let (frameCount, sampleTime) = (output.block.frameCount, cycle.pointee.sampleTime)
        clock = PlayerClock(cycle)
        // Acquire: the orders before `play` are seen, its time included.
        let isPlaying = orders.pointee.isPlaying.load(ordering: .acquiring)
        let wait = start
        guard isPlaying, wait == .min || wait < sampleTime &+ Int64(frameCount) else {
            output.isSilent = true
            // The relation to the engine's time ends with the sound; `play` makes another one.
            orders.pointee.origin.store(.min, ordering: .relaxed)
            return
        }
        var frame = wait <= sampleTime ? 0 : Int(wait &- sampleTime)
        if wait != .min { takeStart(wait, sampleTime) }
        origin = sampleTime &+ Int64(frame) &- time
        orders.pointee.origin.store(origin, ordering: .relaxed)
        if frame == 0, takeWhole(&output) { return }
        output.block.silence()
        var isSilent = true
        while frame < frameCount {
            guard let item = playing(until: time &+ Int64(frameCount &- frame)) else { break }
            // The item may begin later in this cycle.
            if position == 0, let start = startTime(of: item), start > time,
                item.pointee.renderedCount.load(ordering: .relaxed) == 0
            {
                let gap = Int(min(start &- time, Int64(frameCount &- frame)))
                frame += gap
                time &+= Int64(gap)
                continue
            }
            let count = min(min(frameCount &- frame, left(of: item)), untilInterruption())
            copy(item, count, to: output.block, from: frame)
            isSilent = false
            frame += count
            advance(item, count)
        }
        time &+= Int64(frameCount &- frame)
        output.isSilent = isSilent
        orders.pointee.time.store(time, ordering: .relaxed)
    }

    /// The engine's sample time before which the player waits; `Int64.min` for none.
    private var start: Int64 {
        @_noLocks get {
            let host = orders.pointee.startHostTime.load(ordering: .relaxed)
            // Rendering by hand has no clock to wait for.
            guard host != 0, !clock.isOffline else { return orders.pointee.startTime.load(ordering: .relaxed) }
            return clock.sampleTime(ofHost: host)
        }
    }

    /// Notes that the start has come.
    ///
    /// Another time line may begin before the program calls `play` again.
    @_noLocks
    private mutating func takeStart(_ wait: Int64, _ sampleTime: Int64) {
        let (time, host) = (
            orders.pointee.startTime.load(ordering: .relaxed), orders.pointee.startHostTime.load(ordering: .relaxed)
        )
        _ = orders.pointee.startTime.compareExchange(expected: time, desired: .min, ordering: .relaxed)
        _ = orders.pointee.startHostTime.compareExchange(expected: host, desired: 0, ordering: .relaxed)
        guard wait < sampleTime, orders.pointee.keepsStep.load(ordering: .relaxed) else { return }
        origin = wait &- self.time
        pass(over: sampleTime &- wait)
    }

    /// Moves through the schedule without a sound.
    @_noLocks
    private mutating func pass(over frameCount: Int64) {
        let end = time &+ frameCount
        while time < end {
            guard let item = playing(until: end) else { break }
            if position == 0, let start = startTime(of: item), start > time,
                item.pointee.renderedCount.load(ordering: .relaxed) == 0
            {
                time = min(start, end)
                continue
            }
            let most = Int(min(end &- time, Int64(Int32.max)))
            advance(item, min(min(most, left(of: item)), untilInterruption()))
        }
        time = end
    }

    /// The frames left of an item; none if a file turned out to end before the player's present position.
    @_noLocks private func left(of item: Item) -> Int { max(0, item.pointee.frameCount &- position) }

    /// Returns the player's time at which an item begins; nil to follow the item before.
    @_noLocks
    private func startTime(of item: Item) -> Int64? {
        guard item.pointee.startHostTime != 0 else { return item.pointee.startTime }
        return clock.isOffline ? nil : clock.sampleTime(ofHost: item.pointee.startHostTime) &- origin
    }

    /// Hands out the buffer itself if the cycle lies inside it; false if it does not.
    @_noLocks
    private mutating func takeWhole(_ output: inout BusAudio) -> Bool {
        let frameCount = output.block.frameCount
        guard !isCurrentDone, current.pointee.frames == nil, orders.pointee.interruptCount.load(ordering: .relaxed) == 0,
            current.pointee.channelCount == output.block.channelCount,
            // Its completion may be called before the end of the cycle.
            current.pointee.frameCount &- position >= frameCount &+ (current.pointee.loops ? 0 : 1),
            position > 0 || current.pointee.startTime == nil && current.pointee.startHostTime == 0
                || current.pointee.renderedCount.load(ordering: .relaxed) > 0
        else { return false }
        for channel in 0..<output.block.channelCount { window[channel] = current.pointee.channels[channel] + position }
        output.block = AudioBlock(
            channels: UnsafePointer(window), channelCount: output.block.channelCount, frameCount: frameCount)
        advance(current, frameCount)
        orders.pointee.time.store(time, ordering: .relaxed)
        return true
    }

    /// Skips everything that was scheduled before the last `stop`.
    @_noLocks
    private mutating func takeGeneration() {
        let newest = orders.pointee.generation.load(ordering: .acquiring)
        guard newest != generation else { return }
        generation = newest
        if !isCurrentDone, current.pointee.generation < newest { finish(.cancelled) }
        (time, position) = (0, 0)
        orders.pointee.time.store(0, ordering: .relaxed)
        orders.pointee.origin.store(.min, ordering: .relaxed)
        orders.pointee.seenGeneration.store(newest, ordering: .releasing)
    }

    @_noLocks
    private mutating func finish(_ outcome: PlayerItem.Outcome) {
        current.pointee.end(outcome, at: time, sampleTime: time &+ origin)
        isCurrentDone = true
    }

    @_noLocks
    private func successor(of item: Item) -> Item? {
        Item(bitPattern: item.pointee.next.load(ordering: .acquiring))
    }

    /// Returns the item to play now; nil if there is none before `end`.
    @_noLocks
    private mutating func playing(until end: Int64) -> Item? {
        interrupt()
        while isCurrentDone {
            // An item scheduled after a `stop` waits until the render thread sees the stop.
            guard let next = successor(of: current), next.pointee.generation <= generation else { return nil }
            let isStale = next.pointee.generation < generation
            if !isStale, let start = startTime(of: next), start >= end { return nil }
            current = next
            position = 0
            isCurrentDone = false
            noteBeginning(next)
            if isStale || next.pointee.frameCount == 0 { finish(isStale ? .cancelled : .played) }
        }
        return current
    }

    /// Counts an interrupting item as begun.
    @_noLocks
    private func noteBeginning(_ item: Item) {
        guard item.pointee.interrupts || item.pointee.interruptsAtLoop else { return }
        orders.pointee.interruptCount.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Returns the waiting item that interrupts now: the last due one, or at the end of a loop the first one that waits for it.
    ///
    /// Nil without such an item.
    @_noLocks
    private func dueInterrupter() -> Item? {
        guard orders.pointee.interruptCount.load(ordering: .relaxed) > 0 else { return nil }
        // A loop that has not sounded yet has no end to wait for.
        let isAtLoop = !isCurrentDone && position == 0 && current.pointee.renderedCount.load(ordering: .relaxed) > 0
        var due: Item?
        var atLoop: Item?
        var item = successor(of: current)
        while let candidate = item {
            if candidate.pointee.generation == generation, startTime(of: candidate) ?? time <= time {
                if candidate.pointee.interrupts { due = candidate }
                if candidate.pointee.interruptsAtLoop, isAtLoop, atLoop == nil { atLoop = candidate }
            }
            item = successor(of: candidate)
        }
        return due ?? atLoop
    }

    /// Ends the present item and the waiting ones before a due interrupting item.
    @_noLocks
    private mutating func interrupt() {
        guard let item = dueInterrupter() else { return }
        if !isCurrentDone { finish(.cancelled) }
        while let next = successor(of: current), next != item {
            current = next
            noteBeginning(next)
            finish(.cancelled)
        }
    }

    /// Returns the number of frames until an interrupting item is due.
    @_noLocks
    private func untilInterruption() -> Int {
        guard orders.pointee.interruptCount.load(ordering: .relaxed) > 0 else { return .max }
        var soonest = Int64.max
        var item = successor(of: current)
        while let candidate = item {
            if candidate.pointee.generation == generation, candidate.pointee.interrupts, let start = startTime(of: candidate),
                start > time
            {
                soonest = min(soonest, start)
            }
            item = successor(of: candidate)
        }
        return soonest == .max ? .max : Int(soonest &- time)
    }

    @_noLocks
    private func copy(_ item: Item, _ count: Int, to output: AudioBlock, from frame: Int) {
        if let frames = item.pointee.frames {
            let missing = frames.pointee.copy(from: position, count, to: output, at: frame, isOffline: clock.isOffline)
            if missing > 0 { orders.pointee.underrunCount.wrappingAdd(Int64(missing), ordering: .relaxed) }
            return
        }
        for channel in 0..<output.channelCount {
            let source = item.pointee.channelCount == 1 ? 0 : channel
            guard source < item.pointee.channelCount else { continue }
            let (from, to) = (item.pointee.channels[source] + position, output[channel] + frame)
            for index in 0..<count { to[index] = from[index] }
        }
    }

    @_noLocks
    private mutating func advance(_ item: Item, _ count: Int) {
        position &+= count
        time &+= Int64(count)
        item.pointee.renderedCount.wrappingAdd(Int64(count), ordering: .relaxed)
        if let frames = item.pointee.frames { frames.pointee.advance(to: position) }
        guard position >= item.pointee.frameCount else { return }
        position = 0
        if !item.pointee.loops { finish(.played) }
    }
}
