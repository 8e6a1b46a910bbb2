// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Does the work that follows from rendering: final plans, tickets, completions. The engine's thread, or the thread that renders by hand.

import LinuxSystem
import Rendering

extension AudioEngine {
    /// Does the work that is due beside rendering; returns the time until the next look.
    @discardableResult
    func attend(makesPlans: Bool = true) -> PlanProgress.Pace {
        lookAtPlan()
        _ = followDriver()
        placeUnits()
        if makesPlans { makePlans() }
        lookAtRows()
        let (nodes, pace) = state.withLock { state in
            let departed = state.progress.standing.departed.values.map(\.node).filter(\.body.wantsAttention)
            return (state.graph.unorderedNodes.filter(\.body.wantsAttention) + departed, state.progress.pace)
        }
        for node in nodes { node.body.attend(node) }
        return nodes.isEmpty ? pace : min(pace, .moderate)
    }

    /// Makes the plans that follow from rendering: without connections that have faded out, and with the latencies that units have
    /// reported.
    package func makePlans() {
        editLock.withLockIfFree {
            guard depth.load(ordering: .relaxed) == 0, isPlaying else { return }
            lookAtPlan()
            lookAtFades()
            lookAtPlansInUse()
            lookAtLatencies()
            lookAtJoining()
        }
    }

    /// True if the driver needs attention although no cycle comes.
    var isDriverChanging: Bool { state.withLock { $0.driverWatch.isLost || $0.driverWatch.devices.isSettling } }

    private var isPlaying: Bool { state.withLock { $0.playing != nil } }

    /// Checks which plan is heard.
    private func lookAtPlan() {
        follow { state in
            guard let player = state.playing?.player else { return nil }
            let serial = player.heardSerial
            guard serial != state.progress.heard || !state.progress.waiting.isEmpty else { return nil }
            var times: [UInt64: Int64] = [:]
            for awaited in state.progress.awaited { times[awaited] = player.sampleTime(ofPlan: awaited) }
            return .heard(serial, times: times)
        }
    }

    /// Checks which connections have faded out.
    private func lookAtFades() {
        follow { state in
            let standing = state.progress.standing
            var fading = standing.leaving.map(\.link.state)
            if case .fading = standing.departure {
                fading += (state.playing?.plan?.graph.connections ?? []).filter(\.isLeaving).map(\.state)
            } else if fading.isEmpty {
                return nil
            }
            return .faded(Set(fading.filter(\.isInaudible).map { ObjectIdentifier($0) }))
        }
    }

    /// Checks which plans the render thread has given back.
    private func lookAtPlansInUse() {
        let (player, progress) = state.withLock { ($0.playing?.player, $0.progress) }
        guard let player else { return }
        if progress.awaitsPlans {
            let count = player.collectRetiredPlans()
            follow { _ in .plansInUse(count) }
        }
        guard progress.awaitsNodes else { return }
        let nodes = player.plansInUse.flatMap(\.graph.nodes).flatMap(\.members)
        follow { _ in .nodesInUse(Set(nodes.map { ObjectIdentifier($0) })) }
    }

    /// Checks if the latency of a unit or a processor has changed.
    private func lookAtLatencies() {
        let now = MonotonicClock.now()
        follow { state in
            guard let playing = state.playing else { return nil }
            let haveChanged = playing.latencies.contains(where: \.isOutdated)
            return .latencies(haveChanged: haveChanged, at: playing.environment.isOffline ? nil : now)
        }
    }

    /// Checks which units can be rows because everything between them has faded in.
    private func lookAtJoining() {
        follow { state in
            let joining = state.progress.standing.joining
            return joining.isEmpty ? nil : .plain(Set(joining.filter(\.isPlain).map { ObjectIdentifier($0) }))
        }
    }

    /// Checks which rows have units that have not taken their wiring.
    private func lookAtRows() {
        follow { state in
            let rows = state.playing?.rows ?? []
            guard !rows.isEmpty, !state.progress.standing.unwired.isEmpty else { return nil }
            return .wanting(Set(rows.filter(\.rendered.wantsWiring).map { ObjectIdentifier($0) }))
        }
    }
}
