// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The default answers of a body: those of a source of two channels at the engine's rate. Any thread.

import AudioFormats
import PluginHosting
import Rendering

extension NodeBody {
    package var isInternal: Bool { false }
    package var mixing: MixingSettings? { nil }
    package var messagePort: MessagePort? { nil }
    package var isInstrument: Bool { false }
}

// MARK: - Buses and formats

extension NodeBody {
    package var inputCount: Int { 0 }
    package var outputCount: Int { 1 }
    package var addsUp: Bool { false }
    package func format(ofBus bus: Int, isInput: Bool, in engine: AudioFormat?) -> AudioFormat { .stereo(in: engine) }
    package func objection(to format: AudioFormat, onInput bus: Int) -> String? { nil }
    package func objection(to format: AudioFormat, onOutput bus: Int) -> String? { nil }
    package func outputFormat(ofBus bus: Int, asking format: AudioFormat, afterInput input: AudioFormat) -> AudioFormat { format }
    package func outputFormats(afterInput format: AudioFormat) -> [AudioFormat] { [] }
    package func inputChannelCount(of bus: Int) -> Int? { nil }
    package func outputChannelCount(of bus: Int) -> Int? { nil }
    package func makeConnection(from source: MixingSettings?) -> ConnectionState {
        guard addsUp, let source else { return ConnectionState() }
        return ConnectionState(mixing: source.makeState())
    }
    package func echo(of connection: ConnectionState) -> (node: AudioNode, state: ConnectionState)? { nil }
    package func didAttach(_ node: AudioNode, to engine: AudioEngine) throws(AudioEngineError) {}
    package func willDetach(_ node: AudioNode, from engine: AudioEngine) throws(AudioEngineError) {}
}

// MARK: - Time

extension NodeBody {
    package var rateOrigin: NodeRateOrigin { addsUp || inputCount == 0 ? .output : .input }
    package var isLive: Bool { false }
    package var pace: TimePace? { nil }
    package var highestRate: Float { 1 }
    package var latencyFrameCount: Int { 0 }
    package var hasChangingLatency: Bool { false }
}

// MARK: - Resources

extension NodeBody {
    package var row: UnitRow? { nil }
    /// The resources of a unit, which can form a row with others; nil for any other node.
    package var resources: UnitResources? { row?.members[0] }
    package var takesResources: Bool { false }
    package var preparationGroup: ObjectIdentifier? { nil }
    package func wantsResources(for formats: NodeFormats, _ environment: RenderEnvironment) -> Bool { false }
    package func mustLeave(for formats: NodeFormats, _ environment: RenderEnvironment) -> Bool { false }
    package func prepare(
        _ node: AudioNode, _ formats: NodeFormats, _ environment: RenderEnvironment, _ terms: PreparationTerms
    ) throws(AudioEngineError) {}
    package func join(_ node: AudioNode) throws(AudioEngineError) {}
    package func unprepare() {}
    package func leaveOut(for formats: NodeFormats, _ environment: RenderEnvironment) -> Bool { false }
    package var isLeftOut: Bool { false }
}

// MARK: - Beside rendering

extension NodeBody {
    package func reset(_ node: AudioNode) {}
    package var wantsAttention: Bool { false }
    package func attend(_ node: AudioNode) {}
    package var followsOutput: Bool { false }
    package func follow(_ output: DriverOutputKind?) {}
}

extension AudioFormat {
    /// Returns the format of two channels at an engine's rate, or at the usual one.
    package static func stereo(in engine: AudioFormat?) -> AudioFormat {
        AudioFormat(sampleRate: engine?.sampleRate ?? AudioEngine.usualRate, channelCount: 2)
    }
}
