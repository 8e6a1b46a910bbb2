// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Starts one unit of a chain anew, on a thread of its own, so that one that hangs at its start holds up no other.

import LinuxSystem
import Synchronization

/// A restart under way. The supervisor's thread makes it and asks for its end.
final class UnitRestart: Sendable {
    private let isOver = Atomic<Bool>(false)
    private let thread = Mutex<LinuxSystem.Thread?>(nil)

    /// Runs `body` at once; on the calling thread when there is no other to be had.
    init(_ body: @escaping @Sendable () -> Void) {
        do throws(SystemError) {
            let started = try LinuxSystem.Thread(name: "restart") { [self] in
                body()
                isOver.store(true, ordering: .releasing)
            }
            thread.withLock { $0 = started }
        } catch {
            body()
            isOver.store(true, ordering: .releasing)
        }
    }

    /// Whether it has succeeded or failed.
    var isComplete: Bool { isOver.load(ordering: .acquiring) }

    /// Waits for the end. Once only.
    func join() { thread.withLock { $0?.join() } }
}
