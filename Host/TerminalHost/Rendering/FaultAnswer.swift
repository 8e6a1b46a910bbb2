// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The answers of `render` to effects that fail. Main thread.

import PluginHosting

/// The answer to a block whose effect failed.
enum FaultAnswer: String, CaseIterable {
    /// The restarted effect renders it again; after another failure, the replacement is written.
    case retry
    /// The replacement is written.
    case bypass
    /// No file is written.
    case stop

    /// The number of retries for one block.
    private static let attempts = 3
    /// The restarts in a minute of sound.
    ///
    /// More than in real time, and without pauses, because no listener waits.
    private static let restartBudget = 100

    func apply(to policy: inout UnitPolicy) {
        policy.offlineAttempts = self == .retry ? Self.attempts : 0
        policy.restartBudget = Self.restartBudget
        policy.firstPauseMilliseconds = 0
    }
}
