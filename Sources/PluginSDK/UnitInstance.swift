// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One instance of a unit, driven by control messages; the same in its own process and in the host's. Control thread.

import ControlMessages
import LinuxSystem
import Wire

/// A unit between `hello` and `shutdown`.
///
/// One control thread uses it. The core belongs to the render thread.
final class UnitInstance {
    private let library: UnitLibrary
    /// The unit that the library has become, and its locator.
    ///
    /// A library of one unit is that unit from the start.
    private var became: (definition: UnitDefinition, locator: [String])?
    private var lifecycle = UnitLifecycle(state: .instantiated)
    /// The values that were set; a parameter that was not has its default, which may follow the sample rate.
    private var values: [UInt64: Double] = [:]
    /// Set before `allocate` arrives.
    var attachment: Attachment?
    /// Set before `wire` arrives.
    var wiringMemory: WiringMemory?
    private(set) var core: UnsafeMutablePointer<RenderCore>?
    /// The core's parameters, the only part of it that both threads use.
    private var parameters: UnsafeMutablePointer<ParameterTable>?
    /// The core's wirings, to which both threads have access, too.
    private var wirings: UnsafeMutablePointer<Wirings>?
    private var inputBlocks: UnsafeMutablePointer<AudioBlock>?
    /// The allocation that the resources were made for.
    private var allocation: Allocation?
    /// Returns the kernel's id of the render thread for the host; 0 in process.
    var renderThreadIdentifier: () -> Int32 = { 0 }
    /// Called once the core exists, so that a process can start its render thread.
    var coreWasMade: () throws(UnitError) -> Void = {}
    /// Called before the core is freed, so that a process can stop its render thread.
    var coreWillGo: () -> Void = {}
    /// Makes new kernels, for a bridged unit with resources.
    private var renewal: Renewal?
    private let lock = RenewalLock()
    /// The latest sound, for the view; nil for a unit without one.
    private(set) var scopes: Scopes?

    init(_ library: UnitLibrary) {
        self.library = library
        if let definition = library.ownUnit { become(definition, []) }
    }

    deinit { dropCore() }

    /// Answers a message; every message has exactly one answer.
    func handle(_ message: HostMessage) -> PluginMessage { lock.hold { answered(message) } }

    private func answered(_ message: HostMessage) -> PluginMessage {
        do throws(UnitError) {
            return try answer(message)
        } catch {
            return .refused(error.description)
        }
    }

    private func answer(_ message: HostMessage) throws(UnitError) -> PluginMessage {
        switch message {
        case .hello(let versions, _, let locator): return try greet(versions, locator)
        case .listUnits(let place): return .units(try library.units(at: place))
        case .allocate(let allocation): return try allocate(allocation)
        case .deallocate:
            try lifecycle.deallocateResources()
            dropCore()
            return .done
        case .setParameters(let settings):
            try set(settings)
            return .done
        case .selectPreset(let index): return try selectPreset(index)
        case .saveState: return .state(try fullState())
        case .setText(let identifier, let value): return try setText(identifier, value)
        case .restoreState(let state): return try restore(state)
        case .reset:
            try lifecycle.require(lifecycle.state == .instantiated, for: "resetting by message")
            return .done
        case .shutdown:
            dropCore()
            // A bridged unit may have to remove files.
            if case .bridge = library { became = nil }
            return .done
        case .wire(let rewiring):
            try wire(rewiring)
            return .done
        case .addUnit: throw .failed("it is no process that could take another unit in")
        case .openView: throw .failed("a unit in the host's process opens no view of its own")
        }
    }

    private func greet(_ versions: VersionRange, _ locator: [String]) throws(UnitError) -> PluginMessage {
        guard let version = VersionRange.own.common(with: versions) else {
            return .versionRefused(.own, name: library.description.name)
        }
        guard let definition = try became(at: locator) else {
            return .welcome(
                Welcome(version: version, description: library.description, parameters: ParameterTree(), factoryPresets: []))
        }
        return .welcome(definition.welcome(version: version))
    }

    /// The unit that the library is from now on; nil for a bridge without a locator.
    private func became(at locator: [String]) throws(UnitError) -> UnitDefinition? {
        if let became, became.locator == locator { return became.definition }
        guard became == nil else { throw .failed("it has become another unit already") }
        guard let definition = try library.definition(at: locator) else { return nil }
        try definition.parameters.validate()
        become(definition, locator)
        return definition
    }

    private func become(_ definition: UnitDefinition, _ locator: [String]) {
        became = (definition, locator)
        values = [:]
        scopes = definition.view == nil ? nil : Scopes()
    }

    /// The unit's view and its parameters; nil if it has none.
    var view: (view: ViewMaker, parameters: ParameterTree)? {
        guard let definition = became?.definition, let view = definition.view else { return nil }
        return (view, definition.parameters)
    }

    /// The present unit's definition; a bridge is no unit before its `hello`.
    private func definition() throws(UnitError) -> UnitDefinition {
        guard let became else { throw .failed("it has not been told which unit to be") }
        return became.definition
    }
}

