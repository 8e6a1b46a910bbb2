// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads and writes that a signal never cuts short. Any thread.

import Glibc

/// The kernel's calls for bytes, without the error EINTR: a signal repeats them.
///
/// A negative result leaves the reason in `errno`. All other code of the package reads and writes through these calls.
public enum SystemCall {
    /// Reads the available bytes, at most as many as fit; see read(2).
    public static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        again { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
    }

    /// Reads from an offset in a file, and leaves the file's position; see pread(2).
    public static func read(_ descriptor: Int32, at byteOffset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        again { pread(descriptor, buffer.baseAddress, buffer.count, off_t(byteOffset)) }
    }

    /// Writes as many bytes as there is room for; see write(2).
    public static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
        again { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
    }

    /// Writes at an offset in a file, and leaves the file's position; see pwrite(2).
    public static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at byteOffset: Int) -> Int {
        again { pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(byteOffset)) }
    }

    /// Receives the available bytes of a socket, without waiting; see recv(2).
    public static func receive(from socket: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        again { recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) }
    }

    /// Sends as many bytes as a socket has room for, without a signal if the peer has gone; see send(2).
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
