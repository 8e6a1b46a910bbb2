// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Starts and stops the engine, and has edits heard: the way from a graph to a plan. Any thread but the render thread.

import LinuxSystem
import PluginHosting
import Rendering

extension AudioEngine {
    /// Takes the render resources that `start` needs.
    ///
    /// Throws what `start` throws.
    public func prepare() throws(AudioEngineError) {
        try refuseOnRenderThread("prepare")
        try editLock.withLock { () throws(AudioEngineError) in
            try throwKept()
            guard state.withLock({ $0.phase == .stopped }) else { return }
            try prepareNodes(try environment())
        }
    }

    /// Starts to play; an engine that plays goes on.
    ///
    /// Throws `noDriver`, `driver`, the error of a unit that takes no resources, and what was kept of calls that do not throw.
    public func start() throws(AudioEngineError) {
        try refuseOnRenderThread("start")
        try editLock.withLock { () throws(AudioEngineError) in
            try throwKept()
            guard !isRunning else { return }
            _ = outputNode
            let isNew = state.withLock { $0.playing == nil }
            try awaitRate()
            let environment = try environment()
            let known = state.withLock { $0.playing }
            if isNew || known?.environment != environment {
                state.withLock { state in
                    for ticket in state.tickets { ticket.serial = nil }
                    state.playing = Playing(player: PlanPlayer(), environment: environment)
                }
            }
            do throws(AudioEngineError) {
                try prepareNodes(environment)
                try play(fadeFrameCount: isNew ? 0 : fadeFrameCount(environment))
                try startDriver()
            } catch {
                if isNew { state.withLock { $0.playing = nil } }
                throw error
            }
        }
    }

    private func startDriver() throws(AudioEngineError) {
        let (mode, player) = state.withLock { ($0.mode, $0.playing?.player) }
        state.withLock { $0.phase = .running }
        guard case .driver(let driver) = mode, let player else { return }
        do {
            try driver.start(player.callback)
        } catch {
            state.withLock { $0.phase = .stopped }
            throw .driver(reason: "\(error)")
        }
        keeper.begin(for: self)
    }

    /// Lets a driver that does not know its rate yet run in silence until it does.
    private func awaitRate() throws(AudioEngineError) {
        guard case .driver(let driver) = state.withLock({ $0.mode }), driver.status.sampleRate <= 0 else { return }
        let silence = PlanPlayer()
        do {
            try driver.start(silence.callback)
        } catch {
            throw .driver(reason: "\(error)")
        }
        let deadline = MonotonicClock.now() + 3_000_000_000
        while driver.status.sampleRate <= 0, driver.failure == nil, MonotonicClock.now() < deadline {
            Futex.pause(microseconds: 1000)
        }
        driver.stop()
        if let failure = driver.failure { throw .driver(reason: failure) }
        guard driver.status.sampleRate > 0 else { throw .driver(reason: "no cycle has come within three seconds") }
    }

    /// Stops for a while; resources, schedules and positions stay.
    public func pause() {
        editLock.withLock {
            guard isRunning else { return }
            if case .driver(let driver) = state.withLock({ $0.mode }) { driver.stop() }
            state.withLock { $0.phase = .paused }
        }
    }

    /// Stops and gives render resources back; schedules and positions of players stay.
    public func stop() {
        editLock.withLock {
            if case .driver(let driver) = state.withLock({ $0.mode }), isRunning { driver.stop() }
            let (nodes, playing) = state.withLock { state in
                let playing = state.playing
                state.phase = .stopped
                state.playing = nil
                // The next player counts its plans anew.
                for ticket in state.tickets { ticket.serial = nil }
                return (state.graph.nodes, playing)
            }
            let departed = playing?.departed.values.map(\.node) ?? []
            keeper.latencyFrameCount.store(0, ordering: .relaxed)
            for node in nodes + departed { node.unprepare() }
            for node in nodes { node.attend() }
        }
    }

    /// Forgets all sound: tails, delay lines, schedules; the time line of manual rendering begins anew.
    public func reset() {
        editLock.withLock {
            for node in attachedNodes { node.reset() }
            if case .manual(let manual) = state.withLock({ $0.mode }) { manual.rewind() }
        }
    }

    // MARK: From a graph to a plan

    /// What the engine renders in.
    private func environment() throws(AudioEngineError) -> RenderEnvironment {
        try state.withLock { state throws(AudioEngineError) in
            switch state.mode {
            case .none: throw .noDriver
            case .driver(let driver):
                let rate = driver.status.sampleRate
                return RenderEnvironment(
                    sampleRate: rate > 0 ? rate : 48_000, maximumFrameCount: Self.longestCycle, isOffline: false)
            case .manual(let manual):
                return RenderEnvironment(
                    sampleRate: manual.format.sampleRate, maximumFrameCount: manual.maximumFrameCount, isOffline: manual.isOffline)
            }
        }
    }

