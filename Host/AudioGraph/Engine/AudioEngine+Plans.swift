// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Has edits heard: the way from a graph to a plan. Any thread but the render thread.

import LinuxSystem
import Rendering

extension AudioEngine {
    /// What the engine renders in.
    func environment() throws(AudioEngineError) -> RenderEnvironment {
        var environment = try driverEnvironment()
        if voice != nil {
            let longest = VoiceProcessing.longestCycle(at: environment.sampleRate)
            environment.maximumFrameCount = min(environment.maximumFrameCount, longest)
        }
        return environment
    }

    private func driverEnvironment() throws(AudioEngineError) -> RenderEnvironment {
        try state.withLock { state throws(AudioEngineError) in
            switch state.mode {
            case .none: throw .noDriver
            case .driver(let driver):
                let status = driver.status
                return RenderEnvironment(
                    sampleRate: status.sampleRate > 0 ? status.sampleRate : Self.usualRate,
                    maximumFrameCount: (driver as? any CycleLimiting)?.maximumFrameCount ?? Self.longestCycle,
                    isOffline: false, policy: Self.policy(state.hosting, frameCount: status.quantum),
                    startsUnitsAgain: state.hosting.startsUnitsAgain)
            case .manual(let manual):
                return RenderEnvironment(
                    sampleRate: manual.format.sampleRate, maximumFrameCount: manual.maximumFrameCount, isOffline: manual.isOffline,
                    policy: Self.policy(state.hosting, frameCount: manual.maximumFrameCount),
                    startsUnitsAgain: state.hosting.startsUnitsAgain)
            }
        }
    }

    /// The frames of a fade.
    func fadeFrameCount(_ environment: RenderEnvironment) -> Int {
        max(1, Int(environment.sampleRate * Self.fadeSeconds))
    }

    /// Lets the nodes that will be heard take their resources, several at once.
    ///
    /// With `leavesOut` a unit that refuses is no failure: its input is passed on, and what it is called and why is returned. Nor is one that
    /// meets a fault: its supervisor starts it again.
    @discardableResult
    func prepareNodes(
        _ environment: RenderEnvironment, leavesOut: Bool = false
    ) throws(AudioEngineError) -> [AudioEngineConfigurationChange] {
        let (records, engine) = state.withLock { state in
            (state.graph.activeNodes.compactMap { state.graph[$0] }, Self.format(of: state))
        }
        voice?.prepare(sampleRate: environment.sampleRate)
        let units = records.compactMap { record in
            (record.node as? AudioUnit).map { UnitPreparation($0, Self.formats(of: record, engine), environment) }
        }
        let results = UnitPreparation.prepare(units, leavesFaults: leavesOut)
        let newCount = results.count { $0.isNew }
        if newCount > 0 { state.withLock { $0.playing?.resourceSerial += UInt64(newCount) } }
        // The others get theirs all the same.
        let converters = Result { () throws(AudioEngineError) in try makeConverters(environment) }
        var leftOut: [AudioEngineConfigurationChange] = []
        for (unit, result) in zip(units, results) {
            guard let failure = result.failure else { continue }
            guard leavesOut, let change = unit.leaveOut(failure) else { throw failure }
            leftOut.append(change)
        }
        try converters.get()
        try checkLengths(environment)
        return leftOut
    }

    private static func formats(of record: GraphState.Record, _ engine: AudioFormat) -> ([AudioFormat?], [AudioFormat]) {
        (
            (0..<record.node.numberOfInputs).map { bus in
                bus == 0 || record.inputs[bus] != nil ? busFormat(of: record, bus, isInput: true, engine) : nil
            },
            (0..<record.node.numberOfOutputs).map { busFormat(of: record, $0, isInput: false, engine) }
        )
    }

