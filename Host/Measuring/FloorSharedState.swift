// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The shared state through which processes pass a turn on, and nothing else: the floor. Measured threads.

import LinuxSystem
import Synchronization

/// One futex for each process of a ring, each on its own cache line in shared memory.
struct FloorSharedState: @unchecked Sendable {
    // SAFETY: every access is atomic; the owner keeps the memory mapped.
    private let base: UnsafeMutableRawPointer
    /// The number of processes beside the measuring one.
    let peerCount: Int
    /// The longest ring.
    static let mostPeers = 64
    static let byteCount = 128 * (mostPeers + 1)

    init(unsafeBase base: UnsafeMutableRawPointer, peerCount: Int) { (self.base, self.peerCount) = (base, peerCount) }

    /// The futex of the peer at `index`.
    ///
    /// The measuring process uses the one after the last.
    @_noLocks
    private func futex(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
        (base + 128 * index).assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    /// The kernel's id of the thread of the peer at `index`; 0 until the peer runs.
    func answeringThread(_ index: Int) -> UnsafeMutablePointer<Atomic<Int32>> {
        (base + 128 * index + 64).assumingMemoryBound(to: Atomic<Int32>.self)
    }

    /// `[render]` Passes the turn to the first peer.
    @_noLocks
    func begin() { hand(futex(0), futex(0).pointee.load(ordering: .relaxed) &+ 1) }

    /// `[render]` Sleeps until the turn comes back.
    @_noLocks
    func finish() { sleep(at: futex(peerCount), until: futex(0).pointee.load(ordering: .relaxed)) }

    /// `[render]` Passes every turn on as the peer at `index`, until the process ends.
    @_noLocks
    func answer(as index: Int) -> Never {
        var number: UInt32 = 0
        while true {
            number &+= 1
            sleep(at: futex(index), until: number)
            hand(futex(index + 1), number)
        }
    }

    /// Release, as in the protocol: the woken process sees all earlier writes.
    @_noLocks
    private func hand(_ futex: UnsafeMutablePointer<Atomic<UInt32>>, _ number: UInt32) {
        futex.pointee.store(number, ordering: .releasing)
        Futex.wake(address(futex))
    }

    @_noLocks
    private func sleep(at futex: UnsafeMutablePointer<Atomic<UInt32>>, until number: UInt32) {
        while true {
            let seen = futex.pointee.load(ordering: .acquiring)
            if seen == number { return }
            _ = Futex.wait(address(futex), while: seen, until: 0)
        }
    }

    @_noLocks
    private func address(_ futex: UnsafeMutablePointer<Atomic<UInt32>>) -> UnsafeMutablePointer<UInt32> {
        UnsafeMutableRawPointer(futex).assumingMemoryBound(to: UInt32.self)
    }
}
