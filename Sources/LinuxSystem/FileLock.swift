// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Whether a process holds the lock of a file, without trying to take it. Any thread.

import Glibc

/// Locks as flock(2) takes them.
public enum FileLock {
    /// Whether a process holds the lock of a file, as the kernel lists it; false of a file that is not there.
    ///
    /// To try the lock would keep it from a process that wants it at that moment.
    public static func isHeld(_ path: String) -> Bool {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return false }
        // 1: FLOCK  ADVISORY  WRITE 4711 fe:00:262153 0 EOF
        return (KernelFile.lines("/proc/locks") ?? []).contains { line in
            let words = line.split(separator: " ")
            return words.count >= 6 && words[1] == "FLOCK" && words[5].split(separator: ":").last == "\(facts.st_ino)"
        }
    }
}
