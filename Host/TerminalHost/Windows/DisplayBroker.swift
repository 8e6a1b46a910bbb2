// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Connects the process of a confined window to its own X server. Main thread.

import Glibc
import LinuxSystem

/// Makes connections to one X server for a process that may make none.
///
/// The process sends a byte for each that it wants, and gets a connected socket. It cannot say to which server.
final class DisplayBroker {
    private let socket: ControlSocket
    private let server: NestedServer
    private var isOver = false

    /// The most connections in one call, so that a window which wants ever more keeps the command from nothing else.
    private static let mostAtOnce = 16

    /// Makes a broker for a server, and the end for the process.
    static func pair(_ server: NestedServer) throws(SystemError) -> (DisplayBroker, peer: ControlSocket) {
        let (own, peer) = try ControlSocket.pair()
        return (DisplayBroker(own, server), peer)
    }

    private init(_ socket: ControlSocket, _ server: NestedServer) { (self.socket, self.server) = (socket, server) }

    /// Readable when the process wants a connection; -1 once it gets none any more.
    var descriptor: Int32 { isOver ? -1 : socket.descriptor }

    /// Makes the connections that were asked for since the last call.
    func serve() {
        var byte: [UInt8] = [0]
        for _ in 0..<Self.mostAtOnce where !isOver {
            let count = byte.withUnsafeMutableBytes { SystemCall.receive(from: socket.descriptor, into: $0) }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { return end() }
            do throws(SystemError) { try answer() } catch { end() }
        }
    }

    /// A process that waits for an answer gets none.
    private func end() {
        isOver = true
        socket.hangUp()
    }

    /// Sends a connection, or none where the server takes none.
    ///
    /// Once the server has ended, another one may have its place.
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
