// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The settings of a measurement. Main thread.

import LinuxSystem
import PluginHosting

/// What to measure, and how often.
package struct MeasureSettings: Sendable {
    package static let batchSize = 50
    package static let mostEffects = 1024
    /// The effect that is measured by default.
    package static let defaultID = "aufx:gain:blkh"

    /// As they were given.
    package var effectCounts = [1]
    /// Chains side by side.
    package var branchCount = 1
    package var frameCounts = [32, 64, 128, 256, 1024]
    /// Cycles to measure of each kind.
    package var cycleCount = 20_000
    /// From the start of one cycle to that of the next; 0 for cycles back to back.
    package var periodMicroseconds = 0
    /// The name of the effect or chain in the report.
    package var subject = MeasureSettings.defaultID
    /// Each is measured with each of the others.
    package var isolations = [MeasureVariant().isolation]
    package var placements = [MeasureVariant().placement]
    package var waitings = [MeasureVariant().waiting]
    package var processor: ProcessorChoice = .last
    package var startupCount: Int?
    /// Units that are started at once.
    package var startedAtOnce = 1

    package init() {}

    package enum ProcessorChoice: Equatable {
        /// The last one that this process may use. Interrupts gather on the first.
        case last
        case number(Int)
        /// Wherever the kernel puts them.
        case any
    }

    /// A chain of one length is compared with one effect, but not where there are branches.
    package var measuredEffectCounts: [Int] {
        effectCounts.count == 1 && effectCounts != [1] && branchCount == 1 ? [1] + effectCounts : effectCounts
    }

    package var batchCount: Int { (cycleCount + Self.batchSize - 1) / Self.batchSize }
    /// Cycles in a batch.
    ///
    /// `cycleCount` is rounded up to whole batches.
    package var batchSize: Int { (cycleCount + batchCount - 1) / batchCount }

    /// Every combination, in the order given.
    package var variants: [MeasureVariant] {
        isolations.flatMap { isolation in
            placements.flatMap { placement in
                waitings.map { MeasureVariant(isolation: isolation, placement: placement, waiting: $0) }
            }
        }
    }

    /// Throws when effects or branches are to be spread and there is no second processor.
    package func checkPlacements() throws(MeasurementError) {
        guard let placement = placements.first(where: { $0 != .together }) else { return }
        guard let number = try processorNumber() else { throw .spreadWithoutProcessor(placement) }
        guard Scheduling.processors(otherThan: number).isEmpty else { return }
        throw .noSecondProcessor(placement, processor: number)
    }

    /// The processor to bind everything to; nil leaves it to the kernel.
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
