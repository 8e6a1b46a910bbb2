// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The kernel's figures of an extension's memory. Any thread.

import Glibc
import LinuxSystem

/// The sums in /proc/PID/smaps_rollup, in KiB.
package struct ProcessMemory {
    /// Pages that the process has written to, which no other process can share.
    package let privateKiB: UInt32
    /// Pages of files that no other process maps at the moment, mostly code.
    ///
    /// A second process of the same plug-in shares them, and the kernel can drop them.
    package let unsharedFileKiB: UInt32
    /// Every page divided by the number of processes that share it.
    package let proportionalKiB: UInt32

    package init(_ process: Int32) throws(SystemError) { self.init(rollup: try Self.text("/proc/\(process)/smaps_rollup")) }

    /// The mean of several; zero for none.
    package init(meanOf all: [ProcessMemory]) {
        func mean(_ value: (ProcessMemory) -> UInt32) -> UInt32 {
            all.isEmpty ? 0 : UInt32(all.reduce(0) { $0 + Int(value($1)) } / all.count)
        }
        privateKiB = mean(\.privateKiB)
        unsharedFileKiB = mean(\.unsharedFileKiB)
        proportionalKiB = mean(\.proportionalKiB)
    }

    package init(rollup: String) {
        var sums: [Substring: UInt32] = [:]
        for line in rollup.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 3, words[2] == "kB" { sums[words[0]] = UInt32(words[1]) }
        }
        let written = sums["Anonymous:"] ?? 0
        let unshared = (sums["Private_Clean:"] ?? 0) + (sums["Private_Dirty:"] ?? 0)
        privateKiB = written
        unsharedFileKiB = unshared - min(unshared, written)
        proportionalKiB = sums["Pss:"] ?? 0
    }

    private static func text(_ path: String) throws(SystemError) -> String {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError("open \"\(path)\"") }
        let file = Descriptor(owning: number)
        return String(decoding: try Descriptor.bytes(from: file.number, atMost: 8192, "read \"\(path)\""), as: UTF8.self)
    }
}
