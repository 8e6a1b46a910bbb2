// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Starts and stops the engine. Any thread but the render thread.

import LinuxSystem
import PluginHosting
import Rendering

extension AudioEngine {
    /// Takes the render resources that `start` needs.
    ///
    /// Throws the errors of `start`.
    @_disfavoredOverload
    public func prepare() throws(AudioEngineError) { try takeRenderResources() }

    /// The same, for modules in which another function has this name.
    package func takeRenderResources() throws(AudioEngineError) {
        try refuseOnRenderThread("prepare")
        try editLock.withLock { () throws(AudioEngineError) in
            try throwKept()
            guard state.withLock({ $0.phase == .stopped }) else { return }
            try prepareNodes(try environment(), .start)
        }
    }

    /// Starts to play; an engine that plays goes on.
    ///
    /// Throws `noDriver`, `driver`, or the error of a unit that takes no resources. Throws `formatRefused` for a connection at a rate too
    /// far from the driver's. Also throws the kept errors of calls that do not throw.
    public func start() throws(AudioEngineError) {
        try refuseOnRenderThread("start")
        try editLock.withLock { () throws(AudioEngineError) in
            try throwKept()
            guard !isRunning else { return }
            _ = outputNode
            do throws(AudioEngineError) {
                try awaitRate()
                try state.withLock { state throws(AudioEngineError) in
                    state.followRate()
                    try Self.checkFormats(state)
                    _ = try state.graph.timeDomains()
                }
                try startPlaying()
            } catch {
                // It may be open.
                if case .driver(let driver) = state.withLock({ $0.mode }) { driver.stop() }
                throw error
            }
        }
    }

    /// Plays the graph in the driver's present environment; with the edit lock, while nothing renders.
    private func startPlaying() throws(AudioEngineError) {
        let environment = try environment()
        let isNew = begin(in: environment)
        // The first plan has the latency of what is heard.
        followOutput()
        do throws(AudioEngineError) {
            try prepareNodes(environment, .start)
            try perform { _ in .started(isFaded: !isNew) }
            // Nothing renders yet, so no request names a wiring.
            if isNew { for row in state.withLock({ $0.playing?.rows ?? [] }) { row.rendered.wire() } }
            try startDriver()
        } catch {
            if isNew { end() }
            throw error
        }
    }

    /// Makes the player, unless this environment has one; true if the player is new.
    private func begin(in environment: RenderEnvironment) -> Bool {
        let isNew = state.withLock { $0.playing?.environment != environment }
        if isNew { end() }
        state.withLock { ($0.driverWatch, $0.placement) = (DriverWatch(), PlacementState()) }
        guard isNew else { return false }
        open(PlanPlayer(wakeUp: thread.event, transport: transport.line), in: environment)
        return true
    }

    /// Takes over a new player, which plays nothing yet.
    func open(_ player: PlanPlayer, in environment: RenderEnvironment) {
        let former = state.withLock { $0.playing }
        follow { state in
            state.playing = Playing(player: player, environment: environment)
            return .opened
        }
        withExtendedLifetime(former) {}
    }

    /// Releases the player, its plan, and the nodes' resources for it; nothing renders any more.
    private func end() {
        let (nodes, playing) = state.withLock { state in
            defer { state.playing = nil }
            let departed = state.progress.standing.departed.values.map(\.node)
            return (state.graph.nodes + departed, state.playing)
        }
        tellOfLatency(0)
        let owned = nodes.filter { $0.isOwned(by: self) }
        UnitResources.leave(owned.compactMap { $0.body.resources })
        for node in owned { node.body.unprepare() }
        follow { _ in .stopped }
        withExtendedLifetime(playing) {}
    }

    /// True if something hears the main input.
    private var usesInput: Bool {
        state.withLock { state in
            guard let node = state.graph.inputNode, let record = state.graph[node] else { return false }
            return record.outputs[0]?.isEmpty == false || node.hasTaps
        }
    }

    /// True if something hears the input of a driver that runs without recording.
    var lacksInput: Bool {
        guard usesInput, case .driver(let driver) = state.withLock({ $0.mode }) else { return false }
        return driver.capabilities.contains(.recording) && driver.recordedChannelCount == 0
    }

    /// Tells a driver of the ports that the graph needs, before it makes them.
    private func describePorts(to driver: any AudioDriver) throws(AudioEngineError) {
        if usesInput, driver.recordedChannelCount == 0 {
            driver.recordedChannelCount = max(1, driver.outputChannelCount)
        }
        let buses = state.withLock { $0.graph.inputNode }?.furtherBuses ?? []
        if driver.capabilities.contains(.inputBuses) {
            if !buses.isEmpty || !driver.inputBuses.isEmpty { driver.inputBuses = buses }
        } else if !buses.isEmpty {
            throw .driver(reason: "it has no further inputs, and the input node has \(buses.count)")
        }
        let ports = midiInput.portNames
        if !ports.isEmpty { driver.midiPortNames = ports }
        if let event = thread.event { driver.tellOfFailure(event: event.descriptor) }
    }

    private func startDriver() throws(AudioEngineError) {
        let (mode, player) = state.withLock { ($0.mode, $0.playing?.player) }
        guard case .driver(let driver) = mode, let player else { return state.withLock { $0.phase = .running } }
        try describePorts(to: driver)
        do throws(SystemError) {
            try thread.begin(for: self)
        } catch {
            throw .system(error)
        }
        do {
            try driver.start(player.callback)
        } catch {
            throw .driver(reason: "\(error)")
        }
        do throws(AudioEngineError) {
            try offerOutputBuses(driver)
        } catch {
            driver.stop()
            throw error
        }
        state.withLock { $0.phase = .running }
        driver.setLatency(frameCount: latencyFrameCount)
        thread.wake()
    }

