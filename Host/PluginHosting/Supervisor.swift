// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Watches the processes of a chain's units, and brings back those that die. A thread of its own.

import AudioUnits
import Glibc
import LinuxSystem
import Rendering
import Synchronization
import Wire

/// The supervising thread of one chain.
final class Supervisor: Sendable {
    /// Milliseconds without an answer after which a unit counts as hung and is ended.
    static let hangMilliseconds = 2000
    /// Deaths within `restartWindow` nanoseconds after which a unit is left alone.
    static let restartBudget = 5
    static let restartWindow: UInt64 = 10_000_000_000
    private static let pollMilliseconds: Int32 = 20
    /// Nanoseconds between looks at what processes have used up of memory and descriptors.
    private static let resourceInterval: UInt64 = 1_000_000_000

    /// A render cycle, and its first frame.
    private typealias Moment = (cycle: UInt64, sampleTime: Int64)

    /// What the supervisor remembers of a unit.
    private struct History {
        /// Times of its deaths, within the window.
        var deaths: [UInt64] = []
        /// Restarts in a row that failed.
        var failedRestarts = 0
        /// The moment of a death that the render thread told of before the kernel did.
        var moment: Moment?
        var restart: UnitRestart?
        /// The supervisor itself has ended the unit, and said why.
        var wasEnded = false
    }

    let placement = Mutex<Placement?>(nil)
    private let members: [ChainMember]
    private let policy: ChainPolicy
    // SAFETY: only the atomics are read.
    nonisolated(unsafe) private let core: UnsafeMutablePointer<ChainCore>
    private let mustStop = Atomic<Bool>(false)
    private let thread = Mutex<LinuxSystem.Thread?>(nil)
    /// The thread sleeps at one end, and is woken when the other is let go.
    private let stopper = Mutex<ControlSocket?>(nil)

    init(members: [ChainMember], core: UnsafeMutablePointer<ChainCore>, policy: ChainPolicy) {
        self.members = members
        self.policy = policy
        self.core = core
    }

    func start() throws(SystemError) {
        let (end, watched) = try ControlSocket.pair()
        stopper.withLock { $0 = end }
        let started = try LinuxSystem.Thread(name: "supervisor") { [self] in run(stop: watched) }
        thread.withLock { $0 = started }
    }

    func stop() {
        mustStop.store(true, ordering: .releasing)
        stopper.withLock { $0 = nil }
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
        for member in members { takeNotices(member) }
    }

    private func run(stop: ControlSocket) {
        var histories = [History](repeating: History(), count: members.count)
        var resourcesDue: UInt64 = 0
        while !mustStop.load(ordering: .acquiring) {
            waitForNews(members.indices.filter { histories[$0].restart == nil }, stop)
            core.pointee.attendSeats()
            let looksAtResources = MonotonicClock.now() >= resourcesDue
            for (index, member) in members.enumerated() where !member.isAbandoned {
                lookAfter(member, index, &histories[index], looksAtResources)
            }
            guard looksAtResources else { continue }
            resourcesDue = MonotonicClock.now() + Self.resourceInterval
            // What others were ended for is no unit's fault.
            Self.knownKills.withLock { $0 = ResourceUse.killsForMemory }
        }
        for history in histories { history.restart?.join() }
    }

    private func lookAfter(_ member: ChainMember, _ index: Int, _ history: inout History, _ looksAtResources: Bool) {
        history.moment = takeNotices(member) ?? history.moment
        member.unit.sendMissedValues()
        guard hasSettled(&history) else { return }
        if let fault = reasonToEnd(member, looksAtResources) { end(member, fault, &history) }
        guard let fault = death(of: member) else { return }
        answer(fault, member, index, &history)
        history.moment = nil
        history.wasEnded = false
    }

    /// Whether no restart is under way; one that is over is put away.
    private func hasSettled(_ history: inout History) -> Bool {
        guard let restart = history.restart else { return true }
        guard restart.isComplete else { return false }
        restart.join()
        history.failedRestarts = restart.hasSucceeded ? 0 : history.failedRestarts + 1
        history.restart = nil
        return true
    }

