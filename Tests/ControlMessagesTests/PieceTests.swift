// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Long bodies that come in pieces, honest and hostile. Test thread.

import ControlMessages
import Glibc
import LinuxSystem
import TestSupport
import Testing
import Wire

@Suite struct PieceTests {
    private let plugin: ControlChannel
    private let host: ControlChannel

    init() throws {
        let (one, other) = try ControlSocket.pair()
        plugin = ControlChannel(one, sendsPieces: true)
        host = ControlChannel(other)
    }

    /// Sends on a thread of its own: a socket holds only some pieces.
    private func send(_ frames: [MessageFrame]) throws -> LinuxSystem.Thread {
        try LinuxSystem.Thread(name: "plug-in") { [plugin] in
            for frame in frames { try? plugin.send(frame) }
        }
    }

    private func receive(timeoutMilliseconds: Int32 = 2000) throws(ControlChannelError) -> MessageFrame {
        try host.receive(timeoutMilliseconds: timeoutMilliseconds).frame
    }

    private func sendBytes(_ bytes: [UInt8]) throws { try plugin.socket.send(head: bytes, body: [], descriptors: []) }

    private func expectViolation(_ location: SourceLocation = #_sourceLocation) {
        do throws(ControlChannelError) {
            let frame = try receive()
            Issue.record("accepted \(frame.body.count) bytes", sourceLocation: location)
        } catch {
            guard case .violation = error else {
                Issue.record("\(error)", sourceLocation: location)
                return
            }
        }
    }

    private static let long = MessageFrame(kind: 69, serial: 5, body: [UInt8](repeating: 7, count: 100_000))

    @Test(arguments: [0, 1, 32768, 32769, 65536, 65537, 1_000_000, WireLimits.bodyByteCount])
    func bodiesOfAnyLengthArriveWhole(byteCount: Int) throws {
        var seed = Seed()
        let frames = [byteCount, 3].map { MessageFrame(kind: 69, serial: 5, body: seed.bytes($0)) }
        let sender = try send(frames)
        #expect(try receive() == frames[0])
        #expect(try receive() == frames[1])
        sender.join()
    }

    @Test func aReaderThatGaveUpMidwayGetsTheRestLater() throws {
        try sendBytes(Self.long.header(.pieces))
        try sendBytes([UInt8](Self.long.body[..<32768]))
        #expect(throws: ControlChannelError.timedOut(milliseconds: 20)) { try receive(timeoutMilliseconds: 20) }
        try sendBytes([UInt8](Self.long.body[32768..<65536]))
        try sendBytes([UInt8](Self.long.body[65536..<98304]))
        #expect(throws: ControlChannelError.timedOut(milliseconds: 0)) { try receive(timeoutMilliseconds: 0) }
        try sendBytes([UInt8](Self.long.body[98304...]))
        #expect(try receive() == Self.long)
    }

    @Test(arguments: [1, 32767, 32769]) func aPieceOfAnotherLengthIsRefusedAndTheNextMessageIsReadAsUsual(byteCount: Int) throws {
        try sendBytes(Self.long.header(.pieces))
        try sendBytes([UInt8](repeating: 7, count: byteCount))
        expectViolation()
        let next = MessageFrame(kind: 66, serial: 6, body: [1])
        try plugin.send(next)
        #expect(try receive() == next)
    }

    @Test func aBodyInNoPiecesIsRefused() throws {
        try sendBytes(MessageFrame(kind: 69, serial: 5, body: []).header(.pieces))
        expectViolation()
    }

    @Test func descriptorsThatComeWithPiecesAreClosed() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        try plugin.socket.send(head: Self.long.header(.pieces), body: [], descriptors: [ends[1]])
        for start in stride(from: 0, to: 100_000, by: 32768) {
            let piece = [UInt8](Self.long.body[start..<min(start + 32768, 100_000)])
            try plugin.socket.send(head: piece, body: [], descriptors: [ends[1], ends[1]])
        }
        close(ends[1])
        #expect(try receive() == Self.long)
        // Readable without a byte once the last copy is closed.
        var poll = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        #expect(Glibc.poll(&poll, 1, 1000) == 1)
    }
}
