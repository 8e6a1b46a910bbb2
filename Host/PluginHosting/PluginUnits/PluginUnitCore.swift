// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The render state of a single unit. Render thread; the control thread while the gate is closed.

import LinuxSystem
import Realtime
import Rendering

/// Renders blocks of one unit that has resources.
struct PluginUnitCore: ~Copyable {
    private let row: UnsafeMutablePointer<RowCore>
    private let renderer: UnsafeMutablePointer<UnitRenderer>
    private let unitState: UnsafeMutablePointer<UnitSharedState>
    private let sampleRate: Double
    private let maximumFrameCount: Int
    private let isOffline: Bool
    /// The unit's input buses and output buses.
    private let inputCount: Int
    private let outputCount: Int
    private let inputs: StagedBuses
    private let outputs: StagedBuses
    private let events: UnsafeMutablePointer<BlockEvents>
    private let cycle: UnsafeMutablePointer<RenderCycle>
    private let hasBeenLate: UnsafeMutablePointer<Bool>
    private var nextSampleTime: Int64 = 0

    /// `[control]` Makes the core of a row of one, which outlives the core.
    init(_ row: UnitRow, isOffline: Bool) {
        let unit = row.members[0]
        self.row = row.core
        (renderer, unitState) = (unit.renderer, unit.sharedState)
        (sampleRate, maximumFrameCount) = (unit.format.sampleRate, unit.format.maximumFrameCount)
        self.isOffline = isOffline
        let (inputCounts, outputCounts) = (unit.inputChannelCounts, unit.outputChannelCounts)
        (inputCount, outputCount) = (inputCounts.count, outputCounts.count)
        // A row reads and writes a first bus in any case.
        inputs = StagedBuses([unit.format.channelCount] + inputCounts.dropFirst(), frameCapacity: maximumFrameCount)
        outputs = StagedBuses(outputCounts.isEmpty ? [0] : outputCounts, frameCapacity: maximumFrameCount)
        events = .allocate(capacity: 1)
        events.initialize(to: BlockEvents(unit.unit.parameters, sampleRate: unit.format.sampleRate))
        cycle = .allocate(capacity: 1)
        hasBeenLate = .allocate(capacity: 1)
        hasBeenLate.initialize(to: false)
        renderer.pointee.events.follow(events)
    }

    deinit {
        renderer.pointee.events.follow(nil)
        events.deinitialize(count: 1)
        events.deallocate()
        cycle.deallocate()
        hasBeenLate.deallocate()
    }

    /// True if the unit can render this many frames at once.
    @_noLocks
    func accepts(frameCount: Int) -> Bool { frameCount <= maximumFrameCount && frameCount >= 0 }

    /// True if the unit has such buses: an unconnected input takes no channels.
    @_noLocks
    func fits(_ given: UnsafeBufferPointer<AudioBlock>, _ wanted: UnsafeBufferPointer<AudioBlock>, frameCount: Int) -> Bool {
        guard given.count <= inputCount, wanted.count <= outputCount else { return false }
        for bus in 0..<given.count where given[bus].channelCount > 0 && inputs.channelCount(of: bus) == 0 { return false }
        for bus in 0..<wanted.count where wanted[bus].frameCount != frameCount { return false }
        return true
    }

    /// Takes the events of a block, which follows the block before unless it has a time; returns the reason for a refusal.
    @_noLocks
    mutating func take(_ block: UnsafeBufferPointer<BlockEvent>, at time: Int64?, frameCount: Int) -> PluginUnit.RenderStatus? {
        events.pointee.take(block, at: time ?? nextSampleTime, frameCount: frameCount)
    }

    /// Silence in the shape of the unit's first input, for the caller to fill.
    @_noLocks
    func inputBlock(frameCount: Int) -> AudioBlock { inputs.silentBlock(0, frameCount: frameCount) }

    /// Lets the unit read a block on an input bus; nil leaves the bus silent.
    @_noLocks
    func read(_ block: AudioBlock?, on bus: Int, frameCount: Int) { inputs.read(block, on: bus, frameCount: frameCount) }

    /// Lets the unit write an output bus into a block; nil drops the bus.
    @_noLocks
    func write(_ block: AudioBlock?, on bus: Int, frameCount: Int) { outputs.write(block, on: bus, frameCount: frameCount) }

    /// The number of input buses and of output buses; a side without buses has one bus without channels.
    var busCounts: (inputs: Int, outputs: Int) {
        @_noLocks get { (inputs.busCount, outputs.busCount) }
    }

    /// Renders one block of `accepts(frameCount:)` frames between the present buses.
    @_noLocks
    mutating func render(frameCount: Int, at time: Int64?, _ transport: Transport) -> PluginUnit.RenderStatus {
        let sampleTime = time ?? nextSampleTime
        nextSampleTime = sampleTime &+ Int64(frameCount)
        hasBeenLate.pointee = false
        let replacedBefore = unitState.pointee.replacedBlockCount.load(ordering: .relaxed)
        cycle.initialize(
            to: RenderCycle(
                sampleTime: sampleTime, hostTime: MonotonicClock.now(), sampleRate: sampleRate, transport: transport,
                isOffline: isOffline, inputs: inputs.buses[0].block, outputs: outputs.buses[0].block))
        RealtimeRegion.enter()
        row.pointee.render(
            NodeCall(
                cycle: UnsafePointer(cycle), inputs: UnsafePointer(inputs.buses), inputCount: inputs.busCount,
                outputs: outputs.buses, outputCount: outputs.busCount, hasBeenLate: hasBeenLate))
        renderer.pointee.endBlock()
        outputs.deliver(frameCount: frameCount)
        RealtimeRegion.exit()
        let replaced = unitState.pointee.replacedBlockCount.load(ordering: .relaxed)
        return replaced == replacedBefore ? .rendered : .replaced
    }
}