    /// Sleeps until a process of the members at `indices` has ended or the thread is to stop, at most 20 ms.
    private func waitForNews(_ indices: [Int], _ stop: ControlSocket) {
        let watched = indices.map { members[$0] }.filter { !$0.isAbandoned }
            .compactMap { $0.unit.state.withLock { $0.connection.process } }
        var descriptors = watched.map { pollfd(fd: $0.pidfd, events: Int16(POLLIN), revents: 0) }
        descriptors.append(pollfd(fd: stop.descriptor, events: 0, revents: 0))
        _ = poll(&descriptors, nfds_t(descriptors.count), Self.pollMilliseconds)
    }

    /// The fault of a unit whose process has ended, or that the render thread has given up.
    private func death(of member: ChainMember) -> PluginFault? {
        guard let process = member.unit.state.withLock({ $0.connection.process }) else { return nil }
        if let end = process.poll() { return Self.fault(end) }
        guard !member.isPresent else { return nil }
        // The render thread died and the process lives on, or is just about to end.
        return process.wait(milliseconds: 300).map(Self.fault)
            ?? .protocolViolation("its render thread ended and its process did not")
    }

    /// What an end was, the kernel's for want of memory included: it says that nowhere but in a count.
    private static func fault(_ end: ProcessEnd) -> PluginFault {
        let kills = ResourceUse.killsForMemory
        let isForMemory = knownKills.withLock { known in
            defer { known = kills }
            return kills.map { $0 > known ?? $0 } ?? false
        }
        return end == .signalled(signal: SIGKILL) && isForMemory ? .outOfMemory : PluginFault(end)
    }

    /// How often the kernel had ended a process for want of memory when somebody looked last.
    private static let knownKills = Mutex(ResourceUse.killsForMemory)

    /// What a unit that is still there does that it may not go on with.
    private func reasonToEnd(_ member: ChainMember, _ looksAtResources: Bool) -> PluginFault? {
        // One that could not be started anew has been ended already.
        guard member.isPresent, let process = member.unit.processIdentifier else { return nil }
        let now = MonotonicClock.now()
        let limit = UInt64(Self.hangMilliseconds) * 1_000_000
        if let since = member.renderer.pointee.awaitsSince, now > since + limit {
            return .hung(milliseconds: Self.hangMilliseconds)
        }
        let since = member.renderer.pointee.invalidSince.load(ordering: .relaxed)
        if since != 0, now > since + UInt64(policy.invalidMilliseconds) * 1_000_000 { return .invalidAudio(.notANumber) }
        return looksAtResources ? ResourceUse.exhaustion(of: process) : nil
    }

    private func end(_ member: ChainMember, _ fault: PluginFault, _ history: inout History) {
        guard let process = member.unit.state.withLock({ $0.connection.process }) else { return }
        // That its audio is invalid has been told when it began.
        if !fault.isPassing { member.faults.append(fault, cycle: cycle, sampleTime: sampleTime) }
        history.wasEnded = true
        _ = process.kill()
    }

    private var cycle: UInt64 { core.pointee.cycleCount.load(ordering: .relaxed) }
    private var sampleTime: Int64 { core.pointee.sampleTime.load(ordering: .relaxed) }

    /// Takes the unit from the render thread, and has it start anew, unless it has died too often.
    private func answer(_ fault: PluginFault, _ member: ChainMember, _ index: Int, _ history: inout History) {
        let noticed = MonotonicClock.now()
        withdraw(member)
        let death = takeNotices(member) ?? history.moment ?? (cycle, sampleTime)
        // What a restart failed of has been said then, and why a unit was ended when it was.
        if history.failedRestarts == 0, !history.wasEnded {
            member.faults.append(fault, cycle: death.cycle, sampleTime: death.sampleTime)
        }
        history.deaths = history.deaths.filter { noticed < $0 + Self.restartWindow } + [noticed]
        // A unit that takes its time to fail, as one does that never says hello, is not tried for ever either.
        guard history.deaths.count <= Self.restartBudget, history.failedRestarts < Self.restartBudget else {
            member.isAbandoned = true
            return
        }
        history.restart = UnitRestart { [self] in restart(member, index, noticed, death) }
    }

