// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a row: finds the runs of units that hand over to each other, waits with a deadline, plays fallbacks. Render thread.

import CWireLayout
import LinuxSystem
import Realtime
import Rendering
import Synchronization
import Wire

/// The render thread's state of a row, at one address while the row lives.
///
/// No other thread uses it. Shared atomics lie at addresses of their own.
struct RowCore: ~Copyable {
    private let inPlace = InPlace()
    let units: UnsafeMutablePointer<UnsafeMutablePointer<UnitRenderer>>
    let unitCount: Int
    let sharedState: UnsafeMutablePointer<RowSharedState>
    let hostDoorbell: SharedFutexWord
    /// The state shared with the watch, which rings the doorbell at the deadline.
    let deadlineState: UnsafeMutablePointer<DeadlineSharedState>
    /// A futex word of the host's own, for a sleep without rings.
    let quietWord: UnsafeMutablePointer<UInt32>
    /// The links between the units of a row; nil for a single unit.
    let links: UnsafeMutablePointer<RowWiring.Link>?
    /// The row's number; 0 for no row.
    let row: UInt64
    let inletChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The channels of all output buses of a call, one after another.
    private let deliveredCount: Int
    private let deliveredChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// True if a unit of the row does not have its wiring.
    var hasUnwired = false
    /// The unfaded input of the call, while the first unit's input fades in.
    var cleanInput: AudioBlock
    var hasCleanInput = false
    /// The input of a unit that stretches time, with as many frames as it renders; also its fallback.
    let stretched: AudioBuffer
    private let source: UnsafeMutablePointer<Float>
    private let sourceLayout: AudioMemoryLayout
    /// The channels of the first input; the channels of further inputs lie behind them.
    private let mainChannelCount: Int
    private let maximumFrameCount: Int
    let policy: UnitPolicy
    private let audioGuard: AudioGuard
    /// True if the next unit of a run has read valid audio.
    var isInputValid = true
    /// The units before this index have finished their blocks of this cycle.
    var finishedCount = 0
    private let sourceChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private(set) var cycleIndex: UInt64 = 0
    var spinBounds: SpinBounds
    var pipeline: Pipeline
    var shares: ProcessorShares
    /// True if a cycle has begun; the next four are its start, its units, its deadline and its present run.
    private var hasBegun = false
    private var started: UInt64 = 0
    private var activeCount = 0
    var deadline = CycleDeadline()
    var run = UnitRun(first: 0, end: 0)

    /// `[control]` Makes the state of a row of these units; `rowLinks` has a link for each unit of a row of several.
    init(_ members: [UnitResources], _ monitor: RowMonitor, links rowLinks: [RowWiring.Link] = []) {
        let renderers = members.map(\.renderer)
        let (first, last) = (members[0], renderers[renderers.count - 1])
        unitCount = renderers.count
        units = .allocate(capacity: unitCount)
        for (index, renderer) in renderers.enumerated() { (units + index).initialize(to: renderer) }
        row = rowLinks.first?.row ?? 0
        if rowLinks.isEmpty {
            links = nil
        } else {
            let memory = UnsafeMutablePointer<RowWiring.Link>.allocate(capacity: unitCount)
            for (index, link) in rowLinks.enumerated() { (memory + index).initialize(to: link) }
            links = memory
        }
        inletChannels = .allocate(capacity: WireLimits.channelCount)
        deliveredCount = last.pointee.channelCount
        deliveredChannels = .allocate(capacity: max(1, deliveredCount))
        hostDoorbell = monitor.doorbell
        sharedState = monitor.sharedState
        deadlineState = monitor.deadlineState
        policy = monitor.policy
        quietWord = .allocate(capacity: 1)
        quietWord.initialize(to: 0)
        source = first.wiring.inlet
        sourceLayout = first.wiring.inputLayout
        mainChannelCount = min(first.format.channelCount, sourceLayout.channelCount)
        maximumFrameCount = first.format.maximumFrameCount
        audioGuard = AudioGuard(ceiling: policy.ceiling)
        spinBounds = SpinBounds(policy.waiting)
        let isPaced = unitCount == 1 && renderers[0].pointee.events.isPaced
        stretched = AudioBuffer(channelCount: isPaced ? mainChannelCount : 0, frameCapacity: isPaced ? maximumFrameCount : 0)
        pipeline = Pipeline(
            unitCount: unitCount, policy, channelCount: last.pointee.channelCount, maximumFrameCount: maximumFrameCount)
        shares = ProcessorShares(pipeline.isOn ? Scheduling.ownProcessors : [], unitCount: unitCount)
        sourceChannels = .allocate(capacity: max(1, sourceLayout.channelCount))
        cleanInput = AudioBlock(channels: UnsafePointer(sourceChannels), channelCount: 0, frameCount: 0)
    }

