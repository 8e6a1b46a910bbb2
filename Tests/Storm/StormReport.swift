// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The results of a storm, as text and as JSON. Main thread.

import LinuxSystem
import PipeWireIO
import PluginHosting
import Rendering
import TestSupport

/// The host at one moment.
struct Moment {
    let cycles: UInt64
    let xruns: UInt64
    /// PipeWire's own statistics of the node.
    let profiled: NodeProfile.Counts
    let kilobytes: Int

    init(_ graph: StormGraph, _ driver: any AudioDriver, _ profile: NodeProfile?) {
        cycles = graph.player.statistics.cycles
        xruns = driver.status.xruns
        profiled = profile?.counts ?? NodeProfile.Counts()
        kilobytes = Census.residentKilobytes
    }
}

/// Everything that a storm found out.
struct StormReport {
    /// The most by which the host's memory may grow: its logs of the faults, and the plans of edits, some of which wait to be freed.
    private static let permittedKilobytes = 32_768
    /// +6 dBFS: four branches of a quarter each, and what a reverb adds.
    private static let loudest: Float = 2

    private let options: StormOptions
    var ordered: [Strike: Int] = [:]
    var isWhole = false
    var leftovers: [String] = []
    private var faults: [String: Int] = [:]
    private var restartMilliseconds: [Double] = []
    private var absentCycles: [UInt64] = []
    /// The faults from which units did not come back.
    private var unrecovered: [String] = []
    private var cycles: UInt64 = 0
    /// Cycles that took longer than they last: through the host, and while the machine stalled.
    private var missedDeadlines: UInt64 = 0
    private var stalledCycles: UInt64 = 0
    /// Cycles that were late by so little that the machine may have stalled unseen.
    private var undecidedCycles: UInt64 = 0
    /// Cycles that were not finished when the driver's next one was due, and those of them that a stall explains.
    private var lateCycles: UInt64 = 0
    private var stalledLateCycles: UInt64 = 0
    private var stalls: (count: Int, longestMilliseconds: Double)?
    private var xruns: UInt64 = 0
    private var profiled = NodeProfile.Counts()
    /// The xruns of PipeWire that a stall explains.
    private var stalledXruns: UInt64 = 0
    private var kilobytes = 0
    private var edits = 0
    private var worstStep: Float = 0
    private var peak: Float = 0
    private var driverFailure: String?

    init(_ options: StormOptions) { self.options = options }

    mutating func note(ofPlan: DeadlineAccount, ofDriver: DeadlineAccount, ofDaemon: DeadlineAccount?, _ watch: StallWatch) {
        (missedDeadlines, stalledCycles, undecidedCycles) = (ofPlan.ownCount, ofPlan.stalledCount, ofPlan.undecidedCount)
        (lateCycles, stalledLateCycles) = (ofDriver.ownCount, ofDriver.stalledCount)
        stalledXruns = ofDaemon?.stalledCount ?? 0
        stalls = watch.summary
    }

    mutating func note(_ graph: StormGraph, since calm: Moment, _ now: Moment, failure: String?) {
        for record in graph.members.flatMap(\.faults.records) {
            faults[record.fault.kind, default: 0] += 1
            if let milliseconds = record.restartMilliseconds { restartMilliseconds.append(milliseconds) }
            if let cycles = record.recoveredAfterCycles {
                absentCycles.append(cycles)
            } else {
                unrecovered.append(record.fault.kind)
            }
        }
        restartMilliseconds.sort()
        absentCycles.sort()
        cycles = now.cycles - calm.cycles
        xruns = now.xruns - calm.xruns
        profiled = now.profiled - calm.profiled
        kilobytes = now.kilobytes - calm.kilobytes
        edits = graph.editCount
        worstStep = graph.ears.map(\.excess).max() ?? 0
        peak = graph.peak
        driverFailure = failure
    }

    /// What must not happen in a storm, and did.
    var objections: [String] {
        var objections: [String] = []
        // Without real-time ranks neither the host nor the stall watch gets its time.
        if stalls != nil { objections += lateness }
        if worstStep > 1 {
            objections.append("A transition made a step \(Self.rounded(Double(worstStep))) times as large as permitted.")
        }
        if !(peak < Self.loudest) { objections.append("The mix reached \(peak).") }
        if !isWhole { objections.append("Not all units came back.") }
        if !unrecovered.isEmpty { objections.append("\(unrecovered.joined(separator: ", ")): followed by no recovery.") }
        if kilobytes > Self.permittedKilobytes { objections.append("The host's memory grew by \(kilobytes) kB.") }
        if !leftovers.isEmpty { objections.append("Left over: \(leftovers.joined(separator: ", ")).") }
        if faults.isEmpty { objections.append("Nobody noticed any fault.") }
        if let driverFailure { objections.append(driverFailure) }
        return objections
    }

