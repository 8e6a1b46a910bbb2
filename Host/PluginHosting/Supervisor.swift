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
    private static let pollMilliseconds: Int32 = 20
    /// Nanoseconds between looks at what processes have used up of memory and descriptors.
    private static let resourceInterval: UInt64 = 1_000_000_000

    let placement = Mutex<Placement?>(nil)
    let members: [ChainMember]
    let policy: ChainPolicy
    // SAFETY: only the atomics are read.
    nonisolated(unsafe) let core: UnsafeMutablePointer<ChainCore>
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
        var histories = [UnitHistory](repeating: UnitHistory(), count: members.count)
        var resourcesDue: UInt64 = 0
        while !mustStop.load(ordering: .acquiring) {
            waitForNews(members.indices.filter { histories[$0].isWatched }, stop)
            core.pointee.attendSeats()
            let looksAtResources = MonotonicClock.now() >= resourcesDue
            for (index, member) in members.enumerated() {
                if member.takeReadmission() { readmit(member, index, &histories[index]) }
                endMisleader(ofUnitAt: index, &histories)
                if !member.isQuarantined { lookAfter(member, index, &histories[index], looksAtResources) }
            }
            guard looksAtResources else { continue }
            resourcesDue = MonotonicClock.now() + Self.resourceInterval
            forgetForeignKills()
        }
        for history in histories { history.restart?.join() }
    }

    private func lookAfter(_ member: ChainMember, _ index: Int, _ history: inout UnitHistory, _ looksAtResources: Bool) {
        history.moment = takeNotices(member) ?? history.moment
        member.unit.sendMissedValues()
        guard hasSettled(member, index, &history) else { return }
        if let fault = reasonToEnd(member, looksAtResources) { end(member, fault, &history) }
        guard let fault = death(of: member) else { return }
        answer(fault, member, index, &history)
        history.moment = nil
        history.wasEnded = false
    }

    /// Sleeps until a process of the members at `indices` has ended or the thread is to stop, at most 20 ms.
    private func waitForNews(_ indices: [Int], _ stop: ControlSocket) {
        let watched = indices.map { members[$0] }.filter { !$0.isQuarantined }
            .compactMap { $0.unit.state.withLock { $0.connection.process } }
        var descriptors = watched.map { pollfd(fd: $0.pidfd, events: Int16(POLLIN), revents: 0) }
        descriptors.append(pollfd(fd: stop.descriptor, events: 0, revents: 0))
        _ = poll(&descriptors, nfds_t(descriptors.count), Self.pollMilliseconds)
    }

    var cycle: UInt64 { core.pointee.cycleCount.load(ordering: .relaxed) }
    var sampleTime: Int64 { core.pointee.sampleTime.load(ordering: .relaxed) }
}
