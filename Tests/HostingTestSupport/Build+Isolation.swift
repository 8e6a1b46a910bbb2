// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units in the processes that a policy gives them. Test thread.

import PluginHosting
import TestSupport

extension Build {
    /// Starts units of these plug-ins of the build, one after the other, each in the process that its policy gives it.
    package static func units(_ wanted: [(name: String, policy: IsolationPolicy)]) throws -> [HostedUnit] {
        try units(of: wanted.map { (try component($0.name), $0.policy) })
    }

    /// Starts units of any plug-ins in the same way.
    package static func units(of wanted: [(component: Component, policy: IsolationPolicy)]) throws -> [HostedUnit] {
        let plan = IsolationPlan(wanted)
        return try wanted.indices.map { try HostedUnit(wanted[$0].component, at: plan.residences[$0]) }
    }
}
