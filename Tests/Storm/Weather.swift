// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Faults of every kind in random order, a seed apart. Main thread.

import AudioUnits
import Glibc
import LinuxSystem
import PluginHosting
import TestSupport

/// What is done to a unit.
enum Strike: CaseIterable {
    case kill, segmentationFault, abort, floatingPointException, illegalInstruction, busError, trap, terminate
    case halt, haltForGood
    case exitInside, crashInside, killInside, loop, loopForGood, sleep, notANumber, infinity, tooLoud, stopInside

    /// The signal that it is, for one that comes from outside.
    var signal: Int32? {
        switch self {
        case .kill: SIGKILL
        case .segmentationFault: SIGSEGV
        case .abort: SIGABRT
        case .floatingPointException: SIGFPE
        case .illegalInstruction: SIGILL
        case .busError: SIGBUS
        case .trap: SIGTRAP
        case .terminate: SIGTERM
        case .halt, .haltForGood: SIGSTOP
        default: nil
        }
    }

    /// What a Misbehaver is told by a controller message: which fault, and for how many tens of milliseconds.
    var order: (fault: UInt8, argument: UInt8)? {
        switch self {
        case .exitInside: (1, 0)
        case .crashInside: (2, 0)
        case .killInside: (3, 0)
        case .loop: (4, 3)
        case .loopForGood: (4, 127)
        case .sleep: (5, 3)
        case .notANumber: (6, 0)
        case .stopInside: (8, 0)
        case .infinity: (9, 0)
        case .tooLoud: (10, 0)
        default: nil
        }
    }
}

/// Strikes units, one after the other.
struct Weather {
    private let members: [ChainMember]
    private var random: SeededRandom
    private(set) var counts: [Strike: Int] = [:]
    /// Processes that stand still, and when they may go on.
    private var halted: [(process: Int32, until: UInt64)] = []

    init(_ members: [ChainMember], seed: UInt64) {
        self.members = members
        random = SeededRandom(seed: seed)
    }

    var total: Int { counts.values.reduce(0, +) }

    mutating func strike() {
        release(at: MonotonicClock.now())
        let member = members[Int.random(in: 0..<members.count, using: &random)]
        let isObedient = member.unit.name == "Misbehaver"
        let choices = Strike.allCases.filter { $0.signal != nil || isObedient }
        let strike = choices[Int.random(in: 0..<choices.count, using: &random)]
        let milliseconds = UInt64.random(in: 1...100, using: &random)
        // One that is just dead is struck all the same, and does not notice.
        if let order = strike.order {
            guard (try? member.unit.send(MIDIMessage(0xB0, order.fault, order.argument))) != nil else { return }
        } else if let signal = strike.signal {
            guard let process = member.unit.processIdentifier else { return }
            Glibc.kill(process, signal)
            if strike == .halt { halted.append((process, MonotonicClock.now() + milliseconds * 1_000_000)) }
        }
        counts[strike, default: 0] += 1
    }

    private mutating func release(at now: UInt64) {
        for (process, until) in halted where until <= now { Glibc.kill(process, SIGCONT) }
        halted.removeAll { $0.until <= now }
    }

    /// Lets everything go on that stands still.
    mutating func calmDown() { release(at: .max) }
}
