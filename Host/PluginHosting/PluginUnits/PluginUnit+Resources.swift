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

    /// Chooses the format of the first input and of the first output.
    ///
    /// Throws `refused` with the cause `formatRefused` when the unit cannot render it, and `illegalInState` while the unit has
    /// render resources.
    public func setFormat(_ format: AudioFormat) throws(HostingError) {
        let act = "set the format of"
        try state.withLock { state throws(HostingError) in
            guard state.row == nil else { throw .illegalInState(unit: name, act: act, hasResources: true) }
            let wanted = Self.blockFormat(format, state.maximumFramesToRender)
            guard wanted.isPossible else { throw wanted.refusal }
            do throws(HostingError) {
                _ = try hosted.formats(in: wanted, outputs: state.outputs)
            } catch {
                throw error.during(act)
            }
            state.format = format
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

    /// What is heard while the unit does not render; at first its input.
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
        let act = "allocate resources for"
        try allocation.withLock { _ throws(HostingError) in try allocate(act) }
    }

    private func allocate(_ act: String) throws(HostingError) {
        try state.withLock { state throws(HostingError) in
            guard state.row == nil else { throw .illegalInState(unit: name, act: act, hasResources: true) }
            var link = UnitAllocation(hosted, fallback: state.fallback, isBypassed: state.isBypassed)
            link.mayBeginAbsent = state.mayBeginAbsent
            (link.sideInputs, link.outputs, link.automation) = (state.sideInputs, state.outputs, state.lanes)
            if let pace = state.pace, let address = hosted.parameters[keyPath: "rate"]?.address { link.pace = (pace, address) }
            let row: UnitRow
            do throws(HostingError) {
                let rate = state.format.sampleRate
                for curve in state.automation { link.automation.append(try curve.lane(of: hosted, sampleRate: rate)) }
                row = try UnitRow(
                    link, format: Self.blockFormat(state.format, state.maximumFramesToRender),
                    policy: state.policy ?? Self.policy(isOffline: state.isRenderingOffline), supervisor: state.supervisor,
                    joinsLater: state.supervisor != nil)
            } catch {
                throw error.during(act)
            }
            let core = UnsafeMutablePointer<PluginUnitCore>.allocate(capacity: 1)
            core.initialize(to: PluginUnitCore(row, isOffline: state.isRenderingOffline))
            self.core.pointee = core
            state.row = row
            gate.pointee.open()
        }
    }

    /// The channels of the input buses from the second one on, which `renderNode` reads from its further inputs; 0 for none.
    ///
    /// A change holds for the next allocation alone.
    package var sideInputs: [Int] {
        get { state.withLock { $0.sideInputs } }
        set { state.withLock { $0.sideInputs = newValue } }
    }

    /// The channels of the output buses, which `renderNode` fills; nil: the first has those of `format`, and others their own if they must.
    ///
    /// A change holds for the next allocation alone.
    package var outputs: [Int]? {
        get { state.withLock { $0.outputs } }
        set { state.withLock { $0.outputs = newValue } }
    }

    /// The channels of the output buses that go with `count` channels of the first input, or of the first output of a unit without
    /// inputs.
    package func outputChannelCounts(for count: Int) -> [Int] { hosted.outputChannelCounts(for: count) }

    /// How the unit is waited for and restarted, from the next allocation on; nil: as `isRenderingOffline` wants it.
    package var policy: UnitPolicy? {
        get { state.withLock { $0.policy } }
        set { state.withLock { $0.policy = newValue } }
    }

    /// The pace of a unit that stretches time, from the next allocation on.
    ///
    /// Each block has as many input frames as the pace says, and the unit's parameter `rate` follows it.
    package var pace: TimePace? {
        get { state.withLock { $0.pace } }
        set { state.withLock { $0.pace = newValue } }
    }

    /// The courses of automated parameters, from the next allocation on.
    package var automation: [AutomationCurve] {
        get { state.withLock { $0.automation } }
        set { state.withLock { $0.automation = newValue } }
    }

    /// Whether the next allocations leave a fault to the supervisor, which starts the unit again.
    package var mayBeginAbsent: Bool {
        get { state.withLock { $0.mayBeginAbsent } }
        set { state.withLock { $0.mayBeginAbsent = newValue } }
    }

    /// Further courses of parameters, in frames and with steps or ramps as they say, from the next allocation on.
    package var lanes: [AutomationLane] {
        get { state.withLock { $0.lanes } }
        set { state.withLock { $0.lanes = newValue } }
    }

    /// The process that the unit shares with others; nil in the host's.
    package var process: UnitProcess? { hosted.unitProcess }

    /// The unit as its supervisor sees it, while it has render resources.
    package var resources: UnitResources? { state.withLock { $0.row?.members[0] } }

    /// What looks after the unit from the next allocation on, once it is told to; nil: a supervisor of its own, from the allocation on.
    package var supervisor: Supervisor? {
        get { state.withLock { $0.supervisor } }
        set { state.withLock { $0.supervisor = newValue } }
    }

    /// The unit as a node of a plan, while it has render resources.
    ///
    /// A plan that plays it renders in the unit's format, and `renderBlock` is not called meanwhile.
    package var row: UnitRow? { state.withLock { $0.row } }

    /// Whether a graph renders the unit: `deallocateRenderResources` does nothing meanwhile.
    package var isLent: Bool {
        get { state.withLock { $0.isLent } }
        set { state.withLock { $0.isLent = newValue } }
    }

    /// Why the unit cannot render a format, as the end of a sentence; nil if it can.
    package func objection(to format: AudioFormat) -> String? {
        let wanted = Self.blockFormat(format, 1)
        guard wanted.isPossible else { return "that is more than a unit can have" }
        do throws(HostingError) {
            _ = try hosted.formats(in: wanted, outputs: outputChannelCounts(for: format.channelCount))
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
            row.tearDown()
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
            (state.sideInputs, state.outputs) = ([], nil)
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
            let frames = state.row?.tailFrameCount ?? 0
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

    private static func blockFormat(_ format: AudioFormat, _ maximumFrameCount: Int) -> BlockFormat {
        BlockFormat(
            sampleRate: format.sampleRate, maximumFrameCount: maximumFrameCount, channelCount: format.channelCount,
            layout: format.layout)
    }

    private static func policy(isOffline: Bool) -> UnitPolicy {
        var policy = UnitPolicy()
        guard isOffline else { return policy }
        // Offline there is no listener: a unit may die more often, and need not wait before it returns.
        (policy.offlineAttempts, policy.restartBudget, policy.firstPauseMilliseconds) = (3, 100, 0)
        return policy
    }
}

extension HostingError {
    /// The same refusal, of another act.
    fileprivate func during(_ act: String) -> HostingError {
        guard case .refused(let unit, _, let cause, let hint) = self else { return self }
        return .refused(unit: unit, act: act, cause: cause, hint: hint)
    }
}
