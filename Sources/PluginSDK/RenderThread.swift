// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The thread of an extension that sleeps at its doorbell, renders, and rings the next doorbell. Render thread.

import CWireLayout
import LinuxSystem
import Realtime
import Synchronization
import Wire

/// The state of a render thread, at one address while it runs.
struct RenderLoop: ~Copyable {
    let core: UnsafeMutablePointer<RenderCore>
    let region: Region
    let wirings: UnsafeMutablePointer<Wirings>
    /// The doorbells of the wiring in use.
    ///
    /// They belong to the thread that has claimed the unit.
    private let doorbells: UnsafeMutablePointer<Doorbells>
    let residents: Residents
    /// The entry of the unit, which is set before any thread renders it.
    var resident: Resident?
    let mustStop = Atomic<Bool>(false)
    /// The kernel's id of the thread while it runs, else 0.
    ///
    /// The thread that starts it sleeps on this word.
    let thread: UnsafeMutablePointer<Atomic<UInt32>>
    /// The newest request that has been taken.
    ///
    /// Only the thread that has claimed the unit stores it.
    private let handled = Atomic<UInt64>(0)
    private let spinNanoseconds = Atomic<UInt32>(0)

    init(core: UnsafeMutablePointer<RenderCore>, region: Region, doorbells: Doorbells, residents: Residents) {
        (self.core, self.region, self.residents) = (core, region, residents)
        wirings = core.pointee.wirings
        self.doorbells = .allocate(capacity: 1)
        self.doorbells.initialize(to: doorbells)
        thread = .allocate(capacity: 1)
        thread.initialize(to: Atomic(0))
    }

    deinit {
        doorbells.deallocate()
        thread.deallocate()
    }

    /// `[control]` The number of the file that holds the unit's doorbell, before anything renders.
    var doorbellFile: UInt64 { doorbells.pointee.ownFile }

    var threadAddress: UnsafeMutablePointer<UInt32> { UnsafeMutableRawPointer(thread).assumingMemoryBound(to: UInt32.self) }

    /// The word at which the unit's own thread sleeps.
    struct Post {
        var wiring: Wirings.Place
        var doorbell: SharedFutexWord
        let lifeline: Lifeline.Registration?
    }

    /// `[render]` Runs until told to stop; `own` is the unit of this thread, which has registered its lifeline.
    @_noLocks
    borrowing func run(_ own: Resident, at wiring: Wirings.Place, _ lifeline: Lifeline.Registration?) {
        var post = Post(wiring: wiring, doorbell: wiring.pointee.doorbells.own, lifeline: lifeline)
        // Set once and never restored: writing the register in each cycle would keep the processor from working ahead.
        _ = FloatingPointMode.disableDenormals()
        while true {
            awaitGrant(&post)
            if mustStop.load(ordering: .acquiring) { return }
            // Another thread that renders this unit may have taken the same grant; then nothing is left to do.
            own.claim()
            // This thread reads its doorbell again before it sleeps, so the next ring need not wake it. In a process of
            // several units the flag means that this thread has gone on to another unit.
            if residents.areOfOneUnit { region.pluginSpins.raise() }
            var next = renderGranted(lifeline)
            own.letGo()
            // This thread reads its doorbell again, so a ring need not wake it meanwhile.
            if next != nil { region.pluginSpins.raise() }
            while let place = next {
                next = CPluginInterface_renderResident(place)
                Resident(place: place).letGo()
            }
        }
    }

    /// `[render]` Renders the granted requests; the calling thread has claimed the unit.
    ///
    /// The unit's own thread passes its lifeline. Returns the unit that it has claimed to render next, or nil.
    @inline(__always) @_noLocks
    borrowing func renderGranted(_ lifeline: Lifeline.Registration?) -> UnsafeMutablePointer<CPluginInterface_Resident>? {
        var next: UnsafeMutablePointer<CPluginInterface_Resident>?
        var sequence = handled.load(ordering: .relaxed)
        var granted = newestGranted(by: doorbells.pointee.own.load(), after: sequence)
        while sequence < granted {
            sequence &+= 1
            region.startedSequence.store(sequence)
            RealtimeRegion.enter()
            let hasMoved = core.pointee.take(sequence)
            // Release: if another thread renders, the unit's own thread that sees the number also sees the wiring in use.
            handled.store(sequence, ordering: .releasing)
            if hasMoved { move(lifeline) }
            core.pointee.renderTaken(sequence)
            RealtimeRegion.exit()
            spinNanoseconds.store(core.pointee.request.spinNanoseconds, ordering: .relaxed)
            // Further grants of the former doorbell no longer count.
            if hasMoved { granted = newestGranted(by: doorbells.pointee.own.load(), after: sequence) }
            next = ring(isLast: sequence == granted)
        }
        return next
    }

