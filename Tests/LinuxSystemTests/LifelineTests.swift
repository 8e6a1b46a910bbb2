// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The kernel wakes a sleeper at the death of a thread in another process, if and only if that thread has registered.

import Confinement
import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite(.timed("measures how soon a sleeper wakes")) struct LifelineTests {
    /// What a sleeper on the doorbell sees of a child's death.
    private struct Outcome {
        var wait: Futex.Wait
        var nanoseconds: UInt64
        var lifeline: UInt32
        var doorbell: UInt32
        var thread: UInt32
    }

    /// Starts a child, sleeps on the doorbell, and lets another thread end the child 20 ms later.
    private func sleepThrough(
        _ mode: String, doorbell: UInt32 = 0, end: @escaping @Sendable (ChildProcess, SharedPage) -> Void
    ) throws -> Outcome {
        let child = try TestChild(mode)
        let page = try SharedPage()
        page.doorbell.pointee = doorbell
        try page.pass(to: child)
        let thread = try #require(UInt32(child.hear().dropFirst("ready ".count)))
        let killedAt = SharedInstant()
        let killer = try LinuxSystem.Thread(name: "killer") {
            Futex.pause(microseconds: 20_000)
            killedAt.nanoseconds = MonotonicClock.now()
            end(child.process, page)
        }
        let wait = Futex.wait(page.doorbell, while: doorbell, until: MonotonicClock.now() + 500_000_000)
        let now = MonotonicClock.now()
        let lifeline = page.lifeline.pointee
        killer.join()
        return Outcome(
            wait: wait, nanoseconds: now &- killedAt.nanoseconds, lifeline: lifeline, doorbell: page.doorbell.pointee,
            thread: thread)
    }

    @Test func aKilledThreadWakesTheSleeperWithin50MillisecondsAndItsLifelineIsCut() throws {
        for _ in 0..<10 {
            let outcome = try sleepThrough("registered") { process, _ in process.send(signal: SIGKILL) }
            #expect(outcome.wait == .lookAgain)
            #expect(outcome.nanoseconds < 50_000_000)
            #expect(Lifeline.isCut(outcome.lifeline), "the sleeper woke before the lifeline was cut")
            #expect(outcome.doorbell == 0, "the kernel leaves the doorbell as it was")
        }
    }

    @Test func withoutRegistrationTheSleeperSleepsOn() throws {
        let outcome = try sleepThrough("unregistered") { process, _ in process.send(signal: SIGKILL) }
        #expect(outcome.wait == .timedOut)
        #expect(outcome.lifeline == 0)
    }

    @Test func ringsCountedInTheTopBitsDoNotHinderTheKernel() throws {
        for doorbell in [0x4000_0000, 0x8000_0000, 0xC000_0000] as [UInt32] {
            let outcome = try sleepThrough("registered", doorbell: doorbell) { process, _ in
                process.send(signal: SIGKILL)
            }
            #expect(outcome.wait == .lookAgain)
            #expect(outcome.doorbell == doorbell)
        }
    }

    @Test func anyOfTheLowThirtyBitsKeepsTheKernelFromWaking() throws {
        let outcome = try sleepThrough("registered", doorbell: 1) { process, _ in process.send(signal: SIGKILL) }
        #expect(outcome.wait == .timedOut)
        #expect(Lifeline.isCut(outcome.lifeline))
    }

    @Test func aThreadThatReturnsWithoutWithdrawingCountsAsDead() throws {
        let outcome = try sleepThrough("registered") { _, page in
            page.peer.pointee = 1
            Futex.wake(page.peer)
        }
        #expect(outcome.wait == .lookAgain)
        #expect(Lifeline.isCut(outcome.lifeline))
    }

    @Test func whileTheThreadLivesTheLifelineNamesIt() throws {
        let child = try TestChild("registered")
        let page = try SharedPage()
        try page.pass(to: child)
        let thread = try #require(UInt32(child.hear().dropFirst("ready ".count)))
        #expect(page.lifeline.pointee == 0x8000_0000 | thread)
        #expect(!Lifeline.isCut(page.lifeline.pointee))
    }

    @Test func aThreadThatWithdrewLeavesNothingBehind() throws {
        let page = try SharedPage()
        let thread = try LinuxSystem.Thread(name: "short") {
            _ = try? Lifeline.register(lifeline: page.lifeline, doorbell: page.doorbell)
            page.lifeline.pointee = 0
            Lifeline.withdraw()
        }
        thread.join()
        #expect(page.lifeline.pointee == 0)
    }
}

/// A time that one thread writes and another reads after joining it.
private final class SharedInstant: @unchecked Sendable {
    // SAFETY: read after the writer was joined, or later than the wake-up that followed the write.
    var nanoseconds: UInt64 = 0
}