    /// Has an edit heard, if something plays.
    func commit() throws(AudioEngineError) {
        guard let playing = state.withLock({ $0.playing }) else {
            let detached = state.withLock { state in
                defer { (state.graph.broken, state.graph.detached) = ([], []) }
                state.acceptDraft()
                return state.graph.detached
            }
            for node in detached {
                node.release(from: self)
                node.attend()
            }
            return
        }
        let fade = fadeFrameCount(playing.environment)
        state.withLock { state in
            // The number of the plan that is made next.
            let serial = playing.player.nextSerial
            let (graph, broken, played) = (state.graph, state.graph.broken, state.playing?.graph)
            let leaving = state.playing?.leaving ?? []
            // What has never been played need not fade. What left before may have come back meanwhile, and have been broken again.
            let audible = broken.filter { link in
                !graph.holds(link) && (played?.holds(link) != false || leaving.contains { $0.link.state === link.state })
            }
            state.playing?.leaving.removeAll { leaving in audible.contains { $0.state === leaving.link.state } }
            state.playing?.leaving += audible.map { ($0, serial) }
            (state.graph.broken, state.graph.detached) = ([], [])
        }
        do throws(AudioEngineError) {
            if try !mustGiveWay(in: playing.environment, fade) {
                try prepareNodes(playing.environment)
                state.withLock { $0.acceptDraft() }
                try play(fadeFrameCount: fade)
            } else {
                state.withLock { $0.acceptDraft() }
            }
        } catch {
            // What was to leave stays.
            state.withLock { $0.playing?.leaving = playing.leaving }
            throw error
        }
        keeper.wake()
    }

    /// How a node counts frames.
    private struct Timing: Hashable {
        let rate: Double
        let pace: ObjectIdentifier?
    }

    /// Lets nodes fade out first that need other resources or get another rate; true if the edit has to wait for that.
    private func mustGiveWay(in environment: RenderEnvironment, _ fade: Int) throws(AudioEngineError) -> Bool {
        // Whatever plan may still be rendered counts, not the newest one alone.
        var timings: [ObjectIdentifier: Timing] = [:]
        // Nodes that count in one way in one plan, and in another way in another.
        var torn: Set<ObjectIdentifier> = []
        for plan in state.withLock({ $0.playing?.player })?.plansInUse ?? [] {
            for node in plan.graph.nodes {
                let pace = plan.graph.pace(ofClock: node.clock).map { ObjectIdentifier($0) }
                let timing = Timing(rate: plan.graph.clocks[node.clock].sampleRate, pace: pace)
                for member in node.members {
                    let former = timings.updateValue(timing, forKey: ObjectIdentifier(member))
                    if let former, former != timing { torn.insert(ObjectIdentifier(member)) }
                }
            }
        }
        let domains = try state.withLock { $0.graph }.timeDomains()
        let changing = state.withLock { state in
            guard let playing = state.playing, case .none = playing.departure else { return [] as [AudioNode] }
            let engine = Self.format(of: state).at(environment.sampleRate)
            return state.graph.activeNodes.filter { node in
                guard let timing = timings[ObjectIdentifier(node)], let record = state.graph[node] else { return false }
                let pace = domains[ObjectIdentifier(node)].map { ObjectIdentifier($0.pace) }
                let wanted = Timing(rate: Self.sampleRate(of: record, engine), pace: pace)
                if timing != wanted || torn.contains(ObjectIdentifier(node)) { return true }
                guard let unit = node as? AudioUnit else { return false }
                let (inputs, outputs) = Self.formats(of: record, engine)
                return unit.mustLeave(for: inputs, outputs: outputs, environment)
            }
        }
        guard !changing.isEmpty else {
            return state.withLock { if case .none? = $0.playing?.departure { false } else { true } }
        }
        state.withLock { state in
            state.playing?.changing = changing
            state.playing?.departure = .fading
        }
        let nodes = Set(changing.map { ObjectIdentifier($0) })
        try playFormer(fade) { graph, link in !graph.holds(link) || Self.touches(link, nodes) ? .leaves : .stays }
        return true
    }

    private static func touches(_ link: GraphState.Link, _ nodes: Set<ObjectIdentifier>) -> Bool {
        nodes.contains(ObjectIdentifier(link.source)) || nodes.contains(ObjectIdentifier(link.destination))
    }

    /// Goes on with nodes that need other resources or another rate, once they have faded out.
    func goOnWithChanges(_ playing: Playing) {
        guard let plan = playing.plan, playing.player.heardSerial >= playing.serial else { return }
        let fade = fadeFrameCount(playing.environment)
        switch playing.departure {
        case .none: break
        case .fading:
            guard plan.hasFaded else { return }
            // What an edit has broken meanwhile has not been fading: it leaves now.
            let gone = Set(plan.graph.connections.filter(\.isLeaving).map { ObjectIdentifier($0.state) })
            state.withLock { state in
                state.playing?.departure = .leaving
                state.playing?.leaving.removeAll { gone.contains(ObjectIdentifier($0.link.state)) }
            }
            try? playFormer(fade) { graph, link in
                gone.contains(ObjectIdentifier(link.state)) ? .isGone : graph.holds(link) ? .stays : .leaves
            }
        case .leaving:
            let nodes = Set(playing.changing.map { ObjectIdentifier($0) })
            let isInUse = playing.player.plansInUse.contains { plan in
                plan.graph.nodes.contains { node in node.members.contains { nodes.contains(ObjectIdentifier($0)) } }
            }
            guard !isInUse else { return }
            for node in playing.changing where node.isOwned(by: self) { node.unprepare() }
            state.withLock { state in
                state.playing?.changing = []
                state.playing?.departure = .none
            }
            do throws(AudioEngineError) {
                // Another edit may have made other nodes change meanwhile.
                guard try !mustGiveWay(in: playing.environment, fade) else { return }
                try prepareNodes(playing.environment)
            } catch {
                keep(error)
            }
            try? play(fadeFrameCount: fade)
        }
    }

