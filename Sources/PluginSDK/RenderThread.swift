// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The thread of an extension that sleeps at its doorbell, renders, and rings the next. Render thread.

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
    /// The file that the successor's doorbell lies in.
    let successorFile: UInt64
    let residents: Residents
    let mustStop = Atomic<Bool>(false)
    /// The kernel's id of the thread while it is ready, else 0. Whoever starts it sleeps on this word.
    let thread: UnsafeMutablePointer<Atomic<UInt32>>
    /// The newest request that somebody has begun to render. Stored by who has claimed the unit.
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

    /// `[render]` Runs until told to stop, on the thread of the unit that `own` is.
    @_noLocks
    borrowing func run(_ own: Resident) {
        // For good: writing the register in each cycle, and writing it back, would keep the processor from going ahead.
        _ = FloatingPointMode.disableDenormals()
        while true {
            awaitGrant()
            if mustStop.load(ordering: .acquiring) { return }
            // Somebody else who renders it may have seen the same grant, and nothing be left to do.
            own.claim()
            // It looks at its doorbell again before it sleeps, and whoever grants the next request need not wake it. Among several units the
            // word says whose thread has gone on with another one.
            if residents.areOfOneUnit { region.pluginSpins.raise() }
            var next = renderGranted()
            own.letGo()
            // This thread looks at its doorbell again, and needs no waking meanwhile.
            if next != nil { region.pluginSpins.raise() }
            while let place = next {
                next = CPluginInterface_renderResident(place)
                Resident(place: place).letGo()
            }
        }
    }

    /// `[render]` Renders what has been granted, for whoever has claimed the unit. Returns whom it has claimed to be rendered next.
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

    /// The newest request that a doorbell grants, has been published and not been handled yet; `handled` if there is none.
    @inline(__always) @_noLocks
    private borrowing func newestGranted(by word: UInt32, after handled: UInt64) -> UInt64 {
        // The doorbell holds the low half of the newest request that may be rendered.
        let ahead = Int32(bitPattern: word &- UInt32(truncatingIfNeeded: handled))
        guard ahead > 0, Int(ahead) <= region.slotCount, handled &+ UInt64(ahead) <= region.publishedSequence.load() else {
            return handled
        }
        return handled &+ UInt64(ahead)
    }

    /// Waits until the doorbell grants a request: looks at it for as long as the request before said, and then sleeps.
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

    /// Looks at the doorbell until it changes or the time is up. The flag stays up until the next sleep, and with it whoever
    /// rings while this thread renders need not wake it either.
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

    /// Rings whoever comes after the request just rendered. Who lives here and is rendered by nobody is not woken but claimed, to
    /// be rendered by the same thread, if there is nothing left to be done before.
    @inline(__always) @_noLocks
    private borrowing func ring(isLast: Bool) -> UnsafeMutablePointer<CPluginInterface_Resident>? {
        if core.pointee.request.flags & UInt32(CWireLayout_requestRingSuccessor) != 0, let successorDoorbell {
            // Only forwards: a host that gave up waiting for this unit has granted the successor more since.
            guard successorDoorbell.advance(to: core.pointee.request.successorRing) else { return nil }
            // One that looks out has a processor of its own.
            let looksOut = core.pointee.request.spinNanoseconds > 0
            if isLast, !looksOut, let next = residents.claim(doorbellFile: successorFile) { return next.place }
            Futex.wake(successorDoorbell.address)
        } else {
            // Two bits count; the rest stay zero, as the lifeline asks.
            hostDoorbell.countRing()
            if !region.hostSpins.isRaised { Futex.wake(hostDoorbell.address) }
        }
        return nil
    }
}

/// A running render thread and everything it uses.
final class RenderThread {
    private let loop: UnsafeMutablePointer<RenderLoop>
    private let resident: Resident
    private let thread: Thread

    /// `doorbellFile` is the number of the file that the unit's doorbell lies in.
    init(_ made: consuming RenderLoop, doorbellFile: UInt64) throws(SystemError) {
        let loop = UnsafeMutablePointer<RenderLoop>.allocate(capacity: 1)
        loop.initialize(to: made)
        self.loop = loop
        // SAFETY: the thread is joined before the loop goes, and what it is told of a resident is never freed.
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

    /// The kernel's id of the thread.
    var identifier: Int32 { Int32(bitPattern: loop.pointee.thread.pointee.load(ordering: .acquiring)) }

    /// Ends the thread and waits for it.
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
        // Without a lifeline the host still learns of a death, only later.
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
