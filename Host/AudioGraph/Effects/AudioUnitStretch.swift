// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A time effect of any plug-in that a document names; its rate is the plug-in's parameter. Any thread.

import AudioUnits
import PluginHosting

/// A unit that stretches time, at the rate that its parameters have when it becomes a node.
package final class AudioUnitStretch: AudioUnitTimeEffect, @unchecked Sendable {
    // SAFETY: as for the base.
    override var highestRate: Float {
        guard let parameter = plugin?.parameterTree[keyPath: "rate"] else { return 1 }
        return Float(parameter.range.upperBound)
    }

    /// Makes a node of a unit that stretches time.
    package init(_ unit: PluginUnit) {
        super.init(stretching: unit)
        pace.setRate(Float(Self.rate(of: unit)))
    }

    // Without it the compiler makes one of its own, which it then refuses.
    override init(starting id: String, name: String?) { super.init(starting: id, name: name) }

    /// The rate of a unit; 1 for one that does not stretch time.
    package static func rate(of unit: PluginUnit) -> Double {
        guard unit.unitDescription.flags.contains(.stretchesTime), let rate = unit.value(of: "rate"), rate > 0 else { return 1 }
        return rate
    }
}
