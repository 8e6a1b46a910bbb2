// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The events of a demonstration, from its session. Main thread.

import PluginHosting
import Realtime

/// The facts of a demonstration.
package struct DemoFacts {
    package let sampleRate: Double
    /// The number of frames in a cycle.
    package let quantum: Int
    package let cycleCount: UInt64
    package let longestCycleNanoseconds: UInt64
    package let missedDeadlineCount: UInt64
    /// The number of deadlines that were missed while the machine stalled; nil if that was not watched.
    package let stalledDeadlineCount: UInt64?
    /// The number of underruns that the driver reported.
    package let xruns: UInt64
    /// The effect whose process was killed.
    package let victimName: String
    /// The record of the kill; nil if the kill failed.
    package let death: FaultRecord?
    /// The played samples.
    package let played: AudioBlock?

    package init(
        sampleRate: Double, quantum: Int, cycleCount: UInt64, longestCycleNanoseconds: UInt64, missedDeadlineCount: UInt64,
        stalledDeadlineCount: UInt64?, xruns: UInt64, victimName: String, death: FaultRecord?, played: AudioBlock?
    ) {
        (self.sampleRate, self.quantum) = (sampleRate, quantum)
        (self.cycleCount, self.longestCycleNanoseconds) = (cycleCount, longestCycleNanoseconds)
        (self.missedDeadlineCount, self.stalledDeadlineCount) = (missedDeadlineCount, stalledDeadlineCount)
        (self.xruns, self.victimName, self.death, self.played) = (xruns, victimName, death, played)
    }
}
