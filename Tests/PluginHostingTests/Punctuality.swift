// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Expects of a player that it misses no deadlines but those that the machine stood still for.

import LinuxSystem
import Rendering
import Testing

/// Watches the machine from before a player starts until it is asked. Test thread.
struct Punctuality: ~Copyable {
    private let player: PlanPlayer
    private let watches: [StallWatch]
    private var account: DeadlineAccount

    /// A thread that is bound to no processor may have been held up on any of them.
    init(of player: PlanPlayer) throws {
        self.player = player
        watches = try Scheduling.ownProcessors.sorted().map { try StallWatch(processor: $0) }
        account = DeadlineAccount(of: player, watches: watches)
    }

    deinit { for watch in watches { watch.stop() } }

    /// Cycles may be late on a busy machine without real-time ranks; with them, hardly ever: what holds the host up for less
    /// than a watch sees is not ours either.
    consuming func expect(_ what: String) {
        account.settle()
        let (statistics, own) = (player.statistics, account.ownCount)
        print(
            "\(what): \(statistics.cycles) cycles, \(account.count) of them late, \(account.stalledCount) while the machine stood"
                + " still, the longest took \(statistics.longestNanoseconds / 1000) µs.")
        guard Stage.hasRealtimeRanks else { return }
        #expect(own <= max(6, statistics.cycles / 25))
    }
}
