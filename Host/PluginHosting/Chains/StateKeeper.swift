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

    /// `moment` says where rendering is.
    init(_ members: [ChainMember], moment: @escaping @Sendable () -> RenderMoment) {
        let mustStop = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)
        mustStop.initialize(to: Atomic(0))
        self.mustStop = mustStop
        let address = UInt(bitPattern: mustStop)
        thread = try? LinuxSystem.Thread(name: "state keeper") {
            Self.run(members, moment, UnsafeMutablePointer(bitPattern: address)!)
        }
    }

    deinit {
        mustStop.pointee.store(1, ordering: .releasing)
        Futex.wake(Self.word(mustStop))
        thread?.join()
        mustStop.deallocate()
    }

    /// Has the thread run elsewhere than the render threads, where there is an elsewhere.
    func keep(off processor: Int) {
        if let thread { Scheduling.keep(thread: thread.identifier, off: processor) }
    }

    private static func run(
        _ members: [ChainMember], _ moment: () -> RenderMoment, _ mustStop: UnsafeMutablePointer<Atomic<UInt32>>
    ) {
        // Those of whom it has been told that they do not answer as they should; once, until they do.
        var failing: Set<Int> = []
        while mustStop.pointee.load(ordering: .acquiring) == 0 {
            _ = Futex.wait(word(mustStop), while: 0, until: MonotonicClock.now() + intervalNanoseconds)
            for (index, member) in members.enumerated() {
                guard mustStop.pointee.load(ordering: .acquiring) == 0, member.hasSettled else { continue }
                switch member.unit.takeSnapshot() {
                case .success: failing.remove(index)
                case .failure(let fault):
                    if failing.insert(index).inserted { member.report(fault, moment()) }
                case nil: break
                }
            }
        }
    }

    private static func word(_ mustStop: UnsafeMutablePointer<Atomic<UInt32>>) -> UnsafeMutablePointer<UInt32> {
        UnsafeMutableRawPointer(mustStop).assumingMemoryBound(to: UInt32.self)
    }
}

extension ChainMember {
    /// Keeps what was wrong with an answer. How a process ends the supervisor finds out.
    fileprivate func report(_ fault: PluginFault, _ moment: RenderMoment) {
        switch fault {
        case .unanswered, .protocolViolation:
            faults.append(fault, cycle: moment.cycle, sampleTime: moment.sampleTime, recoveredAfterCycles: 0)
        default: break
        }
    }

    /// Whether the unit is there and has rendered everything that was asked of it: only then does its state hold what was
    /// set, and only then will it answer soon.
    fileprivate var hasSettled: Bool { isPresent && words.pointee.outstandingSince.load(ordering: .relaxed) == 0 }
}
