// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What `render` does about effects that fail. Main thread.

import PluginHosting

/// What becomes of a block whose effect failed.
enum FaultAnswer: String, CaseIterable {
    /// The restarted effect renders it again. If that fails too, the replacement is written.
    case retry
    /// The replacement is written.
    case bypass
    /// No file is written.
    case stop

    /// The number of retries for one block.
    private static let attempts = 3
    /// Restarts in a minute of sound.
    ///
    /// More than in real time, and without pauses: no listener waits.
    private static let restartBudget = 100

    func apply(to policy: inout UnitPolicy) {
        policy.offlineAttempts = self == .retry ? Self.attempts : 0
        policy.restartBudget = Self.restartBudget
        policy.firstPauseMilliseconds = 0
    }
}
