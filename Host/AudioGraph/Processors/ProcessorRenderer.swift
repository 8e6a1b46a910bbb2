// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a processor in a plan, and keeps invalid blocks from spreading. Render thread, except for the set-up.

import Realtime
import Rendering
import Synchronization

/// The render side of a processor node.
final class ProcessorRenderer: RenderNode {
    private let box: ProcessorBox
    private let parameters: ProcessorParameters
    // SAFETY: either the render thread or the thread that sets the processor up uses the plain fields; never both at once.
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
            // Denormals are flushed on every thread that renders: so all threads put out the same bits.
            let mode = FloatingPointMode.disableDenormals()
            ProcessorCore.silence(call)
            let mustReset = core.pointee.takeReset()
            let values = core.pointee.values
            // This way counts no references.
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

/// The shared state of the render thread and other threads for a processor.
struct ProcessorCore: ~Copyable {
    let box: Unmanaged<ProcessorBox>
    let values: AudioProcessorValues
    /// True if the processor must discard its sound before the next block.
    let mustReset = Atomic<Bool>(false)
    let latency = Atomic<Int>(0)
    /// The number of invalid blocks.
    let invalidCount = Atomic<Int>(0)
    /// The sample time of the first invalid block since the set-up; `min` before there is one, `max` once it has been reported.
    let invalidTime = Atomic<Int64>(.min)

    /// The largest magnitude that passes, as for units: 120 dB above full scale.
    private static let ceiling: Float = 1e6

    init(box: Unmanaged<ProcessorBox>, values: AudioProcessorValues) { (self.box, self.values) = (box, values) }

    /// The sample time of an invalid block that has not been reported yet; nil for none.
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

    /// Silences an invalid block, and makes the processor discard the sound that led to it.
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
