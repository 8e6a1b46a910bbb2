// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node whose processing the program writes, in the program's own process. Any thread.

import AudioUnits
import Realtime
import Rendering

/// Processes audio with the program's `AudioProcessor` or closure, in the program's own process.
///
/// It may have any number of inputs and outputs, parameters and a latency. Every edit around it is legal while it plays, and the processor
/// keeps its sound through all of them. The engine sets it up anew if its formats, the rate or the longest block change: it fades out
/// first, and in again.
///
/// A processor is trusted: one that crashes ends the program. A block with NaN, infinity or more than 120 dB above full scale does not
/// spread. The engine silences all of it, counts it, and resets the processor before the next one. One line on standard error reports it.
open class AudioProcessorNode: AudioNode, AudioMixing, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored property is a constant that threads may share.
    let processing: ProcessorBody

    /// Renders a block; see `AudioProcessor.render`.
    ///
    /// `[render]` The compiler does not check a closure: it must neither allocate, lock, wait nor count references. It captures all that it
    /// needs, and changes only its own state.
    public typealias RenderBlock = (AudioProcessorBlock) -> Void

    /// Makes a node of a processor, which belongs to the node from now on.
    public init<Processor: AudioProcessor & ~Copyable>(_ processor: consuming sending Processor, name: String = "Processor") {
        let box = ProcessorBoxOf(processor)
        processing = ProcessorBody(box, inputs: box.inputs, outputs: box.outputs, box.parameterTree)
        super.init(name: name, body: processing)
    }

    /// Makes a node of a closure, which the compiler does not check.
    ///
    /// Allocations, locks and reference counting in the closure go unnoticed until a cycle is late. A type that conforms to
    /// `AudioProcessor` is checked.
    public init(
        name: String = "Processor", inputs: [Bus] = [Bus("Input")], outputs: [Bus] = [Bus("Output")],
        parameters: ParameterTree = ParameterTree(), latencyFrameCount: Int = 0, renderBlock: @escaping RenderBlock
    ) {
        processing = ProcessorBody(
            ProcessorClosure(latencyFrameCount: latencyFrameCount, renderBlock), inputs: inputs, outputs: outputs, parameters)
        super.init(name: name, body: processing)
    }

    /// The parameters.
    public final var parameterTree: ParameterTree { processing.parameters.tree }

    /// Returns a parameter by its key path, to read and set without a lock; nil if there is none.
    public final func parameter(_ keyPath: String) -> AudioProcessorParameter? {
        AudioProcessorParameter(keyPath, of: processing.parameters)
    }

    /// Returns the value of a parameter; nil if none has this key path.
    public final func value(of keyPath: String) -> Double? { parameter(keyPath)?.value }

    /// Sets a parameter, by one atomic store.
    ///
    /// Throws `unknownParameter` and `valueOutOfRange`, and then changes nothing.
    public final func setValue(_ value: Double, of keyPath: String) throws(UnitError) {
        guard let parameter = parameter(keyPath) else { throw .unknownParameter(keyPath) }
        let range = parameter.description.accepted()
        guard range.contains(value) else { throw .valueOutOfRange(parameter: keyPath, value: value, range: range) }
        parameter.value = value
    }

    /// The number of blocks silenced because they held NaN, infinity or more than 120 dB above full scale.
    public final var invalidBlockCount: Int { processing.renderer.core.pointee.invalidCount.load(ordering: .relaxed) }
}
