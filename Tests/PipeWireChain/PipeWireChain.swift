// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Measures what a filter costs in a chain of PipeWire's own filters, one process each, in a private PipeWire. Main thread.

import BenchmarkSupport
import CPipeWireFilter
import FoundationEssentials
import Glibc

@main struct PipeWireChain {
    static func main() {
        do {
            var words = CommandLine.arguments.dropFirst()
            if words.first == FilterProcess.argument {
                words.removeFirst()
                try FilterProcess.serve(words)
            }
            let options = try ChainOptions(words)
            let report = try run(options)
            print(options.isJSON ? try json(report) : text(report))
        } catch let error as ChainError where error.isUsage {
            say(error)
            exit(2)
        } catch {
            say(error)
            exit(1)
        }
    }

    private static func run(_ options: ChainOptions) throws -> PeerReport {
        let chain = try FilterChain(options)
        defer { chain.close() }
        var rows: [PeerReport.Row] = []
        for count in options.effectCounts {
            let inside = try chain.measure(effectCount: count, isInProcess: true)
            let outside = try chain.measure(effectCount: count, isInProcess: false)
            rows.append(.init(.inProcess, effects: count, inside.nanoseconds, missed: inside.missed))
            rows.append(
                .init(.individually, effects: count, outside.nanoseconds, missed: outside.missed, inProcess: inside.nanoseconds))
        }
        return PeerReport(
            placement: options.placement.rawValue, processor: options.processor, realtimePriorities: chain.realtimePriorities,
            frames: options.quantum, channels: CPipeWireFilter_channelCount, cycles: options.cycles,
            pipeWireVersion: String(cString: CPipeWireFilter_version()), rows: rows)
    }

    private static func json(_ report: PeerReport) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(report), as: UTF8.self)
    }

    private static func text(_ report: PeerReport) -> String {
        let place = report.processor.map { "all data threads on processor \($0)" } ?? "data threads as they come"
        let head =
            "PipeWire \(report.pipeWireVersion), \(report.frames) frames, \(report.cycles) cycles; \(place), \(report.scheduling)."
        let rows = report.rows.map { row in
            "\(row.effects) filters \(row.isolation.rawValue): p50 \(row.p50us.digits(2)) µs, p99 \(row.p99us.digits(2)), p99.9 \(row.p999us.digits(2)); "
                + "\(row.overheadPerEffectUs.digits(2)) µs each; \(row.missed) cycles were not over in time"
        }
        return ([head] + rows).joined(separator: "\n")
    }

    private static func say(_ error: any Error) { StandardError.say("PipeWireChain: \(error)") }
}

/// Why there are no figures, as a sentence.
struct ChainError: Error, CustomStringConvertible {
    let description: String
    var isUsage = false

    init(_ description: String) { self.description = description }

    static func usage(_ description: String) -> ChainError {
        var error = ChainError(description)
        error.isUsage = true
        return error
    }
}
