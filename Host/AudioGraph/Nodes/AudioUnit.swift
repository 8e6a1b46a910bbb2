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
    /// The unit; nil where it could not be started.
    package let plugin: PluginUnit?
    /// Why the unit could not be started: what asks the node for resources is told.
    let failure: HostingError?
    let settings = MixingSettings()
    private let allocated = Mutex<Resources?>(nil)
    /// The options of the next allocation that the graph does not choose.
    private let extraOptions = Mutex(AllocationOptions())
    /// What is rendered in place of the unit while it refuses the rate.
    private let standIn = Mutex<StandIn?>(nil)
    /// The rate that the unit has refused: an edit at this rate is not refused on its account.
    private let refusedRate = Mutex<Double?>(nil)

    private struct StandIn {
        let inputs: [AudioFormat?]
        let outputs: [AudioFormat]
        let environment: RenderEnvironment
        let node = PassThrough()
    }

    private struct Resources {
        let inputs: [AudioFormat?]
        /// The first output's, which a unit without inputs has as it is asked for.
        let output: AudioFormat?
        let environment: RenderEnvironment
        let row: UnitRow
        /// The speakers that the unit was told of.
        let speakers: ChannelLayout?
    }

    /// The speakers that a unit with these formats is told of; of one or two channels it knows them anyway.
    private static func speakers(of inputs: [AudioFormat?], _ outputs: [AudioFormat]) -> ChannelLayout? {
        let format = (inputs.first ?? nil) ?? outputs.first
        return format.flatMap { $0.channelCount > 2 ? $0.layout ?? .usual($0.channelCount) : nil }
    }

    init(_ unit: PluginUnit) {
        (plugin, failure) = (unit, nil)
        super.init(name: unit.name)
    }

    /// Starts the plug-in that a name or an ID means.
    ///
    /// Where that fails, the node throws the reason when the engine starts with it, or when an edit would have it heard.
    package init(starting id: String, name: String? = nil) {
        do throws(HostingError) {
            (plugin, failure) = (try PluginUnit.start(named: id), nil)
        } catch {
            (plugin, failure) = (nil, error)
        }
        super.init(name: name ?? plugin?.name ?? id)
    }

    deinit {
        // The last reference may go on the thread that supervises the unit, which cannot wait for its own end.
        guard allocated.withLock({ $0 != nil }) else { return }
        let unit = plugin
        unit?.isLent = false
        let thread = try? LinuxSystem.Thread(name: "tear-down") { unit?.deallocateRenderResources() }
        thread?.detach()
    }

    /// The buses that the plug-in has.
    ///
    /// The second one and further ones are side chains; any node may feed them.
    public override var numberOfInputs: Int { plugin?.unitDescription.inputs.count ?? 1 }
    /// The outputs of the plug-in; the first one carries what leads from effect to effect.
    ///
    /// A unit without outputs is rendered as long as something is connected to it; one without inputs, too, as long as it is attached.
    public override var numberOfOutputs: Int { plugin?.unitDescription.outputs.count ?? 1 }
    /// What the unit told with its last block; 0 without render resources.
    public override var latencyFrameCount: Int { allocated.withLock { $0?.row.latencyFrameCount ?? 0 } }
    /// Forgets all sound of the unit.
    public override func reset() { _ = try? plugin?.reset() }

    /// Whether the input passes through, delayed by the latency; a change is faded.
    public var bypass: Bool {
        get { plugin?.shouldBypassEffect ?? false }
        set { plugin?.shouldBypassEffect = newValue }
    }

    /// The unit as a row of one, while it has render resources.
    var row: UnitRow? { allocated.withLock { $0?.row } }
    /// The unit's render resources, while it has them.
    var resources: UnitResources? { row?.members[0] }

    override var defaultFormat: AudioFormat {
        guard let unit = plugin else { return super.defaultFormat }
        let format = unit.format
        guard let bus = unit.unitDescription.inputs.first, !bus.supports(BusFormat(channelCount: format.channelCount)) else {
            return format
        }
        return AudioFormat(sampleRate: format.sampleRate, channelCount: bus.defaultFormat.channelCount)
    }
    override var work: RenderGraph.Work? {
        allocated.withLock { $0.map { .render($0.row) } } ?? standIn.withLock { $0.map { .render($0.node) } }
    }

    /// Whether the unit's input is passed on in its place, because it refuses the rate.
    public var isLeftOut: Bool { standIn.withLock { $0 != nil } }

    /// Whether something can stand in for the unit: one that stretches time has another number of frames at its input.
    var canBeLeftOut: Bool { plugin.map { !$0.unitDescription.flags.contains(.stretchesTime) } ?? false }

    /// Has the unit's input passed on in its place, until it gets resources.
    func leaveOut(inputs: [AudioFormat?], outputs: [AudioFormat], _ environment: RenderEnvironment) {
        refusedRate.withLock { $0 = environment.sampleRate }
        standIn.withLock { $0 = StandIn(inputs: inputs, outputs: outputs, environment: environment) }
    }

    override func objection(to format: AudioFormat, onInput bus: Int) -> String? {
        guard let unit = plugin else { return nil }
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
        let counts = plugin?.outputChannelCounts(for: format.channelCount) ?? [format.channelCount]
        return counts.map { AudioFormat(sampleRate: format.sampleRate, channelCount: $0, layout: format.layout) }
    }

    override func defaultFormat(ofBus bus: Int, isInput: Bool) -> AudioFormat {
        guard let unit = plugin else { return defaultFormat }
        let (format, buses) = (defaultFormat, isInput ? unit.unitDescription.inputs : unit.unitDescription.outputs)
        guard bus > 0 || !isInput, buses.indices.contains(bus) else { return format }
        let count = isInput ? buses[bus].defaultFormat.channelCount : unit.outputChannelCounts(for: format.channelCount)[bus]
        return AudioFormat(sampleRate: format.sampleRate, channelCount: count)
    }

    override func mustLeave(for inputs: [AudioFormat?], outputs: [AudioFormat], _ environment: RenderEnvironment) -> Bool {
        let isOther = standIn.withLock { standIn in
            standIn.map { $0.inputs != inputs || $0.outputs != outputs || $0.environment != environment } ?? false
        }
        return isOther
            || allocated.withLock { resources in
                guard let resources else { return false }
                return resources.inputs != inputs || resources.environment != environment
                    || resources.speakers != Self.speakers(of: inputs, outputs)
                    || inputs.isEmpty && resources.output != outputs.first
            }
    }

    override func outputFormat(ofBus bus: Int, asking format: AudioFormat, afterInput input: AudioFormat) -> AudioFormat {
        guard numberOfInputs > 0 || bus > 0 else { return format }
        let formats = outputFormats(afterInput: numberOfInputs > 0 ? input : defaultFormat)
        return formats.indices.contains(bus) ? formats[bus] : format
    }

    override func objection(to format: AudioFormat, onOutput bus: Int) -> String? {
        numberOfInputs > 0 || bus > 0 ? nil : plugin?.objection(to: format)
    }

    override func prepare(
        inputs: [AudioFormat?], outputs: [AudioFormat], _ environment: RenderEnvironment
    ) throws(AudioEngineError) {
        guard let unit = plugin else {
            if let failure { throw .unit(node: name, failure) }
            return
        }
        if unit.unitDescription.flags.contains(.stretchesTime), unit.automation.contains(where: { $0.parameter == "rate" }) {
            throw .formatRefused(
                node: name, bus: 0, (inputs.first ?? nil) ?? defaultFormat,
                reason: "its rate cannot be automated; leave the curve out")
        }
        // Validation tries a unit with any value; elsewhere it would sound broken.
        if environment.startsUnitsAgain, unit.unitDescription.flags.contains(.stretchesTime), !(self is AudioUnitTimeEffect),
            let rate = unit.value(of: "rate"),
            rate != 1
        {
            throw .formatRefused(
                node: name, bus: 0, (inputs.first ?? nil) ?? defaultFormat,
                reason:
                    "its rate is \(rate), and here it is given one frame for each. A program uses AudioUnitVarispeed or AudioUnitTimePitch for that"
            )
        }
        guard work == nil || mustLeave(for: inputs, outputs: outputs, environment) else { return }
        unprepare()
        let format = (inputs.first ?? nil) ?? outputs.first ?? defaultFormat
        unit.maximumFramesToRender = environment.maximumFrameCount
        unit.isRenderingOffline = environment.isOffline
        var options = options
        options.policy = policy(in: environment)
        options.supervisor = try? engine?.supervisor()
        do throws(HostingError) {
            try unit.setFormat(
                format, sideInputs: inputs.dropFirst().map { $0?.channelCount ?? 0 },
                outputs: unit.outputChannelCounts(for: format.channelCount))
            do throws(HostingError) {
                try unit.allocateRenderResources(options)
            } catch .fault where environment.startsUnitsAgain {
                // Its process may have been ended a moment ago. A dead unit is started again, once.
                try unit.allocateRenderResources(options)
            }
        } catch {
            if refusedRate.withLock({ $0 }) == environment.sampleRate {
                return leaveOut(inputs: inputs, outputs: outputs, environment)
            }
            throw .unit(node: name, error)
        }
        refusedRate.withLock { $0 = nil }
        guard let row = unit.row else { return }
        unit.isLent = true
        allocated.withLock {
            $0 = Resources(
                inputs: inputs, output: outputs.first, environment: environment, row: row,
                speakers: Self.speakers(of: inputs, outputs))
        }
    }

    /// The options of the next allocation; the graph chooses policy and supervisor itself.
    package var options: AllocationOptions {
        get { extraOptions.withLock { $0 } }
        set { extraOptions.withLock { $0 = newValue } }
    }

    /// How the unit is waited for.
    func policy(in environment: RenderEnvironment) -> UnitPolicy? { environment.policy }

    override func inputChannelCount(of bus: Int) -> Int? {
        allocated.withLock { resources in
            guard let inputs = resources?.inputs, inputs.indices.contains(bus) else { return nil }
            return inputs[bus]?.channelCount ?? 0
        }
    }

    override func outputChannelCount(of bus: Int) -> Int? {
        allocated.withLock { resources in
            guard let counts = resources?.row.outputChannelCounts, counts.indices.contains(bus) else { return nil }
            return counts[bus]
        }
    }

    override func unprepare() {
        standIn.withLock { $0 = nil }
        // The next start asks it again.
        refusedRate.withLock { $0 = nil }
        guard
            let unit = plugin,
            allocated.withLock({ resources in
                defer { resources = nil }
                return resources != nil
            })
        else { return }
        unit.isLent = false
        unit.deallocateRenderResources()
    }
}
