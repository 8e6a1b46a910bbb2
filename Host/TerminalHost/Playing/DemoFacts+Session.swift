// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The facts of a demonstration, read from its session. Main thread.

import Demonstration
import Glibc
import PluginHosting
import Rendering

extension DemoFacts {
    /// `victim` is the index of the killed effect.
    init(_ session: RealtimeSession, victim: Int) {
        let (status, statistics) = (session.driver.status, session.player.statistics)
        let member = session.chain.members[victim]
        self.init(
            sampleRate: session.sampleRate, quantum: status.quantum, cycleCount: statistics.cycles,
            longestCycleNanoseconds: statistics.longestNanoseconds, missedDeadlineCount: session.missedDeadlineCount,
            stalledDeadlineCount: session.stalledDeadlineCount, xruns: status.xruns, victimName: member.unit.name,
            // On a busy machine, the effect may have been late before.
            death: member.faults.records.first { $0.fault == .signalled(signal: SIGKILL) }, played: session.tap?.recorded)
    }
}
