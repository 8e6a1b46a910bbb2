// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the render thread says of a chain, and how it is called. Render thread and control threads.

import LinuxSystem
import Rendering
import Synchronization
import Wire

/// On which processors a chain's units run.
enum UnitSpread: UInt32 {
    /// On the host's, or nobody knows where.
    case together = 0
    /// On others, which some of them share.
    case shared = 1
    /// On others, each on its own.
    case apart = 2
}

/// Words in the host's own memory, at one address while the chain lives; see `ChainCore`.
struct ChainSharedState: ~Copyable {
    /// Cycles rendered; the supervisor is told of the first one after a rest.
    let cycles: CycleBell
    /// Blocks in which a unit had not answered at its deadline.
    let missedDeadlineCount = Atomic<UInt64>(0)
    /// Blocks that nobody may hear and that no unit put out: they came into the chain so.
    let mendedBlockCount = Atomic<UInt64>(0)
    /// Nanoseconds for which the render thread has been in the chain so far.
    let awaitedNanoseconds = Atomic<UInt64>(0)
    /// Nanoseconds that a cycle lasts; zero before the first one, and while nobody listens.
    let cycleNanoseconds = Atomic<UInt64>(0)
    /// The sample time after the last cycle.
    let sampleTime = Atomic<Int64>(0)
    private let unitSpreadWord = Atomic<UInt32>(UnitSpread.together.rawValue)
    private let hostDoorbell: SharedFutexWord

    init(hostDoorbell: SharedFutexWord, wakeUp: EventDescriptor) {
        self.hostDoorbell = hostDoorbell
        cycles = CycleBell(wakeUp)
    }

    /// Where the units run, as seen from the host's render thread.
    var unitSpread: UnitSpread {
        @_noLocks get { UnitSpread(rawValue: unitSpreadWord.load(ordering: .relaxed)) ?? .together }
    }

    /// `[control]`
    func setUnitSpread(_ spread: UnitSpread) { unitSpreadWord.store(spread.rawValue, ordering: .relaxed) }

    /// `[control]` Has the render thread look at the units again, should it be waiting for one.
    ///
    /// The kernel's wake at a death leaves the doorbell's value as it is, and is lost when it comes just before
    /// the render thread falls asleep; this one is not.
    func ringHost() {
        hostDoorbell.countRing()
        Futex.wake(hostDoorbell.address)
    }
}
