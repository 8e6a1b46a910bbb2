// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Common functions of the node classes for Bulkhead's own effects. Any thread.

import PluginHosting

extension AudioUnit {
    /// Returns the value of a parameter; 0 if the unit could not be started.
    func value(_ keyPath: String) -> Float { Float(plugin?.value(of: keyPath) ?? 0) }

    /// Sets a parameter, clamped to a range; NaN changes nothing.
    ///
    /// The engine keeps an error of the unit, and throws it from its next call that throws.
    func set(_ keyPath: String, _ value: Float, within range: ClosedRange<Float>) {
        guard !value.isNaN else { return }
        set(keyPath, Double(min(range.upperBound, max(range.lowerBound, value))))
    }

    func set(_ keyPath: String, _ value: Double) {
        do throws(HostingError) { try plugin?.setValue(value, of: keyPath) } catch {
            engine?.keep(.unit(node: NamedNode(self), error))
        }
    }

    /// Selects a factory preset by its index, and keeps the values of the parameters at `keyPaths`.
    func selectPreset(_ place: Int, keeping keyPaths: [String]) {
        guard let plugin, plugin.factoryPresets.indices.contains(place) else { return }
        let kept = keyPaths.compactMap { keyPath in plugin.value(of: keyPath).map { (keyPath, $0) } }
        do throws(HostingError) {
            try plugin.selectPreset(plugin.factoryPresets[place].name)
        } catch {
            engine?.keep(.unit(node: NamedNode(self), error))
        }
        for (keyPath, value) in kept { set(keyPath, value) }
    }
}
