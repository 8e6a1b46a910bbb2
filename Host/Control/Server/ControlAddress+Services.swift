// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Names of hosts that a service manager starts: none is taken from it, and none starts twice. Control thread.

import LinuxSystem

extension ControlAddress {
    /// Why this process should not be the host of a name that a service has, in a sentence; nil if it may be.
    package static func obstacle(to name: String) -> String? {
        // A name that no address can have is refused where one is made.
        guard let address = try? ControlAddress(name) else { return nil }
        let isPlayed = FileLock.isHeld("\(address.path).lock")
        if ActivatedSocket.isWaiting {
            return isPlayed ? "A host called \"\(name)\" plays already, so the service does not start a second one." : nil
        }
        // The fourth word holds flags, of which 0x10000 says that somebody listens; the eighth is the path.
        let isListening = (KernelFile.lines("/proc/net/unix") ?? []).contains { line in
            let words = line.split(separator: " ")
            return words.count >= 8 && words[3] == "00010000" && words[7...].joined(separator: " ") == address.path
        }
        guard isListening, !isPlayed else { return nil }
        return "A service listens for \"\(name)\", and starts it with its own options: bulkhead service start \(name)"
    }
}
