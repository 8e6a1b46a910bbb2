// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads and writes that a signal never cuts short. Any thread.

import Glibc

/// The calls that carry bytes, as the kernel has them, less the error EINTR: after a signal they are made again.
///
/// A negative result leaves the reason in `errno`. All other code of the package reads and writes through these.
public enum SystemCall {
    /// Reads what there is, at most as much as fits; as read(2).
    public static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        again { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
    }

    /// Reads from a place in a file, and leaves the file's position; as pread(2).
    public static func read(_ descriptor: Int32, at byteOffset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        again { pread(descriptor, buffer.baseAddress, buffer.count, off_t(byteOffset)) }
    }

    /// Writes what there is room for; as write(2).
    public static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
        again { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
    }

    /// Writes at a place in a file, and leaves the file's position; as pwrite(2).
    public static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at byteOffset: Int) -> Int {
        again { pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(byteOffset)) }
    }

    /// Receives what has come at a socket, without waiting; as recv(2).
    public static func receive(from socket: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        again { recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) }
    }

    /// Sends what a socket has room for, and without a signal where the peer has gone; as send(2).
    public static func send(_ bytes: UnsafeRawBufferPointer, to socket: Int32, isBlocking: Bool = false) -> Int {
        again { Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | (isBlocking ? 0 : Int32(MSG_DONTWAIT))) }
    }

    private static func again(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}
