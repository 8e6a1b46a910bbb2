// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit as the runtime sees it, and what a library holds. Control thread.

import ControlMessages

/// Everything that the runtime knows about a unit.
struct UnitDefinition {
    var description: UnitDescription
    var parameters: ParameterTree
    var texts: [TextProperty] = []
    var factoryPresets: [FactoryPreset]
    var makeKernel: (RenderSetup) throws(UnitError) -> KernelBox
    /// What the unit does beside rendering; nil for a native unit.
    var bridged: (any BridgedUnit)?
    /// Whether a reset replaces the kernel by a new one.
    var isRemadeByReset: Bool

    init<K: Kernel & ~Copyable>(_ kernel: K.Type) {
        description = K.description
        parameters = K.parameters
        factoryPresets = K.factoryPresets
        isRemadeByReset = K.isRemadeByReset
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
    }

    func welcome(version: UInt32) -> Welcome {
        Welcome(
            version: version, description: description, parameters: parameters, texts: texts,
            factoryPresets: factoryPresets)
    }
}

/// What a library holds: one unit, or a bridge.
enum UnitLibrary {
    case unit(UnitDefinition)
    case bridge(any Bridge.Type)

    /// What the library is before it has become a unit.
    var description: UnitDescription {
        switch self {
        case .unit(let definition): definition.description
        case .bridge(let bridge): bridge.description
        }
    }

    /// The unit that a locator names; nil for the bridge itself.
    func definition(at locator: [String]) throws(UnitError) -> UnitDefinition? {
        switch self {
        case .unit(let definition):
            guard locator.isEmpty else { throw .failed("its library holds one unit, and was asked for another") }
            return definition
        case .bridge(let bridge): return locator.isEmpty ? nil : UnitDefinition(try bridge.unit(at: locator))
        }
    }

    func units(at place: String) throws(UnitError) -> UnitListing {
        switch self {
        case .unit(let definition):
            return UnitListing(units: [ListedUnit(locator: [], description: definition.description)])
        case .bridge(let bridge): return try bridge.units(at: place)
        }
    }
}
