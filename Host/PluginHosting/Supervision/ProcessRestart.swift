// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Starts the units of one process anew, on a thread of its own, so that one that hangs at its start holds up no other process.

import LinuxSystem
import Synchronization

/// A restart under way. The supervisor's thread makes it and asks for its end.
final class ProcessRestart: Sendable {
    private let isOver = Atomic<Bool>(false)
    /// The unit that it failed of, or -1.
    private let failed = Atomic<Int>(-1)
    private let thread = Mutex<LinuxSystem.Thread?>(nil)

    /// Runs `body`, which names the unit that it failed of, at once; on the calling thread when there is no other to be had.
    init(_ body: @escaping @Sendable () -> Int?) {
        do throws(SystemError) {
            let started = try LinuxSystem.Thread(name: "restart") { [self] in run(body) }
            thread.withLock { $0 = started }
        } catch {
            run(body)
        }
    }

    private func run(_ body: () -> Int?) {
        failed.store(body() ?? -1, ordering: .relaxed)
        // Release: the outcome is there for whoever sees the end.
        isOver.store(true, ordering: .releasing)
    }

    /// Whether it has succeeded or failed.
    var isComplete: Bool { isOver.load(ordering: .acquiring) }

    /// The unit that it failed of, once it is complete; nil when it went well.
    var failure: Int? {
        let index = failed.load(ordering: .relaxed)
        return index < 0 ? nil : index
    }

    /// Waits for the end. Once only.
    func join() { thread.withLock { $0?.join() } }
}
