// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Faults of every kind in random order, reproducible by a seed. Main thread.

import AudioUnits
import Glibc
import LinuxSystem
import PluginHosting
import TestSupport

/// Commits faults on units, one after the other.
struct Weather {
    private let members: [UnitResources]
    private let strikes: [Strike]
    private var random: SeededRandom
    private(set) var counts: [Strike: Int] = [:]
    /// The processes that are stopped, and when they may go on.
    private var halted: [(process: Int32, until: UInt64)] = []

    init(_ members: [UnitResources], _ strikes: [Strike], seed: UInt64) {
        self.members = members
        self.strikes = strikes
        random = SeededRandom(seed: seed)
    }

    var total: Int { counts.values.reduce(0, +) }

    mutating func strike() {
        release(at: MonotonicClock.now())
        let member = members[Int.random(in: 0..<members.count, using: &random)]
        let choices = strikes.filter { $0.whom == nil || $0.whom == member.unit.name }
        guard !choices.isEmpty else { return }
        let strike = choices[Int.random(in: 0..<choices.count, using: &random)]
        let milliseconds = UInt64.random(in: 1...100, using: &random)
        // A unit that is dead at the moment is struck as well, and notices nothing.
        switch strike.way {
        case .order(let fault, let argument):
            guard (try? member.unit.send(MIDIMessage(0xB0, fault, argument))) != nil else { return }
        case .signal(let signal):
            guard let process = member.unit.processIdentifier else { return }
            Glibc.kill(process, signal)
        case .halt(let isForGood):
            guard let process = member.unit.processIdentifier else { return }
            Glibc.kill(process, SIGSTOP)
            if !isForGood { halted.append((process, MonotonicClock.now() + milliseconds * 1_000_000)) }
        }
        counts[strike, default: 0] += 1
    }

    private mutating func release(at now: UInt64) {
        for (process, until) in halted where until <= now { Glibc.kill(process, SIGCONT) }
        halted.removeAll { $0.until <= now }
    }

    /// Lets every stopped process go on.
    mutating func calmDown() { release(at: .max) }
}
