// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Asks a supervisor's units for their changed states, at most once a second. A thread of its own.

import LinuxSystem
import Synchronization

/// Polls units for the states that they need after a restart.
///
/// Its thread is an ordinary one: neither rendering nor the supervisor waits for it, since a unit may take its time to answer. It
/// sleeps for as long as the supervisor does.
final class StatePoller: Sendable {
    private static let intervalNanoseconds: UInt64 = 1_000_000_000

    private enum Mode: UInt32 {
        case working = 0
        case resting = 1
        case stopping = 2
    }

    /// The state that both threads share, at one address.
    // SAFETY: it is an atomic, and is freed once the thread has ended.
    nonisolated(unsafe) private let mode: UnsafeMutablePointer<Atomic<UInt32>>
    private let thread: LinuxSystem.Thread

    /// Starts the thread; `members` returns the present units.
    init(_ members: @escaping @Sendable () -> [UnitResources]) throws(SystemError) {
        let mode = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)
        mode.initialize(to: Atomic(Mode.working.rawValue))
        self.mode = mode
        let address = UInt(bitPattern: mode)
        do throws(SystemError) {
            thread = try LinuxSystem.Thread(name: "state poller") {
                // Cannot trap: the address of memory is not 0.
                Self.run(members, UnsafeMutablePointer(bitPattern: address)!)
            }
        } catch {
            mode.deallocate()
            throw error
        }
    }

    deinit {
        set(.stopping)
        thread.join()
        mode.deallocate()
    }

    /// Makes the thread sleep until the next call, or work again.
    func rest(_ isResting: Bool) { set(isResting ? .resting : .working) }

    private func set(_ wanted: Mode) {
        mode.pointee.store(wanted.rawValue, ordering: .releasing)
        Futex.wake(Self.word(mode))
    }

    /// Moves the thread off the processor of the render threads, if there is another.
    func keep(off processor: Int) {
        Scheduling.keep(thread: thread.identifier, off: processor)
    }

    private static func run(
        _ members: () -> [UnitResources], _ mode: UnsafeMutablePointer<Atomic<UInt32>>
    ) {
        // The units whose wrong answers have been reported; once, until they answer well.
        var failing: Set<Int> = []
        func isStopping() -> Bool { mode.pointee.load(ordering: .acquiring) == Mode.stopping.rawValue }
        while !isStopping() {
            let seen = mode.pointee.load(ordering: .acquiring)
            let end = seen == Mode.resting.rawValue ? 0 : MonotonicClock.now() + intervalNanoseconds
            _ = Futex.wait(word(mode), while: seen, until: end)
            for member in members() {
                member.isBeingAsked.withLock { _ in
                    // It may have left in the meantime.
                    guard !isStopping(), member.hasSettled, member.isSupervised.load(ordering: .relaxed) else { return }
                    switch member.unit.takeSnapshot() {
                    case .success: failing.remove(member.number)
                    case .failure(let fault):
                        if failing.insert(member.number).inserted { member.report(fault, member.monitor.moment) }
                    case nil: break
                    }
                }
            }
        }
    }

    private static func word(_ mode: UnsafeMutablePointer<Atomic<UInt32>>) -> UnsafeMutablePointer<UInt32> {
        UnsafeMutableRawPointer(mode).assumingMemoryBound(to: UInt32.self)
    }
}

extension UnitResources {
    /// Keeps the fault of an answer; the supervisor finds out how a process ends.
    fileprivate func report(_ fault: PluginFault, _ moment: RenderMoment) {
        switch fault {
        case .unanswered, .protocolViolation:
            faults.append(fault, cycle: moment.cycle, sampleTime: moment.sampleTime, recoveredAfterCycles: 0)
        default: break
        }
    }

    /// True if the unit is present and has rendered all requests.
    ///
    /// Only then does its state include all changes, and only then will it answer soon.
    var hasSettled: Bool { isPresent && sharedState.pointee.outstandingSince.load(ordering: .relaxed) == 0 }
}
