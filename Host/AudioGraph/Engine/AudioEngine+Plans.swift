// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Takes resources for plans, compiles them and hands them over. Any thread but the render thread.

import LinuxSystem
import Rendering

extension AudioEngine {
    /// Returns the environment in which the engine renders.
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
                    maximumFrameCount: driver.cycleLimit ?? Self.longestCycle,
                    isOffline: false, policy: Self.policy(state.hosting, frameCount: status.quantum),
                    startsUnitsAgain: state.hosting.startsUnitsAgain,
                    patience: state.hosting.startsUnitsAgain ? Self.patience : nil)
            case .manual(let manual):
                return RenderEnvironment(
                    sampleRate: manual.format.sampleRate, maximumFrameCount: manual.maximumFrameCount, isOffline: manual.isOffline,
                    policy: Self.policy(state.hosting, frameCount: manual.maximumFrameCount),
                    startsUnitsAgain: state.hosting.startsUnitsAgain)
            }
        }
    }

    /// The nanoseconds that an edit waits for a unit, while a driver plays.
    ///
    /// Usual units answer within a few milliseconds.
    private static let patience: UInt64 = 250_000_000

    /// Lets the nodes that will be heard take their resources, several at once.
    ///
    /// With `leavesOut` a node that refuses is no failure: its input is passed on, and the function returns its refusal. `terms` say
    /// which units are no failure either.
    @discardableResult
    func prepareNodes(
        _ environment: RenderEnvironment, leavesOut: Bool = false, _ terms: PreparationTerms = .edit
    ) throws(AudioEngineError) -> [AudioEngineError] {
        let (records, engine) = state.withLock { state in
            (state.graph.activeNodes.compactMap { state.graph[$0] }, Self.format(of: state))
        }
        voice?.prepare(sampleRate: environment.sampleRate)
        let nodes = records.filter(\.node.body.takesResources).map { record in
            NodePreparation(record.node, Self.formats(of: record, engine), environment)
        }
        let results = NodePreparation.prepare(nodes, terms)
        let newCount = results.count { $0.isNew }
        if newCount > 0 { state.withLock { $0.playing?.resourceSerial += UInt64(newCount) } }
        // The other nodes take their resources all the same.
        let converters = Result { () throws(AudioEngineError) in try makeConverters(environment) }
        var refusals: [AudioEngineError] = []
        for (node, result) in zip(nodes, results) {
            guard let failure = result.failure else { continue }
            guard leavesOut, node.leaveOut(failure) else { throw failure }
            refusals.append(failure)
        }
        try converters.get()
        try checkLengths(environment)
        return refusals
    }

    private static func formats(of record: GraphState.Record, _ engine: AudioFormat) -> NodeFormats {
        // A node that adds up has one format for all its inputs, of which there are tens of thousands.
        let inputCount = record.node.body.addsUp ? min(1, record.node.numberOfInputs) : record.node.numberOfInputs
        return NodeFormats(
            inputs: (0..<inputCount).map { bus in
                bus == 0 || record.inputs[bus] != nil ? busFormat(of: record, bus, isInput: true, engine) : nil
            },
            outputs: (0..<record.node.numberOfOutputs).map { busFormat(of: record, $0, isInput: false, engine) }
        )
    }
}

// MARK: - Plans

extension AudioEngine {
    /// The clock by which a node counts frames.
    private struct Timing: Hashable {
        let rate: Double
        let pace: ObjectIdentifier?
    }

    /// Returns the nodes that need other resources or get another rate, and have to fade out before.
    func nodesThatMustLeave(in environment: RenderEnvironment) throws(AudioEngineError) -> [AudioNode] {
        let (timings, torn) = timingsInUse()
        let domains = try state.withLock { $0.graph }.timeDomains()
        return state.withLock { state in
            let engine = Self.format(of: state).at(environment.sampleRate)
            return state.graph.activeNodes.filter { node in
                guard let timing = timings[ObjectIdentifier(node)], let record = state.graph[node] else { return false }
                let pace = node.speed?.pace ?? domains[ObjectIdentifier(node)]?.body.pace
                let wanted = Timing(rate: Self.sampleRate(of: record, engine), pace: pace.map { ObjectIdentifier($0) })
                if timing != wanted || torn.contains(ObjectIdentifier(node)) { return true }
                return node.body.takesResources && node.body.mustLeave(for: Self.formats(of: record, engine), environment)
            }
        }
    }

