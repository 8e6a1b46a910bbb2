// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sockets of this machine for tests: a port to listen at, and connections to one. Any thread.

import Foundation
import Testing

/// A port of 127.0.0.1 that nobody else has; it is free again with the end of the object.
final class LocalPort: Sendable {
    let descriptor: Int32
    let number: UInt16

    init() throws {
        descriptor = try Self.makeSocket()
        var address = Self.address(port: 0)
        let isBound = Self.withAddress(&address) { [descriptor] in bind(descriptor, $0, $1) }
        try #require(isBound == 0 && listen(descriptor, 4) == 0, "no port is free")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isTold = Self.withAddress(&address) { [descriptor] pointer, _ in getsockname(descriptor, pointer, &size) }
        try #require(isTold == 0)
        number = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// A connection to a port; nil if nobody listens there.
    static func connection(to port: UInt16) -> Int32? {
        guard let socket = try? makeSocket() else { return nil }
        var address = address(port: port)
        if withAddress(&address, { connect(socket, $0, $1) }) == 0 { return socket }
        close(socket)
        return nil
    }

    private static func makeSocket() throws -> Int32 {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try #require(number >= 0)
        return number
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withAddress<Value>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}
