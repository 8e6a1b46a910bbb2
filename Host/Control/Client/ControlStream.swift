// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A connection to a running host that never waits, for programs that draw and listen meanwhile. One thread.

import Glibc
import JSON
import LinuxSystem

/// A connection to a running host; its owner polls the descriptor.
package final class ControlStream {
    /// The descriptor to poll for input, and for output while `wantsToWrite`.
    package let descriptor: Int32
    private var outgoing: [UInt8] = []
    private var incoming: [UInt8] = []
    /// The bytes of `incoming` that are known to hold no end of a line.
    private var searchedCount = 0
    /// True if the host has hung up, or is out of reach.
    package private(set) var isClosed = false

    /// The longest line that is read of a host, in bytes.
    private static let longestLine = 64 << 20

    /// Connects without waiting; throws `SystemError`, with EAGAIN for a host that does not respond.
    package init(_ address: ControlAddress) throws(SystemError) {
        do throws(SystemError) { descriptor = try UnixSocket.connect(to: address.path).release() } catch {
            throw SystemError("reach the host \"\(address.name)\" at \"\(address.path)\"", code: error.code)
        }
    }

    deinit { close(descriptor) }

    /// True if bytes wait for the host.
    package var wantsToWrite: Bool { !outgoing.isEmpty && !isClosed }

    /// The awaited states of the descriptor: input, and room for bytes that wait.
    package var awaited: AwaitedDescriptor { AwaitedDescriptor(descriptor, wantsToWrite ? [.input, .output] : .input) }

    /// Sends a request as soon as the host takes it.
    package func request(_ id: Int, _ method: String, _ fields: [String: JSONValue]) {
        let value = JSONValue.object(["id": .count(id), "method": .text(method), "params": .object(fields)])
        outgoing += value.json + [0x0A]
        write()
    }

    /// Writes as many bytes as the host takes now.
    package func write() {
        while wantsToWrite {
            let count = outgoing.withUnsafeBytes { SystemCall.send($0, to: descriptor) }
            guard count > 0 else {
                if count == 0 || errno != EAGAIN { isClosed = true }
                return
            }
            outgoing.removeFirst(count)
        }
    }

    /// The lines that have come since the last call.
    package func read() -> [[UInt8]] {
        var piece = [UInt8](repeating: 0, count: 65_536)
        while !isClosed {
            let count = piece.withUnsafeMutableBytes { SystemCall.receive(from: descriptor, into: $0) }
            if count < 0, errno == EAGAIN { break }
            guard count > 0, incoming.count < Self.longestLine else {
                isClosed = true
                break
            }
            incoming += piece[..<count]
            if count < piece.count { break }
        }
        return takeLines()
    }

    private func takeLines() -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var start = 0
        while let end = incoming[max(start, searchedCount)...].firstIndex(of: 0x0A) {
            lines.append(Array(incoming[start..<end]))
            start = end + 1
        }
        incoming.removeFirst(start)
        searchedCount = incoming.count
        return lines
    }
}
