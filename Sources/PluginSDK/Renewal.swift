// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Replaces a kernel while rendering goes on: a bridged unit's, or one that a reset remakes. Its own thread, and the render
// thread.

import LinuxSystem
import Synchronization

/// Gets the render thread a new kernel: it gives the old one away, and finds the new one some blocks later.
///
/// No classic format can make a plug-in forget its sound. Many plug-ins keep it when they are activated again, and one that
/// has received NaN seldom recovers. Only a new instance always helps, and making one takes time.
struct RenewalPort: @unchecked Sendable {
    // SAFETY: `phase` says which thread may use `box`; both are atomics, at addresses that last until `deallocate`.
    fileprivate let phase: UnsafeMutablePointer<Atomic<UInt32>>
    private let box: UnsafeMutablePointer<Atomic<UInt>>
    /// True if the render thread must stop waiting: it may block the very thread that would answer.
    private let isEnding: UnsafeMutablePointer<Atomic<Bool>>

    fileprivate enum Phase {
        /// The render thread has the kernel.
        static let idle: UInt32 = 0
        /// The renewal thread must drop the old kernel and make a new one.
        static let wanted: UInt32 = 1
        /// A new kernel lies in the box.
        static let ready: UInt32 = 2
        /// No new kernel could be made.
        static let failed: UInt32 = 3
        /// The renewal thread must end.
        static let stopping: UInt32 = 4
    }

    fileprivate init() {
        phase = .allocate(capacity: 1)
        phase.initialize(to: Atomic(Phase.idle))
        box = .allocate(capacity: 1)
        box.initialize(to: Atomic(0))
        isEnding = .allocate(capacity: 1)
        isEnding.initialize(to: Atomic(false))
    }

    fileprivate func deallocate() {
        phase.deallocate()
        box.deallocate()
        isEnding.deallocate()
    }

    private var word: UnsafeMutablePointer<UInt32> {
        @_noLocks get { UnsafeMutableRawPointer(phase).assumingMemoryBound(to: UInt32.self) }
    }

    /// `[render]` Gives the kernel away, if there is one, and requests a new one.
    @_noLocks
    func want(replacing old: UnsafeMutableRawPointer?) {
        box.pointee.store(UInt(bitPattern: old), ordering: .relaxed)
        // Release: from now on the old kernel, and all its memory, belongs to the renewal thread.
        phase.pointee.store(Phase.wanted, ordering: .releasing)
        Futex.wake(word)
    }

    /// `[render]` Returns the new kernel, once; nil if it is not ready.
    ///
    /// With `waits`, for offline rendering, it blocks until the kernel is ready or has failed.
    @_noLocks
    func take(waits: Bool) -> UnsafeMutableRawPointer? {
        while waits, phase.pointee.load(ordering: .acquiring) == Phase.wanted, !isEnding.pointee.load(ordering: .acquiring) {
            // The wait is bounded, since `endWaiting` neither changes nor wakes this word.
            _ = Futex.wait(word, while: Phase.wanted, until: MonotonicClock.now() &+ 50_000_000)
        }
        // Acquire: the new kernel is complete.
        guard phase.pointee.load(ordering: .acquiring) == Phase.ready else { return nil }
        phase.pointee.store(Phase.idle, ordering: .relaxed)
        return UnsafeMutableRawPointer(bitPattern: box.pointee.exchange(0, ordering: .relaxed))
    }

    /// `[render]` True if the renewal thread could not make a kernel.
    var hasFailed: Bool {
        @_noLocks get { phase.pointee.load(ordering: .acquiring) == Phase.failed }
    }

    fileprivate var isStopping: Bool { phase.pointee.load(ordering: .acquiring) == Phase.stopping }

    /// `[renewal]` Sleeps until a kernel is requested; false if the thread must end.
    fileprivate func waitUntilWanted() -> Bool {
        while true {
            let now = phase.pointee.load(ordering: .acquiring)
            if now == Phase.stopping { return false }
            if now == Phase.wanted { return true }
            _ = Futex.wait(word, while: now, until: 0)
        }
    }

    /// Drops the kernel that was given away, or one that was never taken.
    fileprivate func dropOld() {
        guard let old = UnsafeMutableRawPointer(bitPattern: box.pointee.exchange(0, ordering: .relaxed)) else { return }
        Unmanaged<KernelBox>.fromOpaque(old).release()
    }

    /// `[renewal]` Hands over a kernel, or reports failure; an unwanted kernel is dropped.
    fileprivate func answer(_ kernel: KernelBox?) {
        box.pointee.store(UInt(bitPattern: kernel.map { Unmanaged.passRetained($0).toOpaque() }), ordering: .relaxed)
        // Release: a thread that sees the answer sees a complete kernel.
        let answer = kernel == nil ? Phase.failed : Phase.ready
        let (isWanted, _) = phase.pointee.compareExchange(
            expected: Phase.wanted, desired: answer, ordering: .acquiringAndReleasing)
        if isWanted { Futex.wake(word) } else { dropOld() }
    }

    /// `[control]` The render thread waits for no kernel from now on.
    func endWaiting() { isEnding.pointee.store(true, ordering: .releasing) }

    /// `[control]` Tells the renewal thread to end.
    fileprivate func stop() {
        phase.pointee.store(Phase.stopping, ordering: .releasing)
        Futex.wake(word)
    }
}

/// The thread that makes new kernels.
final class Renewal: @unchecked Sendable {
    // SAFETY: only the thread calls `make`, under the lock; only the owner uses `thread`; the port is made for both.
    let port = RenewalPort()
    private let make: () -> KernelBox?
    private let lock: RenewalLock
    private var thread: Thread?

    /// Starts the thread, which calls `make` under `lock`: one thread at a time uses a bridged unit.
    init(lock: RenewalLock, make: @escaping () -> KernelBox?) throws(SystemError) {
        self.lock = lock
        self.make = make
        thread = try Thread(name: "renewal") { [unowned self] in run() }
    }

    deinit { port.deallocate() }

    /// `[control]` Ends the thread and drops a kernel that was not taken, after rendering has stopped.
    func stop() {
        port.stop()
        thread?.join()
        thread = nil
        port.dropOld()
    }

    private func run() {
        while port.waitUntilWanted() {
            // The thread that stops this one may hold the lock.
            while !port.isStopping, !lock.tryToHold({ renew() }) { Futex.pause(microseconds: 200) }
        }
    }

    private func renew() {
        port.dropOld()
        port.answer(make())
    }
}

/// Held while a thread uses a bridged unit.
final class RenewalLock: Sendable {
    private let mutex = Mutex<Void>(())

    func hold<Value>(_ body: () -> Value) -> Value { mutex.withLock { _ in body() } }

    /// Returns false, without calling `body`, if another thread holds the lock.
    func tryToHold(_ body: () -> Void) -> Bool { mutex.withLockIfAvailable { _ in body() } != nil }
}
