// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Supervises the processes of all units of an engine or a row, and restarts dead ones. A thread of its own.

import AudioUnits
import Confinement
import Glibc
import LinuxSystem
import Rendering
import Synchronization
import Wire

/// Supervises the units of one engine, or of one row, on a thread of its own.
///
/// Units join and leave while it runs. The thread runs only while there are units.
package final class Supervisor: Sendable {
    /// The nanoseconds between checks while all is well, and while a unit seems to hang.
    ///
    /// Another unit may be to blame for the latter.
    private static let (lookInterval, closeLookInterval): (UInt64, UInt64) = (40_000_000, 20_000_000)

    /// The units, and the units that are about to join or leave.
    private struct Register {
        var members: [UnitResources] = []
        /// The units that the thread must add, and the units that it must release.
        var arriving: [UnitResources] = []
        var leaving: [UnitResources] = []
        var thread: LinuxSystem.Thread?
        /// The thread that polls the units for their states; it rests when the supervisor does.
        var poller: StatePoller?
        /// The processor that its threads avoid.
        var processor: Int?
    }

    private let register = Mutex(Register())
    /// Locked while units join or leave, one group after the other.
    private let passage = Mutex(())
    let threadPlacements = ThreadPlacements()
    /// Wakes the thread.
    let wakeUp: EventDescriptor
    /// The number of checks of all units so far, modulo 2^32; threads that wait for one sleep here.
    private let checkCount = Atomic<UInt32>(0)

    /// Makes a supervisor without units.
    package init() throws(HostingError) {
        do throws(SystemError) {
            wakeUp = try EventDescriptor()
        } catch {
            throw .system(error)
        }
    }

    /// The units, in the order in which they joined.
    var members: [UnitResources] { register.withLock { $0.members } }

    /// Adds units, which live in processes without another supervisor.
    func join(_ members: [UnitResources]) throws(HostingError) {
        guard !members.isEmpty else { return }
        try passage.withLock { _ throws(HostingError) in
            for (index, member) in members.enumerated() where member.unit.unitProcess?.isTaken(by: self) == false {
                letGo(members[..<index].map(\.unit))
                throw .refused(
                    unit: member.unit.name, act: "chain",
                    cause: .failed("it shares its process with units of another chain, which looks after it"))
            }
            register.withLock { register in
                register.members += members
                register.arriving += members
            }
            do throws(SystemError) {
                try startThread()
            } catch {
                register.withLock { register in
                    register.members.removeAll { member in members.contains { $0 === member } }
                    register.arriving = []
                }
                letGo(members.map(\.unit))
                throw .system(error)
            }
            for member in members {
                member.isSupervised.store(true, ordering: .relaxed)
                member.unit.journal.tell(wakeUp)
                // Until `leave`, which is always called.
                member.unit.scheduled.follow { member.sharedState.pointee.nextFrame }
            }
            wakeUp.ring()
        }
    }

    /// Removes units that nothing renders any more, and waits until the thread has finished with them.
    ///
    /// Not on the supervisor's own thread. Other units come and go while it waits for a unit.
    func leave(_ members: [UnitResources]) {
        guard !members.isEmpty else { return }
        for member in members { member.awaitRestart() }
        // The last units end the poller, which may be waiting for an answer.
        let poller = release(members)
        for member in members {
            // The state poller may be asking it.
            member.isBeingAsked.withLock { _ in }
            takeNotices(member)
        }
        withExtendedLifetime(poller) {}
    }

    /// Takes units from the thread, none of which is being restarted; returns the poller if no unit is left.
    private func release(_ members: [UnitResources]) -> StatePoller? {
        passage.withLock { _ in
            for member in members {
                member.unit.settleSchedule()
                member.unit.scheduled.follow(nil)
                member.unit.journal.tell(nil)
            }
            for member in members { member.isSupervised.store(false, ordering: .relaxed) }
            let (thread, poller) = register.withLock { register in
                register.leaving += members
                guard register.members.allSatisfy({ one in members.contains { $0 === one } }) else {
                    return (LinuxSystem.Thread?.none, StatePoller?.none)
                }
                // The last ones: the thread ends.
                defer { (register.thread, register.poller) = (nil, nil) }
                return (register.thread, register.poller)
            }
            wakeUp.ring()
            if let thread {
                thread.join()
            } else {
                while register.withLock({ !$0.leaving.isEmpty }) { Futex.pause(microseconds: 200) }
            }
            return poller
        }
    }

    /// Waits until the units' fault logs have everything that the render threads have noticed so far.
    ///
    /// A short rendering may be over before the supervisor's next check. The call waits for at most a second, and must not come
    /// from the supervisor's own thread.
    package func settle() {
        let deadline = MonotonicClock.now() + 1_000_000_000
        // Acquiring and sequential: the notices were sent before. The check that is under way may have missed them.
        let wanted = checkCount.load(ordering: .sequentiallyConsistent) &+ 2
        while register.withLock({ $0.thread != nil }), MonotonicClock.now() < deadline {
            wakeUp.ring()
            let isChecked = Int32(bitPattern: wanted &- checkCount.load(ordering: .acquiring)) <= 0
            // A unit that has died is back only after its death was reported.
            if isChecked, members.allSatisfy({ $0.isPresent || $0.isQuarantined }) { return }
            Futex.pause(microseconds: 200)
        }
    }

    /// Lets other supervisors take the processes of these units, which have given their resources back.
    func release(_ units: [HostedUnit]) { passage.withLock { _ in letGo(units) } }

    private func letGo(_ units: [HostedUnit]) {
        let staying = members
        for unit in units {
            guard let process = unit.unitProcess, !staying.contains(where: { $0.unit.unitProcess === process }) else {
                continue
            }
            process.release(by: self)
        }
    }

    private func startThread() throws(SystemError) {
        guard register.withLock({ $0.thread == nil }) else { return }
        // Until the last unit leaves.
        let poller = try StatePoller { [self] in members }
        let thread = try LinuxSystem.Thread(name: "supervisor") { [self] in run() }
        let processor = register.withLock { register in
            (register.thread, register.poller) = (thread, poller)
            return register.processor
        }
        if let processor { keep(off: processor) }
    }

    /// Moves its threads, and every process that they start, off the processor of the render threads, if there is another.
    ///
    /// Starting and ending processes takes the kernel up to milliseconds at a stretch. Not every kernel interrupts that, even for
    /// a real-time thread.
    package func keep(off processor: Int) {
        register.withLock { register in
            register.processor = processor
            register.thread.map { Scheduling.keep(thread: $0.identifier, off: processor) }
            register.poller?.keep(off: processor)
        }
    }

    private func run() {
        var processes: [ProcessHistory] = []
        var rota = LookRota(from: MonotonicClock.now())
        // The count before any process of these units can add to it.
        noteMemoryKills()
        var rest = SupervisorRest()
        var (looksClosely, mustList) = (false, true)
        var monitors: [RowMonitor] = []
        var ends = ProcessEnds()
        while takeChanges(&processes, &mustList) {
            // Making the lists takes a while with a thousand processes. They stay as long as nothing has changed.
            if mustList {
                monitors = self.monitors
                ends.watch(processes) { child(residents($0)) }
            }
            let begunCount = Self.begunCount(monitors)
            let signals: ProcessEnds.Signals
            if rest.isDue(cycle: begunCount, hasNothingToDo: { isAtRest(processes, monitors) }) {
                signals = sleep(processes, monitors, ends, &rest)
            } else {
                let now = MonotonicClock.now()
                signals = ends.await(wakeUp, nanoseconds: Self.nextLook(after: now, looksClosely: looksClosely) - now)
            }
            mustList = signals.hasRung || !signals.processes.isEmpty
            monitors.forEach { $0.ringIfForgotten() }
            threadPlacements.move(members)
            rota.advance(to: MonotonicClock.now(), processCount: processes.count)
            looksClosely = endMisleaders(&processes)
            for index in processes.indices {
                let looks = rota.looks(at: index)
                let isCalm = !signals.hasRung && !rota.includes(index) || isCalm(processes[index])
                guard !isCalm || looks.atWork || looks.atResources || signals.processes.contains(index) else { continue }
                if !isCalm { mustList = true }
                lookAfter(&processes[index], looks)
                if looks.atResources { threadPlacements.clearRenderCore(among: processes[index].members) }
            }
            checkCount.wrappingAdd(1, ordering: .sequentiallyConsistent)
            guard rota.isSecond else { continue }
            mustList = true
            noteMemoryKills()
        }
    }

    /// Adds units that have joined, and releases units that leave; false if no unit is left.
    ///
    /// A unit that is being restarted leaves after the restart.
    private func takeChanges(_ processes: inout [ProcessHistory], _ hasChanged: inout Bool) -> Bool {
        let (arriving, leaving) = register.withLock { register in
            defer { register.arriving = [] }
            return (register.arriving, register.leaving)
        }
        for member in arriving { Self.add(member, to: &processes) }
        if !arriving.isEmpty || !leaving.isEmpty { hasChanged = true }
        let ready = leaving.filter { member in !processes.contains { $0.isRestarting(member) } }
        guard !ready.isEmpty else { return true }
        for index in processes.indices where ready.contains(where: { one in processes[index].members.contains { $0 === one } }) {
            reportLastDeath(&processes[index])
            processes[index].remove(ready)
        }
        processes.removeAll(where: \.members.isEmpty)
        return register.withLock { register in
            register.members.removeAll { one in ready.contains { $0 === one } }
            register.leaving.removeAll { one in ready.contains { $0 === one } }
            return !register.members.isEmpty
        }
    }

    /// The next check, at a time that all supervisors share.
    ///
    /// One timer then wakes the supervisors of hundreds of rows. Timers of their own would interrupt rendering thousands of times
    /// a second.
    private static func nextLook(after now: UInt64, looksClosely: Bool) -> UInt64 {
        let interval = looksClosely ? closeLookInterval : lookInterval
        return (now / interval + 1) * interval
    }

    /// Adds a unit to the group of its process; an in-process unit makes a group of its own.
    private static func add(_ member: UnitResources, to processes: inout [ProcessHistory]) {
        let process = member.unit.unitProcess
        if process != nil, let group = processes.firstIndex(where: { $0.members[0].unit.unitProcess === process }) {
            processes[group].members.append(member)
        } else {
            processes.append(ProcessHistory(member))
        }
    }

    /// The monitors of the rows that render these units, each once.
    private var monitors: [RowMonitor] {
        var seen: Set<ObjectIdentifier> = []
        return members.flatMap(\.monitors).filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    private func lookAfter(_ process: inout ProcessHistory, _ looks: LookRota.Looks) {
        for member in process.members { lookAfter(member, &process) }
        guard hasSettled(&process) else { return judgeResidents(&process) }
        takeAllocations(&process)
        guard process.restart == nil, process.pending == nil else { return judgeResidents(&process) }
        guard !awaitsOutcome(of: process) else { return }
        let units = residents(process)
        // The units that died may have left meanwhile.
        if units.isEmpty { process.death = nil }
        if process.death == nil, !units.isEmpty {
            judge(units, &process, looks)
            process.death = death(of: units, &process).map { fault, culprit in
                let known = process.wasEnded || process.hasFailed
                return ProcessHistory.Death(
                    noticed: MonotonicClock.now(), fault: fault, culprit: known ? process.culprit : culprit)
            }
        }
        guard let death = process.death else {
            // Not earlier: if the others have died, these units would be the first of a new process.
            if process.absentSince == nil, !process.returning.isEmpty { bringBack(&process) }
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
    /// It judges their rendering as usual, but not the use of resources, which may be due to the joining units.
    private func judgeResidents(_ process: inout ProcessHistory) {
        guard process.restart != nil, !process.joining.isEmpty else { return }
        process.work.pause()
        let staying = residents(process).filter { one in !process.joining.contains { $0 === one } }
        judge(staying, &process, LookRota.Looks())
    }

    private func judge(_ units: [UnitResources], _ process: inout ProcessHistory, _ looks: LookRota.Looks) {
        guard !process.wasEnded, !units.isEmpty, let (fault, culprit) = reasonToEnd(&process, units, looks) else { return }
        end(&process, units, fault, culprit)
    }

    private func lookAfter(_ member: UnitResources, _ process: inout ProcessHistory) {
        if member.takeReadmission() { readmit(member, &process) }
        guard !member.isQuarantined else { return }
        member.unit.settleSchedule()
        if let moment = takeNotices(member) { process.moments[member.number] = moment }
        member.unit.sendMissedValues()
    }

    /// The units of a process that are not in quarantine.
    func activeUnits(_ process: ProcessHistory) -> [UnitResources] { process.members.filter { !$0.isQuarantined } }

    /// The active units that live in the process, or did until it ended.
    ///
    /// Units that have been readmitted, or have not answered their allocation yet, do not live there yet.
    func residents(_ process: ProcessHistory) -> [UnitResources] {
        activeUnits(process).filter { one in !one.isAllocating && !process.returning.contains { $0 === one } }
    }

    /// The process that these units share; nil in the host's process.
    func child(_ units: [UnitResources]) -> ChildProcess? { units.first?.unit.state.withLock { $0.connection.process } }

    /// True if a process and its units give the supervisor nothing to do.
    private func isCalm(_ process: ProcessHistory) -> Bool {
        process.isSettled && process.members.allSatisfy(\.isCalm)
    }

    func tellOfRest(_ isResting: Bool) { register.withLock { $0.poller?.rest(isResting) } }

    /// True if the calling thread is this supervisor's.
    var isCurrentThread: Bool { register.withLock { $0.thread?.identifier == Scheduling.currentThread } }
}
