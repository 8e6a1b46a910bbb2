// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The present resources of a process. Thread of the case.

import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting

/// Counts read from /proc.
struct Census {
    let descriptorCount: Int
    let threadCount: Int
    /// The children of all threads, both running and not reaped.
    let children: [pid_t]
    /// The memory in KiB that the process has written and cannot share.
    let privateKiB: Int

    init(_ process: pid_t) {
        let tasks = Self.entries("/proc/\(process)/task")
        descriptorCount = Self.entries("/proc/\(process)/fd").count
        threadCount = tasks.count
        children = tasks.flatMap { Self.children(ofThread: $0, in: process) }
        privateKiB = Int((try? ProcessMemory(process))?.privateKiB ?? 0)
    }

    /// Kills those children, and the process group of each.
    func endChildren() {
        for child in children {
            kill(-child, SIGKILL)
            kill(child, SIGKILL)
        }
    }

    private static func entries(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private static func children(ofThread thread: String, in process: pid_t) -> [pid_t] {
        guard let file = fopen("/proc/\(process)/task/\(thread)/children", "r") else { return [] }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&text, 1, text.count, file)
        return String(decoding: text.prefix(count), as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
    }
}
