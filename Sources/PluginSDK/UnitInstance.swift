// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One instance of a unit, driven by control messages: the same in its own process and in the host's. Control thread.

import ControlMessages
import LinuxSystem
import Wire

/// A unit between `hello` and `shutdown`. One control thread uses it; the core belongs to the render thread.
final class UnitInstance {
    private let definition: UnitDefinition
    private var lifecycle = UnitLifecycle(state: .instantiated)
    private var values: [UInt64: Double]
    private var custom: [UInt8] = []
    /// Set before `allocate` arrives.
    var attachment: Attachment?
    private(set) var core: UnsafeMutablePointer<RenderCore>?
    /// The kernel's name for the thread that renders, to be told to the host; 0 in process.
    var renderThreadIdentifier: () -> Int32 = { 0 }
    /// Called around the life of the core, so that a process can start and stop its render thread.
    var coreWasMade: () throws(UnitError) -> Void = {}
    var coreWillGo: () -> Void = {}

    init(_ definition: UnitDefinition) {
        self.definition = definition
        values = Self.defaults(definition)
    }

    deinit { dropCore() }

    /// Answers a message; every message has exactly one answer.
    func handle(_ message: HostMessage) -> PluginMessage {
        do throws(UnitError) {
            return try answer(message)
        } catch {
            return .refused(error.description)
        }
    }

    private func answer(_ message: HostMessage) throws(UnitError) -> PluginMessage {
        switch message {
        case .hello(let versions, _): return try greet(versions)
        case .allocate(let allocation): return try allocate(allocation)
        case .deallocate:
            try lifecycle.deallocateResources()
            dropCore()
            return .done
        case .setParameters(let settings):
            try set(settings)
            return .done
        case .selectPreset(let index): return try selectPreset(index)
        case .saveState: return .state(fullState)
        case .restoreState(let state): return try restore(state)
        case .reset:
            try lifecycle.require([.instantiated], for: "resetting by message")
            return .done
        case .shutdown:
            dropCore()
            return .done
        }
    }

    private func greet(_ versions: VersionRange) throws(UnitError) -> PluginMessage {
        guard let version = VersionRange.own.common(with: versions) else {
            return .versionRefused(.own, name: definition.description.name)
        }
        try definition.parameters.validate()
        return .welcome(definition.welcome(version: version))
    }
}

// MARK: - Render resources

extension UnitInstance {
    private func allocate(_ allocation: Allocation) throws(UnitError) -> PluginMessage {
        try lifecycle.require([.instantiated], for: "allocating render resources")
        guard let attachment else { throw .failed("no memory came with the allocation") }
        try definition.description.checkFormats(inputs: allocation.inputs, outputs: allocation.outputs)
        try check(allocation, against: attachment.region.header)
        let made = try RenderCore(
            definition: definition, allocation: allocation, attachment: attachment, values: values)
        let core = UnsafeMutablePointer<RenderCore>.allocate(capacity: 1)
        core.initialize(to: made)
        self.core = core
        do throws(UnitError) {
            try lifecycle.allocateResources(maximumFrameCount: allocation.maximumFrameCount)
            try coreWasMade()
        } catch {
            dropCore()
            throw error
        }
        return .allocated(
            latencyFrameCount: UInt32(clamping: core.pointee.latencyFrameCount),
            tailFrameCount: UInt32(clamping: core.pointee.tailFrameCount), renderThread: renderThreadIdentifier())
    }

    private func check(_ allocation: Allocation, against header: RegionHeader) throws(UnitError) {
        let outputChannels = allocation.outputs.reduce(0) { $0 + $1.channelCount }
        guard allocation.connections.count == allocation.inputs.count,
            Int(header.inputBusCount) == allocation.inputs.count,
            Int(header.outputBusCount) == allocation.outputs.count,
            Int(header.maximumFrameCount) == allocation.maximumFrameCount,
            allocation.output.channelCount >= outputChannels,
            allocation.output.frameStride >= allocation.maximumFrameCount
        else { throw .failed("the allocation contradicts the region's header") }
        for (connection, format) in zip(allocation.connections, allocation.inputs) {
            guard let connection else { continue }
            guard connection.firstChannel + format.channelCount <= connection.layout.channelCount else {
                throw .failed("an input lies outside the memory that it is to be read from")
            }
        }
    }

    private func dropCore() {
        guard let core else { return }
        coreWillGo()
        values = core.pointee.parameters.snapshot
        core.deinitialize(count: 1)
        core.deallocate()
        self.core = nil
        attachment = nil
        if lifecycle.state != .instantiated { lifecycle = UnitLifecycle(state: .instantiated) }
    }
}

// MARK: - Parameters and state

extension UnitInstance {
    private static func defaults(_ definition: UnitDefinition) -> [UInt64: Double] {
        Dictionary(definition.parameters.parameters.map { ($0.parameter.address, $0.parameter.defaultValue) }) { $1 }
    }

    private var fullState: FullState {
        let current = core?.pointee.parameters.snapshot ?? values
        let settable = definition.parameters.parameters.filter {
            $0.parameter.flags.isDisjoint(with: [.readOnly, .meter])
        }
        let byKeyPath = settable.map { ($0.keyPath, current[$0.parameter.address] ?? $0.parameter.defaultValue) }
        return FullState(
            component: definition.description.component, version: definition.description.version,
            values: Dictionary(byKeyPath) { $1 }, custom: custom)
    }

    private func set(_ settings: [ParameterSetting]) throws(UnitError) {
        for setting in settings { try check(setting) }
        take(Dictionary(settings.map { ($0.address, $0.value) }) { $1 })
    }

    private func check(_ setting: ParameterSetting) throws(UnitError) {
        guard let parameter = definition.parameters[address: setting.address],
            let keyPath = definition.parameters.keyPath(ofAddress: setting.address)
        else { throw .unknownParameter("address \(setting.address)") }
        guard parameter.flags.isDisjoint(with: [.readOnly, .meter]) else { throw .readOnlyParameter(keyPath) }
        guard parameter.range.contains(setting.value) else {
            throw .valueOutOfRange(parameter: keyPath, value: setting.value, range: parameter.range)
        }
    }

    private func take(_ settings: [UInt64: Double]) {
        values.merge(settings) { $1 }
        core?.pointee.parameters.want(settings)
    }

    private func selectPreset(_ index: UInt32) throws(UnitError) -> PluginMessage {
        guard definition.factoryPresets.indices.contains(Int(index)) else { throw .unknownPreset("number \(index)") }
        try takeValues(definition.factoryPresets[Int(index)].values, elseDefault: true)
        return .state(fullState)
    }

    private func restore(_ state: FullState) throws(UnitError) -> PluginMessage {
        try state.check(against: definition.description)
        try takeValues(state.values, elseDefault: true)
        custom = state.custom
        return .state(fullState)
    }

    /// Takes values by key path; those that a newer version no longer knows are passed over, those left out
    /// take their defaults.
    private func takeValues(_ byKeyPath: [String: Double], elseDefault: Bool) throws(UnitError) {
        var settings: [UInt64: Double] = [:]
        for (keyPath, parameter) in definition.parameters.parameters
        where parameter.flags.isDisjoint(with: [.readOnly, .meter]) {
            let value = byKeyPath[keyPath] ?? parameter.defaultValue
            guard parameter.range.contains(value) else {
                throw .valueOutOfRange(parameter: keyPath, value: value, range: parameter.range)
            }
            settings[parameter.address] = value
        }
        take(settings)
    }
}
