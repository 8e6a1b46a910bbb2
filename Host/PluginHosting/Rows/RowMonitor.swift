// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The state of a row that its supervisor and the deadline watch share with the render thread. Control threads.

import LinuxSystem
import Rendering
import Synchronization
import Wire

/// The state that a row's render thread shares with other threads, and the doorbell on which it sleeps.
///
/// It may outlive its row: a unit that leaves one row for another is supervised without a pause.
final class RowMonitor: Sendable {
    let doorbellMemory: SharedMemory
    // SAFETY: they are atomics, and only this object frees them.
    nonisolated(unsafe) let sharedState: UnsafeMutablePointer<RowSharedState>
    nonisolated(unsafe) let deadlineState: UnsafeMutablePointer<DeadlineSharedState>
    let policy: UnitPolicy
    private let watch = DeadlineWatch.shared
    /// The supervisor's event, which the render thread rings through `sharedState`.
    private let wakeUp: EventDescriptor

    init(policy: UnitPolicy, wakeUp: EventDescriptor, mayRelyOnWatch: Bool) throws(SystemError) {
        self.policy = policy
        self.wakeUp = wakeUp
        doorbellMemory = try SharedMemory(name: "host doorbell", byteCount: WireLimits.pageByteCount)
        sharedState = .allocate(capacity: 1)
        sharedState.initialize(
            to: RowSharedState(hostDoorbell: SharedFutexWord(unsafeAddress: doorbellMemory.base), wakeUp: wakeUp))
        deadlineState = .allocate(capacity: 1)
        deadlineState.initialize(to: DeadlineSharedState(watch: watch.sharedState, mayRely: mayRelyOnWatch))
    }

    deinit {
        deadlineState.deinitialize(count: 1)
        deadlineState.deallocate()
        sharedState.deinitialize(count: 1)
        sharedState.deallocate()
    }

    var doorbell: SharedFutexWord { SharedFutexWord(unsafeAddress: doorbellMemory.base) }

    /// Describes a row of these units for the watch.
    func watched(_ units: [UnsafeMutablePointer<UnitSharedState>]) -> WatchedRow {
        WatchedRow(sharedState: deadlineState, doorbell: doorbell, units: units, wakeUp: wakeUp)
    }

    /// The last cycle and the frame after it.
    var moment: RenderMoment {
        (sharedState.pointee.cycles.count, sharedState.pointee.sampleTime.load(ordering: .relaxed))
    }

    /// True if the render thread waits for no unit, and will not in a cycle that has begun.
    ///
    /// A row that renders ahead has always begun one.
    var isBetweenCycles: Bool {
        let isWaiting = deadlineState.pointee.waitingUntil.load(ordering: .sequentiallyConsistent) != 0
        return !isWaiting && (policy.rendersAhead || sharedState.pointee.cycles.begunCount == sharedState.pointee.cycles.count)
    }

    /// Ends a wait long after its deadline; see `WatchedRow`.
    func ringIfForgotten() { watched([]).ringIfForgotten() }
}
