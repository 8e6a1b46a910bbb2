// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the render thread and the control thread know of each other's plans and counts. Both threads.

import LinuxSystem
import Realtime
import Synchronization

/// Words in the host's own memory, at one address while the player lives; see `PlayerCore`.
struct PlayerSharedState: ~Copyable {
    static let retiredCapacity = 16
    /// The plan to change to; zero when there is none.
    let pending = Atomic<UInt>(0)
    /// Plans that are no longer played, on their way back to the control thread; zero where empty.
    let retired: UnsafeMutablePointer<Atomic<UInt>>
    /// Cycles rendered, and those that took longer than their own length.
    let cycles: CycleBell
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

    init(wakeUp: EventDescriptor?) {
        cycles = CycleBell(wakeUp)
        retired = .allocate(capacity: Self.retiredCapacity)
        for slot in 0..<Self.retiredCapacity { (retired + slot).initialize(to: Atomic(0)) }
    }

    deinit { retired.deallocate() }

    /// `[render]` Counts a cycle.
    @_noLocks
    func count(from start: UInt64, to end: UInt64, in cycle: RenderCycle) {
        let nanoseconds = end &- start
        lastNanoseconds.store(nanoseconds, ordering: .relaxed)
        if nanoseconds > longestNanoseconds.load(ordering: .relaxed) {
            longestNanoseconds.store(nanoseconds, ordering: .relaxed)
        }
        let length = UInt64(Double(cycle.frameCount) / cycle.sampleRate * 1e9)
        defer { cycles.end() }
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

    /// `[render]` Raises the peaks to those of what was put out.
    @_noLocks
    func raisePeaks(to outputs: AudioBlock) {
        raise(leftPeak, to: outputs.channelCount > 0 ? outputs.peak(ofChannel: 0) : 0)
        raise(rightPeak, to: outputs.channelCount > 1 ? outputs.peak(ofChannel: 1) : 0)
    }

    @_noLocks
    private func raise(_ peak: borrowing Atomic<UInt32>, to value: Float) {
        if value > Float(bitPattern: peak.load(ordering: .relaxed)) { peak.store(value.bitPattern, ordering: .relaxed) }
    }

    /// `[render]` Where a plan can be put that is no longer played.
    @_noLocks
    func freeSlot() -> Int? {
        for slot in 0..<Self.retiredCapacity where retired[slot].load(ordering: .relaxed) == 0 { return slot }
        return nil
    }
}
