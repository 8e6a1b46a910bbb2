// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a unit's changes are called in a log, and presets as changes whose frames are known. Control threads.

extension HostedUnit {
    /// The identity of the unit in a log of the engine.
    package var logIdentity: UInt { port.logIdentity }

    /// Takes the values of a factory preset as changes of parameters, which take effect at the start of a block; false if it is not known by its values alone.
    ///
    /// A preset that is selected takes effect whenever the plug-in's process gets to it.
    package func setValues(ofFactoryPreset name: String) throws(HostingError) -> Bool {
        // A bridge may have more to do.
        guard description.classicIdentifier == nil,
            let preset = ownPresets.first(where: { $0.name.lowercased() == name.lowercased() })
        else { return false }
        try take(preset)
        return true
    }
}
