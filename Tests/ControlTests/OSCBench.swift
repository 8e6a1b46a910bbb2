// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A sender of OSC with a socket of its own. Test thread.

import Foundation
import LinuxSystem
import OpenSoundControl
import Testing

@testable import Control

/// A program that sends to a host and hears what comes back.
final class OSCSender {
    private let socket: OSCSocket
    private let host: OSCPeer
    private var memory = [UInt8](repeating: 0, count: 65_536)

    init(to port: UInt16, isSix: Bool = false) throws {
        socket = try OSCSocket(isSix ? "::1" : "127.0.0.1", port: 0)
        if isSix {
            var name = sockaddr_in6()
            (name.sin6_family, name.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
            inet_pton(AF_INET6, "::1", &name.sin6_addr)
            host = OSCPeer(address: withUnsafeBytes(of: &name) { Array($0) }, socket: socket.descriptor)
        } else {
            var name = sockaddr_in()
            (name.sin_family, name.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
            inet_pton(AF_INET, "127.0.0.1", &name.sin_addr)
            host = OSCPeer(address: withUnsafeBytes(of: &name) { Array($0) }, socket: socket.descriptor)
        }
    }

    func send(_ bytes: [UInt8]) { OSCSocket.send(bytes, to: host) }

    func send(_ address: String, _ arguments: OSCArgument...) {
        var message = OSCMessage(address)
        message.arguments = arguments
        send(message.bytes)
    }

    /// The next message; nil if none comes.
    func hear(within seconds: Double = 10) throws -> OSCMessage? {
        let deadline = Date().addingTimeInterval(seconds)
        repeat {
            if let (bytes, _) = socket.receive(into: &memory) { return try OSCMessage(bytes) }
            usleep(1000)
        } while Date() < deadline
        return nil
    }

    /// The next message with that address.
    func hear(_ address: String) throws -> OSCMessage? {
        while let message = try hear() {
            if message.address == address { return message }
        }
        return nil
    }
}
