// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The assignment of units to processes, made before any unit starts. Control thread.

import LinuxSystem

/// `[control]` The future processes of a chain's units.
package struct IsolationPlan: Sendable {
    /// The future process of one unit.
    package enum Residence: Sendable {
        /// The host's own process.
        case host
        /// A process for extensions.
        case process(UnitProcess)
    }

    /// The process of each unit, in the chain's order.
    package let residences: [Residence]
    /// The indices of units that start one after the other: those of one process, or a single unit of the host's.
    package let groups: [[Int]]

    /// Makes a plan for units of these plug-ins, in the chain's order.
    package init(_ units: [(component: Component, policy: IsolationPolicy)]) {
        var groups: [[Int]] = []
        struct Companions: Hashable {
            let policy: IsolationPolicy
            let common: Companionship
        }
        var groupOfCompanions: [Companions: Int] = [:]
        for (index, unit) in units.enumerated() {
            if let common = unit.component.companionship(unit.policy) {
                let key = Companions(policy: unit.policy, common: common)
                if let group = groupOfCompanions[key] {
                    groups[group].append(index)
                    continue
                }
                groupOfCompanions[key] = groups.count
            }
            groups.append([index])
        }
        var residences = [Residence](repeating: .host, count: units.count)
        for group in groups where units[group[0]].policy != .inProcess {
            let process = UnitProcess(group.map { units[$0].component })
            for index in group { residences[index] = .process(process) }
        }
        self.residences = residences
        self.groups = groups
    }
}

extension IsolationPlan {
    /// `[control]` Starts all units and returns them in the chain's order.
    ///
    /// `start` makes the unit at an index; several threads may call it. Several processes start at once, and the units of one
    /// process one after the other. The host's own units start on the calling thread, one after the other: a classic library need
    /// not support two threads at once. An error of `start` is thrown.
    package func instantiate(_ start: @escaping @Sendable (Int) throws -> HostedUnit) throws -> [HostedUnit] {
        let startEach: @Sendable ([Int]) throws -> [(Int, HostedUnit)] = { try $0.map { ($0, try start($0)) } }
        let (home, away) = (groups.filter(isAtHome), groups.filter { !isAtHome($0) })
        let started = try [startEach(Array(home.joined()))] + Thread.map(away, name: "start", startEach)
        return started.joined().sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func isAtHome(_ group: [Int]) -> Bool {
        if case .host = residences[group[0]] { true } else { false }
    }
}
