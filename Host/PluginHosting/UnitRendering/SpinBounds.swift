// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Bounds how long the threads of a row spin before they sleep: never, always, or as long as it pays. Render thread.

import LinuxSystem
import Rendering

/// The way in which a thread waits for the other side.
package enum WaitStrategy: String, CaseIterable, Codable, Sendable {
    /// The thread sleeps.
    case futex
    /// The thread spins for up to twice the usual time of the other side, and then sleeps.
    ///
    /// If that is longer than a wake-up takes, it sleeps at once.
    case adaptive
    /// The thread spins until the other side is done, and sleeps only when nothing is played.
    ///
    /// This occupies one processor for the host and one for the unit.
    case spin
}

/// The nanoseconds for which the host spins for answers, and each unit for its next request.
///
/// Spinning pays only between processors: on one processor the spinning thread keeps the other from running.
struct SpinBounds {
    /// The longest spin in nanoseconds, unless a thread always spins.
    ///
    /// Sleeping and waking from another processor takes a third to a half of it. So a vain spin loses at most twice the time that
    /// it could have saved.
    private static var most: UInt64 { @_noLocks get { 100_000 } }
    /// The longest spin in nanoseconds of a unit that always spins.
    ///
    /// Longer blocks are rare, and a driver that has gone does not report it.
    private static var longestCycle: UInt64 { @_noLocks get { 100_000_000 } }

    private let isOn: Bool
    private let hasNoBounds: Bool
    private var answers = UsualTime()
    private var rests = UsualTime()
    private var grantedAt: UInt64 = 0
    private var answeredAt: UInt64 = 0
    /// The nanoseconds for which the host spins for the answer to the newest run.
    private(set) var ofHost: UInt64 = 0
    /// The nanoseconds for which units spin once they have answered.
    private(set) var ofUnits: UInt32 = 0

    init(_ strategy: WaitStrategy) {
        isOn = strategy != .futex
        hasNoBounds = strategy == .spin
    }

    /// Sets the bounds for a new run, by the processors of its units.
    @_noLocks
    mutating func begin(_ cycle: RenderCycle, _ spread: UnitSpread) {
        (ofHost, ofUnits) = (0, 0)
        guard isOn else { return }
        let mayUnitsLook: Bool
        switch spread {
        case .together: return
        case .shared: mayUnitsLook = false
        case .apart: mayUnitsLook = true
        }
        if hasNoBounds {
            let length = cycle.isOffline ? Self.most : UInt64(Double(cycle.frameCount) / cycle.sampleRate * 1e9)
            let longest = min(2 &* length &+ 1_000_000, Self.longestCycle)
            (ofHost, ofUnits) = (.max, mayUnitsLook ? UInt32(longest) : 0)
        } else {
            grantedAt = MonotonicClock.now()
            if answeredAt != 0 { rests.note(grantedAt &- answeredAt) }
            answeredAt = 0
            (ofHost, ofUnits) = (Self.bound(answers), mayUnitsLook ? UInt32(Self.bound(rests)) : 0)
        }
    }

    /// Notes the answer of the run.
    @_noLocks
    mutating func end() {
        guard grantedAt != 0 else { return }
        answeredAt = MonotonicClock.now()
        answers.note(answeredAt &- grantedAt)
        grantedAt = 0
    }

    @_noLocks
    private static func bound(_ time: UsualTime) -> UInt64 {
        time.nanoseconds <= most / 2 ? 2 &* time.nanoseconds &+ 2000 : 0
    }
}

/// A usual time: a mean in which the last eight times count two thirds.
private struct UsualTime {
    /// The mean; at first unknown, and longer than any spin.
    private(set) var nanoseconds: UInt64 = 1_000_000

    @_noLocks
    mutating func note(_ time: UInt64) { nanoseconds = (nanoseconds &* 7 &+ min(time, 1_000_000)) / 8 }
}
