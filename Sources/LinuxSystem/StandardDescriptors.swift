// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The descriptors 0, 1 and 2, which a parent process may have closed. Main thread, before any file is opened.

import Glibc

/// The descriptors of standard input, output and errors.
public enum StandardDescriptors {
    /// Opens those that are closed, so that no file or socket gets their numbers: text for the user would be written there.
    ///
    /// Reading and writing still fail, as with a closed one. Returns false if the system opens nothing.
    public static func fill() -> Bool {
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is the closed one. Standard input can only be written, and the others only read.
            let opened = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
            guard opened == number || opened < 0 && open("/", O_RDONLY) == number else { return false }
        }
        return true
    }
}
