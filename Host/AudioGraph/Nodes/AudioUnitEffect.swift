// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node that is a unit of an installed plug-in, in a process of its own unless the program asks otherwise. Any thread.

import AudioUnits
import LinuxSystem
import PluginHosting
import Rendering
import Synchronization

/// A unit of an installed plug-in as a node.
///
/// The unit keeps its process, its memory and its sound through every edit around it. When it dies, hangs or is late, its fallback
/// is heard at its place alone, and a new process takes over with the same state.
public class AudioUnit: AudioNode, MixingSource, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored properties are constants that may be shared.
    /// The unit: parameters, presets, state, faults.
    public let unit: PluginUnit
    let settings = MixingSettings()
    private let resources = Mutex<Resources?>(nil)

    private struct Resources {
        let inputs: [AudioFormat?]
        /// The first output's, which a unit without inputs has as it is asked for.
        let output: AudioFormat?
        let environment: RenderEnvironment
        let chain: UnitChain
    }

    init(_ unit: PluginUnit) {
        self.unit = unit
        super.init(name: unit.name)
    }

    deinit {
        // The last reference may go on the thread that supervises the unit, which cannot wait for its own end.
        guard resources.withLock({ $0 != nil }) else { return }
        let unit = unit
        unit.isLent = false
        let thread = try? LinuxSystem.Thread(name: "tear-down") { unit.deallocateRenderResources() }
        thread?.detach()
    }

    /// The buses that the plug-in has.
    ///
    /// The second one and further ones are side chains; any node may feed them.
    public override var numberOfInputs: Int { unit.unitDescription.inputs.count }
    /// The outputs of the plug-in; the first one carries what leads from effect to effect.
    ///
    /// A unit without outputs is rendered as long as something is connected to it; one without inputs, too, as long as it is attached.
    public override var numberOfOutputs: Int { unit.unitDescription.outputs.count }
    /// What the unit told with its last block; 0 without render resources.
    public override var latencyFrameCount: Int { resources.withLock { $0?.chain.latencyFrameCount ?? 0 } }
    /// Forgets all sound of the unit.
    public override func reset() { _ = try? unit.reset() }

    /// Whether the input passes through, delayed by the latency; a change is faded.
    public var bypass: Bool {
        get { unit.shouldBypassEffect }
        set { unit.shouldBypassEffect = newValue }
    }

    /// The unit as a node of a plan, while it has render resources.
    var chain: UnitChain? { resources.withLock { $0?.chain } }

    override var defaultFormat: AudioFormat {
        let format = unit.format
        guard let bus = unit.unitDescription.inputs.first, !bus.supports(BusFormat(channelCount: format.channelCount)) else {
            return format
        }
        return AudioFormat(sampleRate: format.sampleRate, channelCount: bus.defaultFormat.channelCount)
    }
    override var work: RenderGraph.Work? { resources.withLock { $0.map { .render($0.chain) } } }

    override func objection(to format: AudioFormat, onInput bus: Int) -> String? {
        let wanted = BusFormat(channelCount: format.channelCount)
        if bus == 0, let reason = unit.objection(to: format) { return reason }
        let buses = unit.unitDescription.inputs
        guard buses.indices.contains(bus) else { return "it has no such bus" }
        let bus = buses[bus]
        guard !bus.supports(wanted) else { return nil }
        let counts = bus.supportedChannelCounts.map(String.init).joined(separator: " or ")
        return "it takes \(counts) channels"
    }

    override func outputFormats(afterInput format: AudioFormat) -> [AudioFormat] {
        unit.outputChannelCounts(for: format.channelCount).map { AudioFormat(sampleRate: format.sampleRate, channelCount: $0) }
    }

    override func defaultFormat(ofBus bus: Int, isInput: Bool) -> AudioFormat {
        let (format, buses) = (defaultFormat, isInput ? unit.unitDescription.inputs : unit.unitDescription.outputs)
        guard bus > 0 || !isInput, buses.indices.contains(bus) else { return format }
        let count = isInput ? buses[bus].defaultFormat.channelCount : unit.outputChannelCounts(for: format.channelCount)[bus]
        return AudioFormat(sampleRate: format.sampleRate, channelCount: count)
    }

    override func mustLeave(for inputs: [AudioFormat?], outputs: [AudioFormat], _ environment: RenderEnvironment) -> Bool {
        resources.withLock { resources in
            guard let resources else { return false }
            return resources.inputs != inputs || resources.environment != environment
                || inputs.isEmpty && resources.output != outputs.first
        }
    }

    override func outputFormat(ofBus bus: Int, asking format: AudioFormat, afterInput input: AudioFormat) -> AudioFormat {
        guard numberOfInputs > 0 || bus > 0 else { return format }
        let formats = outputFormats(afterInput: numberOfInputs > 0 ? input : defaultFormat)
        return formats.indices.contains(bus) ? formats[bus] : format
    }

    override func objection(to format: AudioFormat, onOutput bus: Int) -> String? {
        numberOfInputs > 0 || bus > 0 ? nil : unit.objection(to: format)
    }

    override func prepare(
        inputs: [AudioFormat?], outputs: [AudioFormat], _ environment: RenderEnvironment
    ) throws(AudioEngineError) {
        guard resources.withLock({ $0 == nil }) || mustLeave(for: inputs, outputs: outputs, environment) else { return }
        unprepare()
        let format = (inputs.first ?? nil) ?? outputs.first ?? defaultFormat
        unit.sideInputs = inputs.dropFirst().map { $0?.channelCount ?? 0 }
        unit.outputs = unit.outputChannelCounts(for: format.channelCount)
        unit.maximumFramesToRender = environment.maximumFrameCount
        unit.isRenderingOffline = environment.isOffline
        unit.policy = environment.policy
        unit.supervisor = try? engine?.supervisor()
        do throws(HostingError) {
            try unit.setFormat(format)
            do throws(HostingError) {
                try unit.allocateRenderResources()
            } catch .fault where environment.startsUnitsAgain {
                // Its process may have been ended a moment ago. A dead unit is started again, once.
                try unit.allocateRenderResources()
            }
        } catch {
            (unit.sideInputs, unit.outputs) = ([], nil)
            throw .unit(node: name, error)
        }
        guard let chain = unit.chain else { return }
        unit.isLent = true
        resources.withLock { $0 = Resources(inputs: inputs, output: outputs.first, environment: environment, chain: chain) }
    }

    override func inputChannelCount(of bus: Int) -> Int? {
        resources.withLock { resources in
            guard let inputs = resources?.inputs, inputs.indices.contains(bus) else { return nil }
            return inputs[bus]?.channelCount ?? 0
        }
    }

    override func outputChannelCount(of bus: Int) -> Int? {
        resources.withLock { resources in
            guard let counts = resources?.chain.outputChannelCounts, counts.indices.contains(bus) else { return nil }
            return counts[bus]
        }
    }

    override func unprepare() {
        guard
            resources.withLock({ resources in
                defer { resources = nil }
                return resources != nil
            })
        else { return }
        unit.isLent = false
        unit.deallocateRenderResources()
    }
}

/// An effect: a unit with an input and an output.
public final class AudioUnitEffect: AudioUnit, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored properties are constants that may be shared.
    /// Starts the one plug-in that a description matches, as a node.
    ///
    /// Throws as `PluginUnit.instantiate` does.
    public static func instantiate(
        _ description: ComponentDescription, options: ComponentInstantiationOptions = []
    ) async throws(HostingError) -> AudioUnitEffect {
        AudioUnitEffect(try await PluginUnit.instantiate(with: description, options: options))
    }

    /// Starts the plug-in that a name or an ID means, as a node.
    ///
    /// Throws as `PluginUnit.instantiate` does.
    public static func instantiate(
        named name: String, options: ComponentInstantiationOptions = []
    ) async throws(HostingError) -> AudioUnitEffect {
        AudioUnitEffect(try await PluginUnit.instantiate(name, options: options))
    }

    /// Makes a node of a unit that has no render resources.
    public override init(_ unit: PluginUnit) { super.init(unit) }
}
