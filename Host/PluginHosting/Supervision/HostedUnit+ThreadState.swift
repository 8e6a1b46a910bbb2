// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The kernel's state of a unit's render thread. Supervisor.

import Glibc
import LinuxSystem

extension HostedUnit {
    /// True if SIGSTOP or a debugger has stopped the unit's render thread.
    ///
    /// If the thread is unknown, its process counts.
    var isStopped: Bool {
        guard let process = processIdentifier else { return false }
        let state = Self.state(in: "/proc/\(process)/task/\(renderThread ?? process)/stat")
        return state == UInt8(ascii: "T") || state == UInt8(ascii: "t")
    }

    /// The letter after the name in parentheses; the name itself may hold any character.
    private static func state(in path: String) -> UInt8? {
        guard let line = KernelFile.bytes(path, atMost: 512), let end = line.lastIndex(of: UInt8(ascii: ")")),
            end + 2 < line.endIndex
        else { return nil }
        return line[end + 2]
    }
}
