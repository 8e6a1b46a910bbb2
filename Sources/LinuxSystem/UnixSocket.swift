// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The system calls of a server with Unix sockets. Control thread.

import CLinuxShims
import Glibc

/// Unix stream sockets.
public enum UnixSocket {
    /// Accepts the next client that waits at a listening socket; it never blocks; nil if none waits.
    ///
    /// Throws if the process or the machine has no descriptor or memory left: then the client waits on, and the socket stays readable.
    public static func accept(_ listener: Int32) throws(SystemError) -> Int32? {
        let client = CLinuxShims_accept(listener)
        guard client < 0 else { return client }
        let error = SystemError("accept a client")
        // Without a client the kernel says EAGAIN.
        guard error.isShortage, error.code != EAGAIN else { return nil }
        throw error
    }

    /// The user of the process at the other end; nil if the kernel does not know it.
    public static func peerUser(of socket: Int32) -> UInt32? {
        var (user, process): (UInt32, pid_t) = (0, 0)
        return CLinuxShims_peer(socket, &user, &process) == 0 ? user : nil
    }

    /// The process at the other end, or the one that listened there; nil if the kernel does not know it.
    public static func peerProcess(of socket: Int32) -> pid_t? {
        var (user, process): (UInt32, pid_t) = (0, 0)
        return CLinuxShims_peer(socket, &user, &process) == 0 && process > 0 ? process : nil
    }

    /// Connects to the stream socket at a path without waiting; the new socket is non-blocking.
    public static func connect(to path: String) throws(SystemError) -> Descriptor {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let number = socket(AF_UNIX, kind, 0)
        guard number >= 0 else { throw SystemError("make a socket") }
        let descriptor = Descriptor(owning: number)
        guard try withAddress(of: path, { Glibc.connect(number, $0, $1) }) == 0 else { throw SystemError("reach \"\(path)\"") }
        return descriptor
    }

    /// Calls `body` with the address of the socket at a path; throws ENAMETOOLONG.
    public static func withAddress<Value>(
        of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) throws(SystemError) -> Value {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isCopied = withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            guard path.utf8.count < bytes.count else { return false }
            bytes.copyBytes(from: path.utf8)
            return true
        }
        guard isCopied else { throw SystemError("use the socket \"\(path)\"", code: ENAMETOOLONG) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    /// Waits for bytes, and receives them; see recv(2).
    ///
    /// A signal ends the wait with EINTR, so that a command that waits for a host can be stopped.
    public static func receive(_ bytes: inout [UInt8], waitingAt socket: Int32) -> Int { recv(socket, &bytes, bytes.count, 0) }
}
