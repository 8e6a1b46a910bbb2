// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is wrong with a unit: how its process ended, and why it may not go on. Supervisor.

import Glibc
import LinuxSystem
import Synchronization

extension Supervisor {
    /// The fault of a unit whose process has ended, or that the render thread has given up.
    func death(of member: ChainMember) -> PluginFault? {
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

    /// What others were ended for is no unit's fault.
    func forgetForeignKills() { Self.knownKills.withLock { $0 = ResourceUse.killsForMemory } }

    /// How often the kernel had ended a process for want of memory when somebody looked last.
    private static let knownKills = Mutex(ResourceUse.killsForMemory)

    /// What a unit that is still there does that it may not go on with.
    func reasonToEnd(_ member: ChainMember, _ looksAtResources: Bool) -> PluginFault? {
        // One that could not be started anew has been ended already.
        guard member.isPresent, let process = member.unit.processIdentifier else { return nil }
        let now = MonotonicClock.now()
        let limit = UInt64(policy.hangMilliseconds) * 1_000_000
        if let since = member.renderer.pointee.awaitsSince, now > since + limit {
            return .hung(milliseconds: policy.hangMilliseconds)
        }
        if isSilent(member, limit) {
            return .protocolViolation("it answered and rang nobody for \(policy.hangMilliseconds) ms")
        }
        let since = member.renderer.pointee.invalidSince.load(ordering: .relaxed)
        if since != 0, now > since + UInt64(policy.invalidMilliseconds) * 1_000_000 { return .invalidAudio(.notANumber) }
        return looksAtResources ? ResourceUse.exhaustion(of: process) : nil
    }

    /// Whether a unit has rung nobody for longer than `limit` nanoseconds, at the cost of all others.
    private func isSilent(_ member: ChainMember, _ limit: UInt64) -> Bool {
        let last = member.renderer.pointee.silentUntil.load(ordering: .acquiring)
        return last > member.renderer.pointee.silentSince.load(ordering: .relaxed) &+ limit
    }

    /// A unit that seems to hang, and in whose doorbell is what the host has not put there, may not have found out that it is
    /// meant. Only its predecessor can have done that, or it itself: the predecessor goes first, and the unit has as long
    /// again, once.
    func endMisleader(ofUnitAt index: Int, _ histories: inout [UnitHistory]) {
        let renderer = members[index].renderer
        guard let since = renderer.pointee.awaitsSince else {
            histories[index].wasMisled = false
            return
        }
        let limit = UInt64(policy.hangMilliseconds) * 1_000_000
        guard index > 0, !histories[index].wasMisled, members[index].isPresent, MonotonicClock.now() > since + limit,
            renderer.pointee.isMisled, members[index - 1].isPresent, histories[index - 1].isWatched
        else { return }
        histories[index].wasMisled = true
        renderer.pointee.beginAnew(awaitedSince: since)
        end(members[index - 1], .protocolViolation("it wrote in the doorbell of the next unit"), &histories[index - 1])
    }

    func end(_ member: ChainMember, _ fault: PluginFault, _ history: inout UnitHistory) {
        guard let process = member.unit.state.withLock({ $0.connection.process }) else { return }
        // That its audio is invalid has been told when it began.
        if !fault.isPassing { member.faults.append(fault, cycle: cycle, sampleTime: sampleTime) }
        history.wasEnded = true
        _ = process.kill()
    }
}
