// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sleeping on a word and waking its sleepers, within a process and across two. Test threads.

import Glibc
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@Suite struct FutexTests {
    @Test func aWordThatDiffersEndsTheWaitAtOnce() throws {
        let page = try SharedPage()
        page.doorbell.pointee = 5
        #expect(Futex.wait(page.doorbell, while: 4, until: 0) == .lookAgain)
    }

    @Test(.timed("measures how late a wait ends")) func aWaitEndsAtItsDeadlineAndNotBefore() throws {
        let page = try SharedPage()
        let deadline = MonotonicClock.now() + 20_000_000
        while Futex.wait(page.doorbell, while: 0, until: deadline) != .timedOut {}
        let late = MonotonicClock.now() &- deadline
        #expect(late < 200_000_000)
    }

    @Test func aDeadlineInThePastEndsTheWaitAtOnce() throws {
        let page = try SharedPage()
        #expect(Futex.wait(page.doorbell, while: 0, until: 1) == .timedOut)
    }

    @Test func aSleeperIsWokenByAThread() throws {
        let page = try SharedPage()
        let thread = try LinuxSystem.Thread(name: "waker") {
            Futex.pause(microseconds: 5000)
            atomic(page.doorbell).pointee.store(1, ordering: .releasing)
            Futex.wake(page.doorbell)
        }
        let deadline = MonotonicClock.now() + UInt64(Patience.seconds() * 1e9)
        while atomic(page.doorbell).pointee.load(ordering: .acquiring) == 0 {
            if Futex.wait(page.doorbell, while: 0, until: deadline) == .timedOut { break }
        }
        thread.join()
        #expect(page.doorbell.pointee == 1)
        #expect(MonotonicClock.now() < deadline)
    }

    /// The errors are those of kernels and containers that do not know the calls.
    @Test(arguments: [nil, ENOSYS, EPERM])
    func twoProcessesPassATokenBackAndForth(newCallsFailWith error: Int32?) throws {
        let rounds: UInt32 = 2000
        let child = try TestChild("echo", "\(rounds)", error.map { "\($0)" } ?? "")
        let page = try SharedPage()
        try page.pass(to: child)
        #expect(try child.hear() == "ready")
        let deadline = MonotonicClock.now() + UInt64(Patience.seconds() * 1e9)
        for round in 0..<rounds {
            atomic(page.peer).pointee.store(round + 1, ordering: .releasing)
            Futex.wake(page.peer)
            while atomic(page.doorbell).pointee.load(ordering: .acquiring) == round {
                guard Futex.wait(page.doorbell, while: round, until: deadline) != .timedOut else { break }
            }
        }
        #expect(page.doorbell.pointee == rounds && MonotonicClock.now() < deadline)
        #expect(child.process.wait(milliseconds: 60_000) == .exited(code: 0))
    }
}

/// A word that two threads, or processes, use at the same time.
private func atomic(_ word: UnsafeMutablePointer<UInt32>) -> UnsafeMutablePointer<Atomic<UInt32>> {
    UnsafeMutableRawPointer(word).assumingMemoryBound(to: Atomic<UInt32>.self)
}
