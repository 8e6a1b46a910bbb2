// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays a compiled plan: one node after the other, in the order that the compiler found. Render thread.

import CRealtimeShims
import LinuxSystem
import Realtime
import Synchronization

/// Everything that one cycle of a plan uses, in memory of its own.
struct PlanCore: ~Copyable {
    /// A call of a node.
    struct Step {
        /// True for the first call of the node in a cycle, which finds its inputs.
        ///
        /// `isLast` is true for the last call, after which its outputs are complete.
        let isFirst: Bool
        let isLast: Bool
        /// The function to call and its context; nil for a mixer.
        let function: CRealtimeShims_RenderFunction?
        let context: UnsafeMutableRawPointer?
        let mixer: UnsafeMutablePointer<MixerLevel.Core>?
        /// The sum for processors of the node's connections, and the function that finishes it before a mixer's level.
        let sum: UnsafeMutableRawPointer?
        let finish: CRealtimeShims_RenderFunction?
        let history: UnsafeMutablePointer<NodeHistory.Core>
        /// True if a mixer may pass its input on in place; the next is true if it writes into the driver's memory.
        let handsOn: Bool
        let fillsDriver: Bool
        /// The clocks of the outputs and of the inputs.
        let clock: Int
        let inputClock: Int
        /// The node's input buses, from `firstInput` on, and its outputs.
        let firstInput: Int
        let inputCount: Int
        let firstOutput: Int
        let outputCount: Int
    }

    /// Calls between two readings of the clock.
    struct Group {
        let first: Int
        let end: Int
        /// The group after all groups that begin together with this one.
        let next: Int
    }

    /// An input bus: its connections, and the memory for their sum.
    struct Input {
        let firstEdge: Int
        let edgeCount: Int
        let channelCount: Int
        let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    }

    /// A connection.
    struct Edge {
        /// The output that it reads.
        let source: Int
        let sourceHistory: UnsafeMutablePointer<NodeHistory.Core>
        let core: UnsafeMutablePointer<ConnectionCore>
        let processor: ConnectionFunction?
        let isLeaving: Bool
        let delayFrameCount: Int
        let memory: UnsafeMutablePointer<DelayMemory.Core>?
        let firstRoute: Int
        let routeCount: Int
    }

    /// An output bus: the memory for its signal.
    struct Output {
        let channelCount: Int
        let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    }

    let tables: PlanTables
    /// The number of the plan at its last hand-over.
    let serial: UnsafeMutablePointer<Atomic<UInt64>>
    let maximumFrameCount: Int
    private let poisonsMemory: Bool
    /// The present cycle, by each clock.
    let clocks: PlanClocks
    private let call: UnsafeMutablePointer<NodeCall>
    let connectionCall: UnsafeMutablePointer<ConnectionCall>
    let finishCall: UnsafeMutablePointer<FinishCall>
    private let hasBeenLate: UnsafeMutablePointer<Bool>
    private let hasBegun: UnsafeMutablePointer<Bool>

    init(_ graph: RenderGraph, _ order: GraphOrder, _ layout: PlanLayout, poisonsMemory: Bool) {
        tables = PlanTables(graph, order, layout)
        maximumFrameCount = graph.maximumFrameCount
        clocks = PlanClocks(graph)
        self.poisonsMemory = poisonsMemory
        serial = .allocate(capacity: 1)
        serial.initialize(to: Atomic(0))
        call = .allocate(capacity: 1)
        connectionCall = .allocate(capacity: 1)
        finishCall = .allocate(capacity: 1)
        hasBeenLate = .allocate(capacity: 1)
        hasBeenLate.initialize(to: false)
        hasBegun = .allocate(capacity: 1)
        hasBegun.initialize(to: false)
    }

    deinit {
        serial.deallocate()
        call.deallocate()
        connectionCall.deallocate()
        finishCall.deallocate()
        hasBeenLate.deallocate()
        hasBegun.deallocate()
    }

    /// Renders a driver's cycle, in pieces if it is longer than the plan's longest by one of the clocks.
    ///
    /// A tempo change and the end of a loop begin a piece, too: units receive them at their frame.
    @_noLocks
    func render(_ cycle: RenderCycle, _ transport: UnsafeMutablePointer<TransportCore>? = nil) {
        if !hasBegun.pointee { begin() }
        let renderStart = Self.start(of: cycle, now: MonotonicClock.now())
        hasBeenLate.pointee = false
        var start = 0
        var cycle = cycle
        if let transport {
            transport.pointee.begin(cycle)
            cycle.log = transport.pointee.activeLog
        }
        clocks.takePaces()
        repeat {
            let time = cycle.sampleTime &+ Int64(start)
            var count = cycle.frameCount &- start
            if let transport { count = transport.pointee.pieceFrameCount(from: time, upTo: count) }
            count = clocks.pieceFrameCount(from: time, upTo: count)
            if count == 0, cycle.frameCount > 0 { return cycle.outputs.silence(from: start) }
            clocks.begin(cycle, from: start, count, renderStart: renderStart, transport)
            if let log = cycle.log { log.pointee.begin(at: time, count, sampleRate: cycle.sampleRate) }
            transport?.pointee.sequence(from: time, count, cycle.log)
            renderPiece()
            start &+= count
        } while start < cycle.frameCount
    }