    /// Compiles the graph and hands the plan over.
    ///
    /// Where what leaves and what comes would feed each other, the graph that plays goes on until what leaves has faded out, and the
    /// new one follows.
    func play(fadeFrameCount: Int) throws(AudioEngineError) {
        let graph = state.withLock { $0.graph }
        do throws(RenderGraphError) {
            let plan = try compile(graph, fadeFrameCount) { _ in .stays }
            guard let serial = handOver(plan, isHeldBack: false) else { return }
            state.withLock { state in
                state.playing?.graph = graph
                state.playing?.leaving.removeAll { graph.holds($0.link) }
                for ticket in state.tickets where ticket.serial == nil { ticket.serial = serial }
            }
            tellOfLatency(plan.latencyFrameCount)
        } catch {
            try playFormer(fadeFrameCount) { graph, link in graph.holds(link) ? .stays : .leaves }
        }
    }

    /// Tells the driver by how much the output lags behind the input.
    func tellOfLatency(_ frameCount: Int) {
        guard keeper.latencyFrameCount.exchange(frameCount, ordering: .relaxed) != frameCount,
            case .driver(let driver) = state.withLock({ $0.mode })
        else { return }
        (driver as? any LatencyReporting)?.setLatency(frameCount: frameCount)
    }

    /// Plays the graph that is played already, less what has to leave it.
    ///
    /// `fate` gets the newest graph and a connection of the one that plays.
    private func playFormer(
        _ fadeFrameCount: Int, fate: (GraphState, GraphState.Link) -> GraphWriter.Fate
    ) throws(AudioEngineError) {
        let (graph, former) = state.withLock { ($0.graph, $0.playing?.graph ?? $0.graph) }
        do throws(RenderGraphError) {
            let plan = try compile(former, fadeFrameCount) { fate(graph, $0) }
            _ = handOver(plan, isHeldBack: true)
        } catch {
            // What plays was no cycle before, and no edit makes one.
            throw .cycle(nodes: [])
        }
    }

    /// Gives the player a plan, and returns its number.
    ///
    /// Only with the edit lock. Plans that come back may hold the last reference to a node, whose end calls observers: the state is not
    /// locked meanwhile.
    private func handOver(_ plan: RenderPlan, isHeldBack: Bool) -> UInt64? {
        guard let player = state.withLock({ $0.playing?.player }) else { return nil }
        let units = plan.graph.nodes.compactMap { RenderedUnits($0) }
        for unit in units { unit.rendered.take() }
        let serial = player.play(plan)
        let former = state.withLock { state in
            let former = state.playing?.plan
            state.playing?.serial = serial
            state.playing?.plan = plan
            state.playing?.isHeldBack = isHeldBack
            state.playing?.units = units
            // Now they are the units' own rows.
            let rows = state.playing?.rows ?? []
            state.playing?.unwired = rows
            return former
        }
        withExtendedLifetime(former) {}
        return serial
    }

    private func compile(
        _ graph: GraphState, _ fadeFrameCount: Int, fate: (GraphState.Link) -> GraphWriter.Fate
    ) throws(RenderGraphError) -> RenderPlan {
        let state = state.withLock { $0 }
        let joiner = RowJoiner(
            GraphWriter(state, graph, fadeFrameCount: fadeFrameCount).write(fate), keeping: state.playing?.rows ?? [],
            leaving: Set(
                (state.playing?.player.plansInUse ?? []).flatMap(\.graph.connections).filter(\.isLeaving)
                    .map { ObjectIdentifier($0.state) }))
        let plan = try RenderPlan(joiner.graph)
        self.state.withLock { state in
            state.playing?.rows = joiner.rows
            state.playing?.joining = joiner.fading
        }
        return plan
    }
}
