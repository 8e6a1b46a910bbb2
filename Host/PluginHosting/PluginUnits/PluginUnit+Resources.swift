// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit's format and render resources. Control threads.

import AudioUnits
import LinuxSystem
import Rendering

extension PluginUnit {
    /// The format of the unit's first input and first output; in a graph that of its first input.
    ///
    /// At first 48 kHz, with as many channels as the unit prefers.
    public var format: AudioFormat { state.withLock { $0.format } }

    /// The channels of the input buses from the second one on; a bus of 0 channels stays unconnected.
    public var sideInputs: [Int] { state.withLock { $0.sideInputs } }

    /// Chooses the format of the first input and of the first output, and the channels of further buses.
    ///
    /// `sideInputs` has the channels of the input buses from the second one on; a bus of 0 channels stays unconnected. `outputs` has
    /// the channels of each output bus. Without it the first one has those of `format`, and each other one its own if it must have
    /// some.
    ///
    /// Throws `refused` with the cause `formatRefused` when the unit cannot render them, and `illegalInState` while the unit has
    /// render resources.
    public func setFormat(_ format: AudioFormat, sideInputs: [Int] = [], outputs: [Int]? = nil) throws(HostingError) {
        let act = "set the format of"
        try state.withLock { state throws(HostingError) in
            guard state.row == nil else { throw .illegalInState(unit: name, act: act, hasResources: true) }
            let formerState = state
            (state.format, state.sideInputs, state.outputs) = (format, sideInputs, outputs)
            do throws(HostingError) {
                guard state.blockFormat.isPossible else { throw state.blockFormat.refusal }
                _ = try hosted.formats(in: state.blockFormat)
            } catch {
                (state.format, state.sideInputs, state.outputs) = (formerState.format, formerState.sideInputs, formerState.outputs)
                throw error.during(act)
            }
        }
    }

    /// The most frames in one block; at first 4096.
    ///
    /// A change takes effect when resources are allocated next.
    public var maximumFramesToRender: Int {
        get { state.withLock { $0.maximumFramesToRender } }
        set { state.withLock { $0.maximumFramesToRender = newValue } }
    }

    /// Whether blocks are rendered as fast as it goes, without a deadline; at first not.
    ///
    /// Offline the render call waits for the unit. When the unit dies it is started again and renders the same block once more. A
    /// change takes effect when resources are allocated next.
    public var isRenderingOffline: Bool {
        get { state.withLock { $0.isRenderingOffline } }
        set { state.withLock { $0.isRenderingOffline = newValue } }
    }

    /// The sound in place of a unit that does not render; at first its input.
    ///
    /// A change takes effect when resources are allocated next.
    public var fallback: Fallback {
        get { state.withLock { $0.fallback } }
        set { state.withLock { $0.fallback = newValue } }
    }

    /// Whether the unit has render resources.
    public var renderResourcesAllocated: Bool { state.withLock { $0.row != nil } }

    /// Gives the unit memory and lets `renderBlock` render.
    ///
    /// Blocks for some milliseconds. Throws `illegalInState` when the unit has resources already, `fault` or `refused` when it
    /// cannot allocate.
    public func allocateRenderResources() throws(HostingError) {
        try allocate(AllocationOptions()) { state in
            guard let row = state.row else { return }
            let core = UnsafeMutablePointer<PluginUnitCore>.allocate(capacity: 1)
            core.initialize(to: PluginUnitCore(row, isOffline: state.isRenderingOffline))
            self.core.pointee = core
            gate.pointee.open()
        }
    }

    /// Gives the unit memory for a plan, as `options` say; `renderBlock` has no resources then.
    ///
    /// With a supervisor in the options, `UnitResources.join` lets it look after the unit. Throws as without options.
    package func allocateRenderResources(_ options: AllocationOptions) throws(HostingError) { try allocate(options) { _ in } }

    /// Allocates, and calls `body` with the state before others see it.
    private func allocate(_ options: AllocationOptions, _ body: (State) -> Void) throws(HostingError) {
        let act = "allocate resources for"
        try allocation.withLock { _ throws(HostingError) in
            try state.withLock { state throws(HostingError) in
                guard state.row == nil else { throw .illegalInState(unit: name, act: act, hasResources: true) }
                do throws(HostingError) {
                    state.row = UnitRow(try resources(options, state))
                } catch {
                    throw error.during(act)
                }
                body(state)
            }
        }
    }

    private func resources(_ options: AllocationOptions, _ state: State) throws(HostingError) -> UnitResources {
        var options = options
        let hasOwnSupervisor = options.supervisor == nil
        options.policy = options.policy ?? Self.policy(isOffline: state.isRenderingOffline)
        for curve in state.automation { options.lanes.append(try curve.lane(of: hosted, sampleRate: state.format.sampleRate)) }
        let resources = try UnitResources(
            hosted, format: state.blockFormat, fallback: state.fallback,
            isBypassed: state.isBypassed, options: options)
        if hasOwnSupervisor { try resources.join() }
        return resources
    }

