// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The two words over which two processes hand a turn to each other and nothing else: the floor. Measured threads.

import LinuxSystem
import Synchronization

/// A request and a reply, each on a cache line of its own in shared memory.
struct FloorWords: @unchecked Sendable {
    // SAFETY: every access is atomic; whoever makes one keeps the memory mapped.
    private let base: UnsafeMutableRawPointer
    static let byteCount = 4096

    init(unsafeBase base: UnsafeMutableRawPointer) { self.base = base }

    private var request: UnsafeMutablePointer<Atomic<UInt32>> { @_noLocks get { word(0) } }
    private var reply: UnsafeMutablePointer<Atomic<UInt32>> { @_noLocks get { word(64) } }

    /// The kernel's id of the thread that answers; 0 until it is there.
    var answeringThread: UnsafeMutablePointer<Atomic<Int32>> {
        (base + 128).assumingMemoryBound(to: Atomic<Int32>.self)
    }

    @_noLocks
    private func word(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
        (base + offset).assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    /// `[render]` Hands the turn over and sleeps until it comes back.
    @_noLocks
    func roundTrip() {
        let number = request.pointee.load(ordering: .relaxed) &+ 1
        hand(request, number)
        sleep(at: reply, until: number)
    }

    /// `[render]` Hands every turn straight back, until the process ends.
    @_noLocks
    func answer() -> Never {
        var number: UInt32 = 0
        while true {
            number &+= 1
            sleep(at: request, until: number)
            hand(reply, number)
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
