// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The thread of an extension that sleeps at its doorbell, renders, and rings the next doorbell. Render thread.

import CWireLayout
import LinuxSystem
import Realtime
import Synchronization
import Wire

/// What the render thread uses, at one address while it runs.
struct RenderLoop: ~Copyable {
    let core: UnsafeMutablePointer<RenderCore>
    let region: Region
    let doorbell: SharedFutexWord
    let hostDoorbell: SharedFutexWord
    let successorDoorbell: SharedFutexWord?
    /// The number of the file that holds the successor's doorbell.
    let successorFile: UInt64
    let residents: Residents
    let mustStop = Atomic<Bool>(false)
    /// The kernel's id of the thread while it runs, else 0.
    ///
    /// The thread that starts it sleeps on this word.
    let thread: UnsafeMutablePointer<Atomic<UInt32>>
    /// The newest request whose rendering has begun.
    ///
    /// Only the thread that has claimed the unit stores it.
    private let handled = Atomic<UInt64>(0)
    private let spinNanoseconds = Atomic<UInt32>(0)

    init(
        core: UnsafeMutablePointer<RenderCore>, region: Region, doorbell: SharedFutexWord, hostDoorbell: SharedFutexWord,
        successorDoorbell: SharedFutexWord?, successorFile: UInt64, residents: Residents
    ) {
        (self.core, self.region, self.residents) = (core, region, residents)
        (self.doorbell, self.hostDoorbell) = (doorbell, hostDoorbell)
        (self.successorDoorbell, self.successorFile) = (successorDoorbell, successorFile)
        thread = .allocate(capacity: 1)
        thread.initialize(to: Atomic(0))
    }

    deinit { thread.deallocate() }

    var threadAddress: UnsafeMutablePointer<UInt32> { UnsafeMutableRawPointer(thread).assumingMemoryBound(to: UInt32.self) }

    /// `[render]` Runs until told to stop; `own` is the unit of this thread.
    @_noLocks
    borrowing func run(_ own: Resident) {
        // Set once and never restored: writing the register in each cycle would keep the processor from working ahead.
        _ = FloatingPointMode.disableDenormals()
        while true {
            awaitGrant()
            if mustStop.load(ordering: .acquiring) { return }
            // Another thread that renders this unit may have taken the same grant, so that nothing is left to do.
            own.claim()
            // This thread reads its doorbell again before it sleeps, so the next ring need not wake it. In a process of
            // several units the flag means that this thread has gone on to another unit.
            if residents.areOfOneUnit { region.pluginSpins.raise() }
            var next = renderGranted()
            own.letGo()
            // This thread reads its doorbell again, so a ring need not wake it meanwhile.
            if next != nil { region.pluginSpins.raise() }
            while let place = next {
                next = CPluginInterface_renderResident(place)
                Resident(place: place).letGo()
            }
        }
    }

    /// `[render]` Renders what has been granted; the calling thread has claimed the unit.
    ///
    /// Returns the unit that it has claimed to render next, or nil.
    @inline(__always) @_noLocks
    borrowing func renderGranted() -> UnsafeMutablePointer<CPluginInterface_Resident>? {
        var next: UnsafeMutablePointer<CPluginInterface_Resident>?
        var sequence = handled.load(ordering: .relaxed)
        let granted = newestGranted(by: doorbell.load(), after: sequence)
        while sequence < granted {
            sequence &+= 1
            handled.store(sequence, ordering: .relaxed)
            region.startedSequence.store(sequence)
            RealtimeRegion.enter()
            core.pointee.render(sequence)
            RealtimeRegion.exit()
            spinNanoseconds.store(core.pointee.request.spinNanoseconds, ordering: .relaxed)
            next = ring(isLast: sequence == granted)
        }
        return next
    }

    /// The newest request that the doorbell grants and that is published; `handled` if none is newer.
    @inline(__always) @_noLocks
    private borrowing func newestGranted(by word: UInt32, after handled: UInt64) -> UInt64 {
        // The doorbell holds the low half of the number of the newest request that may be rendered.
        let ahead = Int32(bitPattern: word &- UInt32(truncatingIfNeeded: handled))
        guard ahead > 0, Int(ahead) <= region.slotCount, handled &+ UInt64(ahead) <= region.publishedSequence.load() else {
            return handled
        }
        return handled &+ UInt64(ahead)
    }

