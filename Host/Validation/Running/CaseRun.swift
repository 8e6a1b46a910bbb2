// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Runs one case in this process, which does nothing else and may die during it. Main thread and a watchdog thread.

import Glibc
import LinuxSystem
import PluginHosting
import Synchronization

/// `[control]` The run of a case, watched by a watchdog.
package final class CaseRun: Sendable {
    private let request: CaseRequest
    private let activity = Activity()
    private let started = MonotonicClock.now()
    private let isReported = Atomic<Bool>(false)
    private let deliver: @Sendable (CaseReport) -> Int32

    private init(_ request: CaseRequest, deliver: @escaping @Sendable (CaseReport) -> Int32) {
        self.request = request
        self.deliver = deliver
    }

    /// Runs the case, passes its report to `deliver` once, and exits with the status that `deliver` returns.
    ///
    /// A case that takes too long is reported as a hang, with the present act.
    package static func run(_ request: CaseRequest, deliver: @escaping @Sendable (CaseReport) -> Int32) -> Never {
        let run = CaseRun(request, deliver: deliver)
        let watchdog = try? LinuxSystem.Thread(name: "watchdog") { run.watch() }
        watchdog?.detach()
        run.report(run.trial())
    }

    private func trial() -> CaseReport {
        let trial = Trial(request.component, seed: request.seed, caseName: request.caseName, activity: activity)
        do throws(CaseEnd) {
            guard let validation = ValidationCases.named(request.caseName) else {
                throw .failed("There is no case \"\(request.caseName)\".")
            }
            try validation.run(trial)
        } catch {
            trial.end(error)
        }
        return CaseReport(
            request, findings: trial.findings, remarks: trial.remarks, facts: trial.facts, milliseconds: milliseconds)
    }

    private func watch() {
        // Cannot trap: the option's range ends far below.
        MonotonicClock.sleep(until: started + UInt64(request.caseSeconds * 1e9))
        let sentence = "It did not come to an end within \(Wording.tenths(request.caseSeconds)) s, while \(activity.current)."
        report(CaseReport(request, findings: [Finding(.hang, sentence)], milliseconds: milliseconds))
    }

    private var milliseconds: Double { Double(MonotonicClock.now() - started) / 1e6 }

    /// Delivers the report, unless the other thread has done so, and ends the process and its children.
    private func report(_ report: CaseReport) -> Never {
        while isReported.exchange(true, ordering: .acquiringAndReleasing) { Futex.pause(microseconds: 10_000) }
        let status = deliver(report)
        Census(getpid()).endChildren()
        _exit(status)
    }
}
