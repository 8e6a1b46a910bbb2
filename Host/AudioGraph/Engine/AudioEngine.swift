// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A graph of audio nodes that can be edited while it plays. Any thread but the render thread.

import CDefaultDriver
import LinuxSystem
import PluginHosting
import RateConversion
import Realtime
import Rendering
import Synchronization

/// A graph of audio nodes that plays to a driver, or is rendered by hand.
///
/// Attach nodes, connect them, and start. Every edit is legal at any time, from any thread but the render thread. It is heard without a
/// click: connections that come, go or change are faded over 25 ms. Nodes that an edit does not touch put out the same samples as without
/// the edit.
///
/// A call that throws reports its error. `attach`, `detach` and `disconnect…` do not throw, and return the error. The next `start`,
/// `prepare` or `edit` throws an error that the program has not handled.
open class AudioEngine: @unchecked Sendable {
    // SAFETY: mutable state is behind a mutex or atomic; a subclass answers for its own.
    /// The driver or the program that asks the engine for blocks.
    enum Mode {
        case driver(any AudioDriver)
        case manual(ManualRendering)
        case none
    }

    enum Phase: String {
        case stopped, paused, running
    }

    /// The player, and the last plan that it was given.
    ///
    /// `PlanProgress` decides on the next plan.
    struct Playing {
        let player: PlanPlayer
        let environment: RenderEnvironment
        /// The plan that was handed over last.
        var plan: RenderPlan?
        /// The units of the plan, alone or in rows.
        var units: [RenderedUnits] = []
        /// The changeable latencies, as the plan has them.
        var latencies: [PlannedLatency] = []
        var rows: [GraphRow] = []
        /// Counts each time that units take resources.
        var resourceSerial: UInt64 = 0
    }

    /// The song: tempos, position, loop.
    public let transport = AudioTransport()

    struct State {
        var graph = GraphState()
        var phase = Phase.stopped
        var mode = Mode.none
        /// The mode of the engine when it is not rendered by hand.
        var drivenMode = Mode.none
        var playing: Playing?
        var progress = PlanProgress()
        /// The tickets of the edit that is being made, and of the edits in it.
        var draft: [EditTicket] = []
        var watchers = ConfigurationWatchers()
        var observers = GraphObservers()
        var driverWatch = DriverWatch()
        var placement = PlacementState()
        var hosting = Hosting()
        var quality = RateQuality.medium
        /// The factor by which other audio is lowered for the voice.
        var otherAudioGain: Float = 1
        /// The errors of calls that do not throw.
        var kept: [AudioEngineError] = []
    }

    /// The settings of a host for its engine.
    struct Hosting {
        /// The rules of waiting for units and restarting them; nil for the usual rules.
        var policy: UnitPolicy?
        /// True if the units of a row render at the same time, each another block, and one more block ahead.
        var isPipelined = false
        var rendersAhead = false
        /// True if a unit that dies while it takes its resources is started again, once.
        var startsUnitsAgain = true
        /// Rings at the first cycle after a rest.
        var cycleEvent: EventDescriptor?
        /// Called for each configuration change, on the engine's own thread.
        var changeWatcher: (@Sendable (AudioEngineConfigurationChange) -> Void)?
    }

    let editLock = EditLock()
    let state: Mutex<State>
    /// The depth of nested edits in the thread that holds the lock; changed with the lock.
    let depth = Atomic<Int>(0)
    let thread: EngineThread
    let parts: EngineParts
    /// The attached nodes that are not heard, because nothing leads from them to an output or to a tap.
    ///
    /// A player among them does not play: its buffers wait until it is connected.
    public var unheardNodes: [AudioNode] {
        state.withLock { state in
            let heard = Set(state.graph.activeNodes.map { ObjectIdentifier($0) })
            return state.graph.nodes.filter { !$0.body.isInternal && !heard.contains(ObjectIdentifier($0)) }
        }
    }

