// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Starts one unit of a chain anew, on a thread of its own, so that one that hangs at its start holds up no other.

import LinuxSystem
import Synchronization

/// A restart under way. The supervisor's thread makes it and asks for its end.
final class UnitRestart: Sendable {
    private let isOver = Atomic<Bool>(false)
    private let isSuccess = Atomic<Bool>(false)
    private let thread = Mutex<LinuxSystem.Thread?>(nil)

    /// Runs `body`, which says whether it went well, at once; on the calling thread when there is no other to be had.
    init(_ body: @escaping @Sendable () -> Bool) {
        do throws(SystemError) {
            let started = try LinuxSystem.Thread(name: "restart") { [self] in run(body) }
            thread.withLock { $0 = started }
        } catch {
            run(body)
        }
    }

    private func run(_ body: () -> Bool) {
        isSuccess.store(body(), ordering: .relaxed)
        // Release: the success is there for whoever sees the end.
        isOver.store(true, ordering: .releasing)
    }

    /// Whether it has succeeded or failed.
    var isComplete: Bool { isOver.load(ordering: .acquiring) }

    /// Once it is complete.
    var hasSucceeded: Bool { isSuccess.load(ordering: .relaxed) }

    /// Waits for the end. Once only.
    func join() { thread.withLock { $0?.join() } }
}
