// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit in the process of a test, driven as a host drives it. One thread.

import AudioUnits
import CWireLayout
import ControlMessages
import PluginSDK
import Wire

/// A kernel with the SDK's runtime around it, for tests: `set` a parameter, `render` some audio, look at the result.
///
/// As in a host, blocks are split at events, values are checked against their ranges, and presets are selected by name. Only
/// the first bus in each direction is connected. Use it from one thread.
public final class RenderedUnit {
    /// The unit's name, component and buses.
    public let description: UnitDescription
    /// The parameters that the kernel's type states.
    public let parameters: ParameterTree
    /// The latency in frames after the last block.
    public private(set) var latencyFrameCount: Int
    /// The frames of sound after the input fell silent, after the last block; `Int.max` for ever.
    public private(set) var tailFrameCount: Int

    private let unit: BareUnit
    private let factoryPresets: [FactoryPreset]
    private let memory: TestMemory
    private let channelCount: Int
    private let maximumFrameCount: Int
    private var writer: EventRingWriter
    private var eventCount: UInt32 = 0
    private var sequence: UInt64 = 0
    private var sampleTime: Int64 = 0
    private var mustReset = false

    /// `[control]` Makes a unit and allocates its resources.
    ///
    /// - Parameters:
    ///   - kernel: the type that is tested.
    ///   - sampleRate: frames a second.
    ///   - channelCount: channels of the first bus in each direction.
    ///   - maximumFrameCount: the most frames of a block; longer audio is rendered in several.
    /// - Throws: `UnitError`, when the unit refuses that.
    public init<K: Kernel & ~Copyable>(
        _ kernel: K.Type, sampleRate: Double = 48_000, channelCount: Int = 2, maximumFrameCount: Int = 512
    ) throws(UnitError) {
        description = K.description
        parameters = K.parameters
        factoryPresets = K.factoryPresets
        unit = BareUnit(kernel)
        self.channelCount = channelCount
        self.maximumFrameCount = maximumFrameCount
        let memory = TestMemory(
            sampleRate: sampleRate, channelCount: channelCount, maximumFrameCount: maximumFrameCount,
            inputBusCount: description.inputs.count, outputBusCount: description.outputs.count)
        self.memory = memory
        writer = memory.region.hostToPluginWriter()
        let inputs = description.inputs.enumerated().map { index, bus in
            BusFormat(channelCount: index > 0 && bus.isOptional ? 0 : channelCount)
        }
        let allocation = Allocation(
            sampleRate: sampleRate, maximumFrameCount: maximumFrameCount, inputs: inputs,
            outputs: description.outputs.map { _ in BusFormat(channelCount: channelCount) }, output: memory.layout,
            connections: inputs.indices.map { $0 == 0 ? InputConnection(layout: memory.layout, firstChannel: 0) : nil },
            hasSuccessor: false)
        unit.attach(memory.region, output: memory.output, inputs: inputs.indices.map { $0 == 0 ? memory.input : nil })
        guard case .allocated(let latency, let tail, _) = try Self.answer(of: unit, to: .allocate(allocation)) else {
            throw .failed("it answered the allocation with something else")
        }
        latencyFrameCount = Int(latency)
        tailFrameCount = Self.frameCount(tail)
    }

    deinit { _ = unit.handle(.deallocate) }

    /// `[control]` Changes a parameter in the next block.
    ///
    /// - Parameters:
    ///   - keyPath: the parameter, such as `gain` or `band1.gain`.
    ///   - value: the new value, in the parameter's unit.
    ///   - frame: where in the audio that is rendered next, in frames.
    ///   - rampFrameCount: frames over which the host asks the unit to glide; 0 leaves it to the unit.
    /// - Throws: `unknownParameter` or `valueOutOfRange`.
    public func set(
        _ keyPath: String, to value: Double, atFrame frame: Int = 0, rampFrameCount: Int = 0
    ) throws(UnitError) {
        guard let parameter = parameters[keyPath: keyPath] else { throw .unknownParameter(keyPath) }
        let accepted = parameter.accepted()
        guard accepted.contains(value) else {
            throw .valueOutOfRange(parameter: keyPath, value: value, range: accepted)
        }
        let change = ParameterChange(address: parameter.address, value: value, rampFrameCount: UInt32(clamping: rampFrameCount))
        try send(.parameter(change), atFrame: frame)
    }

