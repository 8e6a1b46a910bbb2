// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One of the ways to run out of process that are measured beside each other. Any thread.

import PluginHosting

/// How a chain runs out of process.
struct MeasureVariant: Hashable, Sendable {
    var isolation = IsolationPolicy.outOfProcess
    var placement = UnitPlacement.together
    var waiting = ChainPolicy().waiting
}
