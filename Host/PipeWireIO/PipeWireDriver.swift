// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The audio driver that is a node in PipeWire's graph. Control thread.

import CPipeWireShims
import Glibc
import Rendering
import Synchronization

/// Renders whenever PipeWire's graph runs, at the graph's rate and quantum, both of which may change
/// from one cycle to the next. The inputs of a cycle are read only: their memory belongs to other nodes too.
public final class PipeWireDriver: AudioDriver {
    public let configuration: PipeWireConfiguration
    /// Guards the node's life; never taken by the render thread.
    private let session = Mutex(Session())
    // SAFETY: used by the control thread only while no node runs, by the render thread only while
    // one does; the words, which both touch at once, are atomics. Freed in deinit, after the node.
    private nonisolated(unsafe) let state: UnsafeMutablePointer<RenderState>
    private nonisolated(unsafe) let sharedState: UnsafeMutablePointer<RenderSharedState>
    // SAFETY: read and written by the render thread only. Freed in deinit, after the node.
    private nonisolated(unsafe) let midiOfCycle: UnsafeMutablePointer<PipeWireMIDI>

    private struct Session: ~Copyable {
        var node: OpaquePointer?
        var failure: String?
        /// An eventfd to write to, or a negative number.
        var failureEvent: Int32 = -1
    }

    /// `[control]` Connects to nothing yet.
    public init(_ configuration: PipeWireConfiguration = PipeWireConfiguration()) {
        self.configuration = configuration
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

    /// `[control]` Connects, makes the node and its links. Throws a `PipeWireError`.
    public func start(_ callback: RenderCallback) throws {
        try validate()
        CPipeWireShims_raiseLimits()
        try session.withLock { session throws(PipeWireError) in
            guard session.node == nil else { throw .alreadyStarted(nodeName: configuration.nodeName) }
            state.pointee.reset(callback)
            session.failure = nil
            session.node = try makeNode(session.failureEvent)
        }
    }

    /// `[control]` Takes the node out of the graph. Safe at any time, also after a failure.
    public func stop() {
        session.withLock { session in
            guard let node = session.node else { return }
            session.failure = failure(of: node)
            CPipeWireShims_stop(node)
            session.node = nil
        }
    }

    /// `[control]` Relaxed loads: each number stands for itself.
    public var status: DriverStatus {
        DriverStatus(
            sampleRate: Double(sharedState.pointee.sampleRate.load(ordering: .relaxed)),
            quantum: Int(sharedState.pointee.quantum.load(ordering: .relaxed)),
            cycles: sharedState.pointee.cycles.load(ordering: .relaxed),
            xruns: sharedState.pointee.missedCycles.load(ordering: .relaxed))
    }

    /// `[control]` Why the node is gone, or nil. Stays after `stop()` until the next start.
    public var failure: String? {
        session.withLock { $0.node.flatMap { failure(of: $0) } ?? $0.failure }
    }

    /// `[control]` Has the end of the connection write to an eventfd.
    public func tellOfFailure(event: Int32) { session.withLock { $0.failureEvent = event } }

    /// `[control]` Tells the graph how many frames pass between input and output, now and as it changes.
    public func setLatency(frameCount: Int) {
        session.withLock { session in
            guard let node = session.node else { return }
            CPipeWireShims_setLatency(node, UInt32(clamping: frameCount))
        }
    }

    /// `[control]` Links of the driver's own making that carry audio now.
    public var activeLinkCount: Int {
        session.withLock { $0.node.map { Int(CPipeWireShims_activeLinkCount($0)) } ?? 0 }
    }

    /// `[render]` For the render callback's context: the current cycle's MIDI messages stand here.
    /// The pointer is good as long as the driver.
    public var midi: UnsafePointer<PipeWireMIDI> { UnsafePointer(midiOfCycle) }

    public var renderThreadIdentifier: Int32? { renderThread?.tid }

    /// The thread that renders. `[control]` Nil before the first cycle. Policy and priority are the
    /// kernel's, asked for now: SCHED_FIFO is 1, SCHED_OTHER 0.
    public var renderThread: (tid: Int32, policy: Int32, priority: Int32)? {
        let tid = sharedState.pointee.threadIdentifier.load(ordering: .relaxed)
        var parameters = sched_param()
        guard tid != 0, case let policy = sched_getscheduler(tid), policy >= 0, sched_getparam(tid, &parameters) == 0
        else { return nil }
        // SCHED_RESET_ON_FORK, which Glibc's module leaves out: a flag beside the policy.
        let resetOnFork: Int32 = 0x4000_0000
        return (tid, policy & ~resetOnFork, parameters.sched_priority)
    }
}

extension PipeWireDriver {
    private func validate() throws(PipeWireError) {
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

    private func makeNode(_ failureEvent: Int32) throws(PipeWireError) -> OpaquePointer {
        var error = CPipeWireShims_Error()
        let node = configuration.withShimsConfiguration(context: UnsafeMutableRawPointer(state)) {
            $0.failureEvent = failureEvent
            return CPipeWireShims_start(&$0, &error)
        }
        guard let node else { throw PipeWireError(error, configuration) }
        return node
    }

    private func failure(of node: OpaquePointer) -> String? {
        CPipeWireShims_failure(node).map {
            "PipeWire went away while \"\(configuration.nodeName)\" was running: \(String(cString: $0)). "
                + "Start it again with `systemctl --user restart pipewire wireplumber`."
        }
    }
}
