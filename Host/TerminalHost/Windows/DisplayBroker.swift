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
    private let path: String
    private var connectionCount = 0
    private var isOver = false

    /// The most connections of a window: each toolkit and library may have one of its own.
    private static let mostConnections = 64

    /// Makes a broker for a display such as `:1`, and the end for the process.
    static func pair(display: String) throws(SystemError) -> (DisplayBroker, peer: ControlSocket) {
        let (own, peer) = try ControlSocket.pair()
        return (DisplayBroker(own, "/tmp/.X11-unix/X\(display.dropFirst())"), peer)
    }

    private init(_ socket: ControlSocket, _ path: String) { (self.socket, self.path) = (socket, path) }

    /// Readable when the process wants a connection; -1 once it gets none any more.
    var descriptor: Int32 { isOver ? -1 : socket.descriptor }

    /// Makes the connections that were asked for since the last call.
    func serve() {
        var byte: [UInt8] = [0]
        while !isOver {
            let count = UnixSocket.receive(&byte, from: socket.descriptor)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            connectionCount += 1
            isOver = count <= 0 || connectionCount > Self.mostConnections
            guard !isOver else { return }
            do throws(SystemError) { try answer() } catch { isOver = true }
        }
    }

    /// Sends a connection, or none where the server takes none.
    private func answer() throws(SystemError) {
        guard let connection = try? UnixSocket.connect(to: path) else { return try send([]) }
        try send([connection.number])
    }

    private func send(_ descriptors: [Int32]) throws(SystemError) {
        try socket.send(head: [0], body: [], descriptors: descriptors, timeoutMilliseconds: 0)
    }
}
