// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sockets for datagrams: their addresses, their senders and the answers. Any thread.

import Glibc
import LinuxSystem

/// The sender of a datagram.
package struct OSCPeer: Hashable, Sendable {
    /// The address as the kernel writes it.
    package let address: [UInt8]
    /// The socket that the datagram came to.
    package let socket: Int32

    /// Makes a sender of its address and the socket that reaches it.
    package init(address: [UInt8], socket: Int32) { (self.address, self.socket) = (address, socket) }

    /// True for an address that no other machine can send from: 127.0.0.0/8, or ::1.
    package var isOnThisMachine: Bool {
        guard let family = address.first else { return false }
        switch Int32(family) {
        case AF_INET: return address.count >= 8 && address[4] == 127
        case AF_INET6: return address.count >= 24 && address[8..<23].allSatisfy { $0 == 0 } && address[23] == 1
        default: return false
        }
    }
}

/// A socket for datagrams; it is closed with the object.
package final class OSCSocket: Sendable {
    /// The socket's number.
    package let descriptor: Int32

    /// Binds a socket to a numeric address of either family; port 0 takes any free one.
    package init(_ address: String, port: UInt16) throws(SystemError) {
        let act = "listen for OSC at \"\(address)\", port \(port)"
        let isSix = address.contains(":")
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let number = try SystemError.check(socket(isSix ? AF_INET6 : AF_INET, kind, 0), act)
        descriptor = number
        guard let bound = isSix ? Self.bindSix(number, address, port) : Self.bindFour(number, address, port) else {
            close(number)
            throw SystemError(act, code: EINVAL)
        }
        guard bound == 0 else {
            let error = SystemError(act)
            close(number)
            throw error
        }
    }

    deinit { close(descriptor) }

    private static func bindFour(_ number: Int32, _ address: String, _ port: UInt16) -> Int32? {
        var name = sockaddr_in()
        (name.sin_family, name.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
        guard inet_pton(AF_INET, address, &name.sin_addr) == 1 else { return nil }
        return withUnsafeBytes(of: &name) { bind(number, $0) }
    }

    private static func bindSix(_ number: Int32, _ address: String, _ port: UInt16) -> Int32? {
        var name = sockaddr_in6()
        (name.sin6_family, name.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
        guard inet_pton(AF_INET6, address, &name.sin6_addr) == 1 else { return nil }
        // Each family has a socket of its own.
        var isOn: Int32 = 1
        setsockopt(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        return withUnsafeBytes(of: &name) { bind(number, $0) }
    }

    private static func bind(_ number: Int32, _ name: UnsafeRawBufferPointer) -> Int32 {
        Glibc.bind(number, name.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(name.count))
    }

    /// The port that the socket has.
    package var port: UInt16 {
        var name = sockaddr_storage()
        return withUnsafeMutableBytes(of: &name) { bytes in
            var count = socklen_t(bytes.count)
            getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &count)
            // Both kinds of address have the port behind the family.
            return UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        }
    }

    /// The next datagram and its sender; nil if none has come.
    ///
    /// A datagram that is too long fills `memory`.
    package func receive(into memory: inout [UInt8]) -> (bytes: [UInt8], peer: OSCPeer)? {
        var name = sockaddr_storage()
        return withUnsafeMutableBytes(of: &name) { address in
            var count = socklen_t(address.count)
            let received = recvfrom(
                descriptor, &memory, memory.count, Int32(MSG_DONTWAIT),
                address.baseAddress?.assumingMemoryBound(to: sockaddr.self), &count)
            guard received >= 0 else { return nil }
            return (Array(memory[..<received]), OSCPeer(address: Array(address.prefix(Int(count))), socket: descriptor))
        }
    }

    /// Sends a datagram without waiting; it is lost if the socket is full, as datagrams may be.
    package static func send(_ bytes: [UInt8], to peer: OSCPeer) {
        guard !bytes.isEmpty else { return }
        peer.address.withUnsafeBytes { address in
            let name = address.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            _ = sendto(peer.socket, bytes, bytes.count, Int32(MSG_DONTWAIT), name, socklen_t(address.count))
        }
    }
}

/// The sockets of a host.
package struct OSCSockets: Sendable {
    /// One socket for each family of addresses.
    package let sockets: [OSCSocket]
    /// The port, which all share.
    package let port: UInt16
    /// True if other machines can reach them.
    package let isOpenToOthers: Bool

    /// Binds to an address; without one, to this machine's own in each family that it has.
    package init(port: UInt16, address: String? = nil) throws(SystemError) {
        if let address {
            sockets = [try OSCSocket(address, port: port)]
            isOpenToOthers = !address.hasPrefix("127.") && address != "::1"
            self.port = sockets[0].port
            return
        }
        let four = try OSCSocket("127.0.0.1", port: port)
        (self.port, isOpenToOthers) = (four.port, false)
        do throws(SystemError) {
            sockets = [four, try OSCSocket("::1", port: four.port)]
        } catch {
            // This machine lacks the newer family.
            guard [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.code) else { throw error }
            sockets = [four]
        }
    }
}
