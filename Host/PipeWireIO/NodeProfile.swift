// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// PipeWire's own statistics of a node. Control thread.

import CPipeWireShims
import Rendering

/// PipeWire's own statistics of a node, from its opening on: the node's cycles, and those that pw-top counts as ERR.
///
/// While a client reads them, the daemon collects them for all nodes, at the price of a message now and then.
public final class NodeProfile: Sendable {
    // SAFETY: the C functions read the profile under its loop's lock; deinit frees it, when no reference is left.
    nonisolated(unsafe) private let profile: OpaquePointer

    /// `[control]` Opens the statistics of the node of that name, which need not exist yet.
    ///
    /// It throws when no daemon answers, or when the daemon lacks the profiler module.
    public init(nodeName: String, socketPath: String? = nil) throws(PipeWireError) {
        var error = CPipeWireShims_Error()
        guard let profile = CPipeWireShims_openProfile(socketPath, nodeName, &error) else {
            throw PipeWireError(error, PipeWireConfiguration(nodeName: nodeName, description: nodeName, kind: .playback))
        }
        self.profile = profile
    }

    deinit { CPipeWireShims_closeProfile(profile) }

    /// Counts of a node's cycles.
    public struct Counts: Sendable {
        /// Cycles of the node.
        public var cycles: UInt64 = 0
        /// Cycles that the node had not finished when the next one began.
        public var xruns: UInt64 = 0

        /// Zero cycles.
        public init() {}

        fileprivate init(_ counts: CPipeWireShims_ProfileCounts) {
            (cycles, xruns) = (counts.cycles, counts.xruns)
        }

        /// The cycles between two counts.
        public static func - (now: Counts, before: Counts) -> Counts {
            var difference = now
            difference.cycles -= before.cycles
            difference.xruns -= before.xruns
            return difference
        }
    }

    /// `[control]` The counts that the daemon has reported; its reports come some cycles late.
    public var counts: Counts { Counts(CPipeWireShims_profileCounts(profile)) }

    /// `[control]` The xruns since the last call, the latest 256 at most.
    ///
    /// Each one lasts from the moment in which the driver requested the cycle to the moment in which it requested the next. Its
    /// length is nine tenths of a cycle, the time that a chain has by default: a driver that was late itself requests the cycles
    /// that it owes one right after the other.
    package func takeXruns() -> [MissedCycle] {
        var xruns: [MissedCycle] = []
        var cycle = CPipeWireShims_UnfinishedCycle()
        while CPipeWireShims_takeUnfinishedCycle(profile, &cycle) {
            guard cycle.signal > 0, cycle.nextSignal >= cycle.signal, cycle.length >= 0 else { continue }
            xruns.append(
                MissedCycle(
                    start: UInt64(cycle.signal), end: UInt64(cycle.nextSignal), length: UInt64(cycle.length) / 10 * 9))
        }
        return xruns
    }
}
