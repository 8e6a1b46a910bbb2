// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a process works: while it renders, and besides. Supervisor.

/// What a process and its units have done until one moment.
struct WorkReading {
    struct Unit {
        /// Nanoseconds that its blocks have taken, by its own word.
        var rendered: UInt64
        /// Blocks in which something stood in for it.
        var replacedBlockCount: UInt64
        /// Whether it renders a block that nobody waits for any more, and of which it has not said anything yet.
        var isLate = false
    }

    /// Monotonic; nanoseconds.
    var time: UInt64
    /// Cycles of the chain.
    var cycleCount: UInt64 = 0
    /// Nanoseconds for which its threads together have had a processor.
    var worked: UInt64
    /// By their index in the chain.
    var units: [Int: Unit]
}

/// What it has done between two readings.
struct WorkInterval {
    /// More nanoseconds than it takes a thread to wake up for a block and to fall asleep after it.
    private static let wakingNanoseconds = 20_000.0

    /// Nanoseconds.
    let length: Double
    /// Nanoseconds of rendering, and of waking up for it, of each unit that has told of all its blocks.
    let rendered: [Int: Double]
    /// Nanoseconds of all threads for which no unit rendered; less than none if blocks are told of that were begun before.
    let workedBesides: Double

    /// Nil where the later reading is one of another process. A unit that is not late renders for `renderShare` of the time at
    /// most, whatever it says.
    init?(from first: WorkReading, to last: WorkReading, renderShare: Double) {
        guard last.worked >= first.worked, last.time > first.time else { return nil }
        length = Double(last.time - first.time)
        let waking = Double(last.cycleCount &- first.cycleCount) * Self.wakingNanoseconds
        var rendered: [Int: Double] = [:]
        var besides = Double(last.worked - first.worked)
        for (index, unit) in last.units {
            guard let before = first.units[index] else { continue }
            let most = unit.replacedBlockCount == before.replacedBlockCount ? renderShare * length : length
            let nanoseconds = min(Double(unit.rendered &- before.rendered), most) + waking
            besides -= nanoseconds
            if !unit.isLate { rendered[index] = nanoseconds }
        }
        (self.rendered, workedBesides) = (rendered, besides)
    }
}

/// What a process has left of the processor time that it may take besides rendering: for threads that load or compute
/// something.
///
/// A share of the time that passes is put in, up to so much, and what is worked is taken out. So it may work hard for a
/// while, as when a large file is loaded, and moderately for ever.
struct WorkBudget {
    private var savings: Double?

    /// Whether more has been worked than there was.
    mutating func isSpent(by interval: WorkInterval, share: Double, mostNanoseconds most: Double) -> Bool {
        let left = min(most, (savings ?? most) + share * interval.length - interval.workedBesides)
        savings = left
        return left < 0
    }
}

/// Finds a render thread that does not go to sleep after its blocks.
///
/// Such a thread keeps all others of less rank from its processor, and the kernel, which leaves a twentieth of each second to
/// ordinary threads, takes that from the host as well. Where it never sleeps the kernel ends it, by
/// `ResourceLimits.realtimeMicroseconds`; where it naps now and then it is found here.
struct Restlessness {
    private static let share = 0.2

    /// Nanoseconds for which the units' render threads have had a processor; read while there is a suspicion only.
    private var ran: [Int: UInt64] = [:]

    /// The unit whose thread has run on, if there is one: at the second look after it began to.
    mutating func culprit(of interval: WorkInterval, _ readRan: () -> [Int: UInt64]) -> Int? {
        let most = Self.share * interval.length
        guard interval.workedBesides > most else {
            ran = [:]
            return nil
        }
        let before = ran
        ran = readRan()
        return interval.rendered.first { index, rendered in
            guard let first = before[index], let last = ran[index], last > first else { return false }
            return Double(last - first) > rendered + most
        }?.key
    }
}