    /// Returns the timing of nodes in the plans that may still be rendered, and the nodes whose timing differs between plans.
    private func timingsInUse() -> ([ObjectIdentifier: Timing], torn: Set<ObjectIdentifier>) {
        var timings: [ObjectIdentifier: Timing] = [:]
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
        return (timings, torn)
    }

    /// Compiles a plan and hands it over.
    func play(_ next: NextPlan) -> PlanProgress.Event {
        let state = state.withLock { $0 }
        guard let playing = state.playing else { return .stopped }
        let joiner = joiner(next, state, playing)
        do throws(RenderGraphError) {
            let plan = try parts.plan(joiner.graph)
            let serial = handOver(plan, joiner.rows, to: playing.player)
            if !next.isHeldBack { tellOfLatency(plan.latencyFrameCount) }
            return .handedOver(
                PlanProgress.Receipt(
                    serial: serial,
                    connections: plan.graph.connections.map {
                        PlanProgress.PlannedConnection(state: ObjectIdentifier($0.state), isLeaving: $0.isLeaving)
                    }, joining: joiner.fading, rows: joiner.rows.map { ObjectIdentifier($0) }, rowFailure: joiner.failure))
        } catch {
            return .refused(joiner.graph.error(error))
        }
    }

    private func joiner(_ next: NextPlan, _ state: State, _ playing: Playing) -> RowJoiner {
        let writer = GraphWriter(next, Self.format(of: state), playing.environment, quality: state.quality)
        let leaving = playing.player.plansInUse.flatMap(\.graph.connections).filter(\.isLeaving)
        return RowJoiner(writer.write(), keeping: playing.rows, leaving: Set(leaving.map { ObjectIdentifier($0.state) }), parts)
    }

    /// Gives the player a plan, and returns the plan's number.
    ///
    /// Only with the edit lock. Plans that come back may hold the last reference to a node, whose end calls observers: so the state is not
    /// locked meanwhile.
    func handOver(_ plan: RenderPlan, _ rows: [GraphRow], to player: PlanPlayer) -> UInt64 {
        let units = plan.graph.nodes.compactMap { RenderedUnits($0) }
        let latencies = plan.graph.changingLatencies
        for unit in units { unit.rendered.take() }
        let serial = player.play(plan)
        let former = state.withLock { state in
            let former = state.playing
            state.playing?.plan = plan
            state.playing?.units = units
            state.playing?.latencies = latencies
            state.playing?.rows = rows
            return former
        }
        withExtendedLifetime(former) {}
        return serial
    }

    /// Reports to the driver by how many frames the output lags behind the input.
    func tellOfLatency(_ frameCount: Int) {
        guard reportedLatency.exchange(frameCount, ordering: .relaxed) != frameCount,
            case .driver(let driver) = state.withLock({ $0.mode })
        else { return }
        driver.setLatency(frameCount: frameCount)
    }
}

extension RenderGraph {
    /// Returns the engine's error for a plan's error, with the nodes that it concerns.
    func error(_ error: RenderGraphError) -> AudioEngineError {
        switch error {
        case .cycle(let indices): return .cycle(nodes: indices.flatMap(named))
        case .clocks(let index):
            let (sources, destinations) = (named(connections[index].source.node), named(connections[index].destination.node))
            return .rates(from: sources[sources.count - 1], to: destinations[0])
        }
    }

    /// Returns the program's nodes behind a node of the plan; a bare name if there are none.
    private func named(_ index: Int) -> [NamedNode] {
        let members = nodes[index].members
        return members.isEmpty ? [NamedNode("Node \(index)")] : members.map { NamedNode($0) }
    }
}
