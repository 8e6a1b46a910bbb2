// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The thread of an extension that sleeps at its doorbell, renders, and rings the next. Render thread.

import CWireLayout
import LinuxSystem
import Synchronization
import Wire

/// What the render thread uses, at one address while it runs.
struct RenderLoop: ~Copyable {
    let core: UnsafeMutablePointer<RenderCore>
    let region: Region
    let doorbell: SharedFutexWord
    let hostDoorbell: SharedFutexWord
    let successorDoorbell: SharedFutexWord?
    let mustStop = Atomic<Bool>(false)
    /// Kernel thread id, once the thread is ready; -1 when it could not register.
    let thread = Atomic<Int32>(0)

    /// `[render]` Runs until told to stop.
    @_noLocks
    borrowing func run() {
        var handled: UInt64 = 0
        var spinNanoseconds: UInt32 = 0
        while true {
            let granted = grantedSequence(after: handled, spinningFor: spinNanoseconds)
            if mustStop.load(ordering: .acquiring) { return }
            while handled < granted {
                handled &+= 1
                let request = region.request(handled).pointee
                region.startedSequence.store(handled)
                RealtimeRegion.enter()
                core.pointee.render(handled)
                RealtimeRegion.exit()
                ring(after: request)
                spinNanoseconds = request.spinNanoseconds
            }
        }
    }

    /// Waits until the doorbell grants a request that has been published and not been handled yet: looks at it for so long,
    /// and then sleeps.
    @_noLocks
    private borrowing func grantedSequence(after handled: UInt64, spinningFor spinNanoseconds: UInt32) -> UInt64 {
        var mayStillSpin = spinNanoseconds > 0
        while true {
            let word = doorbell.load()
            // The doorbell holds the low half of the newest request that may be rendered.
            let ahead = Int32(bitPattern: word &- UInt32(truncatingIfNeeded: handled))
            let published = region.publishedSequence.load()
            if ahead > 0, Int(ahead) <= region.slotCount, handled &+ UInt64(ahead) <= published {
                return handled &+ UInt64(ahead)
            }
            if mustStop.load(ordering: .acquiring) { return handled }
            if mayStillSpin {
                mayStillSpin = false
                spin(while: word, until: MonotonicClock.now() &+ UInt64(spinNanoseconds))
            } else {
                region.pluginSpins.lower()
                _ = Futex.wait(doorbell.address, while: word, until: 0)
            }
        }
    }

    /// Looks at the doorbell until it changes or the time is up. The flag stays up until the next sleep, and with it whoever
    /// rings while this thread renders need not wake it either.
    @_noLocks
    private borrowing func spin(while word: UInt32, until end: UInt64) {
        region.pluginSpins.raise()
        repeat {
            for _ in 0..<Spinning.looksBetweenTimes {
                if doorbell.load() != word { return }
                Spinning.pause()
            }
        } while MonotonicClock.now() < end && !mustStop.load(ordering: .acquiring)
    }

    @_noLocks
    private borrowing func ring(after request: WireRequest) {
        if request.flags & UInt32(CWireLayout_requestRingSuccessor) != 0, let successorDoorbell {
            // Only forwards: a host that gave up waiting for this unit has granted the successor more since.
            if successorDoorbell.advance(to: request.successorRing) { Futex.wake(successorDoorbell.address) }
        } else {
            // Two bits count; the rest stay zero, as the lifeline asks.
            hostDoorbell.countRing()
            if !region.hostSpins.isRaised { Futex.wake(hostDoorbell.address) }
        }
    }
}

/// A running render thread and everything it uses.
final class RenderThread {
    private let loop: UnsafeMutablePointer<RenderLoop>
    private let thread: Thread

    init(_ made: consuming RenderLoop) throws(SystemError) {
        let loop = UnsafeMutablePointer<RenderLoop>.allocate(capacity: 1)
        loop.initialize(to: made)
        self.loop = loop
        let address = UInt(bitPattern: loop)
        thread = try Thread(name: "render") { Self.main(UnsafeMutablePointer(bitPattern: address)!) }
        while loop.pointee.thread.load(ordering: .acquiring) == 0 { Futex.pause(microseconds: 50) }
    }

    /// The kernel's id of the thread.
    var identifier: Int32 { loop.pointee.thread.load(ordering: .acquiring) }

    /// Ends the thread and waits for it.
    func stop() {
        loop.pointee.mustStop.store(true, ordering: .releasing)
        while loop.pointee.thread.load(ordering: .acquiring) != 0 {
            Futex.wake(loop.pointee.doorbell.address)
            Futex.pause(microseconds: 200)
        }
        thread.join()
        loop.deinitialize(count: 1)
        loop.deallocate()
    }

    private static func main(_ loop: UnsafeMutablePointer<RenderLoop>) {
        // Without a lifeline the host still learns of a death, only later.
        try? Lifeline.register(
            lifeline: loop.pointee.region.lifeline.address, doorbell: loop.pointee.hostDoorbell.address)
        loop.pointee.thread.store(Scheduling.currentThread, ordering: .releasing)
        loop.pointee.run()
        loop.pointee.region.lifeline.store(0)
        Lifeline.withdraw()
        loop.pointee.thread.store(0, ordering: .releasing)
    }
}
