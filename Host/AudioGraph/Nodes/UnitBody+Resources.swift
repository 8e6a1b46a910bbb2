// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The resources of a node's unit, and the stand-in for a unit that refuses a rate. Any thread but the render thread.

import AudioFormats
import PluginHosting
import Rendering

extension UnitBody {
    /// The unit as a row of one, while it has render resources.
    var row: UnitRow? { allocated.withLock { $0?.row } }

    var work: RenderGraph.Work? {
        allocated.withLock { $0.map { .render($0.row) } } ?? standIn.withLock { $0.map { .render($0.node) } }
    }

    var takesResources: Bool { true }

    /// Units of one process take their resources one after the other.
    var preparationGroup: ObjectIdentifier? { plugin?.process.map { ObjectIdentifier($0) } }

    func wantsResources(for formats: NodeFormats, _ environment: RenderEnvironment) -> Bool {
        work == nil || mustLeave(for: formats, environment)
    }

    func mustLeave(for formats: NodeFormats, _ environment: RenderEnvironment) -> Bool {
        let isOther = standIn.withLock { $0.map { $0.formats != formats || $0.environment != environment } ?? false }
        return isOther
            || allocated.withLock { resources in
                guard let resources else { return false }
                return resources.inputs != formats.inputs || resources.environment != environment
                    || resources.speakers != Self.speakers(of: formats)
                    || formats.inputs.isEmpty && resources.output != formats.outputs.first
            }
    }

    /// Returns the speakers to report to a unit with these formats; nil for one or two channels, which are clear without.
    private static func speakers(of formats: NodeFormats) -> ChannelLayout? {
        formats.main.flatMap { $0.channelCount > 2 ? $0.layout ?? .usual($0.channelCount) : nil }
    }

    func prepare(
        _ node: AudioNode, _ formats: NodeFormats, _ environment: RenderEnvironment, _ terms: PreparationTerms
    ) throws(AudioEngineError) {
        guard let plugin else {
            if let failure { throw .unit(node: NamedNode(node), failure) }
            return
        }
        try checkStretching(plugin, node, formats, environment)
        if wantsResources(for: formats, environment) { try takeResources(plugin, node, formats, environment, terms) }
        sendWaiting(node)
    }

    /// Throws for a unit that stretches time, if the engine does not know how, or does not know its rate beforehand.
    private func checkStretching(
        _ plugin: PluginUnit, _ node: AudioNode, _ formats: NodeFormats, _ environment: RenderEnvironment
    ) throws(AudioEngineError) {
        guard plugin.unitDescription.flags.contains(.stretchesTime) else { return }
        let format = (formats.inputs.first ?? nil) ?? mainFormat
        if plugin.automation.contains(where: { $0.parameter == "rate" }) {
            throw .formatRefused(
                node: NamedNode(node), bus: 0, format, reason: "its rate cannot be automated; leave the curve out")
        }
        // Validation tries a unit with any value; elsewhere it would sound broken.
        if environment.startsUnitsAgain, stretch == nil, let rate = plugin.value(of: "rate"), rate != 1 {
            throw .formatRefused(
                node: NamedNode(node), bus: 0, format,
                reason:
                    "its rate is \(rate), and here it is given one frame for each. A program uses AudioUnitVarispeed or AudioUnitTimePitch for that"
            )
        }
    }

    private func takeResources(
        _ plugin: PluginUnit, _ node: AudioNode, _ formats: NodeFormats, _ environment: RenderEnvironment, _ terms: PreparationTerms
    ) throws(AudioEngineError) {
        unprepare()
        do throws(HostingError) {
            try allocate(plugin, node, formats, environment, terms)
        } catch {
            throw .unit(node: NamedNode(node), error)
        }
        guard let row = plugin.row else { return }
        plugin.isLent = true
        allocated.withLock {
            $0 = Resources(
                inputs: formats.inputs, output: formats.outputs.first, environment: environment, row: row,
                speakers: Self.speakers(of: formats))
        }
    }

    private func allocate(
        _ plugin: PluginUnit, _ node: AudioNode, _ formats: NodeFormats, _ environment: RenderEnvironment, _ terms: PreparationTerms
    ) throws(HostingError) {
        let format = formats.main ?? mainFormat
        plugin.maximumFramesToRender = environment.maximumFrameCount
        plugin.isRenderingOffline = environment.isOffline
        var options = options.withLock { $0 }
        options.policy = policy(in: environment)
        options.supervisor = try node.engine?.supervisor()
        options.mayBeginAbsent = terms.leavesFaults
        options.patience = terms.leavesLateUnits ? environment.patience : nil
        try plugin.setFormat(
            format, sideInputs: formats.inputs.dropFirst().map { $0?.channelCount ?? 0 },
            outputs: plugin.outputChannelCounts(for: format.channelCount))
        do throws(HostingError) {
            try plugin.allocateRenderResources(options)
        } catch .fault where environment.startsUnitsAgain {
            // A moment ago the process may have been ended. A dead unit is started again, once.
            try plugin.allocateRenderResources(options)
        }
    }

    /// Returns the rules of waiting for the unit; one that stretches time renders each block in its own cycle, of its own length.
    private func policy(in environment: RenderEnvironment) -> UnitPolicy? {
        var policy = environment.policy
        if stretch != nil { policy?.pipelineFrameCount = nil }
        return policy
    }

    func join(_ node: AudioNode) throws(AudioEngineError) {
        do throws(HostingError) {
            try resources?.join()
        } catch {
            unprepare()
            throw .unit(node: NamedNode(node), error)
        }
    }

    func unprepare() {
        // The next start asks the unit again.
        standIn.withLock { $0 = nil }
        let former = allocated.withLock { resources in
            defer { resources = nil }
            return resources
        }
        guard let plugin, let former else { return }
        plugin.isLent = false
        plugin.deallocateRenderResources(patience: former.environment.patience)
    }
}

// MARK: - Standing in

extension UnitBody {
    var isLeftOut: Bool { standIn.withLock { $0 != nil } }

    /// A unit that stretches time has no stand-in: it has another number of frames at its input.
    func leaveOut(for formats: NodeFormats, _ environment: RenderEnvironment) -> Bool {
        guard let plugin, !plugin.unitDescription.flags.contains(.stretchesTime) else { return false }
        standIn.withLock { $0 = StandIn(formats: formats, environment: environment) }
        return true
    }
}
