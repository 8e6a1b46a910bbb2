// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The futex words with which two threads hand a turn to each other in a measurement. Both threads.

import LinuxSystem
import Synchronization
import Wire

/// The futex words, each on a cache line of its own; they last as long as this object.
final class HandOffSharedState: @unchecked Sendable {
    // SAFETY: every access is atomic.
    private let base: UnsafeMutableRawPointer
    private let spins: Bool
    private let end: UInt64

    /// Limits all waits to `end`, in monotonic nanoseconds.
    init(spins: Bool, until end: UInt64) {
        base = .allocate(byteCount: 192, alignment: 64)
        base.initializeMemory(as: UInt8.self, repeating: 0, count: 192)
        self.spins = spins
        self.end = end
    }

    deinit { base.deallocate() }

    var request: SharedFutexWord { SharedFutexWord(unsafeAddress: base) }
    var reply: SharedFutexWord { SharedFutexWord(unsafeAddress: base + 64) }
    private var isGivenUp: SharedFutexWord { SharedFutexWord(unsafeAddress: base + 128) }

    func hand(_ number: UInt32, to word: SharedFutexWord) {
        word.store(number)
        if !spins { Futex.wake(word.address) }
    }

    /// Waits for `number`; false once the wait has ended without it.
    func wait(for number: UInt32, at word: SharedFutexWord) -> Bool {
        while true {
            let seen = word.load()
            if seen == number { return true }
            if isGivenUp.load() != 0 || MonotonicClock.now() >= end { return false }
            if spins {
                for _ in 0..<Spinning.looksBetweenTimes where word.load() == seen { Spinning.pause() }
            } else {
                _ = Futex.wait(word.address, while: seen, until: end)
            }
        }
    }

    /// Ends both threads' waits, because one of the two will not come.
    func giveUp() {
        isGivenUp.store(1)
        Futex.wake(request.address)
        Futex.wake(reply.address)
    }
}