// MARK: - Render resources

extension UnitInstance {
    private func allocate(_ allocation: Allocation) throws(UnitError) -> PluginMessage {
        try lifecycle.require(lifecycle.state == .instantiated, for: "allocating render resources")
        let definition = try definition()
        guard let attachment else { throw .failed("no memory came with the allocation") }
        try definition.description.checkFormats(inputs: allocation.inputs, outputs: allocation.outputs)
        try check(allocation, against: attachment.region.header)
        renewal = try makeRenewal(definition, RenderSetup(allocation))
        let made: RenderCore
        do throws(UnitError) {
            made = try RenderCore(
                definition: definition, allocation: allocation, attachment: attachment, values: values,
                renewal: renewal?.port, scopes: scopes?.core)
        } catch {
            endRenewal()
            throw error
        }
        let core = UnsafeMutablePointer<RenderCore>.allocate(capacity: 1)
        core.initialize(to: made)
        parameters = core.pointee.parameters
        (wirings, inputBlocks) = (core.pointee.wirings, core.pointee.inputBlocks)
        self.core = core
        self.allocation = allocation
        scopes?.sampleRate = allocation.sampleRate
        scopes?.core.pointee.release()
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
            try check(connection, format)
        }
    }

    private func check(_ connection: InputConnection, _ format: BusFormat) throws(UnitError) {
        guard connection.firstChannel + format.channelCount <= connection.layout.channelCount else {
            throw .failed("an input lies outside the memory that it is to be read from")
        }
    }

    /// Adds a wiring to those that requests can name.
    private func wire(_ rewiring: Rewiring) throws(UnitError) {
        try lifecycle.require(lifecycle.hasResources, for: "wiring")
        guard let allocation, let wirings, let inputBlocks, let memory = wiringMemory else {
            throw .failed("no doorbells came with the wiring; a unit in the host's process takes none")
        }
        wiringMemory = nil
        guard (1..<WireLimits.wiringCount).contains(rewiring.number) else {
            throw .failed("there is no wiring \(rewiring.number)")
        }
        guard rewiring.connections.count == allocation.inputs.count else {
            throw .failed("the wiring has \(rewiring.connections.count) inputs, and the unit \(allocation.inputs.count)")
        }
        for (connection, format) in zip(rewiring.connections, allocation.inputs) {
            guard let connection else { continue }
            try check(connection, format)
            guard connection.layout.frameStride >= allocation.maximumFrameCount else {
                throw .failed("an input has room for \(connection.layout.frameStride) frames")
            }
        }
        try wirings.pointee.put(
            Wiring(rewiring, memory, formats: allocation.inputs, blocks: inputBlocks), at: rewiring.number)
    }

    private func makeRenewal(_ definition: UnitDefinition, _ setup: RenderSetup) throws(UnitError) -> Renewal? {
        guard definition.isRemadeByReset else { return nil }
        do throws(SystemError) {
            return try Renewal(lock: lock) { [unowned self] in
                // The lock that this thread holds keeps the table in place.
                guard let kernel = try? definition.makeKernel(setup), let parameters else { return nil }
                RenderCore.prepare(kernel, parameters.pointee)
                return kernel
            }
        } catch {
            throw .failed(error.description)
        }
    }

    /// Ends the renewal thread; only while nothing renders.
    private func endRenewal() {
        renewal?.stop()
        renewal = nil
    }

    private func dropCore() {
        guard let core else { return }
        // The renewal thread needs the lock that this thread holds to make a kernel.
        renewal?.port.endWaiting()
        coreWillGo()
        values = notAtDefault(core.pointee.parameters.pointee.snapshot)
        parameters = nil
        (wirings, inputBlocks, allocation) = (nil, nil, nil)
        endRenewal()
        core.deinitialize(count: 1)
        core.deallocate()
        self.core = nil
        attachment = nil
        scopes?.sampleRate = Scopes.restingSampleRate
        if lifecycle.state != .instantiated { lifecycle = UnitLifecycle(state: .instantiated) }
    }
}

// MARK: - Parameters and state

extension UnitInstance {
    /// The sample rate in hertz, while the unit has resources.
    private var sampleRate: Double? { allocation?.sampleRate }

    /// A parameter's default at the present sample rate.
    private func defaultValue(of parameter: Parameter) -> Double {
        sampleRate.map { parameter.at(sampleRate: $0).defaultValue } ?? parameter.defaultValue
    }

    /// The values without those at a default that follows the sample rate.
    private func notAtDefault(_ values: [UInt64: Double]) -> [UInt64: Double] {
        guard let tree = became?.definition.parameters else { return values }
        return values.filter { address, value in
            guard let parameter = tree[address: address], parameter.followsSampleRate else { return true }
            return value != defaultValue(of: parameter)
        }
    }

