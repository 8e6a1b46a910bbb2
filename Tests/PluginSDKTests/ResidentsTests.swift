// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The list of the units that share a process: which of them are found, claimed and dismissed. Test threads.

import CWireLayout
import LinuxSystem
import Synchronization
import Testing

@testable import PluginSDK

@Suite(.timeLimit(.minutes(15))) struct ResidentsTests {
    private func makeList() -> Residents {
        let list = UnsafeMutablePointer<CPluginInterface_Residents>.allocate(capacity: 1)
        list.initialize(to: CPluginInterface_Residents())
        return Residents(list: list)
    }

    /// Admits a unit that is a number; each call of its function adds one.
    private func admit(_ file: UInt64, to residents: Residents, _ count: UnsafeMutablePointer<Int>) -> Resident {
        let resident = residents.claimEntry()
        resident.begin(doorbellFile: file, count) { unit in
            unit?.assumingMemoryBound(to: Int.self).pointee += 1
            return nil
        }
        return resident
    }

    @Test func aUnitIsFoundByItsDoorbellWhileNobodyHasIt() {
        let residents = makeList()
        var (first, second) = (0, 0)
        let (one, two) = (admit(11, to: residents, &first), admit(22, to: residents, &second))
        #expect(residents.claim(doorbellFile: 22)?.place == two.place)
        #expect(residents.claim(doorbellFile: 22) == nil)
        two.letGo()
        #expect(residents.claim(doorbellFile: 22)?.place == two.place)
        #expect(residents.claim(doorbellFile: 33) == nil)
        #expect(residents.claim(doorbellFile: 11)?.place == one.place)
    }

    @Test func itIsKnownWhetherAUnitIsAlone() {
        let residents = makeList()
        var (first, second) = (0, 0)
        _ = admit(11, to: residents, &first)
        #expect(residents.areOfOneUnit)
        let other = admit(22, to: residents, &second)
        #expect(!residents.areOfOneUnit)
        residents.dismiss(other)
        #expect(!residents.areOfOneUnit, "its place is still there")
    }

    @Test func aUnitThatIsWiredAnewIsFoundByItsNewDoorbellAlone() {
        let residents = makeList()
        var count = 0
        let one = admit(11, to: residents, &count)
        #expect(one.tryToClaim())
        one.move(toDoorbellFile: 12)
        #expect(residents.claim(doorbellFile: 11) == nil)
        #expect(residents.claim(doorbellFile: 12) == nil, "its thread has it")
        one.letGo()
        #expect(residents.claim(doorbellFile: 11) == nil)
        #expect(residents.claim(doorbellFile: 12)?.place == one.place)
    }

    @Test func whoHasMovedOutIsNotFoundAndLeavesItsPlace() {
        let residents = makeList()
        var count = 0
        let one = admit(11, to: residents, &count)
        residents.dismiss(one)
        #expect(residents.claim(doorbellFile: 11) == nil)
        #expect(admit(12, to: residents, &count).place == one.place)
        #expect(admit(13, to: residents, &count).place != one.place)
    }

    /// Some threads claim the unit as its own thread does, and sleep until they can; others claim it meanwhile or come and go.
    @Test func oneAtATimeHasAUnit() throws {
        let residents = makeList()
        let counter = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        counter.initialize(to: 0)
        // SAFETY: only the thread that has claimed the unit changes the number.
        nonisolated(unsafe) let (own, list) = (admit(11, to: residents, counter), residents)
        let carried = Mutex(0)
        let (turns, threadCount) = (20_000, 3)
        let threads = try (0..<threadCount).map { _ in
            try Thread(name: "own") {
                for _ in 0..<turns {
                    own.claim()
                    _ = CPluginInterface_renderResident(own.place)
                    own.letGo()
                }
            }
        }
        let other = try Thread(name: "other") {
            var count = 0
            for _ in 0..<turns {
                guard let resident = list.claim(doorbellFile: 11) else { continue }
                _ = CPluginInterface_renderResident(resident.place)
                resident.letGo()
                count += 1
            }
            carried.withLock { $0 = count }
        }
        let guest = try Thread(name: "guest") {
            var number = 0
            for _ in 0..<turns / 10 {
                withUnsafeMutablePointer(to: &number) { number in
                    let guest = list.claimEntry()
                    guest.begin(doorbellFile: 22, number) { _ in nil }
                    list.dismiss(guest)
                }
            }
        }
        for thread in threads + [other, guest] { thread.join() }
        #expect(counter.pointee == threadCount * turns + carried.withLock { $0 })
        counter.deallocate()
    }
}