    /// The objections to lateness.
    private var lateness: [String] {
        var objections: [String] = []
        if missedDeadlines > 0 { objections.append("The host missed \(missedDeadlines) deadlines.") }
        // The null driver's timer may be late by itself.
        guard options.isPipeWire else { return objections }
        if lateCycles > 0 { objections.append("The node was late for \(lateCycles) of PipeWire's cycles.") }
        if profiled.cycles < cycles / 2 { objections.append("PipeWire told of \(profiled.cycles) cycles only.") }
        let ownXruns = profiled.xruns - min(profiled.xruns, stalledXruns)
        if ownXruns > 0 { objections.append("PipeWire counted \(ownXruns) xruns of the node.") }
        return objections
    }

    var text: String {
        var lines = ["\(ordered.values.reduce(0, +)) faults over \(cycles) cycles of \(options.quantum) frames (\(options.words))"]
        lines.append("ordered     " + Self.list(ordered.map { ($0.key.name, $0.value) }))
        lines.append("noticed     " + Self.list(faults.map { ($0.key, $0.value) }))
        lines.append(
            "deadlines   \(missedDeadlines) missed by the host, \(stalledCycles) while the machine stood still, \(undecidedCycles) while it may have"
        )
        lines.append("edits       \(edits) of the graph")
        lines.append(
            "driver      late for it in \(lateCycles) cycles, in \(stalledLateCycles) while the machine stood still; \(xruns) xruns in all"
        )
        if options.isPipeWire {
            lines.append(
                "PipeWire    counted \(profiled.xruns) xruns of the node in \(profiled.cycles) cycles, \(stalledXruns) of them while the machine stood still or the next cycle came early"
            )
        }
        if let stalls {
            lines.append(
                "machine     stood still \(stalls.count) times, for \(Self.rounded(stalls.longestMilliseconds)) ms at worst")
        }
        if stalls == nil { lines.append("machine     this process may have no real-time rank: deadlines are not judged") }
        lines.append("worst step  \(Self.rounded(Double(worstStep))) of what a transition may add; peak of the mix \(peak)")
        lines.append("restart     \(Self.tails(restartMilliseconds)) ms from the notice of death to the new process being ready")
        lines.append(
            "unheard     \(Self.tails(absentCycles.map { Double($0) })) blocks; \(Self.tails(absentCycles.map(milliseconds))) ms")
        lines.append("left over   \(leftovers.isEmpty ? "nothing" : leftovers.joined(separator: ", ")); memory \(kilobytes) kB")
        return (lines + objections.map { "FAILED      \($0)" }).joined(separator: "\n")
    }

    var json: String {
        let numbers: [(String, String)] = [
            ("cycles", "\(cycles)"), ("missedDeadlines", "\(missedDeadlines)"), ("stalledCycles", "\(stalledCycles)"),
            ("undecidedCycles", "\(undecidedCycles)"),
            ("lateCycles", "\(lateCycles)"), ("stalledLateCycles", "\(stalledLateCycles)"), ("xruns", "\(xruns)"),
            ("profiledCycles", "\(profiled.cycles)"), ("profiledXruns", "\(profiled.xruns)"),
            ("stalledXruns", "\(stalledXruns)"),
            ("worstStep", "\(worstStep.isFinite ? "\(worstStep)" : "null")"), ("peak", peak.isFinite ? "\(peak)" : "null"),
            ("restartMilliseconds", Self.object(restartMilliseconds)),
            ("unheardBlocks", Self.object(absentCycles.map { Double($0) })), ("memoryKilobytes", "\(kilobytes)"),
            ("edits", "\(edits)"),
            ("ordered", Self.object(ordered.map { ($0.key.name, $0.value) })),
            ("noticed", Self.object(faults.map { ($0.key, $0.value) })),
            ("leftovers", "\(leftovers)"), ("objections", "\(objections)"), ("options", "\"\(options.words)\""),
        ]
        return "{" + numbers.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
    }

    private func milliseconds(_ cycles: UInt64) -> Double { Double(cycles) * Double(options.quantum) / 48 }

    private static func list(_ counts: [(String, Int)]) -> String {
        counts.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    }

    private static func object(_ counts: [(String, Int)]) -> String {
        "{" + counts.sorted { $0.0 < $1.0 }.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
    }

    private static func object(_ sorted: [Double]) -> String {
        guard !sorted.isEmpty else { return "null" }
        return "{\"p50\": \(share(0.5, sorted)), \"p99\": \(share(0.99, sorted)), \"max\": \(sorted[sorted.count - 1])}"
    }

    private static func tails(_ sorted: [Double]) -> String {
        guard let last = sorted.last else { return "none" }
        return "p50 \(rounded(share(0.5, sorted))), p99 \(rounded(share(0.99, sorted))), max \(rounded(last))"
    }

    private static func share(_ share: Double, _ sorted: [Double]) -> Double {
        sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }

    private static func rounded(_ number: Double) -> Double { number.isFinite ? (number * 100).rounded() / 100 : number }
}
