// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads how much of its limits a process has used: memory, descriptors and threads, from /proc. Supervisor.

import Glibc
import LinuxSystem

/// Checks whether a process has reached one of its limits.
enum ResourceUse {
    /// The share of a limit that counts as all of it: the next request may fail already.
    private static let fullShare = 0.95

    /// The resource that the process has used up; nil if none.
    ///
    /// The kernel limits the number of threads only for ordinary users, and in a namespace of their own. This counts them for all
    /// users.
    static func exhaustion(of process: Int32, threadLimit: UInt64?) -> PluginFault? {
        guard let limits = text("/proc/\(process)/limits"), let memory = text("/proc/\(process)/statm"),
            let status = text("/proc/\(process)/status")
        else { return nil }
        let pages = memory.split(separator: " ").compactMap { Double($0) }
        guard pages.count > 5 else { return nil }
        let page = Double(sysconf(Int32(_SC_PAGESIZE)))
        let descriptors = FolderEntries.names(in: "/proc/\(process)/fd") ?? []
        // Shared memory counts too: memory that a process shares with itself belongs to the machine as well, and has no limit of
        // its own. Part of it may also be mapped.
        let shared = max(pages[2] * page, memoryFileBytes(process, descriptors: descriptors))
        // Page tables are the kernel's memory. The largest ones map nothing but one page of zeros.
        let tables = number(after: "VmPTE:", in: status).map { Double($0) * 1024 } ?? 0
        let uses = [("Max address space", pages[0] * page), ("Max data size", pages[5] * page + shared + tables)]
        if uses.contains(where: { isFull($0.1, limit($0.0, in: limits)) }) { return .outOfMemory }
        if isFull(Double(descriptors.count), limit("Max open files", in: limits)) { return .tooManyDescriptors }
        let threads = Double(Scheduling.threads(ofProcess: process).count)
        return isFull(threads, threadLimit.map { Double($0) }) ? .tooManyThreads : nil
    }

    /// The bytes in the memory files (memfd) that a process has open.
    ///
    /// Other files are not read: a file on a network may make the kernel wait.
    static func memoryFileBytes(_ process: Int32, descriptors: [String]) -> Double {
        var seen: Set<UInt64> = []
        return descriptors.reduce(0) { sum, number in
            let path = "/proc/\(process)/fd/\(number)"
            var status = stat()
            guard isMemoryFile(path), stat(path, &status) == 0, seen.insert(UInt64(status.st_ino)).inserted else { return sum }
            return sum + Double(status.st_blocks) * 512
        }
    }

    private static func isMemoryFile(_ path: String) -> Bool {
        let prefix = "/memfd:".utf8.map { CChar($0) }
        var bytes = [CChar](repeating: 0, count: prefix.count)
        return readlink(path, &bytes, bytes.count) == bytes.count && bytes == prefix
    }

    /// The number of processes that the kernel has ended for lack of memory since the machine started.
    static var killsForMemory: Int? {
        text("/proc/vmstat").flatMap { number(after: "oom_kill", in: $0) }.map { Int(clamping: $0) }
    }

    private static func isFull(_ use: Double, _ limit: Double?) -> Bool { limit.map { use >= $0 * fullShare } ?? false }

    /// The soft limit of a line such as `Max open files   1024   4096   files`; nil without one.
    static func limit(_ name: String, in text: String) -> Double? { number(after: name, in: text).map { Double($0) } }

    /// The number that follows `name` at the beginning of a line, except the first line, which is never needed.
    ///
    /// It searches the text without splitting it, because it runs once a second for each process.
    private static func number(after name: String, in text: String) -> UInt64? {
        text.withCString { text in
            let beginning = "\n\(name)"
            guard let digits = strstr(text, beginning).map({ $0 + beginning.utf8.count }), isspace(Int32(digits.pointee)) != 0
            else { return nil }
            var end: UnsafeMutablePointer<CChar>?
            let number = strtoull(digits, &end, 10)
            return end == digits ? nil : UInt64(number)
        }
    }

    private static func text(_ path: String) -> String? {
        let bytes = KernelFile.bytes(path, atMost: 16_384) ?? []
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
