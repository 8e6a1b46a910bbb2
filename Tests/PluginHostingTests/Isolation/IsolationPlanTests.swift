// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which units share a process, before any is started.

import AudioUnits
import LinuxSystem
import Synchronization
import Testing

@testable import PluginHosting

@Suite struct IsolationPlanTests {
    private let folder: TemporaryFolder
    private let components: [Component]

    /// Two plug-ins of one maker, one of another, and two without a maker.
    init() throws {
        let folder = try TemporaryFolder()
        let makers = [("A", "Acme"), ("B", "Acme"), ("C", "Other"), ("D", "unknown"), ("E", "unknown")]
        components = try makers.map { name, maker in
            let fields = ["component": "\"aufx:unt\(name):test\"", "manufacturerName": "\"\(maker)\""]
            return try Component(bundlePath: try folder.bundle(name, fields: fields))
        }
        self.folder = folder
    }

    private func groups(_ units: [(Int, IsolationPolicy)]) -> [[Int]] {
        IsolationPlan(units.map { (components[$0.0], $0.1) }).groups
    }

    @Test func equalPlugInsShareAProcess() {
        #expect(groups([(0, .byPlugin), (1, .byPlugin), (0, .byPlugin), (0, .individually)]) == [[0, 2], [1], [3]])
    }

    @Test func aManufacturersPlugInsShareAProcessAndThoseOfNobodyDoNot() {
        let all = components.indices.map { ($0, IsolationPolicy.byManufacturer) }
        #expect(groups(all + [(3, .byManufacturer)]) == [[0, 1], [2], [3, 5], [4]])
    }

    @Test func thoseThatWantDifferentCompanyDoNotMeet() {
        let units: [(Int, IsolationPolicy)] = [
            (0, .together), (0, .byPlugin), (1, .together), (0, .byManufacturer), (0, .individually), (0, .inProcess),
            (1, .inProcess), (0, .byPlugin), (0, .outOfProcess), (1, .byManufacturer),
        ]
        #expect(groups(units) == [[0, 2], [1, 7], [3, 9], [4], [5], [6], [8]])
        let plan = IsolationPlan(units.map { (components[$0.0], $0.1) })
        for (index, place) in plan.residences.enumerated() {
            guard case .process(let process) = place else {
                #expect([5, 6].contains(index))
                continue
            }
            #expect(process.isShared == [0, 1, 2, 3, 7, 9].contains(index))
        }
    }

    @Test func whoeverIsUnconfinedSharesWithItselfAlone() {
        var loose = components[0]
        loose.profile = .off
        let plan = IsolationPlan([(components[0], .together), (loose, .together), (components[1], .together), (loose, .together)])
        #expect(plan.groups == [[0, 2], [1, 3]])
    }

    /// A library that is loaded into the host need not support several threads at once.
    @Test func thoseOfTheHostsProcessAreStartedByWhoeverAsks() throws {
        let gain = try Build.component("Gain")
        let policies: [IsolationPolicy] = [.inProcess, .outOfProcess, .inProcess, .outOfProcess, .inProcess, .outOfProcess]
        let plan = IsolationPlan(policies.map { (gain, $0) })
        let starters = Mutex<[Int: Int32]>([:])
        let units = try plan.instantiate { index in
            starters.withLock { $0[index] = Scheduling.currentThread }
            return try HostedUnit(gain, at: plan.residences[index])
        }
        #expect(units.map { $0.processIdentifier == nil } == [true, false, true, false, true, false])
        #expect(starters.withLock { starters in [0, 2, 4].allSatisfy { starters[$0] == Scheduling.currentThread } })
    }

    @Test func whatTheChainSaysIsForThoseThatSayNothing() {
        #expect(IsolationPolicy.outOfProcess.completed(by: .together) == .together)
        #expect(IsolationPolicy.individually.completed(by: .together) == .individually)
        #expect(
            IsolationPolicy.choices.map(\.rawValue) == ["individually", "by-plugin", "by-manufacturer", "together", "in-process"])
    }
}
