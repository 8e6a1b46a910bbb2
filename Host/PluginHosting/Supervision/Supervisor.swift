// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Supervises the processes of a chain's units, and restarts those that die. A thread of its own.

import AudioUnits
import Confinement
import Glibc
import LinuxSystem
import Rendering
import Synchronization
import Wire

/// The supervising thread of one chain.
final class Supervisor: Sendable {
    /// The nanoseconds between checks while all is well, and while a unit seems to hang, which may be another's
    /// fault.
    private static let (lookInterval, closeLookInterval): (UInt64, UInt64) = (40_000_000, 20_000_000)

    /// The checks that are due at set times, and not at each wake-up.
    struct Looks {
        /// The nanoseconds between checks of used-up memory and descriptors, and of work.
        private static let (resourceInterval, workInterval): (UInt64, UInt64) = (1_000_000_000, 40_000_000)
        /// A check that comes a little early is not put off to the next.
        private static let earliness: UInt64 = 5_000_000

        private(set) var atResources = false
        private(set) var atWork = false
        private var (resourcesDue, workDue): (UInt64, UInt64)

        /// A new process has used up nothing yet.
        init(from now: UInt64) { (resourcesDue, workDue) = (now + Self.resourceInterval, now + Self.workInterval) }

        mutating func advance(to now: UInt64) {
            (atResources, atWork) = (now + Self.earliness >= resourcesDue, now + Self.earliness >= workDue)
            if atResources { resourcesDue = now + Self.resourceInterval }
            if atWork { workDue = now + Self.workInterval }
        }
    }

    let placement = Mutex<Placement?>(nil)
    let members: [ChainMember]
    let policy: ChainPolicy
    // SAFETY: they are atomics.
    nonisolated(unsafe) let sharedState: UnsafeMutablePointer<ChainSharedState>
    let threadPlacements: ThreadPlacements
    let watched: WatchedChain
    private let mustStop = Atomic<Bool>(false)
    private let thread = Mutex<LinuxSystem.Thread?>(nil)
    /// Wakes the thread.
    private let wakeUp: EventDescriptor
    /// Rests when the supervisor does.
    private let keeper = Mutex<StateKeeper?>(nil)

    init(
        members: [ChainMember], _ watched: WatchedChain, sharedState: UnsafeMutablePointer<ChainSharedState>,
        threadPlacements: ThreadPlacements,
        policy: ChainPolicy, wakeUp: EventDescriptor
    ) {
        self.members = members
        self.watched = watched
        self.policy = policy
        self.sharedState = sharedState
        self.threadPlacements = threadPlacements
        self.wakeUp = wakeUp
    }

    func start() throws(SystemError) {
        let started = try LinuxSystem.Thread(name: "supervisor") { [self] in run() }
        thread.withLock { $0 = started }
        // Until `stop`, which is always called.
        keeper.withLock { [members] in $0 = StateKeeper(members) { [self] in (cycle, sampleTime) } }
        for member in members {
            member.unit.journal.tell(wakeUp)
            // Until `stop`, as above.
            member.unit.scheduled.follow { member.sharedState.pointee.nextFrame }
        }
    }

    func stop() {
        for member in members {
            member.unit.settleSchedule()
            member.unit.scheduled.follow(nil)
            member.unit.journal.tell(nil)
        }
        keeper.withLock { $0 = nil }
        mustStop.store(true, ordering: .releasing)
        wakeUp.ring()
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
        for member in members { takeNotices(member) }
    }

    /// Moves the thread, and every process that it starts, off the processor of the render threads, if there is
    /// another.
    ///
    /// Starting and ending processes are long stretches in the kernel, some of them milliseconds, which not
    /// every kernel interrupts even for a real-time thread.
    func keep(off processor: Int) {
        thread.withLock { $0.map { Scheduling.keep(thread: $0.identifier, off: processor) } }
        keeper.withLock { $0?.keep(off: processor) }
    }

    private func run() {
        var processes = Self.processes(of: members)
        var looks = Looks(from: MonotonicClock.now())
        // The count before any process of this chain can add to it.
        noteMemoryKills()
        var rest = SupervisorRest()
        var looksClosely = false
        while !mustStop.load(ordering: .acquiring) {
            let begunCount = sharedState.pointee.cycles.begunCount
            if rest.isDue(cycle: begunCount, hasNothingToDo: { isBetweenCycles && isAtRest(processes) }) {
                sleep(processes, &rest)
            } else {
                let now = MonotonicClock.now()
                waitForWakeUp(processes, nanoseconds: Self.nextLook(after: now, looksClosely: looksClosely) - now)
            }
            watched.ringIfForgotten()
            threadPlacements.move()
            looks.advance(to: MonotonicClock.now())
            looksClosely = endMisleaders(&processes)
            for index in processes.indices { lookAfter(&processes[index], looks) }
            guard looks.atResources else { continue }
            noteMemoryKills()
            threadPlacements.clearRenderCore()
        }
        for process in processes { process.restart?.join() }
    }

