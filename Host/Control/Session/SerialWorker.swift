// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A thread that carries out pieces of work one after the other. Any thread adds work.

import Glibc
import LinuxSystem
import Synchronization

/// Carries out pieces of work in the order in which they come.
final class SerialWorker: Sendable {
    private struct State {
        var work: [@Sendable () -> Void] = []
        var isEnding = false
    }

    private final class Queue: Sendable {
        let state = Mutex(State())
        let wakeUp: EventDescriptor

        init() throws(SystemError) { wakeUp = try EventDescriptor() }

        /// Runs the waiting work; false once the worker ends.
        func run() -> Bool {
            Descriptor.awaitAny([wakeUp.descriptor], nanoseconds: nil)
            wakeUp.quieten()
            let (work, isEnding) = state.withLock { state in
                defer { state.work = [] }
                return (state.work, state.isEnding)
            }
            for piece in work { piece() }
            return !isEnding
        }
    }

    private let queue: Queue
    private let thread: Thread

    /// Starts the thread.
    init(name: String) throws(SystemError) {
        let queue = try Queue()
        self.queue = queue
        thread = try Thread(name: name) { while queue.run() {} }
    }

    /// Adds a piece of work; false once the worker ends.
    @discardableResult
    func add(_ piece: @escaping @Sendable () -> Void) -> Bool {
        let isTaken = queue.state.withLock { state in
            if !state.isEnding { state.work.append(piece) }
            return !state.isEnding
        }
        queue.wakeUp.ring()
        return isTaken
    }

    /// Waits until all work is done, and ends the thread; call it once.
    func end() {
        endQueue()
        thread.join()
    }

    /// Takes no more work, and does not wait for the present piece; call it once, in place of `end`.
    func abandon() {
        endQueue()
        thread.detach()
    }

    private func endQueue() {
        queue.state.withLock { $0.isEnding = true }
        queue.wakeUp.ring()
    }
}
