// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Counts the descriptors, threads, processes and files of this process, to find leaks of a test. Any thread.

import Glibc
import LinuxSystem

/// A count of everything that a fault could leave behind.
///
/// From the first count on, this process and its children keep temporary files in a separate folder. Other hosts on this
/// machine use the usual one.
package struct Census: Sendable {
    private let descriptorCount = Census.descriptorCount
    private let threadCount = Folder.entries(of: "/proc/self/task").count
    private let childCount = Census.children.count
    private let files = Set(Folder.entries(of: Census.temporaryFolder))

    /// Counts now.
    package init() {}

    /// Describes everything that exists now but did not at an earlier count; empty if nothing is left.
    ///
    /// It waits up to two seconds, because things need a moment to end.
    package static func leftovers(since before: Census) -> [String] {
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
        if descriptorCount > before.descriptorCount { words.append("\(descriptorCount - before.descriptorCount) descriptors") }
        if threadCount > before.threadCount { words.append("\(threadCount - before.threadCount) threads") }
        if childCount > before.childCount { words.append("\(childCount - before.childCount) processes") }
        return words + files.subtracting(before.files).sorted().map { "\(Self.temporaryFolder)/\($0)" }
    }

    /// The folder of temporary files, removed at the end of this process unless it still has files.
    private static let temporaryFolder: String = {
        var template = Array("/tmp/bulkhead-census-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("Couldn't make a folder in /tmp: \(String(cString: strerror(errno))).") }
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        setenv("TMPDIR", folder, 1)
        atexit { rmdir(Census.temporaryFolder) }
        return folder
    }()
}

extension Census {
    /// The number of this process's open descriptors.
    package static var descriptorCount: Int { Folder.entries(of: "/proc/self/fd").count }

    /// Living and unreaped children of this process.
    package static var children: [Int32] { children(of: getpid()) }

    /// Living and unreaped children of another process.
    package static func children(of process: Int32) -> [Int32] {
        Folder.entries(of: "/proc/\(process)/task").flatMap { thread in
            Folder.text(of: "/proc/\(process)/task/\(thread)/children")?.split(separator: " ").compactMap { Int32($0) } ?? []
        }
    }

    /// The kernel's letter for the state of a process.
    package static func state(of process: Int32) -> Character? {
        let line = Folder.text(of: "/proc/\(process)/stat") ?? ""
        return line.lastIndex(of: ")").flatMap { line[$0...].dropFirst(2).first }
    }

    /// The resident anonymous memory of this process, in kilobytes.
    package static var residentKilobytes: Int {
        let lines = Folder.text(of: "/proc/self/status")?.split(separator: "\n") ?? []
        let line = lines.first { $0.hasPrefix("RssAnon:") }
        return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }
}
