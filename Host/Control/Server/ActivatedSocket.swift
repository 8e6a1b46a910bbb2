// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The socket at which a service manager listens until the host takes it over. Control thread.

import Glibc
import LinuxSystem
import Synchronization

/// A listening socket that came with the process, by the variables LISTEN_PID and LISTEN_FDS.
package enum ActivatedSocket {
    /// The first descriptor that a service manager hands over.
    private static let firstDescriptor: Int32 = 3

    private static let taken = Mutex<(path: String, descriptor: Int32)?>(nil)

    /// Takes the socket over, before the process starts others or threads.
    ///
    /// So no child inherits the socket or the variables.
    ///
    /// It does nothing without a socket, and closes all sockets beyond the first.
    package static func adopt() {
        defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) } }
        guard let process = number("LISTEN_PID"), process == getpid(), let count = number("LISTEN_FDS"), 1...64 ~= count else {
            return
        }
        for index in 1..<count { close(firstDescriptor + index) }
        guard let path = listeningPath(of: firstDescriptor) else { return }
        _ = fcntl(firstDescriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(firstDescriptor, F_SETFL, fcntl(firstDescriptor, F_GETFL) | O_NONBLOCK)
        taken.withLock { $0 = (path, firstDescriptor) }
    }

    /// True if a socket came with the process and has not been taken.
    static var isWaiting: Bool { taken.withLock { $0 != nil } }

    /// Takes the socket that listens at a path, once; nil if none came with the process.
    static func take(_ path: String) -> Int32? {
        taken.withLock { taken in
            guard let socket = taken, socket.path == path else { return nil }
            taken = nil
            return socket.descriptor
        }
    }

    private static func number(_ variable: String) -> Int32? { getenv(variable).flatMap { Int32(String(cString: $0)) } }

    /// The path of a listening Unix stream socket; nil for any other descriptor.
    private static func listeningPath(of descriptor: Int32) -> String? {
        var (listens, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0, listens == 1 else { return nil }
        var (address, size) = (sockaddr_un(), socklen_t(MemoryLayout<sockaddr_un>.size))
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        return withUnsafeBytes(of: address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
