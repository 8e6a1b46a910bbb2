// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sets up everything that is measured, lets the measuring thread run, and takes the times home. Main thread.

import Glibc
import LinuxSystem
import PluginHosting
import Rendering

/// One run: floor, chains in process and chains out of process, all alive at once.
struct Measurement {
    /// The two chains of one length, and their series for one frame count.
    struct Pair {
        let effectCount, frameCount: Int
        let floor, inProcess, outOfProcess: Series
    }

    private let settings: MeasureSettings
    let pairs: [Pair]
    let place: MeasuringPlace

    init(_ settings: MeasureSettings) throws {
        self.settings = settings
        let processor = try settings.processorNumber()
        let effects = try MeasuredEffects(settings)
        let measure = ChainMeasure(effects: effects, maximumFrameCount: settings.frameCounts.max() ?? 1)
        let peer = try FloorPeer()
        var chains: [MeasuredChain] = []
        var pairs: [Pair] = []
        for effectCount in effects.counts(settings) {
            let inside = try MeasuredChain(measure, effectCount: effectCount, isolation: .inProcess)
            let outside = try MeasuredChain(measure, effectCount: effectCount, isolation: settings.isolation)
            chains += [inside, outside]
            for frameCount in settings.frameCounts {
                pairs.append(Self.pair(settings, peer, inside, outside, frameCount: frameCount))
            }
        }
        self.pairs = pairs
        place = MeasuringPlace(processor: processor, peer: peer, chains: chains)
    }

    private static func pair(
        _ settings: MeasureSettings, _ peer: FloorPeer, _ inside: MeasuredChain, _ outside: MeasuredChain,
        frameCount: Int
    ) -> Pair {
        Pair(
            effectCount: inside.effectCount, frameCount: frameCount, floor: Series(.floor(peer.words), settings),
            inProcess: Series(.chain(inside.probe(frameCount: frameCount)), settings),
            outOfProcess: Series(.chain(outside.probe(frameCount: frameCount)), settings))
    }

    /// Measures; the rank that the system granted.
    func run() throws -> SchedulingClass {
        let measuring = MeasuringThread(
            pairs.flatMap { [$0.floor, $0.inProcess, $0.outOfProcess] }, batchCount: settings.batchCount)
        Scheduling.raiseRealtimeLimits()
        let thread = try LinuxSystem.Thread(name: "measure") { [place] in measuring.run(at: place) }
        watch(measuring)
        thread.join()
        try Interruption.check()
        try checkFaults()
        return try measuring.rank()
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
        for member in place.chains.flatMap(\.chain.members) {
            guard let record = member.faults.records.first(where: { !$0.fault.isPassing }) else { continue }
            throw .failed("Couldn't measure \"\(member.unit.name)\": it \(record.fault).")
        }
    }
}
