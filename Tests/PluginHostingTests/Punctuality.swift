// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Expects that a player misses no deadline except while the machine stalls.

import LinuxSystem
import Rendering
import Testing

/// A watch over the machine from before a player starts until the expectation.
///
/// Test thread.
struct Punctuality: ~Copyable {
    private let player: PlanPlayer
    private let watches: [StallWatch]
    private var account: DeadlineAccount

    /// Watches all processors, because an unbound thread may be delayed on any of them.
    init(of player: PlanPlayer) throws {
        self.player = player
        watches = try Scheduling.ownProcessors.sorted().map { try StallWatch(processor: $0) }
        account = DeadlineAccount(of: player, watches: watches)
    }

    deinit { for watch in watches { watch.stop() } }

    /// Expects that the player was in time.
    ///
    /// Without real-time ranks cycles may be late on a busy machine. With them they hardly ever are: a delay too short for a
    /// watch to see is not the host's fault either.
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