    deinit {
        units.deallocate()
        links?.deallocate()
        inletChannels.deallocate()
        deliveredChannels.deallocate()
        quietWord.deallocate()
        sourceChannels.deallocate()
    }

    /// `[render]` Renders one cycle of the whole row, or the rest of one that has begun.
    @_noLocks
    mutating func render(_ call: NodeCall) {
        if !hasBegun { begin(call) }
        hasBegun = false
        // The memories end at that length: a longer block bypasses the row.
        guard isPossible(call) else {
            for index in 0..<call.outputCount { call.outputs[index].block.silence() }
            return pass(call.input, to: call.output)
        }
        let cycle = call.cycle.pointee
        // A block of 0 frames takes no time: every unit would be late.
        guard cycle.frameCount > 0 else { return }
        if !pipeline.isAhead { complete(cycle, call) }
        deliver(cycle, to: outputs(of: call))
    }

    /// Waits for all requests of `cycle`, and plays the fallback of units that do not answer.
    @_noLocks
    private mutating func complete(_ cycle: RenderCycle, _ call: NodeCall) {
        noteLateness(call)
        if pipeline.isOn {
            completeAll(activeCount, cycle)
        } else {
            while run.first < unitCount { goOn(from: awaitRun(cycle), cycle) }
        }
        for index in 0..<activeCount { units[index].pointee.end() }
        if pipeline.isOn { collect(cycle) }
        conclude(cycle, call)
    }

    /// Extends the deadline if a unit of another row was late: units of this row may have waited for it.
    @_noLocks
    private mutating func noteLateness(_ call: NodeCall) {
        if call.hasBeenLate.pointee, MonotonicClock.now() >= deadline.time { deadline.extend() }
    }

    /// Ends a cycle whose blocks have all arrived, or have been replaced.
    @_noLocks
    private mutating func conclude(_ cycle: RenderCycle, _ call: NodeCall) {
        if deadline.isExtended { call.hasBeenLate.pointee = true }
        tellOfPlacements()
        sharedState.pointee.awaitedNanoseconds.wrappingAdd(MonotonicClock.now() &- started, ordering: .relaxed)
        sharedState.pointee.sampleTime.store(cycle.sampleTime &+ Int64(cycle.frameCount), ordering: .relaxed)
        sharedState.pointee.cycles.end()
    }

    @_noLocks
    private func isPossible(_ call: NodeCall) -> Bool {
        let frameCount = call.cycle.pointee.frameCount
        return frameCount <= maximumFrameCount && call.cycle.pointee.sampleRate > 0
            && (call.input.frameCount == frameCount
                || stretched.frameCapacity > 0 && call.input.frameCount <= maximumFrameCount)
    }

    /// `[render]` Takes the input and the units, and renders until it must wait for a unit.
    @_noLocks
    mutating func begin(_ call: NodeCall) {
        hasBegun = true
        let cycle = call.cycle.pointee
        guard isPossible(call), cycle.frameCount > 0 else { return }
        cycleIndex &+= 1
        sharedState.pointee.cycles.begin()
        let length = cycle.isOffline ? 0 : UInt64(Double(cycle.frameCount) / cycle.sampleRate * 1e9)
        sharedState.pointee.cycleNanoseconds.store(length, ordering: .relaxed)
        finishedCount = 0
        (hasUnwired, hasCleanInput) = (false, false)
        if pipeline.isAhead { for index in 0..<activeCount where isUnwired(index) { hasUnwired = true } }
        // The kernel wakes this thread at a death only while these bits are zero; any unit could have set them.
        hostDoorbell.clearBelowCount()
        let now = MonotonicClock.now()
        if spinBounds.ofUnits > 0 { fetchForWriting(cycle) }
        pipeline.begin(cycle, number: cycleIndex)
        if pipeline.isAhead {
            takeInput(call)
            goAhead(cycle, call)
        }
        started = pipeline.isAhead ? MonotonicClock.now() : now
        deadline = CycleDeadline(cycle, started: started, policy)
        if pipeline.isAhead { return }
        activeCount = pipeline.activeCount(of: unitCount, number: cycleIndex)
        for index in 0..<activeCount { take(index, pipeline.cycle(of: index, number: cycleIndex, cycle)) }
        tellOfPlacements()
        if cycle.isOffline, policy.offlineAttempts > 0 { bringBackAll(activeCount, cycle) }
        // After the units have been taken: a locked instruction waits for all earlier writes of this processor.
        takeInput(call)
        if pipeline.isOn { askAll(activeCount, cycle) } else { goOn(from: 0, cycle) }
    }