    private func fullState() throws(UnitError) -> FullState {
        let definition = try definition()
        let current = parameters?.pointee.snapshot ?? values
        let settable = definition.parameters.parameters.filter {
            $0.parameter.flags.isDisjoint(with: [.readOnly, .meter])
        }
        let byKeyPath = settable.map { ($0.keyPath, current[$0.parameter.address] ?? defaultValue(of: $0.parameter)) }
        return FullState(
            component: definition.description.component, classicIdentifier: definition.description.classicIdentifier,
            version: definition.description.version, values: Dictionary(byKeyPath) { $1 },
            texts: definition.bridged?.textValues ?? [:], custom: try definition.bridged?.saveCustomState() ?? [])
    }

    private func set(_ settings: [ParameterSetting]) throws(UnitError) {
        for setting in settings { try check(setting) }
        take(Dictionary(settings.map { ($0.address, $0.value) }) { $1 })
    }

    private func check(_ setting: ParameterSetting) throws(UnitError) {
        let definition = try definition()
        guard let parameter = definition.parameters[address: setting.address],
            let keyPath = definition.parameters.keyPath(ofAddress: setting.address)
        else { throw .unknownParameter("address \(setting.address)") }
        guard parameter.flags.isDisjoint(with: [.readOnly, .meter]) else { throw .readOnlyParameter(keyPath) }
        try check(setting.value, of: parameter, keyPath)
    }

    private func check(_ value: Double, of parameter: Parameter, _ keyPath: String) throws(UnitError) {
        let accepted = parameter.accepted(sampleRate: sampleRate)
        guard accepted.contains(value) else { throw .valueOutOfRange(parameter: keyPath, value: value, range: accepted) }
    }

    private func take(_ settings: [UInt64: Double]) {
        values.merge(settings) { $1 }
        parameters?.pointee.want(settings)
    }

    private func setText(_ identifier: String, _ value: String) throws(UnitError) -> PluginMessage {
        let definition = try definition()
        guard definition.texts.contains(where: { $0.identifier == identifier }) else { throw .unknownText(identifier) }
        let former = definition.bridged?.textValues
        try definition.bridged?.setText(identifier, to: value)
        remakeKernel(of: definition, ifNot: former)
        return .done
    }

    /// Requests a new kernel if the unit needs one for its new texts.
    private func remakeKernel(of definition: UnitDefinition, ifNot former: [String: String]?) {
        guard let bridged = definition.bridged, bridged.isRemadeByText, bridged.textValues != former else { return }
        core?.pointee.renewalWish.pointee.store(true, ordering: .releasing)
    }

    private func selectPreset(_ index: UInt32) throws(UnitError) -> PluginMessage {
        let definition = try definition()
        guard definition.factoryPresets.indices.contains(Int(index)) else { throw .unknownPreset("number \(index)") }
        let settings = try settings(for: definition.factoryPresets[Int(index)].values)
        try definition.bridged?.selectFactoryPreset(Int(index))
        take(settings)
        forgetDefaults(definition.factoryPresets[Int(index)].values)
        return .state(try fullState())
    }

    private func restore(_ state: FullState) throws(UnitError) -> PluginMessage {
        let definition = try definition()
        try state.check(against: definition.description)
        let settings = try settings(for: state.values)
        let former = definition.bridged?.textValues
        // The part that may be refused comes first, so that a refusal changes nothing.
        try definition.bridged?.restoreCustomState(state.custom)
        take(settings)
        forgetDefaults(state.values)
        for (identifier, value) in state.texts.sorted(by: { $0.key < $1.key })
        where definition.texts.contains(where: { $0.identifier == identifier }) {
            // If the file has gone since, the unit plays on with the rest of its state; the answer names the texts that it has.
            try? definition.bridged?.setText(identifier, to: value)
        }
        remakeKernel(of: definition, ifNot: former)
        return .state(try fullState())
    }

    /// The values by address for values by key path.
    ///
    /// Key paths that the unit does not know are skipped. Parameters left out take their defaults. Throws
    /// `UnitError.valueOutOfRange`.
    private func settings(for byKeyPath: [String: Double]) throws(UnitError) -> [UInt64: Double] {
        let definition = try definition()
        var settings: [UInt64: Double] = [:]
        for (keyPath, parameter) in definition.parameters.parameters
        where parameter.flags.isDisjoint(with: [.readOnly, .meter]) {
            let value = byKeyPath[keyPath] ?? defaultValue(of: parameter)
            let accepted = parameter.accepted(sampleRate: sampleRate)
            // The state may come from another rate.
            let isFromOtherRate = parameter.followsSampleRate && parameter.accepted().contains(value)
            if !isFromOtherRate { try check(value, of: parameter, keyPath) }
            settings[parameter.address] = min(max(value, accepted.lowerBound), accepted.upperBound)
        }
        return settings
    }

    /// Marks parameters as never set if a whole state leaves them out and their default follows the sample rate.
    private func forgetDefaults(_ byKeyPath: [String: Double]) {
        guard let tree = became?.definition.parameters else { return }
        for (keyPath, parameter) in tree.parameters where parameter.followsSampleRate && byKeyPath[keyPath] == nil {
            values[parameter.address] = nil
        }
    }
}
