// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The user's systemd, through `systemctl --user`. Main thread.

import Glibc

/// The service manager of the user's session.
enum SystemdManager {
    /// Throws a sentence if no systemd serves this user.
    static func check(_ name: String) throws(CommandError) {
        guard run(["show-environment"], isQuiet: true) == 0 else {
            throw .failed(
                "No systemd serves this user here, so it cannot keep \"\(name)\" playing. Run it yourself: "
                    + "bulkhead live --resume --name \(name)")
        }
    }

    /// Runs an action on units; throws a sentence if systemd refuses.
    static func act(_ action: [String], _ sentence: String) throws(CommandError) {
        let status = run(action, isQuiet: false)
        guard status == 0 else {
            let reason = status < 0 ? "systemctl could not be started" : "systemctl ended with status \(status)"
            throw .failed("\(sentence): \(reason).")
        }
    }

    /// Runs `systemctl --user`, and returns its exit status; a negative number if it did not start or was killed.
    static func run(_ arguments: [String], isQuiet: Bool) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for stream in [STDOUT_FILENO, STDERR_FILENO] where isQuiet {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
        }
        let words: [UnsafeMutablePointer<CChar>?] = (["systemctl", "--user", "--no-pager"] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var (child, status) = (pid_t(0), Int32(0))
        guard posix_spawnp(&child, "systemctl", &actions, nil, words, environ) == 0 else { return -1 }
        while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { return -1 } }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
    }
}
