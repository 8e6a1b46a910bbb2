// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Holds a processor of any type, or a closure, behind one class. Control and render threads.

import AudioUnits

/// Holds the processor or closure of a node behind one class: the compiler cannot check generic code with `@_noLocks`.
///
/// Its methods only pass the call on to the processor, whose own functions carry the mark.
class ProcessorBox: @unchecked Sendable {
    // SAFETY: one thread at a time uses the processor: the engine sets it up while no plan holds it.
    func setUp(_ setup: AudioProcessorSetup) throws(AudioProcessorRefusal) {}
    func render(_ block: AudioProcessorBlock) {}
    func reset(_ values: AudioProcessorValues) {}
    var latencyFrameCount: Int { 0 }
}

/// Holds a processor of one type, at a fixed address.
final class ProcessorBoxOf<Processor: AudioProcessor & ~Copyable>: ProcessorBox, @unchecked Sendable {
    // SAFETY: as for the base.
    private let processor: UnsafeMutablePointer<Processor>

    init(_ made: consuming Processor) {
        processor = .allocate(capacity: 1)
        processor.initialize(to: made)
    }

    deinit {
        processor.deinitialize(count: 1)
        processor.deallocate()
    }

    var inputs: [Bus] { processor.pointee.inputs }
    var outputs: [Bus] { processor.pointee.outputs }
    var parameterTree: ParameterTree { processor.pointee.parameterTree }

    override func setUp(_ setup: AudioProcessorSetup) throws(AudioProcessorRefusal) { try processor.pointee.setUp(setup) }
    override func render(_ block: AudioProcessorBlock) { processor.pointee.render(block) }
    override func reset(_ values: AudioProcessorValues) { processor.pointee.reset(values) }
    override var latencyFrameCount: Int { processor.pointee.latencyFrameCount }
}

/// Holds a closure of the program, which the compiler does not check.
final class ProcessorClosure: ProcessorBox, @unchecked Sendable {
    // SAFETY: as for the base; the program promises that its closure may be called on the render thread.
    private let body: AudioProcessorNode.RenderBlock
    private let latency: Int

    init(latencyFrameCount: Int, _ body: @escaping AudioProcessorNode.RenderBlock) {
        (latency, self.body) = (latencyFrameCount, body)
    }

    override func render(_ block: AudioProcessorBlock) { body(block) }
    override var latencyFrameCount: Int { latency }
}
