// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The ends of a graph: the input, which the driver records, and the output, which it plays. Any thread.

import AudioFormats
import Rendering
import Synchronization

/// The input of the engine: the driver's inputs, or the program's input block when it renders by hand.
///
/// Output bus 0 is the main input. `setFurtherBuses` adds further buses, such as side chains.
public final class AudioInputNode: AudioIONode, AudioMixing, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored properties are constants that threads may share.
    let further: SharedFurtherBuses
    /// Follows speech into the microphone.
    let speech = SpeechWatch()

    init() {
        further = SharedFurtherBuses()
        super.init(name: "Input", body: InputBody(further: further))
    }

    /// The buses beside the main input, named by `setFurtherBuses`: the first one is output bus 1.
    public var furtherBuses: [DriverBus] { further.withLock { $0.named } }

    /// Names the buses beside the main input; former ones are disconnected.
    ///
    /// A PipeWire driver makes ports for them at the next start, which the user links. When the engine is rendered by hand, the input block
    /// gets their channels after those of the main input. A bus without a source is silent. Throws `notAttached`. Throws `wrongState`
    /// unless the engine is stopped, and while voice processing is on.
    public func setFurtherBuses(_ buses: [DriverBus]) throws(AudioEngineError) {
        guard let engine else { throw .notAttached(node: NamedNode(self)) }
        for bus in buses where !(1...255).contains(bus.channelCount) {
            throw .impossibleFormat(
                node: NamedNode(bus.name), AudioFormat(sampleRate: engine.format.sampleRate, channelCount: bus.channelCount))
        }
        try engine.changeInputBuses(of: self) {
            further.withLock { $0 = FurtherBuses(named: buses) }
        }
    }
}

/// Answers the engine for the input.
private struct InputBody: NodeBody {
    let further: SharedFurtherBuses
    let mixing: MixingSettings? = MixingSettings()

    /// One, and one for each further bus.
    var outputCount: Int { 1 + further.withLock { $0.count } }
    var rateOrigin: NodeRateOrigin { .engine }
    var isLive: Bool { true }
    var work: RenderGraph.Work? { .render(DriverInput(furtherChannels: further.withLock { $0.channels })) }

    func format(ofBus bus: Int, isInput: Bool, in engine: AudioFormat?) -> AudioFormat { further.format(ofBus: bus, in: engine) }

    func outputFormat(ofBus bus: Int, asking format: AudioFormat, afterInput input: AudioFormat) -> AudioFormat {
        outputChannelCount(of: bus).map { AudioFormat(sampleRate: format.sampleRate, channelCount: $0) } ?? format
    }

    func outputChannelCount(of bus: Int) -> Int? { further.withLock { $0.channelCount(ofBus: bus) } }
}

extension AudioEngine {
    /// Changes the buses of the input, while nothing renders.
    fileprivate func changeInputBuses(of input: AudioInputNode, _ change: () -> Void) throws(AudioEngineError) {
        let act = "name the input's buses"
        try refuseOnRenderThread(act)
        try editLock.withLock { () throws(AudioEngineError) in
            try state.withLock { state throws(AudioEngineError) in
                guard state.phase == .stopped else { throw .wrongState(act: act, state: state.phase.rawValue) }
                guard state.graph.voice == nil else { throw .wrongState(act: act, state: "processing voice") }
                for bus in 1..<max(1, input.numberOfOutputs) { state.graph.disconnectOutput(input, bus) }
                let formats = state.graph[input]?.outputFormats ?? [:]
                state.graph.setOutputFormats(formats.filter { $0.key == 0 }, of: input)
                state.graph.broken = []
                change()
                guard case .manual(let manual) = state.mode else { return }
                manual.furtherChannelCount = input.furtherBuses.reduce(0) { $0 + $1.channelCount }
            }
        }
    }
}

extension AudioEngine {
    /// Changes the buses of the output, while nothing renders.
    fileprivate func changeOutputBuses(of output: AudioOutputNode, _ change: () -> Void) throws(AudioEngineError) {
        let act = "name the output's buses"
        try refuseOnRenderThread(act)
        let former = output.furtherBuses
        try editLock.withLock { () throws(AudioEngineError) in
            try state.withLock { state throws(AudioEngineError) in
                guard state.phase == .stopped else { throw .wrongState(act: act, state: state.phase.rawValue) }
                for bus in 1..<max(1, output.numberOfInputs) { state.graph.disconnectInput(output, bus) }
                state.graph.broken = []
                change()
                guard case .manual(let manual) = state.mode else { return }
                manual.furtherOutputCount = output.furtherBuses.reduce(0) { $0 + $1.channelCount }
            }
            for bus in former { busDriver?.removeBus(named: bus.name) }
        }
    }
}

/// The output of the engine.
///
/// Input bus 0 is the main output. `setFurtherBuses` adds further buses.
public final class AudioOutputNode: AudioIONode, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored property is a constant that threads may share.
    let further: SharedFurtherBuses

    init() {
        further = SharedFurtherBuses()
        super.init(name: "Output", body: OutputBody(further: further))
    }

    /// The buses beside the main output, named by `setFurtherBuses`: the first one is input bus 1.
    public var furtherBuses: [DriverBus] { further.withLock { $0.named } }

    /// Names the buses beside the main output; former ones are disconnected.
    ///
    /// A PipeWire driver makes ports for them at the next start, which the user links. When the engine is rendered by hand, their channels
    /// follow those of the main output. Throws `notAttached`, `impossibleFormat`, and `wrongState` unless the engine is stopped.
    public func setFurtherBuses(_ buses: [DriverBus]) throws(AudioEngineError) {
        guard let engine else { throw .notAttached(node: NamedNode(self)) }
        for bus in buses where !(1...255).contains(bus.channelCount) {
            throw .impossibleFormat(
                node: NamedNode(bus.name), AudioFormat(sampleRate: engine.format.sampleRate, channelCount: bus.channelCount))
        }
        try engine.changeOutputBuses(of: self) { further.withLock { $0 = FurtherBuses(named: buses) } }
    }
}

/// Answers the engine for the output.
private struct OutputBody: NodeBody {
    let further: SharedFurtherBuses

    /// One, and one for each further bus.
    var inputCount: Int { 1 + further.withLock { $0.count } }
    var outputCount: Int { 0 }
    var rateOrigin: NodeRateOrigin { .engine }
    var work: RenderGraph.Work? { .render(DriverOutput(furtherChannels: further.withLock { $0.channels })) }

    func format(ofBus bus: Int, isInput: Bool, in engine: AudioFormat?) -> AudioFormat { further.format(ofBus: bus, in: engine) }
    func inputChannelCount(of bus: Int) -> Int? { further.withLock { $0.channelCount(ofBus: bus) } }
}
