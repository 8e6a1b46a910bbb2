// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The settings of a measurement. Main thread.

import LinuxSystem
import PluginHosting

/// The subject of a measurement, and its repetitions.
package struct MeasureSettings: Sendable {
    package static let batchSize = 50
    package static let mostEffects = 1024
    /// The effect that is measured by default.
    package static let defaultID = "aufx:gain:blkh"

    /// The effect counts in the given order.
    package var effectCounts = [1]
    /// The number of chains side by side.
    package var branchCount = 1
    package var frameCounts = [32, 64, 128, 256, 1024]
    /// The number of cycles to measure of each kind.
    package var cycleCount = 20_000
    /// The microseconds from the start of one cycle to that of the next; 0 for cycles back to back.
    package var periodMicroseconds = 0
    /// The name of the effect or chain in the report.
    package var subject = MeasureSettings.defaultID
    /// The isolations; each is combined with all other settings.
    package var isolations = [MeasureVariant().isolation]
    package var placements = [MeasureVariant().placement]
    package var waitings = [MeasureVariant().waiting]
    package var processor: ProcessorChoice = .last
    package var startupCount: Int?
    /// The number of units that are started at once.
    package var startedAtOnce = 1

    package init() {}

    package enum ProcessorChoice: Equatable {
        /// The last processor that this process may use. Interrupts gather on the first.
        case last
        case number(Int)
        /// Any processor that the kernel chooses.
        case any
    }

    /// The measured effect counts: a chain of one length is compared with one effect, but not with branches.
    package var measuredEffectCounts: [Int] {
        effectCounts.count == 1 && effectCounts != [1] && branchCount == 1 ? [1] + effectCounts : effectCounts
    }

    package var batchCount: Int { (cycleCount + Self.batchSize - 1) / Self.batchSize }
    /// The number of cycles in a batch.
    ///
    /// `cycleCount` is rounded up to whole batches.
    package var batchSize: Int { (cycleCount + batchCount - 1) / batchCount }

    /// All combinations, in the given order.
    package var variants: [MeasureVariant] {
        isolations.flatMap { isolation in
            placements.flatMap { placement in
                waitings.map { MeasureVariant(isolation: isolation, placement: placement, waiting: $0) }
            }
        }
    }

    /// Throws if effects or branches must be spread and there is no second processor.
    package func checkPlacements() throws(MeasurementError) {
        guard let placement = placements.first(where: { $0 != .together }) else { return }
        guard let number = try processorNumber() else { throw .spreadWithoutProcessor(placement) }
        guard Scheduling.processors(otherThan: number).isEmpty else { return }
        throw .noSecondProcessor(placement, processor: number)
    }

    /// The processor for all threads; nil leaves the choice to the kernel.
    package func processorNumber() throws(MeasurementError) -> Int? {
        let allowed = Scheduling.processors(ofThread: 0)
        switch processor {
        case .any: return nil
        case .last: return allowed.max()
        case .number(let number):
            guard allowed.contains(number) else { throw .processorNotAllowed(number, allowed: allowed.sorted()) }
            return number
        }
    }
}
