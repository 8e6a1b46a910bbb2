// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The words over which processes hand a turn on to each other, round and round, and nothing else: the floor. Measured threads.

import LinuxSystem
import Synchronization

/// One word to sleep at for each process of a ring, each on a cache line of its own in shared memory.
struct FloorWords: @unchecked Sendable {
    // SAFETY: every access is atomic; whoever makes one keeps the memory mapped.
    private let base: UnsafeMutableRawPointer
    /// Processes beside the measuring one.
    let peerCount: Int
    /// The longest ring.
    static let mostPeers = 64
    static let byteCount = 128 * (mostPeers + 1)

    init(unsafeBase base: UnsafeMutableRawPointer, peerCount: Int) { (self.base, self.peerCount) = (base, peerCount) }

    /// Where the peer at `index` sleeps; after the last of them the measuring process does.
    @_noLocks
    private func word(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
        (base + 128 * index).assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    /// The kernel's id of the thread of the peer at `index`; 0 until it is there.
    func answeringThread(_ index: Int) -> UnsafeMutablePointer<Atomic<Int32>> {
        (base + 128 * index + 64).assumingMemoryBound(to: Atomic<Int32>.self)
    }

    /// `[render]` Hands the turn over.
    @_noLocks
    func begin() { hand(word(0), word(0).pointee.load(ordering: .relaxed) &+ 1) }

    /// `[render]` Sleeps until it comes back.
    @_noLocks
    func finish() { sleep(at: word(peerCount), until: word(0).pointee.load(ordering: .relaxed)) }

    /// `[render]` Hands every turn on as the peer at `index`, until the process ends.
    @_noLocks
    func answer(as index: Int) -> Never {
        var number: UInt32 = 0
        while true {
            number &+= 1
            sleep(at: word(index), until: number)
            hand(word(index + 1), number)
        }
    }

    /// Release, as in the protocol: what was written before is there for whoever is woken.
    @_noLocks
    private func hand(_ word: UnsafeMutablePointer<Atomic<UInt32>>, _ number: UInt32) {
        word.pointee.store(number, ordering: .releasing)
        Futex.wake(address(word))
    }

    @_noLocks
    private func sleep(at word: UnsafeMutablePointer<Atomic<UInt32>>, until number: UInt32) {
        while true {
            let seen = word.pointee.load(ordering: .acquiring)
            if seen == number { return }
            _ = Futex.wait(address(word), while: seen, until: 0)
        }
    }

    @_noLocks
    private func address(_ word: UnsafeMutablePointer<Atomic<UInt32>>) -> UnsafeMutablePointer<UInt32> {
        UnsafeMutableRawPointer(word).assumingMemoryBound(to: UInt32.self)
    }
}
