// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The units of a process that have render threads, and the claims to render them. Render threads, and threads that start
// them.

import CWireLayout
import LinuxSystem
import Synchronization

/// A unit with a render thread.
///
/// A thread claims the unit before it renders it. That is the unit's own thread, or the thread of the unit before it in the
/// chain, which then need not wake another thread.
struct Resident {
    // SAFETY: a resident is never freed. The claim and the doorbell's file are atomics; the rest belongs to the claiming
    // thread.
    let place: UnsafeMutablePointer<CPluginInterface_Resident>

    @_noLocks
    init(place: UnsafeMutablePointer<CPluginInterface_Resident>) { self.place = place }

    /// `[render]` Claims the unit; false if another thread has claimed it.
    @_noLocks
    func tryToClaim() -> Bool {
        claimWord.pointee.compareExchange(expected: Claim.free, desired: Claim.taken, ordering: .acquiring).exchanged
    }

    /// `[render]` Claims the unit, and sleeps until that succeeds.
    @_noLocks
    func claim() {
        if tryToClaim() { return }
        // A thread that has slept cannot know whether others sleep.
        while claimWord.pointee.exchange(Claim.awaited, ordering: .acquiring) != Claim.free {
            _ = Futex.wait(claimAddress, while: Claim.awaited, until: 0)
        }
    }

    /// `[render]` Releases the claim, and wakes a thread that sleeps for it.
    @_noLocks
    func letGo() {
        if claimWord.pointee.exchange(Claim.free, ordering: .releasing) == Claim.awaited { Futex.wake(claimAddress) }
    }

    /// `[render]` Records another doorbell for the unit; the calling thread has claimed it.
    ///
    /// Relaxed: a thread that finds the entry by this number claims it, and reads the number again.
    @_noLocks
    func move(toDoorbellFile file: UInt64) { doorbellFile.pointee.store(file, ordering: .relaxed) }

    /// Makes a claimed entry that of a unit, and releases the claim.
    func begin(
        doorbellFile file: UInt64, _ unit: UnsafeMutableRawPointer,
        render: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutablePointer<CPluginInterface_Resident>?
    ) {
        place.pointee.unit = unit
        place.pointee.render = render
        move(toDoorbellFile: file)
        letGo()
    }

    /// The values of a claim.
    private enum Claim {
        static var free: UInt32 { @_noLocks get { 0 } }
        static var taken: UInt32 { @_noLocks get { 1 } }
        static var awaited: UInt32 { @_noLocks get { 2 } }
    }

    /// The number of the file that holds the unit's doorbell; 0 for an unused entry.
    fileprivate var doorbellFile: UnsafeMutablePointer<Atomic<UInt64>> {
        @_noLocks get { (UnsafeMutableRawPointer(place) + 8).assumingMemoryBound(to: Atomic<UInt64>.self) }
    }

    private var claimWord: UnsafeMutablePointer<Atomic<UInt32>> {
        @_noLocks get { UnsafeMutableRawPointer(place).assumingMemoryBound(to: Atomic<UInt32>.self) }
    }

    private var claimAddress: UnsafeMutablePointer<UInt32> {
        @_noLocks get { UnsafeMutableRawPointer(place).assumingMemoryBound(to: UInt32.self) }
    }
}

/// All units of a process that have render threads, of every library in it.
struct Residents {
    // SAFETY: the list lives as long as the process, and its head is used as an atomic.
    let list: UnsafeMutablePointer<CPluginInterface_Residents>

    /// The list of the process, made by this library or by the library that loaded it.
    static var ofProcess: Residents { Residents(list: known.withLock { $0.list() }) }

    /// Makes this library use the list of the library that loaded it.
    static func join(_ list: UnsafeMutablePointer<CPluginInterface_Residents>) {
        let address = UInt(bitPattern: list)
        known.withLock { if $0.address == 0 { $0.address = address } }
    }

    private struct Known {
        var address: UInt = 0

        mutating func list() -> UnsafeMutablePointer<CPluginInterface_Residents> {
            if let list = UnsafeMutablePointer<CPluginInterface_Residents>(bitPattern: address) { return list }
            let made = UnsafeMutablePointer<CPluginInterface_Residents>.allocate(capacity: 1)
            made.initialize(to: CPluginInterface_Residents())
            address = UInt(bitPattern: made)
            return made
        }
    }
    private static let known = Mutex(Known())

    /// `[render]` True if the process has never held more than one unit at a time.
    var areOfOneUnit: Bool {
        @_noLocks get { first.pointee.load(ordering: .acquiring)?.pointee.next == nil }
    }

    /// `[render]` Claims the unit whose doorbell lies in `file`; nil if it is not in this process or another thread renders
    /// it.
    @_noLocks
    func claim(doorbellFile file: UInt64) -> Resident? {
        var place = first.pointee.load(ordering: .acquiring)
        while let current = place {
            let resident = Resident(place: current)
            if resident.doorbellFile.pointee.load(ordering: .relaxed) == file {
                guard resident.tryToClaim() else { return nil }
                if resident.doorbellFile.pointee.load(ordering: .relaxed) == file { return resident }
                // The entry has just been given to another unit, or emptied.
                resident.letGo()
                return nil
            }
            place = current.pointee.next
        }
        return nil
    }

    /// Claims an unused entry, or a new one at the head of the list.
    func claimEntry() -> Resident { claimFree() ?? addPlace() }

    /// Removes a unit, once no thread renders it.
    func dismiss(_ resident: Resident) {
        resident.claim()
        resident.doorbellFile.pointee.store(0, ordering: .relaxed)
        resident.place.pointee.unit = nil
        resident.place.pointee.render = nil
        resident.letGo()
    }

    private func claimFree() -> Resident? {
        var place = first.pointee.load(ordering: .acquiring)
        while let current = place {
            let resident = Resident(place: current)
            if resident.doorbellFile.pointee.load(ordering: .relaxed) == 0, resident.tryToClaim() {
                if resident.doorbellFile.pointee.load(ordering: .relaxed) == 0 { return resident }
                resident.letGo()
            }
            place = current.pointee.next
        }
        return nil
    }

    /// A new entry of the list, claimed.
    private func addPlace() -> Resident {
        let place = UnsafeMutablePointer<CPluginInterface_Resident>.allocate(capacity: 1)
        place.initialize(to: CPluginInterface_Resident())
        let resident = Resident(place: place)
        _ = resident.tryToClaim()
        var head = first.pointee.load(ordering: .relaxed)
        while true {
            place.pointee.next = head
            // Release: a thread that finds the entry finds it claimed.
            let pushed = first.pointee.compareExchange(expected: head, desired: place, ordering: .releasing)
            if pushed.exchanged { return resident }
            head = pushed.original
        }
    }

    private var first: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<CPluginInterface_Resident>?>> {
        @_noLocks get {
            UnsafeMutableRawPointer(list).assumingMemoryBound(
                to: Atomic<UnsafeMutablePointer<CPluginInterface_Resident>?>.self)
        }
    }
}
