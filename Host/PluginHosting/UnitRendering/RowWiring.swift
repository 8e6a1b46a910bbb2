// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How the units of a row hand over to each other although they were not allocated together. Render thread and control threads.

import LinuxSystem
import Realtime
import Synchronization
import Wire

/// The wirings of a row of units.
///
/// Each unit has allocated by itself: it reads an inlet that the host fills, and rings the host. In a row it reads its predecessor's
/// output where it lies, and its predecessor rings it. Until a unit has taken the wiring for that, and whenever it has lost it, the host
/// goes on to fill its inlet. So no edit waits for a plug-in.
enum RowWiring {
    /// What the render thread needs of one unit of a row.
    struct Link {
        /// The row's number.
        let row: UInt64
        /// The doorbell that the predecessor rings; for the first unit one that only the host has.
        let doorbell: SharedFutexWord
        /// The memory that the host fills for the unit.
        let inlet: UnsafeMutablePointer<Float>
        let inletLayout: AudioMemoryLayout
        /// The doorbell that the unit rings while it has not taken the wiring.
        let hostDoorbell: SharedFutexWord
    }

    /// What a unit of a row is wired to; the memory lives as long as this object.
    final class Target: Sendable {
        let row: UInt64
        let rewiring: UnitRewiring

        init(row: UInt64, _ rewiring: UnitRewiring) { (self.row, self.rewiring) = (row, rewiring) }

        var doorbell: SharedFutexWord { SharedFutexWord(unsafeAddress: rewiring.doorbell.base) }
    }

    private static let nextRow = Atomic<UInt64>(1)

    /// A number that no other row has.
    static func makeRow() -> UInt64 { nextRow.add(1, ordering: .relaxed).oldValue }

    /// A row and a wiring in one word.
    static func word(row: UInt64, wiring: Int) -> UInt64 { row << 8 | UInt64(wiring) }
    @_noLocks
    static func row(_ word: UInt64) -> UInt64 { word >> 8 }
    @_noLocks
    static func wiring(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word & 0xFF) }
}

extension ChainMember {
    /// Lets the unit take the wiring of its row, if it has not.
    ///
    /// `[control]` Only once the row is rendered, or nothing is: the wiring that is replaced may be named by no request. A unit that does
    /// not take it goes on with its inlet.
    func wire() {
        wirings.withLock { wirings in
            guard let target, isPresent else { return }
            let taken = sharedState.pointee.rowWiring.load(ordering: .relaxed)
            guard RowWiring.row(taken) != target.row, refusedRow.load(ordering: .relaxed) != target.row else { return }
            take(target, &wirings)
        }
    }

    /// Lets a process that has just started take the wiring of its row, before the unit is offered to the render thread.
    func wireAnew() {
        wirings.withLock { wirings in
            refusedRow.store(0, ordering: .relaxed)
            if let target { take(target, &wirings) }
        }
    }

    private func take(_ target: RowWiring.Target, _ wirings: inout [Int: RowWiring.Target]) {
        let used = [
            Int(sharedState.pointee.wiring.load(ordering: .relaxed)), Int(sharedState.pointee.namedWiring.load(ordering: .relaxed)),
        ]
        guard let number = (1..<WireLimits.wiringCount).first(where: { !used.contains($0) }) else { return }
        do throws(HostingError) {
            try unit.wire(target.rewiring, number: number)
        } catch {
            // It is not asked again. A death is the supervisor's business, and the next process is asked.
            return refusedRow.store(target.row, ordering: .relaxed)
        }
        // The unit may sleep at the doorbell of a row that has long been taken apart, so its memory stays until the number is used anew.
        wirings[number] = target
        // Release: the unit has the wiring before the render thread names it.
        sharedState.pointee.rowWiring.store(RowWiring.word(row: target.row, wiring: number), ordering: .releasing)
    }
}
