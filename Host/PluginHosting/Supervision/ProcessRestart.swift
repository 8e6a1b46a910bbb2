// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Restarts the units of one process on a thread of its own, so that a process that hangs delays no other.

import LinuxSystem
import Synchronization

/// A restart under way; the supervisor's thread creates it and ends it.
final class ProcessRestart: Sendable {
    /// The end of a restart.
    enum Outcome {
        case succeeded
        /// This unit is to blame for the failure.
        case failed(UnitResources)
        /// The machine is to blame, which had no process, memory or descriptor left.
        case lackedResources
    }

    private let isOver = Atomic<Bool>(false)
    private let result = Mutex(Outcome.succeeded)
    private let thread = Mutex<LinuxSystem.Thread?>(nil)
    /// The time when the death was noticed, and its moment.
    let noticed: UInt64
    let death: RenderMoment

    /// Runs `body` at once.
    ///
    /// It runs on a new thread, or on the calling one if none can be created.
    init(noticed: UInt64, _ death: RenderMoment, _ body: @escaping @Sendable () -> Outcome) {
        (self.noticed, self.death) = (noticed, death)
        do throws(SystemError) {
            let started = try LinuxSystem.Thread(name: "restart") { [self] in run(body) }
            thread.withLock { $0 = started }
        } catch {
            run(body)
        }
    }

    private func run(_ body: () -> Outcome) {
        let outcome = body()
        result.withLock { $0 = outcome }
        // Release: a thread that sees the end sees the outcome.
        isOver.store(true, ordering: .releasing)
    }

    /// True if it has succeeded or failed.
    var isComplete: Bool { isOver.load(ordering: .acquiring) }

    /// The end of a complete restart.
    var outcome: Outcome { result.withLock { $0 } }

    /// Waits for the end.
    ///
    /// Call it only once.
    func join() { thread.withLock { $0?.join() } }
}
