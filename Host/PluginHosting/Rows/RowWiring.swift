// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The wirings with which units that allocated one by one hand over to each other. Render thread and control threads.

import LinuxSystem
import Realtime
import Synchronization
import Wire

/// The wirings of a row of units.
///
/// Each unit has allocated by itself: it reads an inlet that the host fills, and rings the host. In a row it reads its
/// predecessor's output in place, and its predecessor rings it. As long as a unit lacks that wiring, the host goes on filling its
/// inlet. So no edit waits for a plug-in.
enum RowWiring {
    /// One unit of a row, for the render thread.
    struct Link {
        /// The row's number.
        let row: UInt64
        /// The doorbell that the predecessor rings; for the first unit, one that only the host can ring.
        let doorbell: SharedFutexWord
        /// The memory that the host fills for the unit.
        let inlet: UnsafeMutablePointer<Float>
        let inletLayout: AudioMemoryLayout
        /// The doorbell that the unit rings before it has taken the wiring.
        let hostDoorbell: SharedFutexWord

        /// Makes the link of a unit that is wired to `target` in the row.
        init(_ unit: UnitResources, _ target: Target) {
            (row, doorbell) = (target.row, target.doorbell)
            (inlet, inletLayout) = (unit.wiring.inlet, unit.wiring.inputLayout)
            hostDoorbell = unit.home.doorbell
        }
    }

    /// The wiring of a unit in a row; its memory lives as long as this object.
    final class Target: Sendable {
        let row: UInt64
        let rewiring: UnitRewiring
        private let ringerBox: Ringer

        private struct Ringer: @unchecked Sendable {
            // SAFETY: a weak reference is set once, in init, and read by any thread.
            weak var unit: UnitResources?
        }

        init(row: UInt64, _ rewiring: UnitRewiring, ringer: UnitResources?) {
            (self.row, self.rewiring) = (row, rewiring)
            ringerBox = Ringer(unit: ringer)
        }

        /// The unit that rings this one; nil for the first one of the row.
        var ringer: UnitResources? { ringerBox.unit }
        var doorbell: SharedFutexWord { SharedFutexWord(unsafeAddress: rewiring.doorbell.base) }
    }

    private static let nextRow = Atomic<UInt64>(1)

    /// A number that no other row has.
    static func makeRow() -> UInt64 { nextRow.add(1, ordering: .relaxed).oldValue }

    /// `[control]` The wirings of several units in a new row.
    static func targets(of units: [UnitResources], _ monitor: RowMonitor) throws(SystemError) -> [Target] {
        var doorbells: [SharedMemory] = []
        for unit in units {
            doorbells.append(try SharedMemory(name: "\(unit.unit.name) doorbell", byteCount: WireLimits.pageByteCount))
        }
        let row = makeRow()
        return units.enumerated().map { index, unit in
            let former = index > 0 ? units[index - 1] : nil
            let input = former.map {
                UnitRewiring.Input(memory: $0.wiring.memory.outputMemory, layout: $0.wiring.memory.outputLayout)
            }
            let rewiring = UnitRewiring(
                doorbell: doorbells[index], hostDoorbell: monitor.doorbellMemory,
                successorDoorbell: index + 1 < doorbells.count ? doorbells[index + 1] : nil,
                inputs: unit.wiring.inputs.indices.map { $0 == 0 ? input : nil })
            return Target(row: row, rewiring, ringer: former)
        }
    }

    /// Packs a row and a wiring into one word.
    @_noLocks
    static func word(row: UInt64, wiring: Int) -> UInt64 { row << 8 | UInt64(truncatingIfNeeded: wiring) }
    @_noLocks
    static func row(_ word: UInt64) -> UInt64 { word >> 8 }
    @_noLocks
    static func wiring(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word & 0xFF) }
}

extension UnitResources {
    /// Lets the unit take the wiring of a row, if it is the unit's present one and the unit has not answered yet.
    ///
    /// `[control]` Call it only while the row is rendered, or while nothing is: no request may name the replaced wiring. A unit
    /// that refuses goes on with its inlet.
    func wire(_ wanted: RowWiring.Target) {
        isBeingWired.withLock { isGone in
            guard !isGone, let target, target === wanted, isPresent, !isWired else { return }
            take(target)
        }
    }

    /// Lets a new process take the wiring of its row, before the render thread gets the unit.
    func wireAnew() { isBeingWired.withLock { isGone in if !isGone, let target { take(target) } } }

    /// Sends no wiring from now on: the unit gives its resources back.
    func endWiring() { isBeingWired.withLock { $0 = true } }

    private func take(_ target: RowWiring.Target) {
        let state = sharedState
        let used: [UInt32] = [
            state.pointee.wiring.load(ordering: .relaxed), state.pointee.namedWiring.load(ordering: .relaxed),
            RowWiring.wiring(state.pointee.rowWiring.load(ordering: .relaxed)),
        ]
        guard let number = (1..<WireLimits.wiringCount).first(where: { !used.contains(UInt32($0)) }) else { return }
        do throws(HostingError) {
            try unit.wire(target.rewiring, number: number)
        } catch {
            // Wiring 0: the unit is not asked again. The supervisor handles a death, and the next process is asked.
            return state.pointee.rowWiring.store(RowWiring.word(row: target.row, wiring: 0), ordering: .releasing)
        }
        // The unit may sleep on the doorbell of a row that was dissolved long ago. So the memory stays until the number is used
        // again.
        wirings.withLock { $0[number] = target }
        // Release: the unit has the wiring before the render thread names it.
        state.pointee.rowWiring.store(RowWiring.word(row: target.row, wiring: number), ordering: .releasing)
    }

    /// The unit that can write the word on which this one sleeps, and that doorbell; nil if only the host can.
    var ringing: (ringer: UnitResources, doorbell: SharedFutexWord, memory: RowWiring.Target)? {
        let wiring = Int(sharedState.pointee.wiring.load(ordering: .relaxed))
        guard wiring != 0, let target = wirings.withLock({ $0[wiring] }), let ringer = target.ringer else { return nil }
        return (ringer, target.doorbell, target)
    }
}
