// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT

import CWireLayout
import LinuxSystem
import Synchronization
import Testing

@testable import PluginSDK

@Suite(.timeLimit(.minutes(1))) struct ResidentsTests {
    private func makeList() -> Residents {
        let list = UnsafeMutablePointer<CPluginInterface_Residents>.allocate(capacity: 1)
        list.initialize(to: CPluginInterface_Residents())
        return Residents(list: list)
    }

    /// Adds one to the number that the unit is.
    private func admit(_ file: UInt64, to residents: Residents, _ count: UnsafeMutablePointer<Int>) -> Resident {
        residents.admit(doorbellFile: file, count) { unit in
            unit?.assumingMemoryBound(to: Int.self).pointee += 1
            return nil
        }
    }

    private func claimed(_ file: UInt64, _ residents: Residents) -> UnsafeMutablePointer<CPluginInterface_Resident>? {
        if case .claimed(let resident) = residents.claim(doorbellFile: file) { resident.place } else { nil }
    }

    /// Of a unit that cannot be claimed: whether that is for another's sake.
    private func isRendered(_ file: UInt64, _ residents: Residents) -> Bool {
        if case .isRendered = residents.claim(doorbellFile: file) { true } else { false }
    }

    @Test func aUnitIsFoundByItsDoorbellWhileNobodyHasIt() {
        let residents = makeList()
        var (first, second) = (0, 0)
        let (one, two) = (admit(11, to: residents, &first), admit(22, to: residents, &second))
        #expect(claimed(22, residents) == two.place)
        #expect(claimed(22, residents) == nil && isRendered(22, residents))
        two.letGo()
        #expect(claimed(22, residents) == two.place)
        #expect(claimed(33, residents) == nil && !isRendered(33, residents))
        #expect(claimed(11, residents) == one.place)
    }

    @Test func whoHasMovedOutIsNotFoundAndLeavesItsPlace() {
        let residents = makeList()
        var count = 0
        let one = admit(11, to: residents, &count)
        residents.dismiss(one)
        #expect(claimed(11, residents) == nil && !isRendered(11, residents))
        #expect(admit(12, to: residents, &count).place == one.place)
        #expect(admit(13, to: residents, &count).place != one.place)
    }

    /// Threads that take the unit as its own does, asleep until they can, and as others do; while others come and go.
    @Test func oneAtATimeHasAUnit() throws {
        let residents = makeList()
        let counter = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        counter.initialize(to: 0)
        // SAFETY: the number is changed by who has claimed the unit.
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
                guard case .claimed(let resident) = list.claim(doorbellFile: 11) else { continue }
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
                    let guest = list.admit(doorbellFile: 22, number) { _ in nil }
                    list.dismiss(guest)
                }
            }
        }
        for thread in threads + [other, guest] { thread.join() }
        #expect(counter.pointee == threadCount * turns + carried.withLock { $0 })
        counter.deallocate()
    }
}
