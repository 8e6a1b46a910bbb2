// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The engine's own thread: makes final plans, frees old ones, calls completions, tells which edits are heard.

import LinuxSystem
import Rendering
import Synchronization

/// Does what an engine has to do beside rendering.
final class GraphKeeper: Sendable {
    /// The frames by which the output lags behind the players.
    let latencyFrameCount = Atomic<Int>(0)
    private let mustEnd = Atomic<Bool>(false)
    /// Wakes the thread: the program does, the first cycle after a rest, and a driver that fails.
    let event = try? EventDescriptor()
    private let thread = Mutex<LinuxSystem.Thread?>(nil)

    private let isWiring = Atomic<Bool>(false)

    private struct Ward { weak var engine: AudioEngine? }

    /// What the thread has to look for, and so how soon it looks again.
    enum Pace: UInt64 {
        /// A fade, an edit that is not heard yet.
        case soon = 2_000_000
        /// A completion: its time does not depend on the look.
        case moderate = 10_000_000
        /// Nothing that is known.
        case slow = 200_000_000
    }

    /// Begins to look after an engine; once.
    func begin(for engine: AudioEngine) {
        let ward = Ward(engine: engine)
        thread.withLock { thread in
            guard thread == nil else { return }
            thread = try? LinuxSystem.Thread(name: "graph keeper") { [self] in run(ward) }
        }
        wake()
    }

    /// Has the thread look at once.
    func wake() { event?.ring() }

    /// Wires rows of units, unless that is being done.
    func wire(_ rows: [GraphRow]) {
        guard !rows.isEmpty, !isWiring.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let thread = try? LinuxSystem.Thread(name: "wire") { [self] in
            for row in rows { row.rendered.wire() }
            isWiring.store(false, ordering: .releasing)
            wake()
        }
        if let thread { thread.detach() } else { isWiring.store(false, ordering: .releasing) }
    }

    /// Ends the thread.
    func end() {
        mustEnd.store(true, ordering: .releasing)
        wake()
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        // The engine may have been let go of by the thread itself.
        if let thread, thread.identifier != Scheduling.currentThread { thread.join() } else { thread?.detach() }
    }

    private func run(_ ward: Ward) {
        var rest = KeeperRest()
        while !mustEnd.load(ordering: .acquiring) {
            guard let pace = ward.engine?.attend() else { return }
            // Whatever is to come needs a cycle, except a driver.
            let isDue = event != nil && ward.engine?.isDriverChanging == false && rest.isDue(ward.engine?.player)
            Descriptor.awaitAny(event.map { [$0.descriptor] } ?? [], nanoseconds: isDue ? nil : pace.rawValue)
            event?.quieten()
            ward.engine?.tellOfCycle()
        }
    }
}

/// Finds out when nothing is rendered, so that the keeper can sleep until something is.
private struct KeeperRest {
    /// Nanoseconds without a cycle after which nothing is rendered.
    private static let patience: UInt64 = 1_000_000_000
    private var lastCycle: UInt64 = 0
    private var since = MonotonicClock.now()

    /// Whether no cycle has come for a while; the next one rings then.
    mutating func isDue(_ player: PlanPlayer?) -> Bool {
        guard let player else { return true }
        let cycle = player.statistics.cycles
        if cycle != lastCycle { (lastCycle, since) = (cycle, MonotonicClock.now()) }
        return MonotonicClock.now() > since + Self.patience && player.awaitCycle(after: cycle)
    }
}

extension AudioEngine {
    /// Does what is due beside rendering; returns how soon more is to come.
    @discardableResult
    func attend(makesPlans: Bool = true) -> GraphKeeper.Pace {
        resolveTickets()
        _ = followDriver()
        placeUnits()
        var isFading = false
        if makesPlans { makePlans() }
        wireRows()
        let nodes = state.withLock { state in
            isFading =
                state.playing.map { playing in
                    !playing.leaving.isEmpty || !playing.departed.isEmpty || !playing.changing.isEmpty || !playing.joining.isEmpty
                        || !playing.unwired.isEmpty
                } ?? false
            let departed = (state.playing?.departed.values.map(\.node) ?? []).filter(\.wantsAttention)
            return state.graph.unorderedNodes.filter(\.wantsAttention) + departed
        }
        for node in nodes { node.attend() }
        if isFading || state.withLock({ !$0.tickets.isEmpty }) { return .soon }
        return nodes.isEmpty ? .slow : .moderate
    }