    /// The channels of the output buses that go with `count` channels of the first input, or of the first output of a unit without
    /// inputs.
    package func outputChannelCounts(for count: Int) -> [Int] { hosted.outputChannelCounts(for: count) }

    /// The courses of parameters that a document automates.
    ///
    /// A change takes effect when resources are allocated next.
    package var automation: [AutomationCurve] {
        get { state.withLock { $0.automation } }
        set { state.withLock { $0.automation = newValue } }
    }

    /// The process that the unit shares with others; nil in the host's.
    package var process: UnitProcess? { hosted.unitProcess }

    /// The unit's render resources, while it has them.
    package var resources: UnitResources? { state.withLock { $0.row?.members[0] } }

    /// The unit as a node of a plan, while it has render resources.
    ///
    /// A plan that plays it renders in the unit's format.
    package var row: UnitRow? { state.withLock { $0.row } }

    /// Whether a graph renders the unit: `deallocateRenderResources` does nothing meanwhile.
    package var isLent: Bool {
        get { state.withLock { $0.isLent } }
        set { state.withLock { $0.isLent = newValue } }
    }

    /// Why the unit cannot render a format, as the end of a sentence; nil if it can.
    package func objection(to format: AudioFormat) -> String? {
        let wanted = BlockFormat(
            sampleRate: format.sampleRate, maximumFrameCount: 1, channelCount: format.channelCount, layout: format.layout,
            outputs: outputChannelCounts(for: format.channelCount))
        guard wanted.isPossible else { return "that is more than a unit can have" }
        do throws(HostingError) {
            _ = try hosted.formats(in: wanted)
            return nil
        } catch .refused(_, _, .formatRefused(let reason), _) {
            return reason
        } catch {
            return "\(error)"
        }
    }

    /// Takes the render resources back.
    ///
    /// A unit that is a node of a graph keeps them: the graph takes them back itself.
    ///
    /// Waits for a block that is being rendered; later ones are silent. Observers of the unit's values must not call it.
    public func deallocateRenderResources() {
        allocation.withLock { _ in
            guard !isLent, let row = takeRow() else { return }
            // It calls observers, which may ask for anything: only `allocation` is locked.
            row.members[0].takeBack()
            // The last faults are known now.
            state.withLock { state in
                state.formerFaults += row.members[0].faults.records
                state.formerRestartCount += row.members[0].faults.restarts
            }
        }
    }

    /// Closes the gate and takes the row out of the state.
    func takeRow() -> UnitRow? {
        state.withLock { state in
            guard let row = state.row else { return nil }
            gate.pointee.close()
            core.pointee?.deinitialize(count: 1)
            core.pointee?.deallocate()
            core.pointee = nil
            state.row = nil
            return row
        }
    }

    /// Frames by which the output lags behind the input; 0 while the unit has no resources.
    public var latencyFrameCount: Int { state.withLock { $0.row?.latencyFrameCount ?? 0 } }

    /// Seconds by which the output lags behind the input; 0 while the unit has no resources.
    public var latency: Double { state.withLock { Double($0.row?.latencyFrameCount ?? 0) / $0.format.sampleRate } }

    /// Seconds for which the unit sounds after its input fell silent, infinite for one that sounds for ever; 0 while the unit has no
    /// resources.
    public var tailTime: Double {
        state.withLock { state in
            let frames = state.row?.members[0].tailFrameCount ?? 0
            return frames == .max ? .infinity : Double(frames) / state.format.sampleRate
        }
    }

    /// Gives the unit's render threads a real-time priority below that of the thread which calls `renderBlock`.
    ///
    /// `renderThread` is the kernel's number of that thread (gettid(2)). Where the thread is bound to one processor, say which:
    /// the unit's threads then run there too, which takes the least time. Without resources the call does nothing.
    public func follow(renderThread: Int32, processor: Int? = nil) {
        let rank = Scheduling.schedulingClass(ofThread: renderThread) ?? .ordinary
        state.withLock { $0.row?.place(processor: processor, below: rank) }
    }

    private static func policy(isOffline: Bool) -> UnitPolicy {
        var policy = UnitPolicy()
        guard isOffline else { return policy }
        // Offline there is no listener: a unit may die more often, and need not wait before it returns.
        (policy.offlineAttempts, policy.restartBudget, policy.firstPauseMilliseconds) = (3, 100, 0)
        return policy
    }
}

extension PluginUnit.State {
    /// The format in which the unit renders.
    fileprivate var blockFormat: BlockFormat {
        BlockFormat(
            sampleRate: format.sampleRate, maximumFrameCount: maximumFramesToRender, channelCount: format.channelCount,
            layout: format.layout, sideInputs: sideInputs, outputs: outputs)
    }
}

extension HostingError {
    /// The same refusal, of another act.
    fileprivate func during(_ act: String) -> HostingError {
        guard case .refused(let unit, _, let cause, let hint) = self else { return self }
        return .refused(unit: unit, act: act, cause: cause, hint: hint)
    }
}
