// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit in a row, as a user sees it while it renders. Any thread.

import AudioUnits
import LinuxSystem
import RTKit
import Synchronization
import Wire

/// A unit in a row.
package final class UnitResources: Sendable {
    package let unit: HostedUnit
    package let faults = FaultLog()
    /// Tells the units of the host's process apart, by their age.
    let number = UnitResources.nextNumber.add(1, ordering: .relaxed).oldValue
    let wiring: UnitWiring
    let policy: UnitPolicy
    let automation: [AutomationLane]
    /// The row that renders the unit.
    private let currentMonitors: Mutex<(present: RowMonitor, former: RowMonitor?)>
    /// The place of its render thread, and the request for a rank that this user may not give; nil without them.
    let seat = Mutex<ThreadSeat?>(nil)
    let rankWish = Mutex<RankWish?>(nil)
    private static let nextNumber = Atomic<Int>(0)
    /// The row in which the unit allocated, whose doorbell it rings while it is wired to no row.
    let home: RowMonitor
    private let currentTarget = Mutex<RowWiring.Target?>(nil)
    /// The wirings that the unit has, by their numbers.
    let wirings = Mutex<[Int: RowWiring.Target]>([:])
    /// Held while the unit is sent a wiring; true once it gives its resources back.
    let isBeingWired = Mutex(false)
    /// Held while the state keeper asks the unit.
    let isBeingAsked = Mutex(())
    /// Whether a supervisor looks after the unit.
    let isSupervised = Atomic<Bool>(false)
    /// The frames by which the unit's output lags behind its input; it may change while the unit renders.
    package var latencyFrameCount: Int { sharedState.pointee.latencyFrameCount.load(ordering: .relaxed) }
    /// Frames for which the unit sounds after its input fell silent, as reported when it allocated; `Int.max` without end.
    package let tailFrameCount: Int
    /// The channels of each of the plug-in's instances, from 1 on; nil where one instance has them all.
    ///
    /// A channel alone among others is fed to all of the instance's inputs, and gets its first output.
    package var instanceChannels: [[Int]]? {
        guard let groups = unit.description.channelGroups(of: wiring.outputs.first ?? BusFormat(channelCount: 0)), groups.count > 1
        else {
            return nil
        }
        return groups.channels.map { $0.map { $0 + 1 } }
    }
    private let quarantined = Atomic<Bool>(false)
    private let mustReturn = Atomic<Bool>(false)
    /// Wakes the supervisor.
    private let wakeUp: EventDescriptor
    private let bypassChanges = Atomic<Int>(0)
    // SAFETY: the render thread alone uses the renderer while the row is played; the shared state consists of atomics.
    nonisolated(unsafe) let renderer: UnsafeMutablePointer<UnitRenderer>
    nonisolated(unsafe) let sharedState: UnsafeMutablePointer<UnitSharedState>

    init(
        unit: HostedUnit, wiring: UnitWiring, automation: [AutomationLane], delays: HostedUnit.Delays,
        renderer: UnsafeMutablePointer<UnitRenderer>, _ monitor: RowMonitor, wakeUp: EventDescriptor
    ) {
        self.unit = unit
        self.wakeUp = wakeUp
        policy = monitor.policy
        currentMonitors = Mutex((monitor, nil))
        home = monitor
        self.wiring = wiring
        self.automation = automation
        tailFrameCount = delays.tailFrameCount
        self.renderer = renderer
        sharedState = renderer.pointee.sharedState
        sharedState.pointee.latencyFrameCount.store(delays.latencyFrameCount, ordering: .relaxed)
    }

    deinit {
        rankWish.withLock { $0?.withdraw() }
        renderer.deinitialize(count: 1)
        renderer.deallocate()
    }

    /// What other threads see of the row that renders the unit.
    var monitor: RowMonitor {
        get { currentMonitors.withLock { $0.present } }
        set { currentMonitors.withLock { $0 = (newValue, $0.present) } }
    }

    /// The rows at whose doorbells the render thread may await the unit: the present one, the one before, which may still be
    /// rendered, and the one in which it allocated.
    var monitors: [RowMonitor] {
        let (present, former) = currentMonitors.withLock { $0 }
        var all = [present]
        if let former, former !== present { all.append(former) }
        if !all.contains(where: { $0 === home }) { all.append(home) }
        return all
    }

    /// What the unit is wired to in its row; nil outside of rows.
    var target: RowWiring.Target? {
        get { currentTarget.withLock { $0 } }
        set { currentTarget.withLock { $0 = newValue } }
    }

    /// Whether the unit has taken or refused the wiring of its row.
    var isWired: Bool {
        guard let target else { return false }
        return RowWiring.row(sharedState.pointee.rowWiring.load(ordering: .relaxed)) == target.row
    }

    /// Whether the unit renders with the wiring of its row: its predecessor rings it, and it rings its successor.
    package var handsOver: Bool { isWired && sharedState.pointee.wiring.load(ordering: .relaxed) != 0 }

    /// Whether the unit has to be asked to take the wiring of its row.
    var wantsWiring: Bool { target != nil && isPresent && !isWired }

    /// Lets the render thread, which may have a real-time rank, run for as long as its longest block lasts.
    func allowLongestBlock() {
        guard let process = unit.processIdentifier else { return }
        let seconds = Double(wiring.format.maximumFrameCount) / wiring.format.sampleRate
        ProcessLimits.raise(realtimeMicroseconds: UInt64(seconds * 1e6), to: process)
    }

    /// Whether the input passes through, delayed by the latency; a change is faded.
    package var isBypassed: Bool {
        get { sharedState.pointee.isBypassed.load(ordering: .relaxed) }
        set {
            let wasBypassed = sharedState.pointee.isBypassed.exchange(newValue, ordering: .relaxed)
            if newValue != wasBypassed { bypassChanges.add(1, ordering: .relaxed) }
        }
    }

    /// Counts all changes to the unit's state and bypass that the host knows of.
    package var stateRevision: Int { unit.journal.revision + bypassRevision }

    /// Counts the changes of `isBypassed`.
    var bypassRevision: Int { bypassChanges.load(ordering: .relaxed) }

    /// Whether the unit can render; false from its death until its return.
    package var isPresent: Bool { sharedState.pointee.isPresent }

    /// Whether the unit died too often, and stays bypassed until `readmit`.
    package internal(set) var isQuarantined: Bool {
        get { quarantined.load(ordering: .relaxed) }
        set { quarantined.store(newValue, ordering: .relaxed) }
    }

    /// Starts a quarantined unit again, as if it had never died.
    package func readmit() {
        mustReturn.store(true, ordering: .relaxed)
        wakeUp.ring()
    }

    /// Whether there is nothing that the supervisor would act on.
    var isCalm: Bool {
        let state = sharedState
        return isPresent && !isQuarantined && !mustReturn.load(ordering: .relaxed)
            && state.pointee.outstandingSince.load(ordering: .relaxed) == 0
            && state.pointee.invalidSince.load(ordering: .relaxed) == 0
            && state.pointee.silentUntil.load(ordering: .relaxed) == 0
            && !unit.hasUnsentValues.load(ordering: .relaxed) && !unit.mailbox.hasNotices && unit.scheduled.isEmpty
    }

    /// Whether `readmit` was called since the last call.
    func takeReadmission() -> Bool { mustReturn.exchange(false, ordering: .relaxed) }

    /// How often the unit silenced itself because the plug-in that it wraps put out NaN.
    package var invalidStretchCount: Int { Int(sharedState.pointee.invalidStretchCount.load(ordering: .relaxed)) }

    /// Blocks of the unit that held invalid audio and were replaced.
    package var invalidBlockCount: UInt64 { sharedState.pointee.invalidBlockCount.load(ordering: .relaxed) }

    /// Blocks in which the fallback was heard.
    package var replacedBlockCount: UInt64 { sharedState.pointee.replacedBlockCount.load(ordering: .relaxed) }

    /// Whether the unit has put out more than silence since it joined its row.
    package var hasSounded: Bool { sharedState.pointee.hasSounded.load(ordering: .relaxed) }

    /// Whether the unit has put out anything but its input, delayed by its latency, since it joined its row.
    package var hasChangedSound: Bool { sharedState.pointee.hasChangedSound.load(ordering: .relaxed) }

    /// The side chains of the unit that nothing is connected to, by the names of their buses.
    package var unconnectedSideChains: [String] {
        unit.description.inputs.enumerated().dropFirst()
            .filter { index, _ in index > wiring.sideInputs.count || wiring.sideInputs[index - 1] == 0 }.map(\.element.name)
    }

    /// Nanoseconds that the unit took for its last block, by its own clock.
    package var renderNanoseconds: UInt64 { sharedState.pointee.renderNanoseconds.load(ordering: .relaxed) }

    /// Nanoseconds that the unit took for the longest block since the last call.
    package func takeLongestRenderNanoseconds() -> UInt64 {
        sharedState.pointee.longestRenderNanoseconds.exchange(0, ordering: .relaxed)
    }
}
