// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What processes do, and waiting for it. Test thread.

import Glibc
import LinuxSystem
import TestSupport

/// What this process has open and has started.
enum Census {
    static var descriptorCount: Int { Folder.entries(of: "/proc/self/fd").count }

    /// Living and unreaped children.
    static var children: [Int32] {
        Folder.entries(of: "/proc/self/task").flatMap { task -> [Int32] in
            guard let file = fopen("/proc/self/task/\(task)/children", "r") else { return [] }
            defer { fclose(file) }
            var text = [UInt8](repeating: 0, count: 65536)
            let count = fread(&text, 1, text.count, file)
            return String(decoding: text.prefix(count), as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
        }
    }

    /// The kernel's letter for what a process does.
    static func state(of process: Int32) -> Character? {
        guard let file = fopen("/proc/\(process)/stat", "r") else { return nil }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 4096)
        let count = fread(&text, 1, text.count, file)
        let line = String(decoding: text.prefix(count), as: UTF8.self)
        return line.lastIndex(of: ")").flatMap { line[$0...].dropFirst(2).first }
    }
}

/// Stops a process and waits until all of it stands still.
func halt(_ process: Int32) {
    kill(process, SIGSTOP)
    _ = waitUntil(milliseconds: 1000) { Census.state(of: process) == "T" }
}

/// Lets time pass until `condition` holds; false when it did not within `milliseconds`.
func waitUntil(milliseconds: Int, _ condition: () -> Bool) -> Bool {
    let deadline = MonotonicClock.now() + UInt64(milliseconds) * 1_000_000
    while !condition() {
        guard MonotonicClock.now() < deadline else { return false }
        Futex.pause(microseconds: 500)
    }
    return true
}
