// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a server of Unix sockets asks the kernel. Control thread.

import CLinuxShims
import Glibc

/// Unix stream sockets.
public enum UnixSocket {
    /// The next client that waits at a listening socket, which never blocks; nil if none waits.
    public static func accept(_ listener: Int32) -> Int32? {
        let client = CLinuxShims_accept(listener)
        return client < 0 ? nil : client
    }

    /// The user of the process at the other end, as the kernel knows it; nil if it does not.
    public static func peerUser(of socket: Int32) -> UInt32? {
        var user: UInt32 = 0
        return CLinuxShims_peerUser(socket, &user) == 0 ? user : nil
    }

    /// Sends bytes without waiting, and without a signal where the peer has gone; as send(2).
    public static func send(_ bytes: UnsafeRawBufferPointer, to socket: Int32, isBlocking: Bool = false) -> Int {
        Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | (isBlocking ? 0 : Int32(MSG_DONTWAIT)))
    }

    /// Receives bytes; as recv(2).
    public static func receive(_ bytes: inout [UInt8], from socket: Int32, isBlocking: Bool = false) -> Int {
        recv(socket, &bytes, bytes.count, isBlocking ? 0 : Int32(MSG_DONTWAIT))
    }
}