    /// The next check, at a time that all supervisors share.
    ///
    /// One timer then wakes those of hundreds of chains. Timers of their own would interrupt rendering
    /// thousands of times a second.
    private static func nextLook(after now: UInt64, looksClosely: Bool) -> UInt64 {
        let interval = looksClosely ? closeLookInterval : lookInterval
        return (now / interval + 1) * interval
    }

    /// The members by the process that they live in, in the chain's order; an in-process unit makes a group of
    /// its own.
    static func processes(of members: [ChainMember]) -> [ProcessHistory] {
        var groups: [[Int]] = []
        for (index, member) in members.enumerated() {
            let process = member.unit.unitProcess
            if process != nil, let group = groups.firstIndex(where: { members[$0[0]].unit.unitProcess === process }) {
                groups[group].append(index)
            } else {
                groups.append([index])
            }
        }
        return groups.map { ProcessHistory($0) }
    }

    private func lookAfter(_ process: inout ProcessHistory, _ looks: Looks) {
        for index in process.indices { lookAfter(members[index], index, &process) }
        guard hasSettled(&process) else { return judgeResidents(&process) }
        let units = residents(process)
        if process.death == nil, !units.isEmpty {
            judge(units, &process, looks)
            process.death = death(of: units, wasEnded: process.wasEnded).map { fault, culprit in
                let known = process.wasEnded || process.hasFailed
                return ProcessHistory.Death(
                    noticed: MonotonicClock.now(), fault: fault, culprit: known ? process.culprit : culprit)
            }
        }
        guard let death = process.death else {
            // Not earlier: if the others have died, these units would be the first of a new process.
            if !process.returning.isEmpty { bringBack(&process) }
            return
        }
        guard withdraw(units) else { return }
        answer(&process, units, death)
        process.death = nil
        process.moments = [:]
        process.work = ProcessWork()
        process.wasEnded = false
    }

    /// Judges the residents of a process while other units join it, which may take seconds.
    ///
    /// Whether the residents render is judged as usual. What the process uses up meanwhile may be due to the
    /// joining units.
    private func judgeResidents(_ process: inout ProcessHistory) {
        guard process.restart != nil, !process.joining.isEmpty else { return }
        process.work.pause()
        judge(residents(process).filter { !process.joining.contains($0) }, &process, Looks(from: 0))
    }

    private func judge(_ units: [Int], _ process: inout ProcessHistory, _ looks: Looks) {
        guard !process.wasEnded, !units.isEmpty, let (fault, culprit) = reasonToEnd(&process, units, looks) else { return }
        end(&process, units, fault, culprit)
    }

    private func lookAfter(_ member: ChainMember, _ index: Int, _ process: inout ProcessHistory) {
        if member.takeReadmission() { readmit(member, index, &process) }
        guard !member.isQuarantined else { return }
        member.unit.settleSchedule()
        if let moment = takeNotices(member) { process.moments[index] = moment }
        member.unit.sendMissedValues()
    }

    /// The units of a process that are not in quarantine.
    func activeUnits(_ process: ProcessHistory) -> [Int] { process.indices.filter { !members[$0].isQuarantined } }

    /// Those of them that live in the process, or did until it ended; readmitted units do not yet.
    func residents(_ process: ProcessHistory) -> [Int] { activeUnits(process).filter { !process.returning.contains($0) } }

    /// The process of the units at `indices`, which share it; nil in process.
    func child(_ indices: [Int]) -> ChildProcess? {
        indices.first.flatMap { members[$0].unit.state.withLock { $0.connection.process } }
    }

    /// Sleeps until a process has ended, a wake-up has come, or the time is up; nil for no end.
    func waitForWakeUp(_ processes: [ProcessHistory], alarm: Int32? = nil, nanoseconds: UInt64?) {
        let watched = processes.filter(\.isWatched).compactMap { child(residents($0)) }
        let numbers = watched.map(\.pidfd) + [wakeUp.descriptor] + [alarm].compactMap { $0 }
        Descriptor.awaitAny(numbers, nanoseconds: nanoseconds)
        wakeUp.quieten()
    }

    func tellOfRest(_ isResting: Bool) { keeper.withLock { $0?.rest(isResting) } }

    /// Whether the calling thread is this supervisor's.
    var isCurrentThread: Bool { thread.withLock { $0?.identifier == Scheduling.currentThread } }

    var cycle: UInt64 { sharedState.pointee.cycles.count }
    var sampleTime: Int64 { sharedState.pointee.sampleTime.load(ordering: .relaxed) }
}
