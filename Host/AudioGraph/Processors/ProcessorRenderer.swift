// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a processor in a plan, and keeps what is no sound from spreading. Render thread, except for the set-up.

import Realtime
import Rendering
import Synchronization

/// The render side of a processor node.
final class ProcessorRenderer: RenderNode {
    private let box: ProcessorBox
    private let parameters: ProcessorParameters
    // SAFETY: the render thread, or the one that sets the processor up, uses what is not atomic; never both at once.
    nonisolated(unsafe) let core: UnsafeMutablePointer<ProcessorCore>

    init(_ box: ProcessorBox, _ parameters: ProcessorParameters) {
        (self.box, self.parameters) = (box, parameters)
        core = .allocate(capacity: 1)
        core.initialize(to: ProcessorCore(box: .passUnretained(box), values: parameters.values))
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// `[control]` Sets the processor up, while no plan holds it.
    func setUp(_ setup: AudioProcessorSetup) throws(AudioProcessorRefusal) {
        try box.setUp(setup)
        core.pointee.mustReset.store(false, ordering: .relaxed)
        box.reset(parameters.values)
        core.pointee.invalidTime.store(.min, ordering: .relaxed)
        core.pointee.latency.store(max(0, box.latencyFrameCount), ordering: .relaxed)
    }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    // The compiler cannot check generic code with `@_noLocks`: the functions of the core and of the processor carry it.
    var renderFunction: Function {
        { context, argument in
            guard let context, let argument else { return }
            let core = context.assumingMemoryBound(to: ProcessorCore.self)
            let call = argument.assumingMemoryBound(to: NodeCall.self).pointee
            // Denormals are flushed whichever thread renders: so all put out the same bits.
            let mode = FloatingPointMode.disableDenormals()
            ProcessorCore.silence(call)
            let mustReset = core.pointee.takeReset()
            let values = core.pointee.values
            // No reference is counted on the way.
            let latency = core.pointee.box._withUnsafeGuaranteedRef { box in
                if mustReset { box.reset(values) }
                box.render(AudioProcessorBlock(call, values))
                return box.latencyFrameCount
            }
            core.pointee.finish(call, latencyFrameCount: latency)
            mode.restore()
        }
    }
}

/// What the render thread and others know of a processor.
struct ProcessorCore: ~Copyable {
    let box: Unmanaged<ProcessorBox>
    let values: AudioProcessorValues
    /// Whether the processor is to forget its sound before the next block.
    let mustReset = Atomic<Bool>(false)
    let latency = Atomic<Int>(0)
    /// How many blocks were no sound.
    let invalidCount = Atomic<Int>(0)
    /// The sample time of the first such block since the set-up; `min` before there is one, `max` once the program has been told.
    let invalidTime = Atomic<Int64>(.min)

    /// The largest magnitude that passes, as for units: 120 dB above full scale.
    private static let ceiling: Float = 1e6

    init(box: Unmanaged<ProcessorBox>, values: AudioProcessorValues) { (self.box, self.values) = (box, values) }

    /// The sample time of a block that was no sound, if the program has not been told yet.
    var newInvalidTime: Int64? {
        let time = invalidTime.load(ordering: .relaxed)
        return time == .min || time == .max ? nil : time
    }

    @_noLocks
    static func silence(_ call: NodeCall) {
        for bus in 0..<call.outputCount { call.outputs[bus].block.silence() }
    }

    @_noLocks
    func takeReset() -> Bool { mustReset.load(ordering: .relaxed) && mustReset.exchange(false, ordering: .acquiring) }

    /// Silences a block that is no sound, and has the processor forget what led to it.
    @_noLocks
    func finish(_ call: NodeCall, latencyFrameCount: Int) {
        latency.store(max(0, latencyFrameCount), ordering: .relaxed)
        guard Self.isInvalid(call) else { return }
        for bus in 0..<call.outputCount {
            call.outputs[bus].block.silence()
            call.outputs[bus].isSilent = true
        }
        _ = invalidTime.compareExchange(expected: .min, desired: call.cycle.pointee.sampleTime, ordering: .relaxed)
        invalidCount.wrappingAdd(1, ordering: .relaxed)
        mustReset.store(true, ordering: .relaxed)
    }

    @_noLocks
    private static func isInvalid(_ call: NodeCall) -> Bool {
        for bus in 0..<call.outputCount where !call.outputs[bus].isSilent {
            if call.outputs[bus].block.hasMagnitude(above: ceiling.bitPattern) { return true }
        }
        return false
    }
}