    /// Starts a unit anew, and gives it to the render thread; whether that went well. A thread of its own.
    private func restart(_ member: ChainMember, _ index: Int, _ noticed: UInt64, _ death: Moment) -> Bool {
        do throws(HostingError) {
            let region = try member.unit.restart(member.wiring, state: state(of: member))
            Placement.apply(placement.withLock { $0 }, to: member, index)
            member.renderer.pointee.prepare(region: region, isFresh: false)
            member.faults.restarted(afterMilliseconds: Double(MonotonicClock.now() - noticed) / 1e6)
            // Release: the region and the renderer are ready for the render thread.
            member.renderer.pointee.availability.store(UnitAvailability.ready.rawValue, ordering: .releasing)
            return true
        } catch {
            member.faults.append(PluginFault(restart: error), cycle: death.cycle, sampleTime: death.sampleTime)
            // The next round finds the new process dead, or the unit still absent, and tries again.
            Futex.pause(microseconds: 20_000)
            return false
        }
    }

    /// Waits until the render thread has let go of the unit; it does so within a cycle.
    private func withdraw(_ member: ChainMember) {
        member.renderer.pointee.processEnded.store(true, ordering: .releasing)
        core.pointee.ringHost()
        while true {
            // Between cycles nobody uses the unit, and it can be taken.
            let taken = member.renderer.pointee.availability.compareExchange(
                expected: UnitAvailability.ready.rawValue, desired: UnitAvailability.absent.rawValue,
                ordering: .acquiringAndReleasing)
            if taken.exchanged || taken.original == UnitAvailability.absent.rawValue { return }
            Futex.pause(microseconds: 100)
        }
    }

    /// What the unit has to be given: the state that the host knows, and where automation stands.
    private func state(of member: ChainMember) -> FullState {
        var state = member.unit.knownState
        let sampleTime = sampleTime
        for lane in member.automation {
            guard let keyPath = member.unit.parameters.keyPath(ofAddress: lane.address) else { continue }
            if let value = lane.value(at: sampleTime) { state.values[keyPath] = value }
        }
        return state
    }

    /// Reads what the render thread said; the cycle of a death, if there was one.
    @discardableResult
    private func takeNotices(_ member: ChainMember) -> Moment? {
        var death: Moment?
        for notice in member.unit.mailbox.takeNotices() {
            switch UnitNotice(rawValue: notice.kind) {
            case .died: death = (notice.address, notice.sampleTime)
            case .late:
                let fault: PluginFault = member.unit.isStopped ? .stopped : .late
                member.faults.append(fault, cycle: notice.address, sampleTime: notice.sampleTime)
            case .notANumber: append(.notANumber, notice, member)
            case .infinite: append(.infinite, notice, member)
            case .tooLoud: append(.tooLoud, notice, member)
            case .caughtUp, .recovered: member.faults.recovered(cycle: notice.address)
            case .invalidReply:
                append("a reply that does not fit the request", notice, member)
            case .unable: append(.refused, notice, member)
            case .invalidEvents:
                append("an event ring with nonsense in it", notice, member)
            case .rangNobody: append("it answered and did not ring the next unit", notice, member)
            case nil: takeEvent(notice, member)
            }
        }
        return death
    }

    private func append(_ audio: InvalidAudio, _ notice: WireEvent, _ member: ChainMember) {
        member.faults.append(.invalidAudio(audio), cycle: notice.address, sampleTime: notice.sampleTime)
    }

    private func append(_ violation: String, _ notice: WireEvent, _ member: ChainMember) {
        member.faults.append(.protocolViolation(violation), cycle: notice.address, sampleTime: notice.sampleTime)
    }

    private func takeEvent(_ event: WireEvent, _ member: ChainMember) {
        switch RenderEvent(event) {
        case .parameter(let change): try? member.unit.values.set(change.address, to: change.value)
        case .midi(let message):
            member.unit.mailbox.receive(ReceivedMIDI(message: message, sampleTime: event.sampleTime))
        case nil: break
        }
    }
}