    /// Fetches memory that the units read last, on other processors, while there is other work to do.
    @_noLocks
    private func fetchForWriting(_ cycle: RenderCycle) {
        let source = sourceBlock(ofCycle: cycleIndex, frameCount: cycle.frameCount)
        // The rest of a long block is fetched as fast as it is written.
        let byteCount = min(cycle.frameCount &* 4, 2 &* CacheLine.byteCount)
        for channel in 0..<source.channelCount { CacheLine.fetchForWriting(source[channel], byteCount: byteCount) }
        for index in 0..<unitCount { units[index].pointee.fetchForWriting() }
    }

    @_noLocks
    private mutating func takeInput(_ call: NodeCall) {
        let main = sourceBlock(ofCycle: cycleIndex, frameCount: call.input.frameCount)
        pass(call.input, to: main)
        if stretched.frameCapacity > 0 { stretch(main, over: call.cycle.pointee.frameCount) }
        var first = mainChannelCount
        var index = 1
        while index < call.inputCount {
            let input = call.inputs[index].block
            guard first &+ input.channelCount <= sourceLayout.channelCount else { break }
            let block = AudioBlock(
                channels: main.channels + first, channelCount: input.channelCount, frameCount: main.frameCount)
            pass(input, to: block)
            first &+= input.channelCount
            index &+= 1
        }
        guard units[0].pointee.isUsable, units[0].pointee.inputFade.isMoving else { return }
        // The unit's fallback does not fade.
        if !hasCleanInput { cleanInput = call.input }
        hasCleanInput = true
        units[0].pointee.inputFade.process(AudioBlock(channels: main.channels, channelCount: first, frameCount: main.frameCount))
    }

    /// Moves the units from the cycle before to this one.
    @_noLocks
    private mutating func goAhead(_ cycle: RenderCycle, _ call: NodeCall) {
        noteLateness(call)
        let formerCount = activeCount
        activeCount = pipeline.activeCount(of: unitCount, number: cycleIndex)
        for index in 0..<activeCount { units[index].pointee.progress = index < formerCount ? .behind : .free }
        advanceAll(activeCount, cycle)
        if cycleIndex > 1 { conclude(pipeline.cycle(of: 0, number: cycleIndex &- 1, cycle), call) }
    }

    /// The number of the present cycle of the unit at `index`.
    @_noLocks
    func cycleNumber(of index: Int) -> UInt64 {
        pipeline.isAhead && units[index].pointee.progress.isBehind ? cycleIndex &- 1 : cycleIndex
    }

    /// Takes the unit at `index` for this cycle, if it is present.
    ///
    /// A restarted unit counts its requests from the beginning, and its predecessor may still ring it with an old number.
    @_noLocks
    mutating func take(_ index: Int, _ cycle: RenderCycle) {
        let number = cycleNumber(of: index)
        units[index].pointee.events.log = cycle.log
        units[index].pointee.begin(
            cycleIndex: number, sampleTime: cycle.sampleTime, frameCount: cycle.frameCount, isOffline: cycle.isOffline)
        if units[index].pointee.isUsable { wire(index) }
        guard index > 0, !pipeline.isOn, units[index].pointee.isUsable, units[index].pointee.sequence == 0 else { return }
        units[index - 1].pointee.successorIsNew()
        units[index].pointee.mayMissRing = units[index - 1].pointee.mayRingOld
    }

    /// The channels of all output buses.
    @_noLocks
    private func outputs(of call: NodeCall) -> AudioBlock {
        guard call.outputCount > 1 else { return call.output }
        var count = 0
        for index in 0..<call.outputCount {
            let block = call.outputs[index].block
            for channel in 0..<block.channelCount where count < deliveredCount {
                deliveredChannels[count] = block[channel]
                count &+= 1
            }
        }
        return AudioBlock(
            channels: UnsafePointer(deliveredChannels), channelCount: count, frameCount: call.output.frameCount)
    }

    /// Hands over the row's output.
    @_noLocks
    private mutating func deliver(_ cycle: RenderCycle, to output: AudioBlock) {
        guard pipeline.isOn else { return pass(units[unitCount - 1].pointee.outputBlock(frameCount: cycle.frameCount), to: output) }
        pipeline.take(output)
        mend(output)
    }