    /// Goes on at the device's new rate: units get new resources, and keep their processes and settings.
    ///
    /// With the edit lock. The driver runs on in silence meanwhile, so its links stay. A node that refuses the rate is left out until the
    /// next one. Returns the changes to report to the program. Returns nil if the driver has not released the present plan: then that plan
    /// plays on.
    func changeRate(to rate: Double, from former: Double) throws(AudioEngineError) -> [AudioEngineConfigurationChange]? {
        let (playing, output) = state.withLock { ($0.playing, $0.graph.outputNode) }
        guard let player = playing?.player, let work = output?.body.work else { return nil }
        var silence = RenderGraph(maximumFrameCount: Self.longestCycle)
        silence.nodes.append(
            RenderGraph.Node(work, inputChannelCounts: [format.channelCount], outputChannelCounts: [], owner: output, isSink: true))
        let serial: UInt64
        do throws(RenderGraphError) {
            serial = player.play(try parts.plan(silence))
        } catch {
            throw silence.error(error)
        }
        let deadline = MonotonicClock.now() + 1_000_000_000
        while player.heardSerial < serial || player.collectRetiredPlans() > 1 {
            guard MonotonicClock.now() < deadline else {
                if let plan = playing?.plan { _ = handOver(plan, playing?.rows ?? [], to: player) }
                return nil
            }
            Futex.pause(microseconds: 500)
        }
        let absent = allNodes.filter(\.body.isLeftOut)
        end()
        state.withLock { state in
            state.graph.sampleRate = former
            state.followRate()
        }
        let environment = try environment()
        open(player, in: environment)
        let refusals = try prepareNodes(environment, leavesOut: true, .change)
        try perform { _ in .started(isFaded: false) }
        let leftOut = refusals.compactMap { AudioEngineConfigurationChange(leavingOut: $0) }
        let returned = absent.filter { $0.body.work != nil && !$0.body.isLeftOut }
        return [.rateChanged(from: former, to: rate)] + leftOut
            + returned.map { AudioEngineConfigurationChange.unitReturned(node: $0.name) }
    }

    /// Stops for a while; resources, schedules and positions stay.
    ///
    /// On the thread that renders it does nothing but keep the error.
    public func pause() {
        whileNothingRenders("pause") {
            guard isRunning else { return }
            if case .driver(let driver) = state.withLock({ $0.mode }) { driver.stop() }
            state.withLock { $0.phase = .paused }
        }
    }

    /// Stops and gives render resources back; schedules and positions of players stay.
    ///
    /// On the thread that renders it does nothing but keep the error.
    public func stop() {
        whileNothingRenders("stop") {
            // One that is open has to be stopped, too.
            if case .driver(let driver) = state.withLock({ $0.mode }) { driver.stop() }
            state.withLock { $0.phase = .stopped }
            end()
        }
        // No lock is held: completions may call the engine.
        for node in attachedNodes { node.body.attend(node) }
    }

    /// Discards all sound: tails and schedules; the time line of manual rendering begins anew.
    ///
    /// On the thread that renders it does nothing but keep the error.
    public func reset() {
        whileNothingRenders("reset") {
            for node in attachedNodes { node.reset() }
            let player = state.withLock { $0.playing?.player }
            if case .manual(let manual) = state.withLock({ $0.mode }) {
                manual.rewind()
                player?.rewind()
            }
        }
    }

    /// Calls `body` with the edit lock, while no thread renders by hand.
    ///
    /// A node's `reset` may call the engine: that call is inside another one, which keeps rendering away.
    private func whileNothingRenders(_ act: String, _ body: () -> Void) {
        do throws(AudioEngineError) {
            try refuseOnRenderThread(act)
        } catch {
            return keep(error)
        }
        editLock.withLock {
            guard renderingThread.load(ordering: .relaxed) != -1 else { return body() }
            while !renderingThread.compareExchange(expected: 0, desired: -1, ordering: .acquiringAndReleasing).exchanged {
                Futex.pause(microseconds: 50)
            }
            body()
            renderingThread.store(0, ordering: .releasing)
        }
    }

    /// Opens a driver that does not know its rate yet; it plays silence until the engine starts.
    package func awaitRate() throws(AudioEngineError) {
        guard case .driver(let driver) = state.withLock({ $0.mode }), driver.status.sampleRate <= 0 else { return }
        try describePorts(to: driver)
        do {
            try driver.open()
        } catch {
            throw .driver(reason: "\(error)")
        }
        let deadline = MonotonicClock.now() + 3_000_000_000
        while driver.status.sampleRate <= 0, driver.failure == nil, MonotonicClock.now() < deadline {
            Futex.pause(microseconds: 1000)
        }
        guard driver.status.sampleRate <= 0 || driver.failure != nil else { return }
        let reason = driver.failure ?? "no cycle has come within three seconds"
        driver.stop()
        throw .driver(reason: reason)
    }
}

extension AudioEngine.State {
    /// Changes the graph to the engine's rate, if the rate has changed.
    mutating func followRate() {
        let rate = AudioEngine.format(of: self).sampleRate
        guard rate > 0, rate != graph.sampleRate else { return }
        if graph.sampleRate > 0 { graph.follow(to: rate, from: graph.sampleRate) }
        graph.sampleRate = rate
    }
}