    private func fadeFrameCount(_ environment: RenderEnvironment) -> Int {
        max(1, Int(environment.sampleRate * Self.fadeSeconds))
    }

    /// Lets the nodes that will be heard take their resources.
    private func prepareNodes(_ environment: RenderEnvironment) throws(AudioEngineError) {
        let (records, engine) = state.withLock { state in
            (state.graph.activeNodes.compactMap { state.graph[$0] }, Self.format(of: state))
        }
        for record in records {
            guard record.node is AudioUnit else { continue }
            let (inputs, outputs) = Self.formats(of: record, engine)
            let isNew = record.node.work == nil
            try record.node.prepare(inputs: inputs, outputs: outputs, environment)
            if isNew { state.withLock { $0.playing?.resourceSerial += 1 } }
        }
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
            return state.withLock { state in
                state.graph.broken = []
                state.acceptDraft()
            }
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
            state.graph.broken = []
        }
        keeper.wake()
        guard try !mustGiveWay(in: playing.environment, fade) else { return state.withLock { $0.acceptDraft() } }
        try prepareNodes(playing.environment)
        state.withLock { $0.acceptDraft() }
        try play(fadeFrameCount: fade)
    }

    /// Lets units that need other resources fade out first; true if the edit has to wait for that.
    private func mustGiveWay(in environment: RenderEnvironment, _ fade: Int) throws(AudioEngineError) -> Bool {
        let changing = state.withLock { state in
            guard let playing = state.playing, case .none = playing.departure else { return [] as [AudioUnit] }
            let engine = Self.format(of: state)
            return playing.units.map(\.unit).filter { unit in
                state.graph[unit].map { unit.mustLeave(for: Self.formats(of: $0, engine).0, environment) } ?? false
            }
        }
        guard !changing.isEmpty else {
            return state.withLock { if case .none? = $0.playing?.departure { false } else { true } }
        }
        state.withLock { state in
            state.playing?.changing = changing
            state.playing?.departure = .fading
        }
        let units = Set(changing.map { ObjectIdentifier($0) })
        try playFormer(fade) { graph, link in !graph.holds(link) || Self.touches(link, units) ? .leaves : .stays }
        return true
    }

    private static func touches(_ link: GraphState.Link, _ nodes: Set<ObjectIdentifier>) -> Bool {
        nodes.contains(ObjectIdentifier(link.source)) || nodes.contains(ObjectIdentifier(link.destination))
    }

    /// Goes on with units that need other resources, once they have faded out.
    func goOnWithChanges(_ playing: Playing) {
        guard playing.player.heard.serial >= playing.serial else { return }
        let fade = fadeFrameCount(playing.environment)
        switch playing.departure {
        case .none: break
        case .fading:
            guard playing.plan?.hasFaded == true else { return }
            state.withLock { state in
                state.playing?.departure = .leaving
                state.playing?.leaving = []
            }
            let units = Set(playing.changing.map { ObjectIdentifier($0) })
            try? playFormer(fade) { graph, link in !graph.holds(link) || Self.touches(link, units) ? .isGone : .stays }
        case .leaving:
            guard playing.player.collectRetiredPlans() <= 1 else { return }
            for unit in playing.changing { unit.unprepare() }
            state.withLock { state in
                state.playing?.changing = []
                state.playing?.departure = .none
            }
            do throws(AudioEngineError) {
                try prepareNodes(playing.environment)
                try play(fadeFrameCount: fade)
            } catch {
                keep(error)
                try? play(fadeFrameCount: fade)
            }
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
            keeper.latencyFrameCount.store(plan.latencyFrameCount, ordering: .relaxed)
        } catch {
            try playFormer(fadeFrameCount) { graph, link in graph.holds(link) ? .stays : .leaves }
        }
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
        let serial = player.play(plan)
        let former = state.withLock { state in
            let former = state.playing?.plan
            state.playing?.serial = serial
            state.playing?.plan = plan
            state.playing?.isHeldBack = isHeldBack
            state.playing?.units = plan.graph.nodes.compactMap { node in
                (node.owner as? AudioUnit).map { ($0, node.latencyFrameCount) }
            }
            return former
        }
        withExtendedLifetime(former) {}
        return serial
    }

    private func compile(
        _ graph: GraphState, _ fadeFrameCount: Int, fate: (GraphState.Link) -> GraphWriter.Fate
    ) throws(RenderGraphError) -> RenderPlan {
        let state = state.withLock { $0 }
        return try RenderPlan(GraphWriter(state, graph, fadeFrameCount: fadeFrameCount).write(fate))
    }
}
