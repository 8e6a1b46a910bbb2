// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The counts that a row's render thread shares, and the word on which it sleeps. Render thread and control threads.

import LinuxSystem
import Rendering
import Synchronization
import Wire

/// The processors of a row's units, in relation to the host's.
enum UnitSpread: UInt32 {
    /// The units run on the host's processor, or their processors are unknown.
    case together = 0
    /// The units run on other processors, which some of them share.
    case shared = 1
    /// The units run on other processors, each on its own.
    case apart = 2
}

/// Atomics in the host's own memory, at one address while the row lives.
///
/// See `RowCore`.
struct RowSharedState: ~Copyable {
    /// The rendered cycles; the first one after a rest wakes the supervisor.
    let cycles: CycleBell
    /// The blocks in which a unit was to blame for a missed deadline.
    let missedDeadlineCount = Atomic<UInt64>(0)
    /// The blocks that were invalid when they came into the row, and not because of a unit.
    let mendedBlockCount = Atomic<UInt64>(0)
    /// The nanoseconds that the render thread has spent in the row so far.
    let awaitedNanoseconds = Atomic<UInt64>(0)
    /// The nanoseconds that a cycle lasts; zero before the first one, and offline.
    let cycleNanoseconds = Atomic<UInt64>(0)
    /// The sample time after the last cycle.
    let sampleTime = Atomic<Int64>(0)
    private let unitSpreadWord = Atomic<UInt32>(UnitSpread.together.rawValue)
    private let hostDoorbell: SharedFutexWord

    init(hostDoorbell: SharedFutexWord, wakeUp: EventDescriptor) {
        self.hostDoorbell = hostDoorbell
        cycles = CycleBell(wakeUp)
    }

    /// The processors of the units, as seen from the host's render thread.
    var unitSpread: UnitSpread {
        @_noLocks get { UnitSpread(rawValue: unitSpreadWord.load(ordering: .relaxed)) ?? .together }
    }

    /// `[control]` Sets the processors of the units.
    func setUnitSpread(_ spread: UnitSpread) { unitSpreadWord.store(spread.rawValue, ordering: .relaxed) }

    /// `[control]` Makes the render thread check the units again, in case it is waiting for one.
    ///
    /// The kernel's wake-up at a death leaves the doorbell's value unchanged. It is lost if it comes just before the render
    /// thread falls asleep; this ring is not.
    func ringHost() {
        hostDoorbell.countRing()
        Futex.wake(hostDoorbell.address)
    }
}
