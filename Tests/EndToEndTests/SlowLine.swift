// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A line between a client and a server that carries so many bytes a second towards the client. Any thread.

import Foundation
import Synchronization

/// A port that leads to another port of this machine, slowly; its connections end with the object.
///
/// Like a modem it has memory before it: the server can send far more than the line has carried.
final class SlowLine {
    /// What the threads of the line share.
    private final class State: Sendable {
        let carriedCount = Atomic<Int>(0)
        let isEnded = Atomic<Bool>(false)
        let bytesPerSecond: Int

        init(_ bytesPerSecond: Int) { self.bytesPerSecond = bytesPerSecond }
    }

    /// Both ends of a connection, which two threads use.
    private final class Connection: Sendable {
        let client, server: Int32

        init(_ client: Int32, _ server: Int32) { (self.client, self.server) = (client, server) }

        deinit {
            close(client)
            close(server)
        }
    }

    private let entrance: LocalPort
    private let state: State

    /// Bytes that are carried in one piece.
    private static let pieceByteCount = 64

    /// The port to connect to.
    var port: UInt16 { entrance.number }

    /// The bytes that the line has carried to the client.
    var carriedCount: Int { state.carriedCount.load(ordering: .relaxed) }

    init(to port: UInt16, bytesPerSecond: Int) throws {
        entrance = try LocalPort()
        state = State(bytesPerSecond)
        Thread.detachNewThread { [entrance, state] in
            while true {
                let client = accept(entrance.descriptor, nil, nil)
                guard client >= 0, !state.isEnded.load(ordering: .relaxed) else { return }
                Self.carry(between: client, and: port, state)
            }
        }
    }

    deinit {
        state.isEnded.store(true, ordering: .relaxed)
        // It wakes the thread that accepts.
        shutdown(entrance.descriptor, Int32(SHUT_RDWR))
    }

    private static func carry(between client: Int32, and port: UInt16, _ state: State) {
        guard let server = LocalPort.connection(to: port) else {
            close(client)
            return
        }
        let ends = Connection(client, server)
        var isOn: Int32 = 1
        setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        Thread.detachNewThread {
            copy(from: ends.client, to: ends.server, state) { _ in }
            shutdown(ends.server, Int32(SHUT_WR))
        }
        Thread.detachNewThread {
            copy(from: ends.server, to: ends.client, state) { count in
                usleep(useconds_t(count * 1_000_000 / state.bytesPerSecond))
                state.carriedCount.add(count, ordering: .relaxed)
            }
            // Both ends: the other thread may wait for the client.
            shutdown(ends.client, Int32(SHUT_RDWR))
            shutdown(ends.server, Int32(SHUT_RDWR))
        }
    }

    /// Copies until one of the two ends; `wait` is called before each piece with its size.
    private static func copy(from source: Int32, to destination: Int32, _ state: State, wait: (Int) -> Void) {
        var piece = [UInt8](repeating: 0, count: pieceByteCount)
        while !state.isEnded.load(ordering: .relaxed) {
            let count = recv(source, &piece, piece.count, 0)
            guard count > 0 else { return }
            wait(count)
            var start = 0
            while start < count {
                let sent = piece.withUnsafeBytes { send(destination, $0.baseAddress! + start, count - start, Int32(MSG_NOSIGNAL)) }
                guard sent > 0 else { return }
                start += sent
            }
        }
    }
}
