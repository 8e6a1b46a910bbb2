// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The unit's identity in a log, and presets as changes with known frames. Control threads.

extension HostedUnit {
    /// The identity of the unit in a log of the engine.
    package var logIdentity: UInt { port.logIdentity }

    /// Takes the values of a factory preset as changes of parameters, which take effect at the start of a block.
    ///
    /// Returns false if the preset may be more than its values. A preset that is selected takes effect at any time when the
    /// plug-in's process gets to it.
    package func setValues(ofFactoryPreset name: String) throws(HostingError) -> Bool {
        // A bridge may have more to do.
        guard description.classicIdentifier == nil,
            let preset = ownPresets.first(where: { $0.name.lowercased() == name.lowercased() })
        else { return false }
        try take(preset)
        return true
    }
}
