// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The options of a storm. Main thread.

import PipeWireIO
import PluginHosting
import Rendering

/// The arguments of the command line.
///
/// storm [--seconds N | --faults N] [--seed N] [--every MS] [--edit-every MS] [--quantum N] [--only NAME,…] [--isolation POLICY] [--pipeline]
/// [--pipewire] [--careless] [--json]
struct StormOptions {
    var seconds = 600.0
    /// The number of faults after which the storm ends; nil for a storm that lasts `seconds`.
    var faults: Int?
    var seed = UInt64.random(in: 0...UInt64(UInt32.max))
    /// Nanoseconds from one fault to the next.
    var interval: UInt64 = 50_000_000
    /// Nanoseconds from one edit of the graph to the next.
    var editInterval: UInt64 = 300_000_000
    var quantum = 64
    /// The faults that are committed.
    var strikes = Strike.all
    /// The policy that gives the units of a chain their processes.
    var isolation = IsolationPolicy.individually
    /// Whether the units of a chain render at the same time.
    var isPipelined = false
    var isJSON = false
    /// Whether the host waits for twenty cycles and has no ceiling: the storm must notice.
    var isCareless = false
    private(set) var isPipeWire = false
    static let nodeName = "storm"

    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    init(_ words: ArraySlice<String>) throws(Unreadable) {
        var words = words
        while let word = words.popFirst() {
            switch word {
            case "--seconds": seconds = try Self.number(word, words.popFirst(), 1...86_400)
            case "--faults": faults = Int(try Self.number(word, words.popFirst(), 1...10_000_000))
            case "--seed": seed = UInt64(try Self.number(word, words.popFirst(), 0...Double(UInt32.max)))
            case "--every": interval = UInt64(try Self.number(word, words.popFirst(), 1...10_000) * 1e6)
            case "--edit-every": editInterval = UInt64(try Self.number(word, words.popFirst(), 1...100_000_000) * 1e6)
            case "--quantum": quantum = Int(try Self.number(word, words.popFirst(), 16...8192))
            case "--only": strikes = try Self.strikes(words.popFirst() ?? "")
            case "--isolation":
                let text = words.popFirst() ?? ""
                guard let policy = IsolationPolicy(rawValue: text), policy != .inProcess else {
                    throw Unreadable(
                        description: "--isolation takes individually, by-plugin, by-manufacturer or together, not \"\(text)\".")
                }
                isolation = policy
            case "--pipeline": isPipelined = true
            case "--pipewire": isPipeWire = true
            case "--json": isJSON = true
            case "--careless": isCareless = true
            default:
                throw Unreadable(
                    description:
                        "\(word) is none of --seconds N, --faults N, --seed N, --every MILLISECONDS, --edit-every MILLISECONDS, --quantum N, --only NAME,…, --isolation POLICY, --pipeline, --pipewire, --careless and --json."
                )
            }
        }
    }

    private static func number(_ word: String, _ text: String?, _ range: ClosedRange<Double>) throws(Unreadable) -> Double {
        guard let text, let number = Double(text), range.contains(number) else {
            throw Unreadable(description: "\(word) takes a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    private static func strikes(_ text: String) throws(Unreadable) -> [Strike] {
        let names = text.split(separator: ",").map(String.init)
        let strikes = Strike.all.filter { names.contains($0.name) }
        guard !names.isEmpty, names.allSatisfy({ name in strikes.contains { $0.name == name } }) else {
            let known = Set(Strike.all.map(\.name)).sorted().joined(separator: ", ")
            throw Unreadable(description: "--only takes names of faults, with commas between them, not \"\(text)\": \(known).")
        }
        return strikes
    }

    var driver: any AudioDriver {
        guard isPipeWire else { return NullDriver(channelCount: 2, quantum: quantum, sampleRate: 48_000) }
        var configuration = PipeWireConfiguration(
            nodeName: Self.nodeName, description: "Storm", kind: .playback, outputChannelCount: 2)
        configuration.quantum = quantum
        configuration.forcesQuantum = true
        return PipeWireDriver(configuration)
    }

    /// The arguments that repeat this storm.
    var words: String {
        (faults.map { "--faults \($0)" } ?? "--seconds \(Int(seconds))")
            + " --every \(interval / 1_000_000) --edit-every \(editInterval / 1_000_000) --quantum \(quantum) --seed \(seed)"
            + (strikes == Strike.all ? "" : " --only \(Set(strikes.map(\.name)).sorted().joined(separator: ","))")
            + (isolation == .individually ? "" : " --isolation \(isolation.rawValue)") + (isPipelined ? " --pipeline" : "")
            + (isPipeWire ? " --pipewire" : "") + (isCareless ? " --careless" : "")
    }
}
