// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// PipeWire's own statistics of a node. Control thread.

import CPipeWireShims
import Rendering

/// PipeWire's own statistics of a node since its opening: its cycles, and those that pw-top counts as ERR.
///
/// While a client reads them, the daemon collects them for all nodes, at the cost of occasional messages.
public final class NodeProfile: Sendable {
    // SAFETY: the C functions read the profile under its loop's lock; deinit frees it, after the last reference.
    nonisolated(unsafe) private let profile: OpaquePointer

    /// `[control]` Opens the statistics of the node of that name, which need not exist yet.
    ///
    /// Throws if no daemon answers, or if the daemon lacks the profiler module.
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
        /// The number of the node's cycles.
        public var cycles: UInt64 = 0
        /// The number of cycles that the node had not finished when the next one began.
        public var xruns: UInt64 = 0

        /// Makes counts of zero.
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

    /// `[control]` Takes the xruns since the last call, at most the latest 256.
    ///
    /// Each xrun lasts from the driver's request for the cycle to its request for the next one. Its length is nine tenths of a
    /// cycle, the time that a chain has by default. The reason is that a late driver requests its missed cycles in quick
    /// succession.
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