    /// Switches to the doorbells of the wiring that has been taken up.
    @inline(never) @_noLocks
    private borrowing func move(_ lifeline: Lifeline.Registration?) {
        guard let place = wirings.pointee.inUse else { return }
        doorbells.pointee = place.pointee.doorbells
        resident?.move(toDoorbellFile: place.pointee.doorbells.ownFile)
        lifeline?.point(at: place.pointee.doorbells.host.address)
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
    private borrowing func awaitGrant(_ post: inout Post) {
        let spinNanoseconds = spinNanoseconds.load(ordering: .relaxed)
        var mayStillSpin = spinNanoseconds > 0
        while true {
            if wirings.pointee.inUse != post.wiring { move(&post) }
            let word = post.doorbell.load()
            // Acquire: if another thread has handled the grant of this doorbell, the wiring that it took up is seen below.
            let handled = handled.load(ordering: .acquiring)
            if newestGranted(by: word, after: handled) != handled || mustStop.load(ordering: .acquiring) { return }
            // The former doorbell does not ring again. A wiring that is taken up later changes this doorbell first.
            if wirings.pointee.inUse != post.wiring { continue }
            if mayStillSpin {
                mayStillSpin = false
                spin(at: post.doorbell, while: word, until: MonotonicClock.now() &+ UInt64(spinNanoseconds))
            } else {
                region.pluginSpins.lower()
                _ = Futex.wait(post.doorbell.address, while: word, until: 0)
            }
        }
    }

    /// Watches the doorbell of the wiring in use, and registers a lifeline to the host of that wiring.
    @inline(never) @_noLocks
    private borrowing func move(_ post: inout Post) {
        post.wiring = wirings.pointee.watch()
        post.doorbell = post.wiring.pointee.doorbells.own
        post.lifeline?.point(at: post.wiring.pointee.doorbells.host.address)
    }

    /// Reads the doorbell until it changes or the time is up.
    ///
    /// The flag stays raised until the next sleep, so that a ring while this thread renders need not wake it.
    @inline(never) @_noLocks
    private borrowing func spin(at doorbell: SharedFutexWord, while word: UInt32, until end: UInt64) {
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
        if core.pointee.request.flags & UInt32(CWireLayout_requestRingSuccessor) != 0,
            let successorDoorbell = doorbells.pointee.successor
        {
            // Forward only: a host that gave up waiting for this unit may have granted the successor more since.
            guard successorDoorbell.advance(to: core.pointee.request.successorRing) else { return nil }
            // A successor that spins has a processor of its own.
            let looksOut = core.pointee.request.spinNanoseconds > 0
            if isLast, !looksOut, let next = residents.claim(doorbellFile: doorbells.pointee.successorFile) { return next.place }
            Futex.wake(successorDoorbell.address)
        } else {
            // Two bits count rings; the rest stay zero, as the lifeline requires.
            doorbells.pointee.host.countRing()
            if !region.hostSpins.isRaised { Futex.wake(doorbells.pointee.host.address) }
        }
        return nil
    }
}

/// A running render thread and its resources.
final class RenderThread {
    private let loop: UnsafeMutablePointer<RenderLoop>
    private let resident: Resident
    private let thread: Thread

    /// Starts the thread, once the unit's first wiring is set.
    init(_ made: consuming RenderLoop) throws(SystemError) {
        let file = made.doorbellFile
        let loop = UnsafeMutablePointer<RenderLoop>.allocate(capacity: 1)
        loop.initialize(to: made)
        self.loop = loop
        // SAFETY: the thread is joined before the loop is freed, and a resident is never freed.
        nonisolated(unsafe) let (own, resident) = (loop, loop.pointee.residents.claimEntry())
        self.resident = resident
        loop.pointee.resident = resident
        resident.begin(doorbellFile: file, loop) { unit in
            unit?.assumingMemoryBound(to: RenderLoop.self).pointee.renderGranted(nil)
        }
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

    /// Ends the thread, waits for it, and frees its resources.
    func stop() {
        loop.pointee.mustStop.store(true, ordering: .releasing)
        while identifier != 0 {
            loop.pointee.wirings.pointee.wakeSleeper()
            Futex.pause(microseconds: 200)
        }
        thread.join()
        loop.pointee.residents.dismiss(resident)
        loop.deinitialize(count: 1)
        loop.deallocate()
    }

    private static func main(_ loop: UnsafeMutablePointer<RenderLoop>, _ own: Resident) {
        let wiring = loop.pointee.wirings.pointee.watch()
        // Without a lifeline the host still learns of a death, but later.
        let lifeline = try? Lifeline.register(
            lifeline: loop.pointee.region.lifeline.address, doorbell: wiring.pointee.doorbells.host.address)
        loop.pointee.thread.pointee.store(UInt32(bitPattern: Scheduling.currentThread), ordering: .releasing)
        Futex.wake(loop.pointee.threadAddress)
        loop.pointee.run(own, at: wiring, lifeline)
        loop.pointee.region.lifeline.store(0)
        Lifeline.withdraw()
        loop.pointee.thread.pointee.store(0, ordering: .releasing)
    }
}
