// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The body of a node that is a unit: its buses, its formats and its time. Any thread but the render thread.

import AudioFormats
import AudioUnits
import LinuxSystem
import PluginHosting
import Rendering
import Synchronization

/// Answers the engine for a unit's node.
final class UnitBody: NodeBody {
    /// The unit; nil if it could not be started.
    let plugin: PluginUnit?
    /// The reason why the unit could not be started; every attempt to take resources throws it.
    let failure: HostingError?
    let isInternal: Bool
    let mixing: MixingSettings? = MixingSettings()
    /// The stretching of the unit; nil for one that does not stretch time, or gets one input frame for each output frame.
    let stretch: TimeStretch?
    /// The messages that an instrument got before it had resources; nil for any other unit.
    let waiting: WaitingMessages?
    let allocated = Mutex<Resources?>(nil)
    /// The options of the next allocation; the graph chooses policy and supervisor itself.
    let options: Mutex<AllocationOptions>
    /// Renders in place of the unit while it refuses its formats.
    let standIn = Mutex<StandIn?>(nil)

    struct StandIn {
        let formats: NodeFormats
        let environment: RenderEnvironment
        let node = PassThrough()
    }

    struct Resources {
        let inputs: [AudioFormat?]
        /// The first output's format, which a unit without inputs takes from its connection.
        let output: AudioFormat?
        let environment: RenderEnvironment
        let row: UnitRow
        /// The speakers that the unit knows.
        let speakers: ChannelLayout?
    }

    init(
        _ plugin: PluginUnit?, failure: HostingError? = nil, stretch: TimeStretch? = nil, waiting: WaitingMessages? = nil,
        isInternal: Bool = false
    ) {
        (self.plugin, self.failure, self.stretch, self.waiting) = (plugin, failure, stretch, waiting)
        self.isInternal = isInternal
        options = Mutex(AllocationOptions(pace: stretch?.pace))
    }

    /// Starts the plug-in with a name or an ID, and keeps the reason of a failure.
    convenience init(
        starting id: String, stretch: TimeStretch? = nil, waiting: WaitingMessages? = nil, isInternal: Bool = false
    ) {
        do throws(HostingError) {
            self.init(try PluginUnit.start(named: id), stretch: stretch, waiting: waiting, isInternal: isInternal)
        } catch {
            self.init(nil, failure: error, stretch: stretch, waiting: waiting, isInternal: isInternal)
        }
    }

    deinit {
        // The thread that supervises the unit may release the last reference; it cannot wait for its own end.
        guard allocated.withLock({ $0 != nil }) else { return }
        let unit = plugin
        unit?.isLent = false
        // Without a thread the unit keeps them until the program takes them back, or lets the unit go.
        let thread = try? LinuxSystem.Thread(name: "tear-down") { unit?.deallocateRenderResources() }
        thread?.detach()
    }

    var messagePort: MessagePort? { plugin?.hosted.port }
    var isInstrument: Bool { plugin?.unitDescription.component.type == ComponentType.instrument.code }

    func reset(_ node: AudioNode) {
        do throws(HostingError) {
            try plugin?.reset()
        } catch .fault {
            // A unit that has died has no sound left, and is started again with its next resources.
        } catch {
            node.engine?.keep(.unit(node: NamedNode(node), error))
        }
    }
}

/// The stretching of time by a unit.
struct TimeStretch: Sendable {
    /// The pace of the nodes before the unit.
    let pace = TimePace()
    /// The highest rate of the unit.
    let highestRate: Float
}

// MARK: - Buses and formats

extension UnitBody {
    var inputCount: Int { plugin?.unitDescription.inputs.count ?? (waiting == nil ? 1 : 0) }
    var outputCount: Int { plugin?.unitDescription.outputs.count ?? 1 }

    /// The format of the first buses.
    var mainFormat: AudioFormat {
        guard let plugin else { return .stereo(in: nil) }
        let format = plugin.format
        guard let bus = plugin.unitDescription.inputs.first, !bus.supports(BusFormat(channelCount: format.channelCount)) else {
            return format
        }
        return AudioFormat(sampleRate: format.sampleRate, channelCount: bus.defaultFormat.channelCount)
    }

    func format(ofBus bus: Int, isInput: Bool, in engine: AudioFormat?) -> AudioFormat {
        let format = describedFormat(ofBus: bus, isInput: isInput)
        return engine.map { format.at($0.sampleRate) } ?? format
    }

    private func describedFormat(ofBus bus: Int, isInput: Bool) -> AudioFormat {
        guard let plugin else { return mainFormat }
        let (format, buses) = (mainFormat, isInput ? plugin.unitDescription.inputs : plugin.unitDescription.outputs)
        guard bus > 0 || !isInput, buses.indices.contains(bus) else { return format }
        let count =
            isInput ? buses[bus].defaultFormat.channelCount : plugin.outputChannelCounts(for: format.channelCount)[bus]
        return AudioFormat(sampleRate: format.sampleRate, channelCount: count)
    }

    func objection(to format: AudioFormat, onInput bus: Int) -> String? {
        guard let plugin else { return nil }
        if bus == 0, let reason = plugin.objection(to: format) { return reason }
        let buses = plugin.unitDescription.inputs
        guard buses.indices.contains(bus) else { return "it has no such bus" }
        return buses[bus].objection(to: format)
    }

    func objection(to format: AudioFormat, onOutput bus: Int) -> String? {
        inputCount > 0 || bus > 0 ? nil : plugin?.objection(to: format)
    }

    func outputFormats(afterInput format: AudioFormat) -> [AudioFormat] {
        let counts = plugin?.outputChannelCounts(for: format.channelCount) ?? [format.channelCount]
        return counts.map { AudioFormat(sampleRate: format.sampleRate, channelCount: $0, layout: format.layout) }
    }

    func outputFormat(ofBus bus: Int, asking format: AudioFormat, afterInput input: AudioFormat) -> AudioFormat {
        guard inputCount > 0 || bus > 0 else { return format }
        let formats = outputFormats(afterInput: inputCount > 0 ? input : mainFormat)
        return formats.indices.contains(bus) ? formats[bus] : format
    }

    func inputChannelCount(of bus: Int) -> Int? {
        allocated.withLock { resources in
            guard let inputs = resources?.inputs, inputs.indices.contains(bus) else { return nil }
            return inputs[bus]?.channelCount ?? 0
        }
    }

    func outputChannelCount(of bus: Int) -> Int? {
        allocated.withLock { resources in
            guard let counts = resources?.row.outputChannelCounts, counts.indices.contains(bus) else { return nil }
            return counts[bus]
        }
    }
}

// MARK: - Time

extension UnitBody {
    var pace: TimePace? { stretch?.pace }
    var highestRate: Float { stretch?.highestRate ?? 1 }
    /// The latency that the unit reported with its last block; 0 without resources.
    var latencyFrameCount: Int { allocated.withLock { $0?.row.latencyFrameCount ?? 0 } }
    var hasChangingLatency: Bool { true }
}

extension Bus {
    /// Returns the reason why the bus cannot take a format; nil if it can.
    func objection(to format: AudioFormat) -> String? {
        guard !supports(BusFormat(channelCount: format.channelCount)) else { return nil }
        return "it takes \(supportedChannelCounts.map(String.init).joined(separator: " or ")) channels"
    }
}
