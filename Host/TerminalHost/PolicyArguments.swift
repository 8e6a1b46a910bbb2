// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How long to wait for effects and what to do about those that fail, on a command line. Main thread.

import PluginHosting
import Realtime

/// The rules of a chain as the command line asks for them.
struct PolicyArguments {
    private var wanted = ChainPolicy()
    /// Nil: wherever hand-offs are the quickest.
    private var placement: UnitPlacement?
    /// Whether effects played in real time render at the same time, each another block.
    private(set) var isPipelined = false

    static let options = [
        Option("--ceiling", "DB", "replace an effect that puts out more, in dB above full scale; 120 without it")
    ]
    static let realtimeOptions =
        options + [
            Option("--deadline", "PERCENT", "wait for the effects for this share of a cycle at most; 90 without it"),
            Option(
                "--work", "PERCENT", "of a processor that an effect may take for long besides rendering; 50 without it"),
            Option(
                "--placement", "P",
                "where effects render: together (on the processor of the audio thread), spread (on the others), or auto, which it is without it"
            ),
            Option("--waiting", "W", "how effects elsewhere are waited for: futex (asleep), adaptive (looking first), or spin"),
            Option(
                "--pipeline", nil,
                "have all effects render at the same time, each another block, on all processors; a block of latency for each but the first"
            ),
        ]

    /// The rules of a chain that no driver waits for: it is placed nowhere.
    var offlinePolicy: ChainPolicy { wanted }

    /// The rules. Finding out where hand-offs are the quickest takes a moment, once on a machine.
    var policy: ChainPolicy {
        var policy = wanted
        // A pipeline is there for the other processors.
        policy.placement = placement ?? (isPipelined ? .spread : Installation.current.handOffTimes?.placement ?? .together)
        return policy
    }

    /// Takes a word if it belongs here.
    mutating func take(_ word: String, _ arguments: inout Arguments) throws(CommandError) -> Bool {
        switch word {
        case "--deadline":
            let shares = ChainPolicy.deadlineShares
            let percent = try arguments.number(of: word, in: shares.lowerBound * 100...shares.upperBound * 100)
            wanted.deadlineShare = percent / 100
        case "--work": wanted.workShare = try arguments.number(of: word, in: 1...100_000) / 100
        case "--ceiling":
            let decibels = try arguments.number(of: word, in: 0...200)
            wanted.ceiling = Maths.gain(fromDecibels: Float(decibels))
        case "--placement":
            let text = try arguments.value(of: word)
            // What plays has one chain, and so no branches.
            placement = UnitPlacement(rawValue: text).flatMap { $0 == .branches ? nil : $0 }
            guard placement != nil || text == "auto" else {
                throw arguments.usage("--placement takes auto, together or spread, not \"\(text)\".")
            }
        case "--pipeline": isPipelined = true
        case "--waiting":
            let text = try arguments.value(of: word)
            guard let waiting = WaitStrategy(rawValue: text) else {
                throw arguments.usage("--waiting takes futex, adaptive or spin, not \"\(text)\".")
            }
            wanted.waiting = waiting
        default: return false
        }
        return true
    }
}
