// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Waits for the ends of processes, and for the supervisor's own wake-up. Supervisor.

import Confinement
import LinuxSystem

/// The processes whose end wakes the supervisor.
struct ProcessEnds: ~Copyable {
    /// The reasons why the supervisor woke.
    struct Signals {
        /// The processes that have ended, by their index; only some of them, if there are many.
        var processes: Set<Int> = []
        /// True if the supervisor woke for another reason.
        var hasRung = false
    }

    private let list = PollList()
    private var numbers: [Int32] = []

    /// Makes signals without a reason.
    init() {}

    /// Watches these processes from now on, as far as they are supervised, and no others.
    mutating func watch(_ processes: [ProcessHistory], child: (ProcessHistory) -> ChildProcess?) {
        for number in numbers { list.remove(number) }
        numbers = []
        for (index, process) in processes.enumerated() where process.isWatched {
            guard let child = child(process) else { continue }
            list.add(child.pidfd, tag: UInt64(index))
            numbers.append(child.pidfd)
        }
    }

    /// Sleeps until a process has ended, a wake-up has come, or the time is up; nil waits for ever.
    ///
    /// The descriptor `alarm` also ends the sleep.
    borrowing func await(_ wakeUp: EventDescriptor, alarm: Int32? = nil, nanoseconds: UInt64?) -> Signals {
        let numbers = [list.descriptor, wakeUp.descriptor] + [alarm].compactMap { $0 }
        let ready = Descriptor.awaitAny(numbers, nanoseconds: nanoseconds)
        wakeUp.quieten()
        var signals = Signals(hasRung: ready.contains { $0 > 0 })
        if ready.contains(0) { signals.processes = Set(list.ready.map { Int($0) }) }
        return signals
    }
}
