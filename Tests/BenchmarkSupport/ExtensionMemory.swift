// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The memory of a running command's child processes. Control thread.

import FoundationEssentials
import Glibc

/// The extensions below a process, from the kernel's figures.
package struct ExtensionMemory: Equatable, Sendable {
    /// The number of processes with a render thread; other processes (see `keepers`) belong to them.
    package let extensions: Int
    /// The memory of extensions and keepers in KiB, with each shared page divided among its processes.
    package let proportionalKiB: Double

    /// The memory of all processes, in megabytes.
    package var megabytes: Double { proportionalKiB * 1024 / 1_000_000 }
    /// The memory for each extension, in megabytes.
    package var megabytesEach: Double { megabytes / Double(max(1, extensions)) }

    /// Waits until `count` extensions descend from this process, and sums their memory.
    ///
    /// Returns nil if that takes longer than `patienceSeconds`.
    package static func of(extensions count: Int, patienceSeconds: Int = 30) -> ExtensionMemory? {
        for _ in 0..<(patienceSeconds * 10) {
            usleep(100_000)
            let processes = descendants(of: getpid()).map { ($0, program(of: $0)) }
            let extensions = processes.filter { isExtension($0.1) }
            guard extensions.count >= count else { continue }
            // The last ones have just started, so this waits until they have rendered.
            usleep(500_000)
            let all = processes.filter { isExtension($0.1) || $0.1 == keeper }
            let sum = all.compactMap { proportional(of: $0.0) }.reduce(0, +)
            return ExtensionMemory(extensions: extensions.count, proportionalKiB: sum)
        }
        return nil
    }

    private static let keeper = "bulkhead-keeper"
    private static let commands: Set = ["bulkhead", "Benchmarks", "sh", "dash", "bash", "", keeper]

    private static func isExtension(_ program: String) -> Bool { !commands.contains(program) }

    /// The name of a process's program; empty for a process that is ending.
    private static func program(of process: pid_t) -> String {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")) ?? ""
        return path.split(separator: "/").last.map(String.init) ?? ""
    }

    private static func descendants(of ancestor: pid_t) -> [pid_t] {
        var children: [pid_t: [pid_t]] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let process = pid_t(name), let parent = parent(of: process) else { continue }
            children[parent, default: []].append(process)
        }
        var found: [pid_t] = []
        var open = [ancestor]
        while let next = open.popLast() {
            found += children[next] ?? []
            open += children[next] ?? []
        }
        return found
    }

    private static func parent(of process: pid_t) -> pid_t? {
        let text = contents("/proc/\(process)/stat")
        // The name in parentheses may contain anything; the state and the parent follow it.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[end...].split(separator: " ")
        return fields.count > 2 ? pid_t(fields[2]) : nil
    }

    private static func proportional(of process: pid_t) -> Double? {
        proportionalKiB(rollup: contents("/proc/\(process)/smaps_rollup"))
    }

    /// The line `Pss:` of /proc/PID/smaps_rollup.
    static func proportionalKiB(rollup: String) -> Double? {
        let line = rollup.split(separator: "\n").first { $0.hasPrefix("Pss:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }
    }

    private static func contents(_ path: String) -> String {
        // Files of /proc report no length; these fit into 8192 bytes.
        guard let stream = fopen(path, "re") else { return "" }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = fread(&bytes, 1, bytes.count, stream)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
