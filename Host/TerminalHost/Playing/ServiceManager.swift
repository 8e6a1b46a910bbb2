// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sends the host's state to the service manager that has started it, by datagrams to NOTIFY_SOCKET. Main thread.

import Glibc
import LinuxSystem

/// The service manager, such as systemd; without one, all messages are dropped.
struct ServiceManager {
    private var address: String?
    /// The nanoseconds between two beats; nil if the manager does not watch.
    private var interval: UInt64?
    private var due: UInt64 = 0

    /// Reads the variables that lead to the manager, and hides them from children.
    static func adopt() -> ServiceManager {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        var manager = ServiceManager()
        manager.address = variable("NOTIFY_SOCKET").flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
        let isMeant = variable("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
        // A beat at a third of the time, so that two may be late.
        if isMeant, let microseconds = variable("WATCHDOG_USEC").flatMap(UInt64.init), 1...1_000_000_000_000 ~= microseconds {
            manager.interval = microseconds * 1000 / 3
        }
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
        return manager
    }

    /// The longest sleep in seconds between two beats; nil for no limit.
    var longestRest: Double? { address == nil ? nil : interval.map { Double($0) / 1e9 } }

    /// Tells the manager that the host is alive, if it watches and a beat is due.
    mutating func beat() {
        guard let interval, MonotonicClock.now() >= due else { return }
        due = MonotonicClock.now() + interval
        tell("WATCHDOG=1")
    }

    /// Sends the manager an assignment such as `READY=1`, without waiting.
    func tell(_ assignment: String) {
        guard let address else { return }
        let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return }
        defer { close(number) }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var path = Array(address.utf8)
        // A name without a file begins with a zero byte.
        if address.hasPrefix("@") { path[0] = 0 }
        let isCopied = withUnsafeMutableBytes(of: &name.sun_path) { bytes in
            guard path.count < bytes.count else { return false }
            bytes.copyBytes(from: path)
            return true
        }
        guard isCopied else { return }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count + (path[0] == 0 ? 0 : 1))
        let bytes = Array(assignment.utf8)
        withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(number, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), $0, size)
            }
        }
    }
}
