// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The names of hosts that a service manager starts: no other host takes one, and none starts twice. Control thread.

import LinuxSystem

extension ControlAddress {
    /// A sentence that says why this process must not be the host of a service's name; nil if it may.
    package static func obstacle(to name: String) -> String? {
        guard let address = try? ControlAddress(name) else { return nil }
        let isPlayed = FileLock.isHeld("\(address.path).lock")
        if ActivatedSocket.isWaiting {
            return isPlayed ? "A host called \"\(name)\" plays already, so the service does not start a second one." : nil
        }
        // The fourth word holds flags, where 0x10000 marks a listening socket; the eighth is the path.
        let isListening = (KernelFile.lines("/proc/net/unix") ?? []).contains { line in
            let words = line.split(separator: " ")
            return words.count >= 8 && words[3] == "00010000" && words[7...].joined(separator: " ") == address.path
        }
        guard isListening, !isPlayed else { return nil }
        return "A service listens for \"\(name)\", and starts it with its own options: bulkhead service start \(name)"
    }
}