    /// The frames by which the output lags behind the players.
    let reportedLatency = Atomic<Int>(0)
    /// The thread that renders by hand at present; 0 if none does.
    let renderingThread = Atomic<Int32>(0)

    /// The supervisor of all units of the engine; made with the first unit.
    private let unitSupervisor = Mutex<Supervisor?>(nil)

    /// The length of a fade in seconds.
    static let fadeSeconds = 0.025
    /// The rate in hertz that formats have as long as the driver's rate is unknown.
    static let usualRate = 48_000.0
    /// The longest cycle of a driver in frames: PipeWire's longest.
    package static let longestCycle = 8192

    /// Makes an engine that plays to `driver`; without one to PipeWire, if the program is linked with `PipeWireIO`.
    ///
    /// It can be rendered by hand instead: `enableManualRenderingMode`.
    public init(driver: (any AudioDriver)? = nil) {
        state = Self.firstState(driver)
        parts = EngineParts()
        thread = EngineThread(parts)
    }

    /// Makes an engine with the parts of a test.
    init(driver: (any AudioDriver)?, parts: EngineParts) {
        state = Self.firstState(driver)
        self.parts = parts
        thread = EngineThread(parts)
    }

    private static func firstState(_ driver: (any AudioDriver)?) -> Mutex<State> {
        var state = State()
        if let driver = driver ?? makeDefaultDriver() { state.mode = .driver(driver) }
        return Mutex(state)
    }

    private static func makeDefaultDriver() -> (any AudioDriver)? {
        CDefaultDriver_make().flatMap { Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() as? any AudioDriver }
    }

    deinit {
        thread.end()
        let mode = state.withLock { $0.mode }
        if case .driver(let driver) = mode { driver.stop() }
        let (nodes, tickets) = state.withLock { ($0.graph.nodes, $0.progress.waiting.map(\.ticket)) }
        for ticket in tickets { ticket.resolve(at: nil) }
        for node in nodes {
            node.leave()
            node.body.attend(node)
        }
    }

    /// The supervisor of the engine's units.
    func supervisor() throws(HostingError) -> Supervisor {
        try unitSupervisor.withLock { (supervisor) throws(HostingError) in
            if let supervisor { return supervisor }
            let made = try parts.supervisor()
            supervisor = made
            return made
        }
    }

    /// The supervisor, if the engine has units.
    var presentSupervisor: Supervisor? { unitSupervisor.withLock { $0 } }

    /// True if the engine has been started, and neither paused nor stopped since.
    public var isRunning: Bool { state.withLock { $0.phase == .running } }

    /// True if a plan may be rendered at any moment.
    var isRendering: Bool { state.withLock { $0.phase == .running } }

    /// All attached nodes.
    @_disfavoredOverload
    public var attachedNodes: [AudioNode] { allNodes }

    /// The same, for modules in which another property has this name.
    package var allNodes: [AudioNode] { state.withLock { $0.graph.nodes.filter { !$0.body.isInternal } } }

    /// The frames by which the output lags behind the players; 0 while the engine is stopped.
    public var latencyFrameCount: Int { reportedLatency.load(ordering: .relaxed) }

    /// The time of the last cycle's first frame; nil before the first cycle.
    public var lastRenderTime: AudioTime? {
        state.withLock { state in
            guard let playing = state.playing, playing.player.statistics.cycles > 0 else { return nil }
            let now = playing.player.now
            return AudioTime(hostTime: now.hostTime, sampleTime: now.sampleTime, atRate: playing.environment.sampleRate)
        }
    }

    /// The counts of the render thread since the start; nil while the engine is stopped.
    public var statistics: PlanPlayer.Statistics? { state.withLock { $0.playing?.player.statistics } }

    // MARK: Implicit nodes

