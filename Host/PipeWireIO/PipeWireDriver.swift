// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The audio driver that is a node in PipeWire's graph. Control thread.

import CPipeWireShims
import Glibc
import Rendering
import Synchronization

/// A driver that renders whenever PipeWire's graph runs, at the graph's rate and quantum.
///
/// Rate and quantum may change from one cycle to the next. The inputs of a cycle are read-only: their memory belongs to other
/// nodes too.
public final class PipeWireDriver: AudioDriver {
    /// The configuration of the node.
    public let configuration: PipeWireConfiguration
    /// True if each start applies `PipeWireRequests`.
    private let followsRequests: Bool
    /// It records, and has further buses that come and go.
    public var capabilities: DriverCapabilities { [.recording, .inputBuses, .changingBuses] }
    /// The channels that a cycle fills.
    public var outputChannelCount: Int { configuration.outputChannelCount }
    /// Guards the node's lifetime; the render thread never takes it.
    let session: Mutex<Session>
    // SAFETY: only the control thread uses it while no node runs, and only the render thread while one runs. The state that
    // both use at once is atomic. Freed in deinit, after the node.
    private nonisolated(unsafe) let state: UnsafeMutablePointer<RenderState>
    private nonisolated(unsafe) let sharedState: UnsafeMutablePointer<RenderSharedState>
    // SAFETY: only the render thread reads and writes it. Freed in deinit, after the node.
    private nonisolated(unsafe) let midiOfCycle: UnsafeMutablePointer<PipeWireMIDI>

    struct Session: ~Copyable {
        var node: OpaquePointer?
        /// The wishes for a node that is open; nil while a callback runs.
        var open: NodeWishes?
        var failure: String?
        /// An eventfd that is written to at a failure, or a negative number.
        var failureEvent: Int32 = -1
        var recordedChannelCount: Int
        var midiPortNames: [String]
        var inputBuses: [DriverBus]
        /// The devices, once the program has asked for the kind of the sink.
        var watch = OutputWatch.none
        /// The buses that were added while a node ran.
        var added: [AddedBus] = []
    }

    /// The watch of the session's devices.
    enum OutputWatch {
        case none
        case open(PipeWireDevices, PipeWireDeviceList)
        /// No daemon answers; the next start tries again.
        case failed
    }

    /// The configuration of a node, and the event that tells of its failure.
    struct NodeWishes: Equatable {
        var configuration: PipeWireConfiguration
        var failureEvent: Int32
    }

    /// `[control]` Allocates the driver, without a connection.
    public convenience init(_ configuration: PipeWireConfiguration = PipeWireConfiguration()) {
        self.init(configuration, followsRequests: false)
    }

    /// `[control]` Allocates the driver, which may apply the program's requests.
    init(_ configuration: PipeWireConfiguration = PipeWireConfiguration(), followsRequests: Bool) {
        self.configuration = configuration
        self.followsRequests = followsRequests
        session = Mutex(
            Session(
                recordedChannelCount: configuration.inputChannelCount, midiPortNames: configuration.midiInputNames,
                inputBuses: configuration.inputBuses))
        state = .allocate(capacity: 1)
        midiOfCycle = .allocate(capacity: 1)
        midiOfCycle.initialize(to: PipeWireMIDI())
        state.initialize(to: RenderState(midi: midiOfCycle))
        sharedState = state.pointee.sharedState
    }

