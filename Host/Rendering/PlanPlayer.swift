// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays whichever plan is current and changes to a new one between two cycles. Render thread; swaps come from the control thread.

import LinuxSystem
import Realtime
import Synchronization

/// What the render thread uses, at one address while the player lives.
struct PlayerCore: ~Copyable {
    static let retiredCapacity = 16
    /// The plan to change to; zero when there is none.
    let pending = Atomic<UInt>(0)
    /// Plans that are no longer played, on their way back to the control thread; zero where empty.
    let retired: UnsafeMutablePointer<Atomic<UInt>>
    /// Cycles rendered, and those that took longer than their own length.
    let cycleCount = Atomic<UInt64>(0)
    let missedDeadlineCount = Atomic<UInt64>(0)
    let missedCycles = MissedCycles()
    /// Those that ended after the driver's next cycle was due, and when they were.
    let lateCycleCount = Atomic<UInt64>(0)
    let lateCycles = MissedCycles()
    /// Nanoseconds that the last cycle took, and the longest.
    let lastNanoseconds = Atomic<UInt64>(0)
    let longestNanoseconds = Atomic<UInt64>(0)
    /// The largest sample so far in the left and the right channel, as bits; taken by the meters.
    let leftPeak = Atomic<UInt32>(0)
    let rightPeak = Atomic<UInt32>(0)
    var current: UnsafeMutablePointer<PlanCore>?
    /// The driver's sample time at which the first plan began.
    private var startTime: Int64?

    init() {
        retired = .allocate(capacity: Self.retiredCapacity)
        for slot in 0..<Self.retiredCapacity { (retired + slot).initialize(to: Atomic(0)) }
    }

    deinit { retired.deallocate() }

    @_noLocks
    mutating func render(_ cycle: RenderCycle) {
        takePending()
        let started = MonotonicClock.now()
        guard let current else { return cycle.outputs.silence() }
        var cycle = cycle
        if startTime == nil { startTime = cycle.sampleTime }
        cycle.sampleTime &-= startTime ?? 0
        cycle.transport.beatPosition = Double(cycle.sampleTime) / cycle.sampleRate * cycle.transport.tempo / 60
        RealtimeRegion.enter()
        current.pointee.render(cycle)
        RealtimeRegion.exit()
        count(from: started, to: MonotonicClock.now(), in: cycle)
        raise(leftPeak, to: cycle.outputs.channelCount > 0 ? cycle.outputs.peak(ofChannel: 0) : 0)
        raise(rightPeak, to: cycle.outputs.channelCount > 1 ? cycle.outputs.peak(ofChannel: 1) : 0)
    }

    @_noLocks
    private func count(from start: UInt64, to end: UInt64, in cycle: RenderCycle) {
        let nanoseconds = end &- start
        cycleCount.wrappingAdd(1, ordering: .relaxed)
        lastNanoseconds.store(nanoseconds, ordering: .relaxed)
        if nanoseconds > longestNanoseconds.load(ordering: .relaxed) {
            longestNanoseconds.store(nanoseconds, ordering: .relaxed)
        }
        let length = UInt64(Double(cycle.frameCount) / cycle.sampleRate * 1e9)
        guard !cycle.isOffline else { return }
        if end > cycle.hostTime &+ length {
            // Counted first: whoever finds the cycle finds it counted.
            lateCycleCount.wrappingAdd(1, ordering: .relaxed)
            lateCycles.note(MissedCycle(start: cycle.hostTime, end: end, length: length))
        }
        guard nanoseconds > length else { return }
        missedDeadlineCount.wrappingAdd(1, ordering: .relaxed)
        missedCycles.note(MissedCycle(start: start, end: end, length: length))
    }

    /// Changes plans. The old one must find a place among the retired first, so that none is lost.
    @_noLocks
    private mutating func takePending() {
        guard pending.load(ordering: .relaxed) != 0 else { return }
        guard let slot = freeSlot() else { return }
        // Acquire: the plan's contents are there. Release of the retired one: this thread is done with it.
        let next = pending.exchange(0, ordering: .acquiring)
        retired[slot].store(UInt(bitPattern: current), ordering: .releasing)
        current = UnsafeMutablePointer(bitPattern: next)
    }

    @_noLocks
    private func freeSlot() -> Int? {
        for slot in 0..<Self.retiredCapacity where retired[slot].load(ordering: .relaxed) == 0 { return slot }
        return nil
    }

    @_noLocks
    private func raise(_ peak: borrowing Atomic<UInt32>, to value: Float) {
        if value > Float(bitPattern: peak.load(ordering: .relaxed)) { peak.store(value.bitPattern, ordering: .relaxed) }
    }
}