    /// Makes the plans that follow from what has been rendered: without what has faded out, with the latencies that units have told.
    package func makePlans() {
        editLock.withLockIfFree {
            guard depth.load(ordering: .relaxed) == 0 else { return }
            finishFades()
            followLatencies()
            joinRows()
        }
    }

    /// Whether the driver has to be looked at though no cycle comes.
    var isDriverChanging: Bool { state.withLock { $0.driverWatch.isLost || $0.driverWatch.devices.isSettling } }

    private func resolveTickets() {
        let due = state.withLock { state -> [(EditTicket, Int64)] in
            guard let player = state.playing?.player else { return [] }
            let due = state.tickets.compactMap { ticket in
                ticket.serial.flatMap { player.sampleTime(ofPlan: $0) }.map { (ticket, $0) }
            }
            state.tickets.removeAll { ticket in due.contains { $0.0 === ticket } }
            return due
        }
        for (ticket, time) in due { ticket.resolve(at: time) }
    }

    /// Makes rows of units between which everything has faded in.
    private func joinRows() {
        let environment = state.withLock { state -> RenderEnvironment? in
            guard let playing = state.playing, case .none = playing.departure, !playing.isHeldBack, !playing.joining.isEmpty,
                playing.joining.allSatisfy(\.isPlain)
            else { return nil }
            return playing.environment
        }
        if let environment { try? play(fadeFrameCount: fadeFrameCount(environment)) }
    }

    /// Lets the units of rows hand over to each other, once the plan with these rows is rendered.
    ///
    /// On a thread of its own: a unit may take seconds to answer, and the fades go on.
    private func wireRows() {
        let rows = state.withLock { state -> [GraphRow] in
            guard let playing = state.playing, playing.player.heardSerial >= playing.serial else { return [] }
            state.playing?.unwired.removeAll { !$0.rendered.wantsWiring }
            return state.playing?.unwired ?? []
        }
        keeper.wire(rows)
    }

    /// Aligns the paths anew where a unit's latency has changed.
    ///
    /// A unit may change it with every block. Each look costs the engine a plan at most, so there are ten a second.
    private func followLatencies() {
        let now = MonotonicClock.now()
        let environment = state.withLock { state -> RenderEnvironment? in
            guard let playing = state.playing, now >= playing.lookedAt + Self.latencyInterval || playing.environment.isOffline
            else { return nil }
            state.playing?.lookedAt = now
            guard case .none = playing.departure, !playing.isHeldBack else { return nil }
            return playing.units.contains { $0.rendered.latencyFrameCount != $0.latencyFrameCount } ? playing.environment : nil
        }
        if let environment { try? play(fadeFrameCount: fadeFrameCount(environment)) }
    }

    /// Nanoseconds between two looks at latencies.
    private static var latencyInterval: UInt64 { 100_000_000 }

    /// Leaves out what has faded, and gives back what detached nodes hold.
    private func finishFades() {
        guard let playing = state.withLock({ $0.playing }) else { return }
        if case .none = playing.departure {} else { return goOnWithChanges(playing) }
        guard !playing.leaving.isEmpty || !playing.departed.isEmpty else { return }
        let heard = playing.player.heardSerial
        // A graph that was held back has all that it does not hold in the plan that is played.
        let leftAt = playing.isHeldBack ? playing.serial : 0
        let held = Set((playing.plan?.graph.connections ?? []).map { ObjectIdentifier($0.state) })
        // What no plan holds any more, because nothing leads on from it, is not rendered and never fades.
        let staying = playing.leaving.filter { leaving in
            let isOver = leaving.link.state.isInaudible || !held.contains(ObjectIdentifier(leaving.link.state))
            return !(max(leaving.serial, leftAt) <= heard && isOver)
        }
        if staying.count < playing.leaving.count {
            state.withLock { $0.playing?.leaving = staying }
            try? play(fadeFrameCount: fadeFrameCount(playing.environment))
        } else if staying.isEmpty, heard >= playing.serial {
            guard playing.player.collectRetiredPlans() <= 1 else { return }
            let departed = state.withLock { state in
                defer { state.playing?.departed = [:] }
                return state.playing?.departed.values.map(\.node) ?? []
            }
            for node in departed where node.engine !== self && node.isOwned(by: self) {
                node.unprepare()
                node.release(from: self)
                node.attend()
            }
        }
    }
}