    deinit {
        stop()
        midiOfCycle.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// `[control]` Makes the node and its links; it plays silence until the next start.
    ///
    /// Does nothing while a node runs. Throws a `PipeWireError`.
    public func open() throws {
        try session.withLock { session throws(PipeWireError) in
            guard session.node == nil else { return }
            let wishes = try wishes(of: session)
            try make(wishes, nil, &session)
            session.open = wishes
        }
    }

    /// `[control]` Connects to the daemon, and makes the node and its links, unless they are open.
    ///
    /// An open node stays, and so do the links that other programs have made, unless the program's wishes have changed since. After a
    /// failure it does not require the devices: the node waits for missing ones. Throws a `PipeWireError`.
    public func start(_ callback: RenderCallback) throws {
        try session.withLock { session throws(PipeWireError) in
            if case .failed = session.watch { session.watch = .none }
            if let open = session.open, let node = session.node {
                if failure(of: node) == nil, try open == wishes(of: session) {
                    session.open = nil
                    return sharedState.pointee.handOver(callback)
                }
                end(&session)
            }
            guard session.node == nil else { throw .alreadyStarted(nodeName: configuration.nodeName) }
            try make(try wishes(of: session), callback, &session)
        }
    }

    /// `[control]` Removes the node from the graph.
    ///
    /// It may be called at any time, even after a failure.
    public func stop() { session.withLock { end(&$0) } }

    private func end(_ session: inout Session) {
        session.watch = .none
        guard let node = session.node else { return }
        session.failure = failure(of: node)
        CPipeWireShims_stop(node)
        (session.node, session.open) = (nil, nil)
    }

    /// Makes the node, which calls the callback, or is silent without one.
    private func make(_ wishes: NodeWishes, _ callback: RenderCallback?, _ session: inout Session) throws(PipeWireError) {
        CPipeWireShims_raiseLimits()
        state.pointee.reset(callback, holds: wishes.configuration.kind == .playback)
        session.node = try makeNode(wishes)
        session.failure = nil
        restoreBuses(&session)
    }

    /// `[control]` The driver's rate, quantum and counts.
    ///
    /// The other loads are relaxed: each number stands alone. The silent cycles of an open node do not count.
    public var status: DriverStatus {
        // Acquiring: the counters were set to zero before.
        let isSilent = sharedState.pointee.isSilent.load(ordering: .acquiring)
        return DriverStatus(
            sampleRate: Double(sharedState.pointee.sampleRate.load(ordering: .relaxed)),
            quantum: Int(sharedState.pointee.quantum.load(ordering: .relaxed)),
            cycles: isSilent ? 0 : sharedState.pointee.cycles.load(ordering: .relaxed),
            xruns: isSilent ? 0 : sharedState.pointee.missedCycles.load(ordering: .relaxed))
    }

    /// `[control]` True while the graph runs faster than real time, because a program of JACK freewheels, for example.
    ///
    /// A node of the kind `.playback` is silent meanwhile, and its time stands still. A filter renders as offline.
    public var isAheadOfRealTime: Bool { sharedState.pointee.isAhead.load(ordering: .relaxed) }

    /// `[control]` The number of outputs that the sink plays in its only channel, as their mean; nil if each has a channel of its own.
    public var sharingChannelCount: Int? {
        session.withLock { session in
            let count = session.node.map { Int(CPipeWireShims_sharingCount($0, true)) } ?? 1
            return count > 1 ? count : nil
        }
    }

    /// `[control]` The number of channels that the next start records: the configuration's, unless a program sets it.
    ///
    /// Ports beyond the configuration are linked to the default source, unless the configuration names another one. They are
    /// silent without a source.
    public var recordedChannelCount: Int {
        get { session.withLock { $0.recordedChannelCount } }
        set { session.withLock { $0.recordedChannelCount = newValue } }
    }

    /// `[control]` The further inputs of the next start: the configuration's, unless a program sets others.
    public var inputBuses: [DriverBus] {
        get { session.withLock { $0.inputBuses } }
        set { session.withLock { $0.inputBuses = newValue } }
    }

    /// The most MIDI input ports.
    private static let mostMIDIPorts = 16

    /// `[control]` The MIDI input ports of the next start: the configuration's, unless a program sets others.
    public var midiPortNames: [String] {
        get { session.withLock { $0.midiPortNames } }
        set { session.withLock { $0.midiPortNames = newValue } }
    }

    /// `[control]` Sends a MIDI message of one to three bytes through the MIDI output port, with the next cycle.
    ///
    /// Returns false without such a port, without a link to it, and while too many messages wait.
    public func sendMIDI(_ bytes: [UInt8]) -> Bool {
        session.withLock { session in
            guard let node = session.node, (1...3).contains(bytes.count) else { return false }
            return CPipeWireShims_sendMIDI(node, bytes, UInt32(bytes.count))
        }
    }

    /// `[control]` The reason why the node ended, or nil.
    ///
    /// After `stop()` the reason stays until the next start.
    public var failure: String? {
        session.withLock { $0.node.flatMap { failure(of: $0) } ?? $0.failure }
    }

    /// `[control]` The present targets of the node.
    ///
    /// A sink or source counts even if the user has unlinked it. Without a node there are none.
    public var devices: DriverDevices {
        session.withLock { session in
            guard let node = session.node else { return DriverDevices() }
            let recordsDefault = session.recordedChannelCount != configuration.inputChannelCount
            return DriverDevices(
                sink: Self.device(of: node, isSink: true, configuration.virtualDevice == .source ? .unlinked : configuration.sink),
                source: Self.device(
                    of: node, isSink: false,
                    configuration.virtualDevice == .sink
                        ? .unlinked : recordsDefault && configuration.source == .unlinked ? .defaultDevice : configuration.source))
        }
    }

    /// `[control]` The kind of the present sink, or of the one that the next start will find; nil if PipeWire does not tell.
    ///
    /// The first call connects to the daemon once more; a change of the sink is then told as one of `devices` is.
    public var outputKind: DriverOutputKind? {
        let linked = devices.sink
        guard configuration.virtualDevice != .source, let list = watchedDevices else { return nil }
        switch (linked, configuration.sink) {
        case (.linked(let name), _), (_, .named(let name)): return list.sink(called: name)?.outputKind
        case (_, .defaultDevice): return list.defaultSink?.outputKind
        case (_, .unlinked): return nil
        }
    }

    private var watchedDevices: PipeWireDeviceList? {
        session.withLock { session in
            if case .none = session.watch { session.watch = watch(tellingOf: session.failureEvent) }
            guard case .open(let devices, var list) = session.watch, devices.failure == nil else { return nil }
            if devices.hasChanged {
                list = devices.list
                session.watch = .open(devices, list)
            }
            return list
        }
    }

    private func watch(tellingOf event: Int32) -> OutputWatch {
        do throws(PipeWireError) {
            let devices = try PipeWireDevices(socketPath: configuration.socketPath)
            devices.tell(event: event)
            return .open(devices, devices.list)
        } catch {
            // Starting the driver throws the reason.
            return .failed
        }
    }

    private static func device(of node: OpaquePointer, isSink: Bool, _ target: PipeWireTarget) -> DriverDevice {
        guard target != .unlinked else { return .notWanted }
        let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            // Cannot trap: the capacity is not 0.
            CPipeWireShims_linkedTarget(node, isSink, text.baseAddress!, UInt32(text.count))
            // Cannot trap: as above.
            return String(cString: text.baseAddress!)
        }
        return name.isEmpty ? .absent : .linked(name: name)
    }

