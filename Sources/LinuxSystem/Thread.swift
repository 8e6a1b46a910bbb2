// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A kernel thread that runs a closure; its owner joins it. Control thread.

import Glibc
import Synchronization

/// A POSIX thread; if it is released without `join`, it runs on.
public final class Thread: @unchecked Sendable {
    // SAFETY: the handle is written once, before any other thread sees the object.
    private var handle = pthread_t()
    private let number = Number()

    /// The kernel's number of the thread; 0 until it runs.
    private final class Number: Sendable {
        let word = Atomic<pid_t>(0)
    }

    private final class Body {
        let name: String
        let number: Number
        let run: () -> Void
        init(name: String, number: Number, run: @escaping () -> Void) {
            self.name = name
            self.number = number
            self.run = run
        }
    }

    /// Starts `body` at once, on a thread that the kernel calls `name` (at most 15 bytes are shown).
    ///
    /// Throws `SystemError`.
    public init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let context = Unmanaged.passRetained(Body(name: name, number: number, run: body))
        let code = pthread_create(
            &handle, nil,
            { context in
                let body = Unmanaged<Body>.fromOpaque(context!).takeRetainedValue()
                body.number.word.store(Scheduling.currentThread, ordering: .relaxed)
                Scheduling.nameThread(body.name)
                body.run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            throw SystemError("start thread \"\(name)\"", code: code)
        }
    }

    /// The kernel's number of the thread; waits until it has begun to run.
    public var identifier: pid_t {
        while true {
            let number = number.word.load(ordering: .relaxed)
            guard number == 0 else { return number }
            Futex.pause(microseconds: 50)
        }
    }

    /// Waits until the body has returned; call it at most once.
    public func join() { pthread_join(handle, nil) }

    /// Lets the thread free itself when it ends; do not call `join` after this.
    public func detach() { pthread_detach(handle) }
}