    /// Waits until the doorbell grants a request: spins for as long as the last request said, and then sleeps.
    @inline(__always) @_noLocks
    private borrowing func awaitGrant() {
        let spinNanoseconds = spinNanoseconds.load(ordering: .relaxed)
        var mayStillSpin = spinNanoseconds > 0
        while true {
            let word = doorbell.load()
            let handled = handled.load(ordering: .relaxed)
            if newestGranted(by: word, after: handled) != handled || mustStop.load(ordering: .acquiring) { return }
            if mayStillSpin {
                mayStillSpin = false
                spin(while: word, until: MonotonicClock.now() &+ UInt64(spinNanoseconds))
            } else {
                region.pluginSpins.lower()
                _ = Futex.wait(doorbell.address, while: word, until: 0)
            }
        }
    }

    /// Reads the doorbell until it changes or the time is up.
    ///
    /// The flag stays raised until the next sleep, so that a ring while this thread renders need not wake it.
    @inline(never) @_noLocks
    private borrowing func spin(while word: UInt32, until end: UInt64) {
        region.pluginSpins.raise()
        repeat {
            for _ in 0..<Spinning.looksBetweenTimes {
                if doorbell.load() != word { return }
                Spinning.pause()
            }
        } while MonotonicClock.now() < end && !mustStop.load(ordering: .acquiring)
    }

    /// Rings the next doorbell: the successor's, or the host's at the end of a run.
    ///
    /// If this process holds the successor and no thread renders it, it is claimed instead of woken, and returned. The
    /// calling thread then renders it. This happens only if nothing is left to render here.
    @inline(__always) @_noLocks
    private borrowing func ring(isLast: Bool) -> UnsafeMutablePointer<CPluginInterface_Resident>? {
        if core.pointee.request.flags & UInt32(CWireLayout_requestRingSuccessor) != 0, let successorDoorbell {
            // Forward only: a host that gave up waiting for this unit may have granted the successor more since.
            guard successorDoorbell.advance(to: core.pointee.request.successorRing) else { return nil }
            // A successor that spins has a processor of its own.
            let looksOut = core.pointee.request.spinNanoseconds > 0
            if isLast, !looksOut, let next = residents.claim(doorbellFile: successorFile) { return next.place }
            Futex.wake(successorDoorbell.address)
        } else {
            // Two bits count rings; the rest stay zero, as the lifeline requires.
            hostDoorbell.countRing()
            if !region.hostSpins.isRaised { Futex.wake(hostDoorbell.address) }
        }
        return nil
    }
}

/// A running render thread and everything that it uses.
final class RenderThread {
    private let loop: UnsafeMutablePointer<RenderLoop>
    private let resident: Resident
    private let thread: Thread

    /// Starts the thread; `doorbellFile` is the number of the file that holds the unit's doorbell.
    init(_ made: consuming RenderLoop, doorbellFile: UInt64) throws(SystemError) {
        let loop = UnsafeMutablePointer<RenderLoop>.allocate(capacity: 1)
        loop.initialize(to: made)
        self.loop = loop
        // SAFETY: the thread is joined before the loop is freed, and a resident is never freed.
        nonisolated(unsafe) let (own, resident) = (
            loop,
            loop.pointee.residents.admit(doorbellFile: doorbellFile, loop) { unit in
                unit?.assumingMemoryBound(to: RenderLoop.self).pointee.renderGranted()
            }
        )
        self.resident = resident
        do throws(SystemError) {
            thread = try Thread(name: "render") { Self.main(own, resident) }
        } catch {
            loop.pointee.residents.dismiss(resident)
            loop.deinitialize(count: 1)
            loop.deallocate()
            throw error
        }
        while identifier == 0 { _ = Futex.wait(loop.pointee.threadAddress, while: 0, until: 0) }
    }

    /// The kernel's id of the thread; 0 once it has ended.
    var identifier: Int32 { Int32(bitPattern: loop.pointee.thread.pointee.load(ordering: .acquiring)) }

    /// Ends the thread, waits for it, and frees what it used.
    func stop() {
        loop.pointee.mustStop.store(true, ordering: .releasing)
        while identifier != 0 {
            Futex.wake(loop.pointee.doorbell.address)
            Futex.pause(microseconds: 200)
        }
        thread.join()
        loop.pointee.residents.dismiss(resident)
        loop.deinitialize(count: 1)
        loop.deallocate()
    }

    private static func main(_ loop: UnsafeMutablePointer<RenderLoop>, _ own: Resident) {
        // Without a lifeline the host still learns of a death, but later.
        try? Lifeline.register(
            lifeline: loop.pointee.region.lifeline.address, doorbell: loop.pointee.hostDoorbell.address)
        loop.pointee.thread.pointee.store(UInt32(bitPattern: Scheduling.currentThread), ordering: .releasing)
        Futex.wake(loop.pointee.threadAddress)
        loop.pointee.run(own)
        loop.pointee.region.lifeline.store(0)
        Lifeline.withdraw()
        loop.pointee.thread.pointee.store(0, ordering: .releasing)
    }
}