    /// The engine's input; the first access makes it.
    ///
    /// An engine that plays to PipeWire records from the default source from its next start on. One that runs already starts to record at
    /// once, with a gap of some milliseconds.
    public var inputNode: AudioInputNode {
        defer { wakeThread() }
        return editLock.withLock {
            state.withLock { state in
                if let node = state.graph.inputNode { return node }
                let node = AudioInputNode()
                state.graph.inputNode = node
                attach(own: node, &state)
                return node
            }
        }
    }

    /// The engine's output; the first access makes it.
    public var outputNode: AudioOutputNode {
        editLock.withLock { state.withLock { outputNode(&$0) } }
    }

    private func outputNode(_ state: inout State) -> AudioOutputNode {
        if let node = state.graph.outputNode { return node }
        let node = AudioOutputNode()
        state.graph.outputNode = node
        attach(own: node, &state)
        return node
    }

    /// Takes in a node that has just been made: no engine can have claimed it.
    private func attach(own node: AudioNode, _ state: inout State) {
        state.graph.attach(node)
        try? node.claim(for: self)
    }

    /// A mixer that is connected to the output; the first access makes it.
    public var mainMixerNode: AudioMixerNode {
        editLock.withLock {
            state.withLock { state in
                if let node = state.graph.mainMixerNode { return node }
                let output = outputNode(&state)
                let node = AudioMixerNode()
                node.name = "Main mixer"
                state.graph.mainMixerNode = node
                attach(own: node, &state)
                if state.graph[output]?.inputs[0] == nil {
                    state.graph.connect(
                        GraphState.Link(
                            source: node, sourceBus: 0, destination: output, destinationBus: 0, state: ConnectionState()))
                }
                return node
            }
        }
    }

    // MARK: Questions of nodes

    /// The rate and the channels of the output.
    package var format: AudioFormat { state.withLock { Self.format(of: $0) } }

    static func format(of state: State) -> AudioFormat {
        switch state.mode {
        case .driver(let driver):
            AudioFormat(sampleRate: driver.status.sampleRate, channelCount: driver.outputChannelCount)
        case .manual(let manual): manual.format
        case .none: AudioFormat(sampleRate: usualRate, channelCount: 2)
        }
    }

    func busFormat(of node: AudioNode, _ bus: Int, isInput: Bool) -> AudioFormat? {
        state.withLock { state in
            guard let record = state.graph[isInput ? node : state.graph.soundSource(of: node)] else { return nil }
            var format = Self.busFormat(of: record, bus, isInput: isInput, Self.format(of: state))
            // A program that asks before the first start gets a usable format: the engine converts the program's sound later.
            if format.sampleRate <= 0 { format.sampleRate = Self.usualRate }
            return format
        }
    }

    /// Returns the format that a bus was given, or else the node's own at the engine's rate.
    static func busFormat(of record: GraphState.Record, _ bus: Int, isInput: Bool, _ engine: AudioFormat) -> AudioFormat {
        if let format = isInput ? record.inputFormats[bus] : record.outputFormats[bus] { return format }
        return record.node.body.format(ofBus: bus, isInput: isInput, in: engine)
    }

    func connection(from source: AudioNode, to mixer: AudioNode, bus: Int) -> ConnectionState? {
        state.withLock { state in
            guard let link = state.graph[mixer]?.inputs[bus], link.source === state.graph.soundSource(of: source) else {
                return nil
            }
            return link.state
        }
    }

    func firstFreeInput(of node: AudioNode) -> Int {
        state.withLock { state in
            let taken = state.graph[node]?.inputs ?? [:]
            return (0...taken.count).first { taken[$0] == nil } ?? taken.count
        }
    }

    func wakeThread() { thread.wake() }

    /// Keeps the error of a call that does not throw.
    package func keep(_ error: AudioEngineError) { state.withLock { $0.kept.append(error) } }

    /// Throws the first kept error.
    func throwKept() throws(AudioEngineError) {
        let kept = state.withLock { state in
            defer { state.kept = [] }
            return state.kept.first
        }
        if let kept { throw kept }
    }
}
