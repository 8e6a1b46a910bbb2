// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How long to wait for effects and what to do about those that fail, on a command line. Main thread.

import PluginHosting
import Realtime

/// The rules of a chain as the command line asks for them.
struct PolicyArguments {
    private(set) var policy = ChainPolicy()

    static let options = [
        Option("--ceiling", "DB", "replace an effect that puts out more, in dB above full scale; 120 without it")
    ]
    static let realtimeOptions =
        options + [
            Option("--deadline", "PERCENT", "wait for the effects for this share of a cycle at most; 90 without it"),
            Option(
                "--work", "PERCENT", "of a processor that an effect may take for long besides rendering; 50 without it"),
        ]

    /// Takes a word if it belongs here.
    mutating func take(_ word: String, _ arguments: inout Arguments) throws(CommandError) -> Bool {
        switch word {
        case "--deadline":
            let shares = ChainPolicy.deadlineShares
            let percent = try arguments.number(of: word, in: shares.lowerBound * 100...shares.upperBound * 100)
            policy.deadlineShare = percent / 100
        case "--work": policy.workShare = try arguments.number(of: word, in: 1...100_000) / 100
        case "--ceiling":
            let decibels = try arguments.number(of: word, in: 0...200)
            policy.ceiling = Maths.gain(fromDecibels: Float(decibels))
        default: return false
        }
        return true
    }
}
