// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays a compiled plan: one step after the other, each into its signal. Render thread.

import CRealtimeShims
import LinuxSystem
import Realtime

/// All that one cycle of a plan uses, in memory of its own.
struct PlanCore: ~Copyable {
    private struct Step {
        let function: CRealtimeShims_RenderFunction
        let context: UnsafeMutableRawPointer
        /// The index of the signal to read; -1 for the driver's inputs.
        let input: Int
        let output: Int
        /// Whether this step is the first to write its signal, and clears it.
        let isFirstWriter: Bool
        /// For steps that begin together, the index after the last one's completion; for others the index after
        /// this one.
        let end: Int
        /// The nanoseconds that the step usually takes.
        var usualNanoseconds: UInt64 = 0
    }

    private let steps: UnsafeMutablePointer<Step>
    private let stepCount: Int
    private let signals: AudioBuffer
    private let channelCount: Int
    private let output: Int
    private let maximumFrameCount: Int
    private let call: UnsafeMutablePointer<StepCall>
    private let hasBeenLate: UnsafeMutablePointer<Bool>

    init(_ builder: RenderPlanBuilder, output: Int) {
        let parts = StepOrder(builder.steps).parts
        stepCount = parts.count
        channelCount = builder.channelCount
        maximumFrameCount = builder.maximumFrameCount
        self.output = output
        signals = AudioBuffer(
            channelCount: builder.signalCount * builder.channelCount, frameCapacity: builder.maximumFrameCount)
        steps = .allocate(capacity: max(1, stepCount))
        call = .allocate(capacity: 1)
        hasBeenLate = .allocate(capacity: 1)
        hasBeenLate.initialize(to: false)
        var written: Set<Int> = []
        for (index, part) in parts.enumerated() {
            let step = builder.steps[part.step]
            let writes = part.kind == .whole || part.kind == .completion
            (steps + index).initialize(
                to: Step(
                    function: step.node.function(part.kind), context: step.node.renderContext, input: step.input ?? -1,
                    output: step.output, isFirstWriter: writes && written.insert(step.output).inserted, end: part.end))
        }
    }

    deinit {
        steps.deallocate()
        call.deallocate()
        hasBeenLate.deallocate()
    }

    @_noLocks
    func render(_ cycle: RenderCycle) {
        guard cycle.frameCount <= maximumFrameCount else { return cycle.outputs.silence() }
        var cycle = cycle
        var now = MonotonicClock.now()
        cycle.renderStart = Self.start(of: cycle, now: now)
        hasBeenLate.pointee = false
        var shares = shares
        for index in 0..<stepCount {
            let step = steps[index]
            if index == shares.end { goOn(&shares) }
            (cycle.reservedNanoseconds, cycle.usualNanoseconds) = (shares.later, shares.together)
            let block = signal(step.output, frameCount: cycle.frameCount)
            if step.isFirstWriter { block.silence() }
            let input = step.input < 0 ? cycle.inputs : signal(step.input, frameCount: cycle.frameCount)
            call.pointee = StepCall(cycle: cycle, input: input, output: block, hasBeenLate: hasBeenLate)
            CRealtimeShims_call(step.function, step.context, call)
            let started = now
            now = MonotonicClock.now()
            shares.together &-= step.usualNanoseconds
            learn(index, now &- started)
        }
        deliver(signal(output, frameCount: cycle.frameCount), to: cycle.outputs)
    }

    /// The nanoseconds that the rest of a cycle usually takes.
    ///
    /// `together` counts the steps that begin together and are not completed yet. `later` counts the steps from
    /// `end` on.
    private struct Shares {
        var together: UInt64 = 0
        var later: UInt64 = 0
        var end = 0
    }

    /// The shares before the first step.
    private var shares: Shares {
        @_noLocks get {
            var shares = Shares()
            for index in 0..<stepCount { shares.later &+= steps[index].usualNanoseconds }
            return shares
        }
    }

    /// Moves on to the next step that has not begun, with those that begin together with it.
    @_noLocks
    private func goOn(_ shares: inout Shares) {
        let first = shares.end
        shares.end = steps[first].end
        shares.together = 0
        for index in first..<shares.end { shares.together &+= steps[index].usualNanoseconds }
        shares.later &-= shares.together
    }

    /// When the driver's cycle began: its next one is due one length later.
    ///
    /// A cycle that began late still keeps three quarters of its length at least.
    @_noLocks
    private static func start(of cycle: RenderCycle, now: UInt64) -> UInt64 {
        guard !cycle.isOffline, cycle.hostTime != 0, cycle.hostTime < now, cycle.sampleRate > 0 else { return now }
        let length = UInt64(Double(cycle.frameCount) / cycle.sampleRate * 1e9)
        return max(cycle.hostTime, now &- min(now, length / 4))
    }

    /// Adds a step's time to a mean over some sixteen cycles.
    ///
    /// A time counts as about twice the usual at most. One long wait is no reason for other steps to wait less
    /// from then on.
    @_noLocks
    private func learn(_ index: Int, _ nanoseconds: UInt64) {
        let usual = steps[index].usualNanoseconds
        let counted = min(nanoseconds, 2 &* usual &+ 20_000)
        steps[index].usualNanoseconds = usual &- usual / 16 &+ counted / 16
    }

    /// Copies the result out: a mono signal to every channel, and silence to channels without a signal.
    @_noLocks
    private func deliver(_ signal: AudioBlock, to outputs: AudioBlock) {
        for channel in 0..<outputs.channelCount {
            let source = signal.channelCount == 1 ? 0 : channel
            if source < signal.channelCount {
                CRealtimeShims_copySamples(outputs[channel], signal[source], outputs.frameCount)
            } else {
                CRealtimeShims_clearSamples(outputs[channel], outputs.frameCount)
            }
        }
    }

    @_noLocks
    private func signal(_ index: Int, frameCount: Int) -> AudioBlock {
        let all = signals.block(frameCount: frameCount)
        return AudioBlock(
            channels: all.channels + index * channelCount, channelCount: channelCount, frameCount: frameCount)
    }
}
