// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Work on a thread of its own, for whose end others wait as long as they like. Control thread.

import Synchronization

/// Work on a thread of its own, which the caller may stop waiting for.
public final class Errand<Value: Sendable>: Sendable {
    private let result = Mutex<Value?>(nil)
    /// 1 once the work is done; waiting threads sleep here.
    // SAFETY: it is an atomic at one address, and is freed with the last reference, which the thread holds until its end.
    nonisolated(unsafe) private let word: UnsafeMutablePointer<Atomic<UInt32>>

    /// Starts the work on a thread of this name; on the calling thread if the system has none.
    public init(name: String, _ work: @escaping @Sendable () -> Value) {
        word = .allocate(capacity: 1)
        word.initialize(to: Atomic(0))
        do throws(SystemError) {
            try Thread(name: name) { [self] in finish(work()) }.detach()
        } catch {
            finish(work())
        }
    }

    deinit { word.deallocate() }

    private func finish(_ value: Value) {
        result.withLock { $0 = value }
        // Release: a thread that sees the end sees the value.
        word.pointee.store(1, ordering: .releasing)
        Futex.wake(bare)
    }

    private var bare: UnsafeMutablePointer<UInt32> { UnsafeMutableRawPointer(word).assumingMemoryBound(to: UInt32.self) }

    /// The value of finished work; nil before.
    public var value: Value? {
        word.pointee.load(ordering: .acquiring) == 1 ? result.withLock { $0 } : nil
    }

    /// Waits for the end, for at most `nanoseconds`; returns nil after that time.
    public func value(within nanoseconds: UInt64) -> Value? {
        let deadline = MonotonicClock.now() &+ nanoseconds
        while word.pointee.load(ordering: .acquiring) == 0, MonotonicClock.now() < deadline {
            _ = Futex.wait(bare, while: 0, until: deadline)
        }
        return value
    }

    /// Waits for the end without a limit.
    public func wait() {
        while word.pointee.load(ordering: .acquiring) == 0 { _ = Futex.wait(bare, while: 0, until: 0) }
    }
}
