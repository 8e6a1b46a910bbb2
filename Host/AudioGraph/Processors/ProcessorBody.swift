// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The body of a processor's node: its buses, its formats, its set-up. Any thread but the render thread.

import AudioFormats
import AudioUnits
import Printing
import Rendering
import Synchronization

/// Answers the engine for a processor's node.
final class ProcessorBody: NodeBody {
    let mixing: MixingSettings? = MixingSettings()
    let parameters: ProcessorParameters
    let renderer: ProcessorRenderer
    private let inputs: [Bus]
    private let outputs: [Bus]
    /// The reason why no engine can render the processor; nil if one can.
    private let defect: String?
    /// The set-up of the node; nil while no plan may hold it.
    private let present = Mutex<Present?>(nil)
    /// Renders in place of the processor while it refuses the set-up.
    private let standIn = PassThrough()

    private struct Present {
        let setup: AudioProcessorSetup
        /// True if the processor has refused this set-up: it is not asked again.
        var isRefused = false
    }

    init(_ box: ProcessorBox, inputs: [Bus], outputs: [Bus], _ tree: ParameterTree) {
        (self.inputs, self.outputs) = (inputs, outputs)
        defect = Self.defect(inputs, outputs, tree)
        parameters = ProcessorParameters(tree)
        renderer = ProcessorRenderer(box, parameters)
    }

    private static func defect(_ inputs: [Bus], _ outputs: [Bus], _ tree: ParameterTree) -> String? {
        for bus in inputs + outputs {
            let count = bus.defaultFormat.channelCount
            guard (1...255).contains(count), bus.supports(bus.defaultFormat) else {
                return "its bus \"\(bus.name)\" cannot have \(count) channels, which it says it has"
            }
        }
        do throws(UnitError) {
            try tree.validate()
            return nil
        } catch {
            return "\(error)"
        }
    }

    var work: RenderGraph.Work? { present.withLock { $0.map { .render($0.isRefused ? standIn : renderer) } } }
    var latencyFrameCount: Int { isLeftOut ? 0 : renderer.core.pointee.latency.load(ordering: .relaxed) }
    var hasChangingLatency: Bool { true }

    func reset(_ node: AudioNode) { renderer.core.pointee.mustReset.store(true, ordering: .releasing) }
}

// MARK: - Buses and formats

extension ProcessorBody {
    var inputCount: Int { inputs.count }
    var outputCount: Int { outputs.count }

    func format(ofBus bus: Int, isInput: Bool, in engine: AudioFormat?) -> AudioFormat {
        let (format, buses) = (AudioFormat.stereo(in: engine), isInput ? inputs : outputs)
        // The engine also asks for the first input of a node without inputs.
        guard buses.indices.contains(bus) else { return format }
        var count = buses[bus].defaultFormat.channelCount
        if !isInput, let first = inputs.first { count = channelCount(ofOutput: bus, after: first.defaultFormat.channelCount) }
        return AudioFormat(sampleRate: format.sampleRate, channelCount: count)
    }

    /// Returns the number of channels of the first input, or the default if the output does not support it.
    private func channelCount(ofOutput bus: Int, after count: Int) -> Int {
        outputs[bus].supports(BusFormat(channelCount: count)) ? count : outputs[bus].defaultFormat.channelCount
    }

    func objection(to format: AudioFormat, onInput bus: Int) -> String? { inputs[bus].objection(to: format) }

    func objection(to format: AudioFormat, onOutput bus: Int) -> String? {
        inputs.isEmpty ? outputs[bus].objection(to: format) : nil
    }

    func outputFormats(afterInput format: AudioFormat) -> [AudioFormat] {
        outputs.indices.map { bus in
            let count = channelCount(ofOutput: bus, after: format.channelCount)
            return AudioFormat(sampleRate: format.sampleRate, channelCount: count, layout: format.layout)
        }
    }

    func outputFormat(ofBus bus: Int, asking format: AudioFormat, afterInput input: AudioFormat) -> AudioFormat {
        inputs.isEmpty ? format : outputFormats(afterInput: input)[bus]
    }

    func inputChannelCount(of bus: Int) -> Int? { present.withLock { $0?.setup.inputs[bus].channelCount } }
    func outputChannelCount(of bus: Int) -> Int? { present.withLock { $0?.setup.outputs[bus].channelCount } }
}

// MARK: - Set-up

extension ProcessorBody {
    var takesResources: Bool { true }

    func wantsResources(for formats: NodeFormats, _ environment: RenderEnvironment) -> Bool {
        let wanted = wanted(formats, environment)
        return present.withLock { $0?.setup != wanted }
    }

    func mustLeave(for formats: NodeFormats, _ environment: RenderEnvironment) -> Bool {
        let wanted = wanted(formats, environment)
        return present.withLock { $0.map { $0.setup != wanted } ?? false }
    }

    /// A further input without a connection has its default format.
    private func wanted(_ formats: NodeFormats, _ environment: RenderEnvironment) -> AudioProcessorSetup {
        let inputs = formats.inputs.enumerated().map { bus, format in
            format ?? self.format(ofBus: bus, isInput: true, in: formats.main)
        }
        return AudioProcessorSetup(inputs: inputs, outputs: formats.outputs, environment)
    }

    func prepare(
        _ node: AudioNode, _ formats: NodeFormats, _ environment: RenderEnvironment, _ terms: PreparationTerms
    ) throws(AudioEngineError) {
        if let defect { throw .processor(node: NamedNode(node), reason: defect) }
        let wanted = wanted(formats, environment)
        unprepare()
        do throws(AudioProcessorRefusal) {
            try renderer.setUp(wanted)
        } catch {
            let formats = error.isInput ? wanted.inputs : wanted.outputs
            let format = formats.indices.contains(error.bus) ? formats[error.bus] : .stereo(in: formats.first)
            throw .formatRefused(node: NamedNode(node), bus: error.bus, format, reason: error.reason)
        }
        present.withLock { $0 = Present(setup: wanted) }
    }

    func unprepare() { present.withLock { $0 = nil } }

    func leaveOut(for formats: NodeFormats, _ environment: RenderEnvironment) -> Bool {
        let wanted = wanted(formats, environment)
        present.withLock { $0 = Present(setup: wanted, isRefused: true) }
        return true
    }

    var isLeftOut: Bool { present.withLock { $0?.isRefused ?? false } }
}

// MARK: - Invalid blocks

extension ProcessorBody {
    private static let lines = OfferedLines(prefix: "AudioGraph: ")

    var wantsAttention: Bool { renderer.core.pointee.newInvalidTime != nil }

    /// Reports on standard error, once for each set-up, that the processor has put out an invalid block.
    func attend(_ node: AudioNode) {
        guard let time = renderer.core.pointee.newInvalidTime else { return }
        renderer.core.pointee.invalidTime.store(.max, ordering: .relaxed)
        Self.lines.offer(
            "\"\(node.name)\" put out NaN, infinity or more than 120 dB above full scale at frame \(time). Such blocks are silenced."
        )
    }
}
