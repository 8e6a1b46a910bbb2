// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The counts of a row that its render thread shares, and the word at which it is woken. Render thread and control threads.

import LinuxSystem
import Rendering
import Synchronization
import Wire

/// On which processors a row's units run.
enum UnitSpread: UInt32 {
    /// On the host's, or unknown.
    case together = 0
    /// On others, which some of them share.
    case shared = 1
    /// On others, each on its own.
    case apart = 2
}

/// Atomics in the host's own memory, at one address while the row lives.
///
/// See `RowCore`.
struct RowSharedState: ~Copyable {
    /// The cycles rendered; the supervisor is woken at the first one after a rest.
    let cycles: CycleBell
    /// The blocks for which a unit was to blame at the deadline.
    let missedDeadlineCount = Atomic<UInt64>(0)
    /// The blocks that were unfit to be heard as they came into the row, and not through a unit.
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

    /// `[control]` Sets where the units run.
    func setUnitSpread(_ spread: UnitSpread) { unitSpreadWord.store(spread.rawValue, ordering: .relaxed) }

    /// `[control]` Makes the render thread check the units again, should it be waiting for one.
    ///
    /// The kernel's wake at a death leaves the doorbell's value unchanged. It is lost if it comes just before
    /// the render thread falls asleep; this ring is not.
    func ringHost() {
        hostDoorbell.countRing()
        Futex.wake(hostDoorbell.address)
    }
}
