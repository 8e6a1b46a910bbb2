// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which unit of a chain lives where, before any of them is started. Control thread.

import LinuxSystem

/// Where the units of a chain are to live.
public struct IsolationPlan: Sendable {
    /// Where one of them is to live.
    public enum Place: Sendable {
        case host
        case process(UnitProcess)
    }

    /// For each unit, in the chain's order.
    public let places: [Place]
    /// The units of each place, by their index: those of one process, or one of the host's. Those of one process have to be
    /// started one after the other.
    public let groups: [[Int]]

    /// A plan for units of these plug-ins.
    public init(_ units: [(component: Component, policy: IsolationPolicy)]) {
        var groups: [[Int]] = []
        var groupOfCompanions: [String: Int] = [:]
        for (index, unit) in units.enumerated() {
            if let common = unit.component.companionship(unit.policy) {
                let key = "\(unit.policy.rawValue) \(common)"
                if let group = groupOfCompanions[key] {
                    groups[group].append(index)
                    continue
                }
                groupOfCompanions[key] = groups.count
            }
            groups.append([index])
        }
        var places = [Place](repeating: .host, count: units.count)
        for group in groups where units[group[0]].policy != .inProcess {
            let process = UnitProcess(group.map { units[$0].component })
            for index in group { places[index] = .process(process) }
        }
        self.places = places
        self.groups = groups
    }
}

extension IsolationPlan {
    /// Starts all units, in the chain's order: `start` makes the unit at an index. Several processes are started at once, and the units
    /// of one process one after the other. So are those of the host's own, on the calling thread: a classic library need not bear
    /// being asked by two threads at once.
    public func instantiate(_ start: @escaping @Sendable (Int) throws -> HostedUnit) throws -> [HostedUnit] {
        let startEach: @Sendable ([Int]) throws -> [(Int, HostedUnit)] = { try $0.map { ($0, try start($0)) } }
        let (home, away) = (groups.filter(isAtHome), groups.filter { !isAtHome($0) })
        let started = try [startEach(Array(home.joined()))] + Thread.map(away, name: "start", startEach)
        return started.joined().sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func isAtHome(_ group: [Int]) -> Bool {
        if case .host = places[group[0]] { true } else { false }
    }
}