    /// `[control]` Sends a MIDI message in the next block, `frame` frames into the audio that is rendered next.
    ///
    /// - Throws: `failed`, when too many events wait for one block.
    public func send(_ message: MIDIMessage, atFrame frame: Int = 0) throws(UnitError) {
        try send(.midi(message), atFrame: frame)
    }

    /// `[control]` Selects a factory preset.
    ///
    ///
    /// - Throws: `unknownPreset`.
    public func selectPreset(_ name: String) throws(UnitError) {
        guard let index = factoryPresets.firstIndex(where: { $0.name == name }) else { throw .unknownPreset(name) }
        _ = try Self.answer(of: unit, to: .selectPreset(UInt32(index)))
    }

    /// `[control]` The value of each settable parameter, by key path, as a host saves it.
    public func values() throws(UnitError) -> [String: Double] {
        guard case .state(let state) = try Self.answer(of: unit, to: .saveState) else {
            throw .failed("it saved no state")
        }
        return state.values
    }

    /// `[control]` Tells the unit to forget all sound before the next block.
    public func reset() { mustReset = true }
}

extension RenderedUnit {
    /// `[render]` Renders as many frames as `input` has; one array a channel, and the same for the result.
    ///
    /// `input` has `channelCount` arrays of equal length. A unit without inputs takes only the length from it. Throws
    /// `formatRefused` for another shape, and `failed` when the unit cannot render.
    public func render(_ input: [[Float]]) throws(UnitError) -> [[Float]] {
        let frameCount = input.first?.count ?? 0
        guard input.count == channelCount, input.allSatisfy({ $0.count == frameCount }) else {
            throw .formatRefused("an input of another shape than \(channelCount) channels of equal length")
        }
        var output = Array(repeating: [Float](), count: channelCount)
        for start in stride(from: 0, to: frameCount, by: maximumFrameCount) {
            let count = min(maximumFrameCount, frameCount - start)
            if let memory = memory.input {
                for (channel, samples) in input.enumerated() {
                    for frame in 0..<count { memory[offset(ofChannel: channel) + frame] = samples[start + frame] }
                }
            }
            try renderBlock(count)
            for channel in output.indices {
                output[channel] += UnsafeBufferPointer(start: memory.output + offset(ofChannel: channel), count: count)
            }
        }
        return output
    }

    private func offset(ofChannel channel: Int) -> Int { memory.layout.sampleOffset(slot: 0, channel: channel) }

    private func renderBlock(_ frameCount: Int) throws(UnitError) {
        sequence += 1
        var request = WireRequest()
        request.sequence = sequence
        request.sampleTime = sampleTime
        request.inputFrameCount = UInt32(frameCount)
        request.outputFrameCount = UInt32(frameCount)
        request.eventCount = eventCount
        request.flags = RenderFlag.offline | (mustReset ? RenderFlag.reset : 0)
        (eventCount, mustReset) = (0, false)
        memory.region.request(sequence).pointee = request
        unit.render(sequence)
        sampleTime += Int64(frameCount)
        let reply = memory.region.reply(sequence).pointee
        guard reply.status == 0 else { throw .failed("it answered a block with status \(reply.status)") }
        latencyFrameCount = Int(reply.latencyFrameCount)
        tailFrameCount = Self.frameCount(reply.tailFrameCount)
    }

    private func send(_ event: RenderEvent, atFrame frame: Int) throws(UnitError) {
        guard writer.write(event.wireEvent(at: sampleTime + Int64(frame))) else {
            throw .failed("more than \(TestMemory.eventCapacity) events wait for one block")
        }
        eventCount += 1
    }

    private static func answer(of unit: BareUnit, to message: HostMessage) throws(UnitError) -> PluginMessage {
        let answer = unit.handle(message)
        if case .refused(let reason) = answer { throw .failed(reason) }
        return answer
    }

    private static func frameCount(_ wire: UInt32) -> Int { wire == .max ? .max : Int(wire) }
}

/// The flags of a request that tests use.
private enum RenderFlag {
    static let reset = UInt32(CWireLayout_requestReset)
    static let offline = UInt32(CWireLayout_requestOffline)
}
