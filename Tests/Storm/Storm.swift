// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A mixed graph under random faults for minutes: what became audible, and what is left over. Main thread.

import Glibc
import LinuxSystem
import PipeWireIO
import PluginHosting
import Rendering
import TestSupport

@main struct Storm {
    static func main() {
        do {
            let options = try StormOptions(CommandLine.arguments.dropFirst())
            let report = try run(options)
            print(options.isJSON ? report.json : report.text)
            exit(report.objections.isEmpty ? 0 : 1)
        } catch {
            say("storm: \(error)\n")
            exit(2)
        }
    }

    private static func run(_ options: StormOptions) throws -> StormReport {
        Scheduling.raiseRealtimeLimits()
        // Makes what a process allocates once and for good, before anything is counted.
        try StormGraph(options).tearDown()
        let before = Census()
        var report = StormReport(options)
        do {
            let graph = try StormGraph(options)
            defer { graph.tearDown() }
            let driver = graph.driver
            // The thread is known once the driver has rendered a cycle.
            while driver.renderThreadIdentifier == nil, driver.failure == nil { Futex.pause(microseconds: 1000) }
            let processor = graph.place(isPipeWire: options.isPipeWire)
            let stalls = try StallWatch(processor: processor)
            defer { stalls.stop() }
            let profile = options.isPipeWire ? try NodeProfile(nodeName: StormOptions.nodeName) : nil
            Futex.pause(microseconds: 1_000_000)
            let calm = Moment(graph, driver, profile)
            var accounts = [
                DeadlineAccount(of: graph.player, watches: [stalls]),
                DeadlineAccount(of: graph.player, .ofDriver, watches: [stalls]),
            ]
            if let profile {
                accounts.append(
                    DeadlineAccount(watches: [stalls], total: { profile.counts.xruns }, take: { profile.takeXruns() }))
            }
            var weather = Weather(graph.members, options.strikes, seed: options.seed)
            try rage(&weather, graph, &accounts, options)
            weather.calmDown()
            report.isWhole = graph.waitUntilWhole(milliseconds: 10_000)
            Futex.pause(microseconds: 1_000_000)
            // When the machine stalls, a unit may be late in any cycle, also in the last ones.
            for _ in 0..<100 where !graph.hasRecovered { Futex.pause(microseconds: 10_000) }
            report.ordered = weather.counts
            for index in accounts.indices { accounts[index].settle() }
            report.note(ofPlan: accounts[0], ofDriver: accounts[1], ofDaemon: profile.map { _ in accounts[2] }, stalls)
            report.note(graph, since: calm, Moment(graph, driver, profile), failure: driver.failure)
        }
        report.leftovers = Census.leftovers(since: before)
        return report
    }

    /// Commits a fault at each interval, until the time is over or the faults are enough.
    private static func rage(
        _ weather: inout Weather, _ graph: StormGraph, _ accounts: inout [DeadlineAccount], _ options: StormOptions
    ) throws {
        var random = SeededRandom(seed: options.seed)
        var editDue = MonotonicClock.now() + options.editInterval
        let started = MonotonicClock.now()
        let end = options.faults == nil ? started + UInt64(options.seconds * 1e9) : .max
        var due = started
        var told = started
        while MonotonicClock.now() < end, weather.total < options.faults ?? .max {
            weather.strike()
            if MonotonicClock.now() >= editDue {
                try graph.edit(using: &random)
                editDue += options.editInterval
            }
            for index in accounts.indices { accounts[index].settle() }
            due += options.interval
            MonotonicClock.sleep(until: due)
            guard isatty(2) == 1, MonotonicClock.now() > told + 1_000_000_000 else { continue }
            told = MonotonicClock.now()
            let length = options.faults.map { "until \($0) faults" } ?? "of \(Int(options.seconds))"
            say("\r\((told - started) / 1_000_000_000) s \(length), \(weather.total) faults")
        }
        if isatty(2) == 1 { say("\n") }
    }

    /// Writes to standard error.
    private static func say(_ text: String) { _ = text.utf8CString.withUnsafeBytes { write(2, $0.baseAddress, $0.count - 1) } }
}
