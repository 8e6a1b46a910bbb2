// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Figures of a row: latencies, channels, counts of blocks, and its completeness. Any thread.

import LinuxSystem
import Synchronization

extension UnitRow {
    /// The rate and the blocks in which the row renders; its channels are those of the first input.
    package var format: BlockFormat { members[0].format }

    /// The channels of each output bus of the last unit.
    package var outputChannelCounts: [Int] { members[members.count - 1].outputChannelCounts }

    /// The sum of the units' latencies and the pipeline's, in frames.
    package var latencyFrameCount: Int { members.reduce(pipelineLatencyFrameCount) { $0 + $1.latencyFrameCount } }

    /// The frames of latency that come from rendering the units at the same time.
    package var pipelineLatencyFrameCount: Int { Pipeline.latency(unitCount: members.count, monitor.policy) }

    /// The number of rendered cycles.
    package var cycleCount: UInt64 { monitor.sharedState.pointee.cycles.count }

    /// The number of blocks in which a unit missed its deadline.
    package var missedDeadlineCount: UInt64 { monitor.sharedState.pointee.missedDeadlineCount.load(ordering: .relaxed) }

    /// The number of blocks whose invalid samples came from the row's input and were replaced at its output.
    package var mendedBlockCount: UInt64 { monitor.sharedState.pointee.mendedBlockCount.load(ordering: .relaxed) }

    /// The number of changes to the units' states and bypasses that the host knows of.
    package var stateRevision: Int { members.reduce(0) { $0 + $1.stateRevision } }

    /// True if every unit is ready or in quarantine.
    package var isWhole: Bool { members.allSatisfy { $0.isPresent || $0.isQuarantined } }

    /// Waits until every unit is ready or in quarantine, restarts included; false if the time is up.
    package func waitUntilReady(milliseconds: Int) -> Bool {
        let deadline = MonotonicClock.now() + UInt64(milliseconds) * 1_000_000
        while !isWhole {
            guard MonotonicClock.now() < deadline else { return false }
            Futex.pause(microseconds: 500)
        }
        return true
    }
}