    /// Keeps the output of a pipeline, in the present cycle of its last unit.
    @_noLocks
    mutating func collect(_ cycle: RenderCycle) {
        let (last, number) = (unitCount - 1, cycleNumber(of: unitCount - 1))
        // There is no output before the last unit has its first block.
        guard number >= UInt64(unitCount) else { return }
        let rendered = pipeline.cycle(of: last, number: number, cycle)
        pipeline.append(units[last].pointee.outputBlock(frameCount: rendered.frameCount))
    }

    /// Copies a block into the row or out of it, and mends invalid samples.
    @_noLocks
    private func pass(_ block: AudioBlock, to output: AudioBlock) {
        output.copy(from: block)
        mend(output)
    }

    @_noLocks
    private func mend(_ block: AudioBlock) {
        if audioGuard.mend(block) { sharedState.pointee.mendedBlockCount.wrappingAdd(1, ordering: .relaxed) }
    }

    /// Asks the watch to take ranks or to give them back.
    @_noLocks
    func tellOfPlacements() {
        var change = PlacementChange.none
        for index in 0..<unitCount { change = change.or(units[index].pointee.takePlacementChange()) }
        switch change {
        case .none: break
        case .some: deadlineState.pointee.watch.pointee.noteChange(isUrgent: false)
        case .urgent: deadlineState.pointee.watch.pointee.noteChange(isUrgent: true)
        }
    }

    @_noLocks
    private func sourceBlock(ofCycle number: UInt64, frameCount: Int) -> AudioBlock {
        for channel in 0..<sourceLayout.channelCount {
            sourceChannels[channel] = source + sourceLayout.sampleOffset(slot: sourceSlot(ofCycle: number), channel: channel)
        }
        return AudioBlock(
            channels: UnsafePointer(sourceChannels), channelCount: mainChannelCount, frameCount: frameCount)
    }

    @_noLocks
    private func sourceSlot(ofCycle number: UInt64) -> Int {
        Int(truncatingIfNeeded: number) & (sourceLayout.slotCount - 1)
    }

    /// The block of the further inputs of the unit at `index`, which lie beside the first one of a row.
    @_noLocks
    func sideSlot(of index: Int) -> Int {
        // An unconnected bus has no blocks.
        units[index].pointee.hasSideInputs ? sourceSlot(ofCycle: cycleNumber(of: index)) : 0
    }

    /// The input block of the unit at `index`.
    ///
    /// It is the row's own input, or the predecessor's block: of this cycle, or in a pipeline of the one before.
    @_noLocks
    func inputBlock(of index: Int, frameCount: Int) -> AudioBlock {
        guard index > 0 else {
            return hasCleanInput ? cleanInput : sourceBlock(ofCycle: cycleNumber(of: 0), frameCount: frameCount)
        }
        return units[index - 1].pointee.mainBlock(frameCount: frameCount, slot: inputSlot(of: index))
    }

    @_noLocks
    func inputSlot(of index: Int) -> Int {
        guard index > 0 else { return sourceSlot(ofCycle: cycleNumber(of: 0)) }
        guard pipeline.isOn else { return units[index - 1].pointee.slot }
        let isOvertaken = units[index].pointee.progress.isBehind && !units[index - 1].pointee.progress.isBehind
        return isOvertaken ? units[index - 1].pointee.formerSlot : units[index - 1].pointee.previousSlot
    }

    /// Renders from the unit at `index` on, until it has asked a run of units for which it must wait.
    ///
    /// Inlined, because a call for each unit, with all of a cycle as arguments, takes longer than the work itself.
    @inline(__always) @_noLocks
    private mutating func goOn(from index: Int, _ cycle: RenderCycle) {
        var index = index
        while index < unitCount {
            isInputValid = true
            bringBackCompanion(index, cycle)
            if !units[index].pointee.isUsable {
                finish(index, cycle, .missing)
            } else if units[index].pointee.inProcess == nil {
                return askRun(index, cycle)
            } else {
                units[index].pointee.publish(
                    cycle, inputSlot: fillInput(of: index, cycle), sideSlot: sideSlot(of: index), successorRing: nil)
                renderInProcess(index, cycle)
            }
            index += 1
        }
        run = UnitRun(first: unitCount, end: unitCount)
    }

    /// Renders the unit's newest request on this thread.
    @_noLocks
    mutating func renderInProcess(_ index: Int, _ cycle: RenderCycle) {
        units[index].pointee.renderInProcess()
        let isValid = units[index].pointee.takeReply(frameCount: cycle.frameCount, cycleIndex: cycleNumber(of: index))
        finish(index, cycle, isValid ? .rendered : .refused)
    }
}
