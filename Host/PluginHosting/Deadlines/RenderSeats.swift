// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The places of all units of a chain on the render core. The deadline watch and the supervisor.

import LinuxSystem

/// Looks after the seats of a chain's units.
///
/// The watch only takes ranks, a single system call: it keeps the render core from all others while it works, and where the
/// machine has stood still every unit has overrun at once. Moving threads from core to core, which can take a
/// tenth of a millisecond each, is the supervisor's, elsewhere.
final class RenderSeats: Sendable {
    // SAFETY: the renderers outlive the chain's core, and with it the watch; of them only the seats' atomics are used.
    nonisolated(unsafe) private let renderers: [UnsafeMutablePointer<UnitRenderer>]
    /// Wakes the supervisor.
    private let news: EventDescriptor

    init(of renderers: [UnsafeMutablePointer<UnitRenderer>], news: EventDescriptor) {
        self.renderers = renderers
        self.news = news
    }

    /// The watch: takes the ranks of those that are to leave.
    func takeRanks() {
        var hasNews = false
        for renderer in renderers {
            renderer.pointee.seat.takeRank()
            if renderer.pointee.seat.isToBeMoved { hasNews = true }
        }
        if hasNews { news.ring() }
    }

    /// The supervisor: moves those that have lost their ranks or are to have them back. `takesRanks` where no watch does.
    func move(takesRanks: Bool) {
        for renderer in renderers {
            if takesRanks { renderer.pointee.seat.takeRank() }
            renderer.pointee.seat.move()
        }
    }
}