    /// `[control]` Writes to an eventfd, from the next start on, when the connection ends, or when devices come or go.
    public func tellOfFailure(event: Int32) {
        session.withLock { session in
            session.failureEvent = event
            if case .open(let devices, _) = session.watch { devices.tell(event: event) }
        }
    }

    /// `[control]` Reports the latency between input and output to the graph, in frames.
    ///
    /// The program repeats the call when the latency changes.
    public func setLatency(frameCount: Int) {
        session.withLock { session in
            guard let node = session.node else { return }
            CPipeWireShims_setLatency(node, UInt32(clamping: frameCount))
        }
    }

    /// `[control]` The number of the driver's links that carry audio now.
    public var activeLinkCount: Int {
        session.withLock { $0.node.map { Int(CPipeWireShims_activeLinkCount($0)) } ?? 0 }
    }

    /// `[render]` The current cycle's MIDI messages, for the render callback's context.
    ///
    /// The pointer is valid as long as the driver.
    public var midi: UnsafePointer<PipeWireMIDI> { UnsafePointer(midiOfCycle) }

    /// `[control]` The kernel's id of the render thread; nil before the first cycle.
    public var renderThreadIdentifier: Int32? { renderThread?.tid }

    /// `[control]` The render thread; nil before the first cycle.
    ///
    /// Each call asks the kernel for policy and priority: SCHED_FIFO is 1, SCHED_OTHER 0.
    public var renderThread: (tid: Int32, policy: Int32, priority: Int32)? {
        let tid = sharedState.pointee.threadIdentifier.load(ordering: .relaxed)
        var parameters = sched_param()
        guard tid != 0, case let policy = sched_getscheduler(tid), policy >= 0, sched_getparam(tid, &parameters) == 0
        else { return nil }
        // SCHED_RESET_ON_FORK, a flag beside the policy, which Glibc's module leaves out.
        let resetOnFork: Int32 = 0x4000_0000
        return (tid, policy & ~resetOnFork, parameters.sched_priority)
    }
}

