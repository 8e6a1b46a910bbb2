// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The units of a process that have render threads, and who renders which of them. Render threads, and those that start them.

import CWireLayout
import LinuxSystem
import Synchronization

/// A unit with a render thread. Whoever renders it has claimed it: its own thread, or that of the unit before it in the chain, which
/// then needs to wake nobody.
struct Resident {
    // SAFETY: a resident is never freed. The claim and the doorbell's file are used as atomics, the rest by who has claimed it.
    let place: UnsafeMutablePointer<CPluginInterface_Resident>

    @_noLocks
    init(place: UnsafeMutablePointer<CPluginInterface_Resident>) { self.place = place }

    /// `[render]` Claims the unit; false while somebody else has.
    @_noLocks
    func tryToClaim() -> Bool {
        claimWord.pointee.compareExchange(expected: Claim.free, desired: Claim.taken, ordering: .acquiring).exchanged
    }

    /// `[render]` Claims the unit, and sleeps until it can.
    @_noLocks
    func claim() {
        if tryToClaim() { return }
        // Who has slept cannot know whether others do.
        while claimWord.pointee.exchange(Claim.awaited, ordering: .acquiring) != Claim.free {
            _ = Futex.wait(claimAddress, while: Claim.awaited, until: 0)
        }
    }

    /// `[render]` Gives the unit back.
    @_noLocks
    func letGo() {
        if claimWord.pointee.exchange(Claim.free, ordering: .releasing) == Claim.awaited { Futex.wake(claimAddress) }
    }

    /// What the word of a claim holds.
    private enum Claim {
        static var free: UInt32 { @_noLocks get { 0 } }
        static var taken: UInt32 { @_noLocks get { 1 } }
        static var awaited: UInt32 { @_noLocks get { 2 } }
    }

    /// Where nobody lives, 0.
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

    /// Those of the process whose library this is, or that has loaded it beside another.
    static var ofProcess: Residents { Residents(list: known.withLock { $0.list() }) }

    /// This library has been loaded beside others, whose list this is.
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

    /// `[render]` Whether no more than one unit has ever lived here at a time.
    var areOfOneUnit: Bool {
        @_noLocks get { first.pointee.load(ordering: .acquiring)?.pointee.next == nil }
    }

    /// `[render]` Claims the unit whose doorbell lies in `file`, if it lives here and nobody renders it.
    @_noLocks
    func claim(doorbellFile file: UInt64) -> Resident? {
        var place = first.pointee.load(ordering: .acquiring)
        while let current = place {
            let resident = Resident(place: current)
            if resident.doorbellFile.pointee.load(ordering: .relaxed) == file {
                guard resident.tryToClaim() else { return nil }
                if resident.doorbellFile.pointee.load(ordering: .relaxed) == file { return resident }
                // It has moved out just now.
                resident.letGo()
                return nil
            }
            place = current.pointee.next
        }
        return nil
    }

    /// Has a unit move in, where another one has lived or in front.
    func admit(
        doorbellFile file: UInt64, _ unit: UnsafeMutableRawPointer,
        render: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutablePointer<CPluginInterface_Resident>?
    ) -> Resident {
        let resident = claimFree() ?? addPlace()
        resident.place.pointee.unit = unit
        resident.place.pointee.render = render
        resident.doorbellFile.pointee.store(file, ordering: .relaxed)
        resident.letGo()
        return resident
    }

    /// Has a unit move out, once nobody renders it any more.
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

    /// A new place, claimed.
    private func addPlace() -> Resident {
        let place = UnsafeMutablePointer<CPluginInterface_Resident>.allocate(capacity: 1)
        place.initialize(to: CPluginInterface_Resident())
        let resident = Resident(place: place)
        _ = resident.tryToClaim()
        var head = first.pointee.load(ordering: .relaxed)
        while true {
            place.pointee.next = head
            // Release: whoever finds it finds it claimed.
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
