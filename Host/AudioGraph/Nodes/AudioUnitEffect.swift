// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node that is an effect of any installed plug-in. Any thread.

import AudioUnits
import PluginHosting

/// An effect: a unit with an input and an output.
open class AudioUnitEffect: AudioUnit, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored properties are constants that threads may share.
    /// Starts the one plug-in that a description matches, as a node.
    ///
    /// Throws the errors of `PluginUnit.instantiate`.
    public static func instantiate(
        _ description: ComponentDescription, options: ComponentInstantiationOptions = []
    ) async throws(HostingError) -> AudioUnitEffect {
        AudioUnitEffect(try await PluginUnit.instantiate(with: description, options: options))
    }

    /// Starts the plug-in with a name or an ID, as a node.
    ///
    /// Throws the errors of `PluginUnit.instantiate`.
    public static func instantiate(
        named name: String, options: ComponentInstantiationOptions = []
    ) async throws(HostingError) -> AudioUnitEffect {
        AudioUnitEffect(try await PluginUnit.instantiate(name, options: options))
    }

    /// The unit, with its parameters, presets, state and faults.
    public let unit: PluginUnit

    /// Makes a node of a unit that has no render resources.
    public override init(_ unit: PluginUnit) {
        self.unit = unit
        super.init(unit)
    }
}
