// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Starts programs whose end Foundation does not learn, because they close its descriptors or go to the background. Any thread.

import Foundation

/// Starts programs.
enum Spawn {
    /// Starts a program without input, whose output goes to a file; nil if it cannot be started.
    ///
    /// Whatever this process ignores, the program gets every signal. Somebody has to wait for it.
    static func start(_ program: String, _ words: [String], environment: [String: String], output: String) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        // A file, not a pipe, which a server would hold open.
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        var arguments = ([program] + words).map { strdup($0) } + [nil]
        defer { (variables + arguments).forEach { free($0) } }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (everySignal, none) = (sigset_t(), sigset_t())
        sigfillset(&everySignal)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &everySignal)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var process: pid_t = 0
        return posix_spawn(&process, program, &actions, &attributes, &arguments, &variables) == 0 ? process : nil
    }

    /// Whether a program that was started has ended; it has to be asked until it has.
    static func hasEnded(_ process: pid_t) -> Bool { waitpid(process, nil, WNOHANG) != 0 }
}
