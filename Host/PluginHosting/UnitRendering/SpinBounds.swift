// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// For how long the threads of a chain look before they sleep: never, always, or as long as has paid so far. Render thread.

import LinuxSystem
import Rendering

/// What a thread does until the other side is done.
public enum WaitStrategy: String, CaseIterable, Codable, Sendable {
    /// It sleeps.
    case futex
    /// It looks for as long as the other side usually takes, twice that at most, and then sleeps: where that is longer than
    /// waking up takes, it sleeps at once.
    case adaptive
    /// It looks until the other side is done, and sleeps only when nothing is played. It takes a processor each for the host
    /// and for the unit.
    case spin
}

/// How long the host looks for answers, and each unit for its next request.
///
/// It pays only between processors: a thread that looks keeps its own from the one that it looks out for.
struct SpinBounds {
    /// Nanoseconds that nobody looks for longer than, unless all the time. Sleeping and being woken from another processor takes a third of
    /// it to the half: whoever looks in vain has lost no more than twice what there was to be won.
    private static var most: UInt64 { @_noLocks get { 100_000 } }
    /// Nanoseconds for which a unit looks that always does, at most: longer blocks are rare, and a driver that is gone does not
    /// say so.
    private static var longestCycle: UInt64 { @_noLocks get { 100_000_000 } }

    private let isOn: Bool
    private let hasNoBounds: Bool
    private var answers = UsualTime()
    private var rests = UsualTime()
    private var grantedAt: UInt64 = 0
    private var answeredAt: UInt64 = 0
    /// Nanoseconds for which the host looks for the answer to the run that has been granted last.
    private(set) var ofHost: UInt64 = 0
    /// Nanoseconds for which units look once they have answered.
    private(set) var ofUnits: UInt32 = 0

    init(_ strategy: WaitStrategy) {
        isOn = strategy != .futex
        hasNoBounds = strategy == .spin
    }

    /// A run begins whose units run on other processors than the host, each on its own or not; or on the host's.
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

    /// The run has been answered.
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

/// What something has taken lately: a mean in which what came an octave of times ago counts a third.
private struct UsualTime {
    /// Not known yet: longer than anybody looks.
    private(set) var nanoseconds: UInt64 = 1_000_000

    @_noLocks
    mutating func note(_ time: UInt64) { nanoseconds = (nanoseconds &* 7 &+ min(time, 1_000_000)) / 8 }
}
