// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The description of a unit for the runtime, and the contents of a library. Control thread.

import ControlMessages

/// Everything that the runtime knows about a unit.
struct UnitDefinition {
    var description: UnitDescription
    var parameters: ParameterTree
    var texts: [TextProperty] = []
    var factoryPresets: [FactoryPreset]
    var makeKernel: (RenderSetup) throws(UnitError) -> KernelBox
    /// The parts of the unit beside rendering; nil for a unit that is only a kernel.
    var bridged: (any BridgedUnit)?
    /// True if a reset replaces the kernel by a new one.
    var isRemadeByReset: Bool
    /// The unit's view; nil if it has none.
    var view: ViewMaker?

    init<K: Kernel & ~Copyable>(_ kernel: K.Type) {
        description = K.description
        parameters = K.parameters
        factoryPresets = K.factoryPresets
        isRemadeByReset = K.isRemadeByReset
        view = K.view.map { ViewMaker($0) }
        if view != nil { description.flags.insert(.hasView) }
        makeKernel = { (setup) throws(UnitError) in KernelBox.holding(try K(setup)) }
    }

    init(_ unit: any BridgedUnit) {
        description = unit.description
        parameters = unit.parameters
        texts = unit.texts
        factoryPresets = unit.factoryPresets
        makeKernel = { (setup) throws(UnitError) in try unit.makeKernel(setup) }
        bridged = unit
        isRemadeByReset = true
        view = unit.view
        if view != nil { description.flags.insert(.hasView) }
    }

    func welcome(version: UInt32) -> Welcome {
        Welcome(
            version: version, description: description, parameters: parameters, texts: texts,
            factoryPresets: factoryPresets)
    }
}

/// The contents of a library: one unit, or a bridge.
enum UnitLibrary {
    case unit(UnitDefinition)
    case native(any NativeUnit.Type)
    case bridge(any Bridge.Type)

    /// The description of the library before it becomes a unit.
    var description: UnitDescription {
        switch self {
        case .unit(let definition): definition.description
        case .native(let unit): unit.init().description
        case .bridge(let bridge): bridge.description
        }
    }

    /// The library's one unit; nil for a bridge.
    var ownUnit: UnitDefinition? {
        switch self {
        case .unit(let definition): definition
        case .native(let unit): UnitDefinition(unit.init())
        case .bridge: nil
        }
    }

    /// The unit that a locator names; nil for the bridge itself.
    func definition(at locator: [String]) throws(UnitError) -> UnitDefinition? {
        if case .bridge(let bridge) = self { return locator.isEmpty ? nil : UnitDefinition(try bridge.unit(at: locator)) }
        guard locator.isEmpty else { throw .failed("its library holds one unit, and was asked for another") }
        return ownUnit
    }

    func units(at place: String) throws(UnitError) -> UnitListing {
        if case .bridge(let bridge) = self { return try bridge.units(at: place) }
        return UnitListing(units: [ListedUnit(locator: [], description: description)])
    }
}
