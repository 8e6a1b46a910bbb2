// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Asks the units of a chain for their states when these have changed, at most once a second. A thread of its own.

import LinuxSystem
import Synchronization

/// Keeps what the units of a chain would need after their death. An ordinary thread: rendering never waits for it, nor does
/// the supervisor, since a unit may take its time to answer.
final class StateKeeper {
    private static let intervalNanoseconds: UInt64 = 1_000_000_000

    /// What both threads share, at one address.
    private let mustStop: UnsafeMutablePointer<Atomic<UInt32>>
    private let thread: LinuxSystem.Thread?

    init(_ members: [ChainMember]) {
        let mustStop = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)
        mustStop.initialize(to: Atomic(0))
        self.mustStop = mustStop
        let address = UInt(bitPattern: mustStop)
        thread = try? LinuxSystem.Thread(name: "state keeper") {
            Self.run(members, UnsafeMutablePointer(bitPattern: address)!)
        }
    }

    deinit {
        mustStop.pointee.store(1, ordering: .releasing)
        Futex.wake(Self.word(mustStop))
        thread?.join()
        mustStop.deallocate()
    }

    private static func run(_ members: [ChainMember], _ mustStop: UnsafeMutablePointer<Atomic<UInt32>>) {
        while mustStop.pointee.load(ordering: .acquiring) == 0 {
            _ = Futex.wait(word(mustStop), while: 0, until: MonotonicClock.now() + intervalNanoseconds)
            for member in members where mustStop.pointee.load(ordering: .acquiring) == 0 && member.hasSettled {
                member.unit.takeSnapshot()
            }
        }
    }

    private static func word(_ mustStop: UnsafeMutablePointer<Atomic<UInt32>>) -> UnsafeMutablePointer<UInt32> {
        UnsafeMutableRawPointer(mustStop).assumingMemoryBound(to: UInt32.self)
    }
}

extension ChainMember {
    /// Whether the unit is there and has rendered everything that was asked of it: only then does its state hold what was
    /// set, and only then will it answer soon.
    fileprivate var hasSettled: Bool { isPresent && renderer.pointee.outstandingSince.load(ordering: .relaxed) == 0 }
}
