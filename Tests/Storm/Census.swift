// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What this process has open, has started and has left lying about. Main thread.

import Glibc
import LinuxSystem
import TestSupport

/// A count of everything that a fault could leave behind.
struct Census {
    let descriptors = Folder.entries(of: "/proc/self/fd").count
    let threads = Folder.entries(of: "/proc/self/task").count
    let children = Census.children
    let files = Census.files
    /// Kilobytes of memory that are this process's own.
    let kilobytes = Census.residentKilobytes

    /// What is there now and was not at another time, in words; nothing when all is as it was. Things need a moment to go.
    static func leftovers(since before: Census) -> [String] {
        var left: [String] = []
        for _ in 0..<40 {
            left = Census().words(since: before)
            if left.isEmpty { break }
            Futex.pause(microseconds: 50_000)
        }
        return left
    }

    private func words(since before: Census) -> [String] {
        var words: [String] = []
        if descriptors > before.descriptors { words.append("\(descriptors - before.descriptors) descriptors") }
        if threads > before.threads { words.append("\(threads - before.threads) threads") }
        if children > before.children { words.append("\(children - before.children) processes") }
        for file in files.subtracting(before.files).sorted() { words.append(file) }
        return words
    }

    private static var children: Int {
        Folder.entries(of: "/proc/self/task").reduce(0) { sum, task in
            sum + (text(of: "/proc/self/task/\(task)/children")?.split(separator: " ").count ?? 0)
        }
    }

    /// The files of ours in the places where temporary ones lie.
    private static var files: Set<String> {
        let folders = ["/tmp", "/dev/shm", getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "/nowhere"]
        return Set(
            folders.flatMap { folder in
                Folder.entries(of: folder).filter { $0.contains("bulkhead") }.map { "\(folder)/\($0)" }
            })
    }

    static var residentKilobytes: Int {
        let lines = text(of: "/proc/self/status")?.split(separator: "\n") ?? []
        let line = lines.first { $0.hasPrefix("RssAnon:") }
        return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }

    private static func text(of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