    @_noLocks
    private func renderPiece() {
        if poisonsMemory { tables.poison() }
        var now = MonotonicClock.now()
        var shares = shares
        for index in 0..<tables.groupCount {
            let group = tables.groups[index]
            if index == shares.end { goOn(&shares) }
            clocks.setTimes(reserved: shares.later, usual: shares.together)
            for step in group.first..<group.end { run(tables.steps[step]) }
            let started = now
            now = MonotonicClock.now()
            shares.together &-= tables.usualNanoseconds[index].pointee
            learn(index, now &- started)
        }
    }

    /// Marks everything inside nodes that stand for several as sounding.
    ///
    /// It fades when a later plan takes such a node apart.
    @_noLocks
    private func begin() {
        hasBegun.pointee = true
        for index in 0..<tables.interiorConnectionCount { tables.interiorConnections[index].pointee.soundInside() }
        for index in 0..<tables.interiorHistoryCount { tables.interiorHistories[index].pointee.soundInside() }
    }

    @_noLocks
    private func run(_ step: Step) {
        let frameCount = clocks.cycles[step.clock].frameCount
        let inputFrameCount = clocks.cycles[step.inputClock].frameCount
        // By a slow clock there may be nothing to render in a short cycle.
        let isIdle = frameCount == 0 && inputFrameCount == 0
        if step.isFirst, !isIdle {
            step.history.pointee.isOld = step.history.pointee.hasRendered
            step.history.pointee.wasSilent = step.history.pointee.isSilent
            step.history.pointee.hasRendered = true
        }
        for output in step.firstOutput..<step.firstOutput &+ step.outputCount where step.isFirst {
            let place = tables.outputs[output]
            tables.signals[output] = BusAudio(
                block: AudioBlock(channels: place.channels, channelCount: place.channelCount, frameCount: frameCount))
        }
        if isIdle { return }
        if let mixer = step.mixer {
            if step.fillsDriver { aimAtDriver(step, frameCount) }
            if step.handsOn { handOn(step, mixer) } else { mix(step, mixer) }
        } else if let function = step.function {
            if step.isFirst {
                for input in step.firstInput..<step.firstInput &+ step.inputCount { gather(input, for: step, inputFrameCount) }
            }
            call.initialize(
                to: NodeCall(
                    cycle: clocks.cycles + step.clock, inputs: tables.inputSignals + step.firstInput, inputCount: step.inputCount,
                    outputs: tables.signals + step.firstOutput, outputCount: step.outputCount, hasBeenLate: hasBeenLate))
            CRealtimeShims_call(function, step.context, call)
        }
        guard step.isLast else { return }
        var isSilent = true
        for output in step.firstOutput..<step.firstOutput &+ step.outputCount {
            guard tables.signals[output].isSilent else {
                isSilent = false
                continue
            }
            tables.signals[output] = silence(tables.outputs[output].channelCount, frameCount)
        }
        step.history.pointee.isSilent = isSilent
    }

    @_noLocks
    func silence(_ channelCount: Int, _ frameCount: Int) -> BusAudio {
        BusAudio(
            block: AudioBlock(channels: tables.silentChannels, channelCount: channelCount, frameCount: frameCount), isSilent: true)
    }

    /// Finds the signal of an input bus.
    ///
    /// The source is read in place if it arrives unchanged; otherwise the connections are added up.
    @_noLocks
    private func gather(_ index: Int, for step: Step, _ frameCount: Int) {
        let (input, bus) = (tables.inputs[index], tables.inputSignals + index)
        bus.pointee = BusAudio(
            block: AudioBlock(channels: input.channels, channelCount: input.channelCount, frameCount: frameCount), isSilent: true)
        for index in input.firstEdge..<input.firstEdge &+ input.edgeCount {
            let edge = tables.edges[index]
            let source = tables.signals[edge.source]
            aim(edge, source, step.inputClock)
            if input.edgeCount == 1, passes(edge, source, input) {
                edge.core.pointee.publish()
                bus.pointee = source
            } else {
                add(edge, to: bus, sum: step.sum, step.inputClock)
            }
        }
        if bus.pointee.isSilent { bus.pointee = silence(input.channelCount, frameCount) }
    }

    /// True if the source is read in place.
    @_noLocks
    private func passes(_ edge: Edge, _ source: BusAudio, _ input: Input) -> Bool {
        edge.processor == nil && edge.core.pointee.isSteady && edge.core.pointee.fade.current == 1
            && edge.core.pointee.line.isIdle(edge.delayFrameCount) && source.block.channelCount == input.channelCount
    }

    /// The frames over which levels glide: 20 ms.
    @_noLocks
    // Cannot trap: clamped, and NaN becomes an end.
    func glideFrameCount(_ clock: Int) -> Int { Int(max(0, min(0x1p31, clocks.cycles[clock].sampleRate * 0.02))) }

    @_noLocks
    func aim(_ edge: Edge, _ source: BusAudio, _ clock: Int) {
        let fadeFrameCount = clocks.fadeFrameCount(clock)
        // A signal that is silent, or begins to sound only now, cannot click.
        let isNew = !edge.isLeaving && !edge.sourceHistory.pointee.isOld
        // Earlier blocks decide: the contents of this block depend on its length.
        let isSilent =
            edge.sourceHistory.pointee.wasSilent && edge.core.pointee.line.isIdle(edge.delayFrameCount)
            && !edge.core.pointee.isRinging
        edge.core.pointee.aim(
            isLeaving: edge.isLeaving, isAbrupt: isSilent || isNew || fadeFrameCount == 0, fadeFrameCount: fadeFrameCount,
            glideFrameCount: glideFrameCount(clock), clocks.cycles[0].log)
    }
}
