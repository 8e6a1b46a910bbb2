// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds out whether a process holds the lock of a file, without taking it. Any thread.

import Glibc

/// The locks of flock(2).
public enum FileLock {
    /// True if a process holds the lock of a file, according to the kernel's list; false if there is no such file.
    ///
    /// An attempt to lock the file could make the attempt of another process fail.
    public static func isHeld(_ path: String) -> Bool {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return false }
        // An example line. 1: FLOCK  ADVISORY  WRITE 4711 fe:00:262153 0 EOF
        return (KernelFile.lines("/proc/locks") ?? []).contains { line in
            let words = line.split(separator: " ")
            return words.count >= 6 && words[1] == "FLOCK" && words[5].split(separator: ":").last == "\(facts.st_ino)"
        }
    }
}
