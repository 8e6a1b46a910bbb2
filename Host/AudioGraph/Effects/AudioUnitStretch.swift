// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A time effect of any plug-in that a document names; a parameter of the plug-in is its rate. Any thread.

import AudioUnits
import PluginHosting

/// Stretches time with a unit, at the rate that its parameters have when it becomes a node.
package final class AudioUnitStretch: AudioUnitTimeEffect, @unchecked Sendable {
    // SAFETY: as for the base.
    /// Makes a node of a unit that stretches time.
    package init(_ unit: PluginUnit) {
        let highestRate = unit.parameterTree[keyPath: "rate"].map { Float($0.range.upperBound) } ?? 1
        super.init(stretching: unit, highestRate: highestRate)
        pace.setRate(Float(Self.rate(of: unit)))
    }

    /// Returns the rate of a unit; 1 for a unit that does not stretch time.
    package static func rate(of unit: PluginUnit) -> Double {
        guard unit.unitDescription.flags.contains(.stretchesTime), let rate = unit.value(of: "rate"), rate > 0 else { return 1 }
        return rate
    }
}
