// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How PipeWire itself says that a node is doing. Control thread.

import CPipeWireShims
import Rendering

/// PipeWire's own account of a node, from now on: what pw-top calls ERR, and the cycles in which it was to run.
///
/// While somebody asks for it, the daemon keeps it for all nodes, at the price of a message now and then.
public final class NodeProfile: Sendable {
    // SAFETY: what is in it is read under its loop's lock; it is freed when nobody can.
    nonisolated(unsafe) private let profile: OpaquePointer

    /// `[control]` Of the node of that name, whether it is there already or not. Throws when no daemon answers, or one
    /// without the profiler module.
    public init(nodeName: String, socketPath: String? = nil) throws(PipeWireError) {
        var error = CPipeWireShims_Error()
        guard let profile = CPipeWireShims_openProfile(socketPath, nodeName, &error) else {
            throw PipeWireError(error, PipeWireConfiguration(nodeName: nodeName, description: nodeName, kind: .playback))
        }
        self.profile = profile
    }

    deinit { CPipeWireShims_closeProfile(profile) }

    public struct Counts: Sendable {
        /// Cycles of the node.
        public var cycles: UInt64 = 0
        /// Those in which it was not done when the next one began.
        public var xruns: UInt64 = 0

        public init() {}

        fileprivate init(_ counts: CPipeWireShims_ProfileCounts) {
            (cycles, xruns) = (counts.cycles, counts.xruns)
        }

        public static func - (now: Counts, before: Counts) -> Counts {
            var difference = now
            difference.cycles -= before.cycles
            difference.xruns -= before.xruns
            return difference
        }
    }

    /// What the daemon has told of so far; it does so some cycles after they were.
    public var counts: Counts { Counts(CPipeWireShims_profileCounts(profile)) }

    /// The xruns since this was asked last, the latest 256 at most: from the moment that the driver asked for the cycle to the
    /// one that it asked for the next. Their length is nine tenths of a cycle's, the time that a chain may take as it comes: a
    /// driver that was late itself asks for the cycles that it owes one right after the other.
    public func takeXruns() -> [MissedCycle] {
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
