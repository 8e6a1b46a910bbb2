// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the effects that have names of their own share: the plug-ins that come with Bulkhead. Any thread.

import PluginHosting

extension AudioUnit {
    /// The value of a parameter; 0 where the unit could not be started.
    func value(_ keyPath: String) -> Float { Float(plugin?.value(of: keyPath) ?? 0) }

    /// Sets a parameter, held within a range; NaN changes nothing.
    ///
    /// What the unit refuses is kept, and thrown by the engine's next call that throws.
    func set(_ keyPath: String, _ value: Float, within range: ClosedRange<Float>) {
        guard !value.isNaN else { return }
        set(keyPath, Double(min(range.upperBound, max(range.lowerBound, value))))
    }

    func set(_ keyPath: String, _ value: Double) {
        do throws(HostingError) { try plugin?.setValue(value, of: keyPath) } catch {
            engine?.keep(.unit(node: NamedNode(self), error))
        }
    }

    /// Selects a factory preset by its place, and keeps these parameters as they are.
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
