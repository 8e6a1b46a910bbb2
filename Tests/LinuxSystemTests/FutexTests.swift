// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sleeping on a word and waking who sleeps, within a process and across two.

import LinuxSystem
import Testing

@Suite struct FutexTests {
    @Test func aWordThatDiffersEndsTheWaitAtOnce() throws {
        let page = try SharedPage()
        page.doorbell.pointee = 5
        #expect(Futex.wait(page.doorbell, while: 4, until: 0) == .lookAgain)
    }

    @Test func aWaitEndsAtItsDeadlineAndNotBefore() throws {
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
            page.doorbell.pointee = 1
            Futex.wake(page.doorbell)
        }
        let deadline = MonotonicClock.now() + 5_000_000_000
        while page.doorbell.pointee == 0 {
            if Futex.wait(page.doorbell, while: 0, until: deadline) == .timedOut { break }
        }
        thread.join()
        #expect(page.doorbell.pointee == 1)
        #expect(MonotonicClock.now() < deadline)
    }

    @Test func twoProcessesPassATokenBackAndForth() throws {
        let rounds: UInt32 = 2000
        let child = try TestChild("echo", "\(rounds)")
        let page = try SharedPage()
        try page.pass(to: child)
        #expect(try child.hear() == "ready")
        let deadline = MonotonicClock.now() + 20_000_000_000
        for round in 0..<rounds {
            page.peer.pointee = round + 1
            Futex.wake(page.peer)
            while page.doorbell.pointee == round {
                guard Futex.wait(page.doorbell, while: round, until: deadline) != .timedOut else { break }
            }
        }
        #expect(page.doorbell.pointee == rounds)
        #expect(child.process.wait(milliseconds: 5000) == .exited(code: 0))
    }
}
