// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Validates units: distributes their cases among workers, each of which runs one process at a time. Main thread and workers.

import LinuxSystem
import PluginHosting
import Synchronization

/// `[any]` The units and the settings of a validation.
package struct ValidationPlan: Sendable {
    /// The components of the units.
    package var components: [Component]
    /// The names of the cases, in order.
    package var caseNames: [String]
    /// The seed of the random numbers.
    package var seed: UInt64
    /// The number of cases that run at once.
    package var jobCount: Int
    /// The seconds that a case of usual length may take.
    package var timeLimitSeconds: Double
    /// The executable with the hidden command `validate-case`.
    package var executable = "/proc/self/exe"

    /// Plans a validation with this command's own executable.
    package init(components: [Component], caseNames: [String], seed: UInt64, jobCount: Int, timeLimitSeconds: Double) {
        self.components = components
        self.caseNames = caseNames
        self.seed = seed
        self.jobCount = jobCount
        self.timeLimitSeconds = timeLimitSeconds
    }
}

/// `[control]` One validation of any number of units.
package final class Validator: Sendable {
    private let plan: ValidationPlan
    private let next = Atomic<Int>(0)
    private let doneCount = Atomic<Int>(0)
    private let mustStop = Atomic<Bool>(false)
    private let reports: Mutex<[[CaseReport]]>

    /// Prepares a validation; nothing runs yet.
    package init(_ plan: ValidationPlan) {
        self.plan = plan
        reports = Mutex([[CaseReport]](repeating: [], count: plan.components.count))
    }

    private var total: Int { plan.components.count * plan.caseNames.count }

    /// Runs every case of every unit, and returns the finished units.
    ///
    /// `observe` is called regularly. It gets the progress from 0 to 1, and the newly finished units in the order of their end.
    /// If it returns false, the running cases end, and the validation with them. The call throws the system's error if a worker
    /// cannot be started.
    package func run(observe: (Double, [UnitReport]) -> Bool) throws(SystemError) -> [UnitReport] {
        var workers: [LinuxSystem.Thread] = []
        do throws(SystemError) {
            for _ in 0..<max(1, min(plan.jobCount, total)) {
                workers.append(try LinuxSystem.Thread(name: "validator") { [self] in work() })
            }
        } catch {
            mustStop.store(true, ordering: .relaxed)
            workers.forEach { $0.join() }
            throw error
        }
        var (units, told) = ([UnitReport](), Set<Int>())
        while true {
            let isLastLook = doneCount.load(ordering: .acquiring) == total
            let fresh = newlyDone(&told)
            units += fresh
            let goesOn = observe(Double(doneCount.load(ordering: .relaxed)) / Double(max(1, total)), fresh)
            if !goesOn { mustStop.store(true, ordering: .relaxed) }
            if isLastLook || !goesOn { break }
            Futex.pause(microseconds: 20_000)
        }
        workers.forEach { $0.join() }
        return units
    }

    private func newlyDone(_ told: inout Set<Int>) -> [UnitReport] {
        let complete = reports.withLock { reports in
            reports.indices.filter { !told.contains($0) && reports[$0].count == plan.caseNames.count }.map { ($0, reports[$0]) }
        }
        told.formUnion(complete.map(\.0))
        return complete.map { UnitReport(plan.components[$0.0], cases: $0.1, inOrder: plan.caseNames) }
    }

    /// Takes the next case until none is left.
    ///
    /// The cases of one unit run in succession, so that its files are in memory.
    private func work() {
        while !mustStop.load(ordering: .relaxed) {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard index < total else { return }
            let (unit, name) = (index / plan.caseNames.count, plan.caseNames[index % plan.caseNames.count])
            let request = CaseRequest(
                component: plan.components[unit], caseName: name, seed: plan.seed, timeLimitSeconds: plan.timeLimitSeconds)
            let run = CaseProcess.run(request, executable: plan.executable) { mustStop.load(ordering: .relaxed) }
            guard let report = run else { return }
            reports.withLock { $0[unit].append(report) }
            // Release: a thread that reads this count sees the report.
            doneCount.wrappingAdd(1, ordering: .releasing)
        }
    }
}
