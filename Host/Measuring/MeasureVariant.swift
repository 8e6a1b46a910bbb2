// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One way to run out of process. Any thread.

import PluginHosting

/// The way in which a chain runs out of process.
package struct MeasureVariant: Hashable, Sendable {
    package var isolation: IsolationPolicy
    package var placement: UnitPlacement
    package var waiting: WaitStrategy

    package init(
        isolation: IsolationPolicy = .outOfProcess, placement: UnitPlacement = .together,
        waiting: WaitStrategy = UnitPolicy().waiting
    ) {
        (self.isolation, self.placement, self.waiting) = (isolation, placement, waiting)
    }
}
