// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a rendering does about effects that fail, as the command line says it. Main thread.

import PluginHosting

/// What becomes of a block whose effect failed.
enum FaultAnswer: String, CaseIterable {
    /// It is rendered again by the effect, started anew; what stands in for the effect is written only when that fails too.
    case retry
    /// What stands in for the effect is written.
    case bypass
    /// Nothing is written at all.
    case stop

    /// Tries at one block after the first.
    private static let attempts = 3
    /// Restarts in a minute of sound. Nobody listens, so that there may be more, and none of them has to wait.
    private static let restartBudget = 100

    func apply(to policy: inout ChainPolicy) {
        policy.offlineAttempts = self == .retry ? Self.attempts : 0
        policy.restartBudget = Self.restartBudget
        policy.firstPauseMilliseconds = 0
    }
}
