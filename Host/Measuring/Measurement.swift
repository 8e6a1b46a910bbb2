// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sets up all measurements, runs the measuring thread and collects the times. Main thread.

import Console
import Glibc
import LinuxSystem
import PluginHosting
import Rendering

/// One run: floors, chains in process and chains out of process, all alive at once.
package struct Measurement {
    /// The series of chains of one length at one frame count.
    ///
    /// They are measured in turn.
    struct Group {
        let effectCount, frameCount, branchCount: Int
        let floors: [UnitPlacement: Series]
        /// Rings with one process for each effect, one ring for each branch, unless there are too many.
        let rings: [UnitPlacement: Series]
        /// The chain in process; nil if the user has not trusted the effects.
        let inProcess: Series?
        let variants: [(variant: MeasureVariant, series: Series)]

        var all: [Series] { Array(floors.values) + Array(rings.values) + [inProcess].compactMap(\.self) + variants.map(\.series) }
    }

    private let settings: MeasureSettings
    private let groups: [Group]
    /// The reason why nothing is measured in process; nil if it is.
    private let obstacle: MeasurementError?
    private let placement: MeasuringPlacement

    package init(_ settings: MeasureSettings, of effects: MeasuredEffects) throws {
        self.settings = settings
        try settings.checkPlacements()
        Scheduling.raiseRealtimeLimits()
        ProcessLimits.raiseDescriptorCount()
        let processor = try settings.processorNumber()
        guard (effects.counts(settings).max() ?? 1) * settings.branchCount <= MeasureSettings.mostEffects else {
            throw MeasurementError.tooManyEffects(limit: MeasureSettings.mostEffects)
        }
        let measure = ChainMeasure(
            effects: effects, maximumFrameCount: settings.frameCounts.max() ?? 1,
            branchCount: settings.branchCount)
        obstacle = effects.untrusted.map { .notTrusted(unit: $0.name, id: $0.id) }
        let floors = try settings.placements.map { try FloorRings(1, of: 1, placed: $0) }
        var longer: [FloorRings] = []
        var chains: [MeasuredChain] = []
        var groups: [Group] = []
        for effectCount in effects.counts(settings) {
            let inside = obstacle == nil ? try MeasuredChain(measure, effectCount: effectCount, nil) : nil
            var outside: [(MeasureVariant, MeasuredChain)] = []
            for variant in settings.variants {
                outside.append((variant, try MeasuredChain(measure, effectCount: effectCount, variant)))
            }
            chains += [inside].compactMap(\.self) + outside.map(\.1)
            var rings: [FloorRings] = []
            if FloorRings.arePossible(settings.branchCount, of: effectCount) {
                rings = try settings.placements.map { try FloorRings(settings.branchCount, of: effectCount, placed: $0) }
            }
            longer += rings
            for frameCount in settings.frameCounts {
                groups.append(
                    Group(
                        effectCount: effectCount, frameCount: frameCount, branchCount: settings.branchCount,
                        floors: Self.series(floors, settings), rings: Self.series(rings, settings),
                        inProcess: inside.map { Series($0, frameCount: frameCount, settings) },
                        variants: outside.map { ($0, Series($1, frameCount: frameCount, settings)) }))
            }
        }
        self.groups = groups
        placement = MeasuringPlacement(processor: processor, rings: floors + longer, chains: chains)
    }

    private static func series(_ rings: [FloorRings], _ settings: MeasureSettings) -> [UnitPlacement: Series] {
        Dictionary(rings.map { ($0.placement, Series(floor: $0.turns, settings)) }) { first, _ in first }
    }

    /// Runs the measurement.
    package func run() throws -> MeasureResults {
        let measuring = MeasuringThread(groups.flatMap(\.all), batchCount: settings.batchCount)
        let thread = try LinuxSystem.Thread(name: "measure") { [placement] in measuring.run(at: placement) }
        let processors = placement.processors
        let start = StolenTime(of: processors)
        watch(measuring)
        thread.join()
        let stolenShare = StolenTime(of: processors).share(since: start)
        try Interruption.check()
        try checkFaults()
        return MeasureResults(
            groups, try measuring.result(), processor: placement.processor, stolenShare: stolenShare, obstacle: obstacle)
    }

    /// Shows the progress, and stops the thread if the user wants to end.
    private func watch(_ measuring: MeasuringThread) {
        let line = ProgressLine("Measuring")
        while !measuring.hasEnded {
            if Interruption.isRequested { measuring.stop() }
            line.show(measuring.progress)
            Futex.pause(microseconds: 50_000)
        }
        line.finish()
    }

    /// Throws if a unit was lost, because another chain was then measured.
    ///
    /// Late units are counted elsewhere.
    private func checkFaults() throws(MeasurementError) {
        for chain in placement.chains {
            guard let member = chain.lostMember else { continue }
            let fault = member.faults.records.last { !$0.fault.isPassing }
            throw .unitLost(member.unit.name, fault: fault.map { "\($0.fault)" })
        }
    }
}
