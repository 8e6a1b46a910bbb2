// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The effects of a graph, for commands that watch them. Main thread.

import AudioGraph
import GraphDocuments
import LinuxSystem
import PluginHosting

extension BuiltGraph {
    /// The effects' resources, while the engine has been started.
    var members: [UnitResources] { units.compactMap(\.unit.resources) }

    /// The same with their places among all effects, also those that are left out at present.
    var placedMembers: [(index: Int, member: UnitResources)] {
        units.enumerated().compactMap { index, unit in unit.unit.resources.map { (index, $0) } }
    }

    /// The latency in frames, including that of effects that render at once.
    var latencyFrameCount: Int { engine.latencyFrameCount }

    /// The latency in frames of effects that render at once.
    var pipelineLatencyFrameCount: Int { engine.rows.reduce(0) { $0 + $1.pipelineLatencyFrameCount } }

    /// The number of blocks in which an effect missed its deadline.
    var missedDeadlineCount: UInt64 { engine.rows.reduce(0) { $0 + $1.missedDeadlineCount } }

    /// True if every effect is ready or in quarantine.
    var isWhole: Bool { members.allSatisfy { $0.isPresent || $0.isQuarantined } }

    /// Waits until every effect is ready or in quarantine, restarts included; false after that time.
    func waitUntilReady(milliseconds: Int) -> Bool {
        let deadline = MonotonicClock.now() + UInt64(milliseconds) * 1_000_000
        while !isWhole {
            guard MonotonicClock.now() < deadline else { return false }
            Futex.pause(microseconds: 500)
        }
        return true
    }
}
