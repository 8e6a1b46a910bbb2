// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit's format and render resources. Control threads.

import AudioUnits
import LinuxSystem
import Rendering

extension PluginUnit {
    /// The format of the unit's first input and first output; in a graph, of its first input.
    ///
    /// The default is 48 kHz, with the unit's preferred channels.
    public var format: AudioFormat { state.withLock { $0.format } }

    /// The channels of the input buses from the second one on; a bus of 0 channels stays unconnected.
    public var sideInputs: [Int] { state.withLock { $0.sideInputs } }

    /// Chooses the format of the first input and of the first output, and the channels of further buses.
    ///
    /// `sideInputs` has the channels of the input buses from the second one on; a bus of 0 channels stays unconnected. `outputs`
    /// has the channels of each output bus. Without `outputs`, the first output has the channels of `format`. Each other one has
    /// its own channels if it must have some.
    ///
    /// Throws `refused` with the cause `formatRefused` if the unit cannot render them. Throws `illegalInState` while the unit has
    /// render resources.
    public func setFormat(_ format: AudioFormat, sideInputs: [Int] = [], outputs: [Int]? = nil) throws(HostingError) {
        let act = "set the format of"
        try state.withLock { state throws(HostingError) in
            guard state.row == nil, !state.isAllocating else { throw .illegalInState(unit: name, act: act, hasResources: true) }
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

    /// The most frames in one block; 4096 by default.
    ///
    /// A change takes effect at the next allocation of resources.
    public var maximumFramesToRender: Int {
        get { state.withLock { $0.maximumFramesToRender } }
        set { state.withLock { $0.maximumFramesToRender = newValue } }
    }

    /// True if blocks are rendered as fast as possible, without a deadline; false by default.
    ///
    /// Offline the render call waits for the unit. After a death the unit is started again and renders the same block once more.
    /// A change takes effect at the next allocation of resources.
    public var isRenderingOffline: Bool {
        get { state.withLock { $0.isRenderingOffline } }
        set { state.withLock { $0.isRenderingOffline = newValue } }
    }

    /// The sound in place of a unit that does not render; by default its input.
    ///
    /// A change takes effect at the next allocation of resources.
    public var fallback: Fallback {
        get { state.withLock { $0.fallback } }
        set { state.withLock { $0.fallback = newValue } }
    }

    /// True if the unit has render resources.
    public var renderResourcesAllocated: Bool { state.withLock { $0.row != nil } }

    /// Gives the unit memory and lets `renderBlock` render.
    ///
    /// Blocks for some milliseconds. Throws `illegalInState` if the unit already has resources, and `fault` or `refused` if it
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

    /// Gives the unit memory for a plan, by `options`; `renderBlock` has no resources then.
    ///
    /// With a supervisor in the options, `UnitResources.join` starts the unit's supervision. Throws as without options.
    package func allocateRenderResources(_ options: AllocationOptions) throws(HostingError) { try allocate(options) { _ in } }

    /// Allocates, and calls `body` with the state before other threads see it.
    private func allocate(_ options: AllocationOptions, _ body: (State) -> Void) throws(HostingError) {
        let act = "allocate resources for"
        try allocation.withLock { former throws(HostingError) in
            // The state is not locked while the unit is asked, since any thread may read it.
            let present = state.withLock { $0 }
            guard present.row == nil else { throw .illegalInState(unit: name, act: act, hasResources: true) }
            state.withLock { $0.isAllocating = true }
            defer { state.withLock { $0.isAllocating = false } }
            end(&former, options.patience)
            let row: UnitRow
            do throws(HostingError) {
                row = UnitRow(try resources(options, present))
            } catch {
                throw error.during(act)
            }
            state.withLock { state in
                if state.isBypassed != present.isBypassed { row.members[0].isBypassed = state.isBypassed }
                state.row = row
                body(state)
            }
        }
    }

    /// Waits until former resources have been taken back; a unit that does not give them back in time is ended.
    private func end(_ former: inout Errand<Void>?, _ patience: UInt64?) {
        if let former, former.value(within: patience ?? 0) == nil {
            if patience != nil { _ = hosted.endProcess() }
            former.wait()
        }
        former = nil
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

    /// The channels of the output buses for `count` channels of the first input.
    ///
    /// For a unit without inputs, `count` is the channels of the first output.
    package func outputChannelCounts(for count: Int) -> [Int] { hosted.outputChannelCounts(for: count) }

    /// The courses of parameters that a document automates.
    ///
    /// A change takes effect at the next allocation of resources.
    package var automation: [AutomationCurve] {
        get { state.withLock { $0.automation } }
        set { state.withLock { $0.automation = newValue } }
    }

    /// The process that the unit shares with others; nil in the host's process.
    package var process: UnitProcess? { hosted.unitProcess }

    /// The unit's render resources; nil without any.
    package var resources: UnitResources? { state.withLock { $0.row?.members[0] } }

    /// The unit as a node of a plan; nil without render resources.
    ///
    /// A plan that plays it renders in the unit's format.
    package var row: UnitRow? { state.withLock { $0.row } }

    /// True if a graph renders the unit: `deallocateRenderResources` does nothing meanwhile.
    package var isLent: Bool {
        get { state.withLock { $0.isLent } }
        set { state.withLock { $0.isLent = newValue } }
    }

    /// The unit's objection to a format, as the end of a sentence; nil if it can render it.
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
    /// The call waits for a block that is being rendered; later ones are silent. Observers of the unit's values must not call it.
    public func deallocateRenderResources() { deallocateRenderResources(patience: nil) }

    /// Takes the render resources back, and waits for at most `patience` nanoseconds; without a limit for nil.
    ///
    /// After that time the work goes on, and the next allocation waits for it.
    package func deallocateRenderResources(patience: UInt64?) {
        allocation.withLock { work in
            guard !isLent, let row = takeRow() else { return }
            // It calls observers, which may call any function of the unit: only `allocation` is locked.
            guard let patience else { return takeBack(row) }
            let taking = Errand<Void>(name: "tear-down") { [self] in takeBack(row) }
            if taking.value(within: patience) == nil { work = taking }
        }
    }

    private func takeBack(_ row: UnitRow) {
        row.members[0].takeBack()
        // The log has the last faults now.
        state.withLock { state in
            state.formerFaults += row.members[0].faults.records
            state.formerRestartCount += row.members[0].faults.restarts
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

    /// The delay of the output, in frames; 0 without resources.
    public var latencyFrameCount: Int { state.withLock { $0.row?.latencyFrameCount ?? 0 } }

    /// The delay of the output, in seconds; 0 without resources.
    public var latency: Double { state.withLock { Double($0.row?.latencyFrameCount ?? 0) / $0.format.sampleRate } }

    /// The seconds of sound after the input falls silent; 0 without resources.
    ///
    /// It is infinite for a unit that sounds for ever.
    public var tailTime: Double {
        state.withLock { state in
            let frames = state.row?.members[0].tailFrameCount ?? 0
            return frames == .max ? .infinity : Double(frames) / state.format.sampleRate
        }
    }

    /// Gives the unit's render threads a real-time priority below that of the thread that calls `renderBlock`.
    ///
    /// `renderThread` is the kernel's number of that thread (gettid(2)). If the thread is bound to one processor, pass it as
    /// `processor`: the unit's threads then run there too, which takes the least time. Without resources the call does nothing.
    public func follow(renderThread: Int32, processor: Int? = nil) {
        let rank = Scheduling.schedulingClass(ofThread: renderThread) ?? .ordinary
        state.withLock { $0.row?.place(processor: processor, below: rank) }
    }

    private static func policy(isOffline: Bool) -> UnitPolicy {
        var policy = UnitPolicy()
        guard isOffline else { return policy }
        // Offline there is no listener: a unit may die more often, and need not pause before it returns.
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
    /// The same refusal, for another act.
    fileprivate func during(_ act: String) -> HostingError {
        guard case .refused(let unit, _, let cause, let hint) = self else { return self }
        return .refused(unit: unit, act: act, cause: cause, hint: hint)
    }
}
