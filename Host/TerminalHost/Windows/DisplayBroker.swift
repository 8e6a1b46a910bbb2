// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Connects the process of a confined window to its own X server. Main thread.

import Glibc
import LinuxSystem

/// Makes connections to one X server for a process that may not make any.
///
/// The process sends a byte for each connection, and gets a connected socket. It cannot choose the server.
final class DisplayBroker {
    private let socket: ControlSocket
    private let server: NestedServer
    private var isOver = false

    /// The most connections in one call, so that a window with endless requests does not hold up the command.
    private static let mostAtOnce = 16

    /// Makes a broker for a server, and the end for the process.
    static func pair(_ server: NestedServer) throws(SystemError) -> (DisplayBroker, peer: ControlSocket) {
        let (own, peer) = try ControlSocket.pair()
        return (DisplayBroker(own, server), peer)
    }

    private init(_ socket: ControlSocket, _ server: NestedServer) { (self.socket, self.server) = (socket, server) }

    /// The descriptor, readable when the process wants a connection; -1 once it gets none any more.
    var descriptor: Int32 { isOver ? -1 : socket.descriptor }

    /// Makes the connections that the process has requested since the last call.
    func serve() {
        var byte: [UInt8] = [0]
        for _ in 0..<Self.mostAtOnce where !isOver {
            let count = byte.withUnsafeMutableBytes { SystemCall.receive(from: socket.descriptor, into: $0) }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { return end() }
            do throws(SystemError) { try answer() } catch { end() }
        }
    }

    /// Closes the socket; a process that waits for an answer gets none.
    private func end() {
        isOver = true
        socket.hangUp()
    }

    /// Sends a connection, or none if the server accepts none.
    ///
    /// After the server's end, another one may listen at its path.
    private func answer() throws(SystemError) {
        guard let connection = try? UnixSocket.connect(to: server.socketPath),
            UnixSocket.peerProcess(of: connection.number) == server.process
        else { return try send([]) }
        try send([connection.number])
    }

    private func send(_ descriptors: [Int32]) throws(SystemError) {
        try socket.send(head: [0], body: [], descriptors: descriptors, timeoutMilliseconds: 0)
    }
}
