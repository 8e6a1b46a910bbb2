// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The plans and counts that the render thread and the control thread share. Both threads.

import LinuxSystem
import Realtime
import Synchronization

/// Atomics in the host's own memory, at one address while the player lives.
///
/// See `PlayerCore`.
struct PlayerSharedState: ~Copyable {
    /// A plan that the render thread has taken.
    struct HeardPlan: ~Copyable {
        let serial = Atomic<UInt64>(0)
        let sampleTime = Atomic<Int64>(0)
    }

    static var heardCapacity: Int { @_noLocks get { 64 } }
    /// The cores of plans on their way to the render thread and back; `PlanPlayer` keeps the plans.
    let plans = HandOver<UnsafeMutablePointer<PlanCore>>()
    /// The number of the plan that was taken last.
    let heardSerial = Atomic<UInt64>(0)
    /// The numbers of the plans that were taken last, and the sample times of their first frames.
    let heardPlans: UnsafeMutablePointer<HeardPlan>
    private let nextHeard = Atomic<Int>(0)
    /// True if the time line begins anew with the next cycle.
    let mustRewind = Atomic<Bool>(false)
    /// The sample time of the last cycle's first frame, and the time when the cycle began.
    let sampleTime = Atomic<Int64>(0)
    let hostTime = Atomic<UInt64>(0)
    /// The counts of cycles begun and ended.
    let cycles: CycleBell
    /// The number of cycles that took longer than their own length, and their times.
    let missedDeadlineCount = Atomic<UInt64>(0)
    let missedCycles = MissedCycles()
    /// The number of cycles that ended after the driver's next one was due, and their times.
    let lateCycleCount = Atomic<UInt64>(0)
    let lateCycles = MissedCycles()
    /// The nanoseconds of the last cycle, and of the longest.
    let lastNanoseconds = Atomic<UInt64>(0)
    let longestNanoseconds = Atomic<UInt64>(0)
    /// The peaks of the left and the right channel since the meters last took them, as bits.
    let leftPeak = Atomic<UInt32>(0)
    let rightPeak = Atomic<UInt32>(0)

    init(wakeUp: EventDescriptor?) {
        cycles = CycleBell(wakeUp)
        heardPlans = .allocate(capacity: Self.heardCapacity)
        for slot in 0..<Self.heardCapacity { (heardPlans + slot).initialize(to: HeardPlan()) }
    }

    deinit { heardPlans.deallocate() }

    /// `[render]` Notes that a plan is heard from a sample time on.
    @_noLocks
    func noteHeard(_ serial: UInt64, at sampleTime: Int64) {
        let slot = nextHeard.load(ordering: .relaxed)
        nextHeard.store((slot &+ 1) % Self.heardCapacity, ordering: .relaxed)
        heardPlans[slot].sampleTime.store(sampleTime, ordering: .relaxed)
        heardPlans[slot].serial.store(serial, ordering: .releasing)
        // Release: a thread that sees the number sees the time.
        heardSerial.store(serial, ordering: .releasing)
    }

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
        sampleTime.store(cycle.sampleTime, ordering: .relaxed)
        hostTime.store(cycle.hostTime, ordering: .relaxed)
        guard !cycle.isOffline else { return }
        if end > cycle.hostTime &+ length {
            // Counted before it is noted: a reader that finds the cycle finds it counted.
            lateCycleCount.wrappingAdd(1, ordering: .relaxed)
            lateCycles.note(MissedCycle(start: cycle.hostTime, end: end, length: length))
        }
        guard nanoseconds > length else { return }
        missedDeadlineCount.wrappingAdd(1, ordering: .relaxed)
        missedCycles.note(MissedCycle(start: start, end: end, length: length))
    }

    /// `[render]` Raises the peaks to those of the output.
    @_noLocks
    func raisePeaks(to outputs: AudioBlock) {
        raise(leftPeak, to: outputs.channelCount > 0 ? outputs.peak(ofChannel: 0) : 0)
        raise(rightPeak, to: outputs.channelCount > 1 ? outputs.peak(ofChannel: 1) : 0)
    }

    @_noLocks
    private func raise(_ peak: borrowing Atomic<UInt32>, to value: Float) {
        if value > Float(bitPattern: peak.load(ordering: .relaxed)) { peak.store(value.bitPattern, ordering: .relaxed) }
    }
}
