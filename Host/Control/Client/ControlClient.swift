// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A client of a running host: sends requests and reads lines. One thread.

import Glibc
import JSON
import LinuxSystem

/// A connection to a running host.
public final class ControlClient {
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    private var next = 0
    /// The lines that came before the awaited answer.
    private var waiting: [JSONValue] = []
    private static let longestAnswer = 64 << 20

    /// Connects; throws `SystemError`, or `ControlError` if the host refuses the client.
    public init(_ address: ControlAddress) throws {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw SystemError("make a socket") }
        descriptor = number
        let connected = try address.withSocketAddress { connect(number, $0, $1) }
        guard connected == 0 else { throw SystemError("reach the host \"\(address.name)\" at \"\(address.path)\"") }
        let hello = try line()
        if let error = hello["error"] { throw Self.error(error) }
        guard hello["bulkheadControl"]?.number == Double(ControlLine.version) else {
            throw ControlError(.refused, "The host \"\(address.name)\" speaks another version of the control protocol.")
        }
    }

    deinit { close(descriptor) }

    /// Calls a method and waits for its result.
    public func call(_ method: String, _ fields: [String: JSONValue] = [:]) throws -> JSONValue {
        next += 1
        let id = JSONValue.number(Double(next))
        try send(.object(["id": id, "method": .text(method), "params": .object(fields)]))
        while true {
            let line = try line()
            guard line["id"] == id else {
                waiting.append(line)
                continue
            }
            if let error = line["error"] { throw Self.error(error) }
            return line["result"] ?? .null
        }
    }

    /// Waits for the next event, and returns it; nil if a signal comes and `isStopped` returns true.
    public func event(unless isStopped: () -> Bool = { false }) throws -> JSONValue? {
        waiting.isEmpty ? try line(unless: isStopped) : waiting.removeFirst()
    }

    private static func error(_ error: JSONValue) -> ControlError {
        let code = error["code"]?.text.flatMap(ControlError.Code.init) ?? .refused
        return ControlError(code, error["message"]?.text ?? "The host gave no reason.")
    }

    private func send(_ value: JSONValue) throws {
        var rest = (value.json + [0x0A])[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { SystemCall.send($0, to: descriptor, isBlocking: true) }
            guard count > 0 else { throw SystemError("send to the host") }
            rest = rest.dropFirst(count)
        }
    }

    private func line() throws -> JSONValue { try line { false } ?? .null }

    private func line(unless isStopped: () -> Bool) throws -> JSONValue? {
        var searched = 0
        while true {
            if let end = bytes[searched...].firstIndex(of: 0x0A) {
                let line = Array(bytes[..<end])
                bytes.removeFirst(end + 1)
                guard let value = JSONValue(json: line) else { throw ControlError(.malformed, "The host's line is not JSON.") }
                return value
            }
            searched = bytes.count
            guard bytes.count < Self.longestAnswer else { throw ControlError(.malformed, "The host's answer has no end.") }
            var piece = [UInt8](repeating: 0, count: 65_536)
            let count = UnixSocket.receive(&piece, waitingAt: descriptor)
            if count < 0, errno == EINTR {
                if isStopped() { return nil }
                continue
            }
            guard count >= 0 else { throw SystemError("hear from the host") }
            guard count > 0 else { throw ControlError(.ending, "The host has ended the connection.") }
            bytes += piece[..<count]
        }
    }
}
