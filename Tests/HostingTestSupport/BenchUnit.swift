// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit under test, and how it is rendered. Test thread.

import PluginHosting

/// A unit under test, and how it is rendered.
package struct BenchUnit: Sendable {
    package var unit: HostedUnit
    /// The courses of parameters, in frames.
    package var automation: [AutomationLane]
    /// The channels of the input buses from the second one on; a bus of 0 channels stays unconnected.
    package var sideInputs: [Int]
    /// What is heard while the unit does not render.
    package var fallback: Fallback
    /// Whether the unit is bypassed at first.
    package var isBypassed: Bool

    package init(
        _ unit: HostedUnit, automation: [AutomationLane] = [], sideInputs: [Int] = [], fallback: Fallback = .dry,
        isBypassed: Bool = false
    ) {
        self.unit = unit
        self.automation = automation
        self.sideInputs = sideInputs
        self.fallback = fallback
        self.isBypassed = isBypassed
    }
}
