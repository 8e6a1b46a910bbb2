// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Restarts the units of one process on a thread of its own, so that a process that hangs delays no other.

import LinuxSystem
import Synchronization

/// A restart under way; the supervisor's thread creates it and ends it.
final class ProcessRestart: Sendable {
    private let isOver = Atomic<Bool>(false)
    /// The unit that made it fail.
    private let failed = Mutex<UnitResources?>(nil)
    private let thread = Mutex<LinuxSystem.Thread?>(nil)

    /// Runs `body` at once, which returns the unit that made the restart fail.
    ///
    /// It runs on a new thread, or on the calling one if none can be created.
    init(_ body: @escaping @Sendable () -> UnitResources?) {
        do throws(SystemError) {
            let started = try LinuxSystem.Thread(name: "restart") { [self] in run(body) }
            thread.withLock { $0 = started }
        } catch {
            run(body)
        }
    }

    private func run(_ body: () -> UnitResources?) {
        let failure = body()
        failed.withLock { $0 = failure }
        // Release: a thread that sees the end sees the outcome.
        isOver.store(true, ordering: .releasing)
    }

    /// True if it has succeeded or failed.
    var isComplete: Bool { isOver.load(ordering: .acquiring) }

    /// The unit that made a complete restart fail; nil after a success.
    var failure: UnitResources? { failed.withLock { $0 } }

    /// Waits for the end.
    ///
    /// Call it only once.
    func join() { thread.withLock { $0?.join() } }
}
