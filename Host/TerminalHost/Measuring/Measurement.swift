// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sets up everything that is measured, lets the measuring thread run, and takes the times home. Main thread.

import Glibc
import LinuxSystem
import PluginHosting
import Rendering

/// One run: floors, chains in process and chains out of process, all alive at once.
struct Measurement {
    /// The series of chains of one length at one frame count. They are measured one after the other.
    struct Group {
        let effectCount, frameCount, branchCount: Int
        let floors: [UnitPlacement: Series]
        /// As many processes as there are effects, branch by branch, where there are not too many.
        let rings: [UnitPlacement: Series]
        let inProcess: Series
        let variants: [(variant: MeasureVariant, series: Series)]

        var all: [Series] { Array(floors.values) + Array(rings.values) + [inProcess] + variants.map(\.series) }
    }

    private let settings: MeasureSettings
    private let groups: [Group]
    private let place: MeasuringPlace

    init(_ settings: MeasureSettings) throws {
        self.settings = settings
        try settings.checkPlacements()
        Scheduling.raiseRealtimeLimits()
        ProcessLimits.raiseDescriptorCount()
        let processor = try settings.processorNumber()
        let effects = try MeasuredEffects(settings)
        guard (effects.counts(settings).max() ?? 1) * settings.branchCount <= MeasureSettings.mostEffects else {
            let most = MeasureSettings.mostEffects
            throw CommandError.failed("Couldn't measure more than \(most) effects, in all branches together.")
        }
        let measure = ChainMeasure(
            effects: effects, maximumFrameCount: settings.frameCounts.max() ?? 1,
            branchCount: settings.branchCount)
        let floors = try settings.placements.map { try FloorRings(1, of: 1, placed: $0) }
        var longer: [FloorRings] = []
        var chains: [MeasuredChain] = []
        var groups: [Group] = []
        for effectCount in effects.counts(settings) {
            let inside = try MeasuredChain(measure, effectCount: effectCount, nil)
            var outside: [(MeasureVariant, MeasuredChain)] = []
            for variant in settings.variants {
                outside.append((variant, try MeasuredChain(measure, effectCount: effectCount, variant)))
            }
            chains += [inside] + outside.map(\.1)
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
                        inProcess: Series(inside, frameCount: frameCount, settings),
                        variants: outside.map { ($0, Series($1, frameCount: frameCount, settings)) }))
            }
        }
        self.groups = groups
        place = MeasuringPlace(processor: processor, rings: floors + longer, chains: chains)
    }

    private static func series(_ rings: [FloorRings], _ settings: MeasureSettings) -> [UnitPlacement: Series] {
        Dictionary(rings.map { ($0.placement, Series(floor: $0.turns, settings)) }) { first, _ in first }
    }

    /// Measures.
    func run() throws -> MeasureResults {
        let measuring = MeasuringThread(groups.flatMap(\.all), batchCount: settings.batchCount)
        let thread = try LinuxSystem.Thread(name: "measure") { [place] in measuring.run(at: place) }
        let processors = place.processors
        let start = StolenTime(of: processors)
        watch(measuring)
        thread.join()
        let stolenShare = StolenTime(of: processors).share(since: start)
        try Interruption.check()
        try checkFaults()
        return MeasureResults(groups, try measuring.result(), processor: place.processor, stolenShare: stolenShare)
    }

    /// Shows how far it is, and stops it when the user wants to end.
    private func watch(_ measuring: MeasuringThread) {
        let line = ProgressLine("Measuring")
        while !measuring.hasEnded {
            if Interruption.isRequested { measuring.stop() }
            line.show(measuring.progress)
            Futex.pause(microseconds: 50_000)
        }
        line.finish()
    }

    /// A chain that a unit dropped out of was not the chain that was to be measured. Being late is counted elsewhere.
    private func checkFaults() throws(CommandError) {
        for chain in place.chains {
            guard let member = chain.lostMember else { continue }
            let fault = member.faults.records.last { !$0.fault.isPassing }
            throw .failed("Couldn't measure \"\(member.unit.name)\": it \(fault.map { "\($0.fault)" } ?? "was lost").")
        }
    }
}
