// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The options of a command line for waiting for effects, and for effects that fail. Main thread.

import PluginHosting
import Realtime

/// The rules of a chain on the command line.
struct PolicyArguments {
    private var wanted = UnitPolicy()
    /// The placement; nil for the one with the quickest hand-offs.
    private var placement: UnitPlacement?
    /// True if all effects render different blocks at once.
    private(set) var isPipelined = false

    static let section = "Real time"

    /// The rules that also apply to rendering.
    static var table: [OptionReader<PolicyArguments>] {
        [
            .number("--ceiling", "DB", in: 0...200, "Replace an effect whose output peaks above this level in dBFS", default: "120")
            {
                $0.wanted.ceiling = Maths.gain(fromDecibels: Float($1))
            }
        ]
    }

    static var realtimeTable: [OptionReader<PolicyArguments>] {
        let shares = UnitPolicy.deadlineShares
        let own: [OptionReader<PolicyArguments>] = [
            .number(
                "--deadline", "PERCENT", in: shares.lowerBound * 100...shares.upperBound * 100,
                "Wait for the effects for this share of a cycle at most", default: "90"
            ) { $0.wanted.deadlineShare = $1 / 100 },
            .number(
                "--work", "PERCENT", in: 1...100_000,
                "The share of a processor that an effect may use for long besides rendering", default: "50"
            ) { $0.wanted.workShare = $1 / 100 },
            .choice(
                "--placement", "P", among: PlacementChoice.allCases,
                "Render effects on the processor of the audio thread (together), on others (spread), or where it is quicker (auto)",
                default: "auto"
            ) { $0.placement = $1.placement },
            .choice(
                "--waiting", "W", among: WaitStrategy.allCases,
                "Wait for spread effects asleep (futex), after a short spin (adaptive), or spinning (spin)", default: "adaptive"
            ) { $0.wanted.waiting = $1 },
            .flag(
                "--pipeline",
                "Render all effects at once on all processors, each another block. Each effect but the first adds a block of latency"
            ) { $0.isPipelined = true },
        ]
        return table + own
    }

    /// The rules for rendering to a file, without a placement.
    var offlinePolicy: UnitPolicy { wanted }

    /// The rules for playing.
    ///
    /// The first call on a machine measures its hand-offs, which takes a moment.
    var policy: UnitPolicy {
        var policy = wanted
        // A pipeline needs the other processors.
        policy.placement = placement ?? (isPipelined ? .spread : Installation.current.handOffTimes?.placement ?? .together)
        return policy
    }

    /// The placements on the command line.
    ///
    /// A playing command has one chain, and so no branches.
    private enum PlacementChoice: String, CaseIterable {
        case auto, together, spread

        var placement: UnitPlacement? { UnitPlacement(rawValue: rawValue) }
    }
}
