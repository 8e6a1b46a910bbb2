// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Replaces the kernel of a bridged unit by a new one while rendering goes on. A thread of its own, and the render thread.

import LinuxSystem
import Synchronization

/// How the render thread gets a new kernel: it gives the old one away, and finds the new one some blocks later.
///
/// Classic formats have no way to make a plug-in forget its sound: many do not when they are activated anew, and one that
/// has swallowed a NaN seldom gets rid of it. What always helps is a new instance, and making that takes its time.
struct RenewalPort: @unchecked Sendable {
    // SAFETY: `phase` says whose turn it is with `box`; both are atomics, at addresses that last until `deallocate`.
    fileprivate let phase: UnsafeMutablePointer<Atomic<UInt32>>
    private let box: UnsafeMutablePointer<Atomic<UInt>>
    /// Nobody shall wait any more: whoever could answer is waiting for whoever waits.
    private let isEnding: UnsafeMutablePointer<Atomic<Bool>>

    fileprivate enum Phase {
        /// The render thread has the kernel.
        static let idle: UInt32 = 0
        /// The thread is to drop the old kernel and to make a new one.
        static let wanted: UInt32 = 1
        static let ready: UInt32 = 2
        /// No new kernel could be made.
        static let failed: UInt32 = 3
        /// The thread is to end.
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

    /// `[render]` Gives the kernel away, if there is one, and asks for a new one.
    @_noLocks
    func want(replacing old: UnsafeMutableRawPointer?) {
        box.pointee.store(UInt(bitPattern: old), ordering: .relaxed)
        // Release: the old kernel, and all that it wrote, is the thread's from here on.
        phase.pointee.store(Phase.wanted, ordering: .releasing)
        Futex.wake(word)
    }

    /// `[render]` The new kernel, once. With `waits`, for offline rendering, blocks until it is known whether there is one.
    @_noLocks
    func take(waits: Bool) -> UnsafeMutableRawPointer? {
        while waits, phase.pointee.load(ordering: .acquiring) == Phase.wanted, !isEnding.pointee.load(ordering: .acquiring) {
            // Not for ever, since nothing but the word ends the sleep, and the end does not change it.
            _ = Futex.wait(word, while: Phase.wanted, until: MonotonicClock.now() &+ 50_000_000)
        }
        // Acquire: the new kernel is complete.
        guard phase.pointee.load(ordering: .acquiring) == Phase.ready else { return nil }
        phase.pointee.store(Phase.idle, ordering: .relaxed)
        return UnsafeMutableRawPointer(bitPattern: box.pointee.exchange(0, ordering: .relaxed))
    }

    /// `[render]` Whether the thread has given up.
    var hasFailed: Bool {
        @_noLocks get { phase.pointee.load(ordering: .acquiring) == Phase.failed }
    }

    fileprivate var isStopping: Bool { phase.pointee.load(ordering: .acquiring) == Phase.stopping }

    /// `[renewal]` Sleeps until a kernel is wanted; false when the thread is to end instead.
    fileprivate func waitUntilWanted() -> Bool {
        while true {
            let now = phase.pointee.load(ordering: .acquiring)
            if now == Phase.stopping { return false }
            if now == Phase.wanted { return true }
            _ = Futex.wait(word, while: now, until: 0)
        }
    }

    /// `[renewal]` Drops the kernel that has been given away, or taken by nobody.
    fileprivate func dropOld() {
        guard let old = UnsafeMutableRawPointer(bitPattern: box.pointee.exchange(0, ordering: .relaxed)) else { return }
        Unmanaged<KernelBox>.fromOpaque(old).release()
    }

    /// `[renewal]` Hands a kernel over, or says that there is none; one that nobody wants any more goes.
    fileprivate func answer(_ kernel: KernelBox?) {
        box.pointee.store(UInt(bitPattern: kernel.map { Unmanaged.passRetained($0).toOpaque() }), ordering: .relaxed)
        // Release: the kernel is complete for whoever sees this.
        let answer = kernel == nil ? Phase.failed : Phase.ready
        let (isWanted, _) = phase.pointee.compareExchange(
            expected: Phase.wanted, desired: answer, ordering: .acquiringAndReleasing)
        if isWanted { Futex.wake(word) } else { dropOld() }
    }

    /// `[control]` From now on the render thread waits for no kernel.
    func endWaiting() { isEnding.pointee.store(true, ordering: .releasing) }

    /// `[control]` Has the thread end.
    fileprivate func stop() {
        phase.pointee.store(Phase.stopping, ordering: .releasing)
        Futex.wake(word)
    }
}

/// The thread that makes kernels anew.
final class Renewal: @unchecked Sendable {
    // SAFETY: `make` is called by the thread alone, under the lock; `thread` is the owner's; the port is made for both.
    let port = RenewalPort()
    private let make: () -> KernelBox?
    private let lock: RenewalLock
    private var thread: Thread?

    /// `make` is called under `lock`, since a bridged unit is used by one thread at a time.
    init(lock: RenewalLock, make: @escaping () -> KernelBox?) throws(SystemError) {
        self.lock = lock
        self.make = make
        thread = try Thread(name: "renewal") { [unowned self] in run() }
    }

    deinit { port.deallocate() }

    /// `[control]` Ends the thread and drops what it made for nobody. Nothing renders any more.
    func stop() {
        port.stop()
        thread?.join()
        thread = nil
        port.dropOld()
    }

    private func run() {
        while port.waitUntilWanted() {
            // Whoever ends this thread may hold the lock.
            while !port.isStopping, !lock.tryToHold({ renew() }) { Futex.pause(microseconds: 200) }
        }
    }

    private func renew() {
        port.dropOld()
        port.answer(make())
    }
}

/// Held by whoever uses a bridged unit.
final class RenewalLock: Sendable {
    private let mutex = Mutex<Void>(())

    func hold<Value>(_ body: () -> Value) -> Value { mutex.withLock { _ in body() } }

    /// False, and nothing happens, when somebody else holds it.
    func tryToHold(_ body: () -> Void) -> Bool { mutex.withLockIfAvailable { _ in body() } != nil }
}
