// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The negative control of ThreadSanitizer: waiting for Swift's own mutex. A report of it would be false. Test threads.

import LinuxSystem
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct MutexTests {
    /// How a waiting thread gets the lock: while it still spins, or from the kernel.
    enum Wait: UInt32, CaseIterable {
        case short = 0
        case long = 2000
    }

    @Test(arguments: Wait.allCases) func whoHasWaitedSeesWhatTheOtherWrote(wait: Wait) throws {
        let count = Mutex(0)
        let rounds = wait == .long ? 100 : 100_000
        func run() {
            for _ in 0..<rounds {
                count.withLock { count in
                    count += 1
                    if wait == .long { Futex.pause(microseconds: wait.rawValue) }
                }
            }
        }
        try withoutActuallyEscaping(run) { run in
            // SAFETY: the thread ends before this function does.
            nonisolated(unsafe) let run = run
            let other = try LinuxSystem.Thread(name: "other") { run() }
            run()
            other.join()
        }
        #expect(count.withLock { $0 } == 2 * rounds)
    }
}
