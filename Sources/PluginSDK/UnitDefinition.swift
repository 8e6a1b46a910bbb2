// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit as the runtime sees it: what it says of itself, and how its kernel is made. Control thread.

import ControlMessages

/// Everything that the runtime needs to know of a unit.
struct UnitDefinition {
    var description: UnitDescription
    var parameters: ParameterTree
    var factoryPresets: [FactoryPreset]
    var makeKernel: (RenderSetup) throws(UnitError) -> KernelBox

    init<K: Kernel & ~Copyable>(_ kernel: K.Type) {
        description = K.description
        parameters = K.parameters
        factoryPresets = K.factoryPresets
        makeKernel = { (setup) throws(UnitError) in try BoxOf<K>(setup) }
    }

    func welcome(version: UInt32) -> Welcome {
        Welcome(version: version, description: description, parameters: parameters, factoryPresets: factoryPresets)
    }
}