extension PipeWireDriver {
    /// The wishes for the next node.
    private func wishes(of session: borrowing Session) throws(PipeWireError) -> NodeWishes {
        let configuration = followsRequests ? configuration.following(.current) : configuration
        try validate(configuration)
        var wanted = recording(session.recordedChannelCount, configuration)
        wanted.inputBuses = session.inputBuses
        try validateBuses(wanted)
        wanted.midiInputNames = Array(session.midiPortNames.prefix(Self.mostMIDIPorts))
        if session.failure != nil { (wanted.awaitsSink, wanted.awaitsSource) = (true, true) }
        return NodeWishes(configuration: wanted, failureEvent: session.failureEvent)
    }

    private func validate(_ configuration: PipeWireConfiguration) throws(PipeWireError) {
        let channels = 0...64
        guard channels ~= configuration.outputChannelCount, channels ~= configuration.inputChannelCount else {
            throw .invalidConfiguration(reason: "it can have 0 to 64 channels a side")
        }
        guard 0...8192 ~= configuration.quantum ?? 0 else {
            let quantum = configuration.quantum ?? 0
            throw .invalidConfiguration(reason: "a quantum of \(quantum) frames is outside 0 to 8192")
        }
        guard 0...768_000 ~= configuration.sampleRate ?? 0 else {
            throw .invalidConfiguration(reason: "a rate of \(configuration.sampleRate ?? 0) Hz is outside 0 to 768000")
        }
    }

    private func validateBuses(_ configuration: PipeWireConfiguration) throws(PipeWireError) {
        let buses = configuration.inputBuses
        for bus in buses {
            guard bus.isNameOfPorts else {
                throw .invalidConfiguration(
                    reason: "\"\(bus.name)\" cannot name ports: 1 to 64 ASCII characters can, without spaces or colons")
            }
            guard 1...64 ~= bus.channelCount else {
                throw .invalidConfiguration(reason: "the bus \"\(bus.name)\" can have 1 to 64 channels")
            }
        }
        guard Set(buses.map(\.name)).count == buses.count else {
            throw .invalidConfiguration(reason: "two input buses have the same name")
        }
        guard buses.reduce(configuration.inputChannelCount, { $0 + $1.channelCount }) <= 64 else {
            throw .invalidConfiguration(reason: "it can have 64 input channels, further buses included")
        }
    }

    /// The configuration of a node that records `channelCount` channels.
    private func recording(_ channelCount: Int, _ configuration: PipeWireConfiguration) -> PipeWireConfiguration {
        guard channelCount != configuration.inputChannelCount else { return configuration }
        var configuration = configuration
        configuration.inputChannelCount = max(0, min(64, channelCount))
        // A program that merely reads its input must not lose its output if there is no microphone.
        if configuration.source == .unlinked { (configuration.source, configuration.awaitsSource) = (.defaultDevice, true) }
        return configuration
    }

    private func makeNode(_ wishes: NodeWishes) throws(PipeWireError) -> OpaquePointer {
        let configuration = wishes.configuration
        var error = CPipeWireShims_Error()
        let node = configuration.withShimsConfiguration(context: UnsafeMutableRawPointer(state)) {
            $0.failureEvent = wishes.failureEvent
            return CPipeWireShims_start(&$0, &error)
        }
        guard let node else { throw PipeWireError(error, configuration) }
        return node
    }

    func failure(of node: OpaquePointer) -> String? {
        CPipeWireShims_failure(node).map {
            "PipeWire went away while \"\(configuration.nodeName)\" was running: \(String(cString: $0)). "
                + "Start it again with `systemctl --user restart pipewire wireplumber`."
        }
    }
}
