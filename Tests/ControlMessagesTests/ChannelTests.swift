// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Whole messages over a real socket pair: long bodies, honest and hostile. Test thread.

import CLinuxShims
import ControlMessages
import Glibc
import LinuxSystem
import TestSupport
import Testing
import Wire

@Suite struct ChannelTests {
    private let near: ControlChannel
    private let far: ControlChannel

    init() throws {
        let (one, other) = try ControlSocket.pair()
        near = ControlChannel(one)
        far = ControlChannel(other)
    }

    private func receive() throws(ControlChannelError) -> MessageFrame {
        let received = try far.receive(timeoutMilliseconds: 2000)
        return received.frame
    }

    private func expectViolation(_ location: SourceLocation = #_sourceLocation) {
        do throws(ControlChannelError) {
            let frame = try receive()
            Issue.record("accepted \(frame.kind), \(frame.body.count) bytes", sourceLocation: location)
        } catch {
            guard case .violation = error else {
                Issue.record("\(error)", sourceLocation: location)
                return
            }
        }
    }

    /// A memfd with these seals and this size; the first `written` bytes are sevens.
    private func file(byteCount: Int, written: Int? = nil, seals: Int32) throws -> Descriptor {
        let number = CLinuxShims_memfdCreate("test body")
        try #require(number >= 0)
        let descriptor = Descriptor(owning: number)
        let bytes = [UInt8](repeating: 7, count: written ?? byteCount)
        try #require(pwrite(number, bytes, bytes.count, 0) == bytes.count)
        try #require(ftruncate(number, byteCount) == 0)
        if seals != 0 { try #require(fcntl(number, 1033, seals) == 0) }
        return descriptor
    }

    private func announce(_ byteCount: Int, _ descriptors: [Int32]) throws {
        var header = MessageFrame(kind: 66, serial: 1, body: []).header(.descriptor)
        for index in 0..<4 { header[12 + index] = UInt8(truncatingIfNeeded: byteCount >> (index * 8)) }
        try near.socket.send(head: header, body: [], descriptors: descriptors)
    }

    /// F_SEAL_SEAL, SHRINK, GROW and WRITE.
    private static let allSeals: Int32 = 1 | 2 | 4 | 8

    @Test(arguments: [0, 1, 32768, 32769, 100_000, 1_000_000])
    func bodiesOfAnyLengthArriveWhole(byteCount: Int) throws {
        var seed = Seed()
        let frame = MessageFrame(kind: 69, serial: 5, body: seed.bytes(byteCount))
        try near.send(frame)
        #expect(try receive() == frame)
    }

    @Test func theLongestBodyOfAllArrivesAndALongerOneDoesNot() throws {
        let frame = MessageFrame(kind: 69, serial: 5, body: [UInt8](repeating: 3, count: WireLimits.bodyByteCount))
        try near.send(frame)
        #expect(try receive().body.count == WireLimits.bodyByteCount)
        try near.send(MessageFrame(kind: 69, serial: 5, body: frame.body + [3]))
        expectViolation()
    }

    @Test func descriptorsComeInTheirOrderBesideALongBody() throws {
        let memories = try (1...3).map { try SharedMemory(name: "\($0)", byteCount: 4096 * $0) }
        let frame = MessageFrame(kind: 2, serial: 5, body: [UInt8](repeating: 3, count: 40_000))
        try near.send(frame, descriptors: memories.map(\.descriptor))
        var received = try far.receive(timeoutMilliseconds: 2000)
        #expect(received.descriptorCount == 3)
        for number in 1...3 {
            var status = stat()
            guard let descriptor = received.takeDescriptor() else { break }
            let isRight = fstat(descriptor.number, &status) == 0 && status.st_size == 4096 * number
            #expect(isRight)
        }
        #expect(received.descriptorCount == 0)
    }

    @Test(arguments: [0, 2 | 4, 1 | 2 | 4, 8, 2 | 8, 4 | 8, 2 | 4 | 8] as [Int32])
    func aBodyThatCanStillChangeIsRefused(seals: Int32) throws {
        let body = try file(byteCount: 40_000, seals: seals)
        try announce(40_000, [body.number])
        expectViolation()
    }

    @Test func aFullySealedBodyIsTheControl() throws {
        let body = try file(byteCount: 40_000, seals: Self.allSeals)
        try announce(40_000, [body.number])
        #expect(try receive().body == [UInt8](repeating: 7, count: 40_000))
    }

    @Test(arguments: [39_999, 40_001, 4096, 0])
    func aBodyOfAnotherSizeThanAnnouncedIsRefused(byteCount: Int) throws {
        let body = try file(byteCount: byteCount, seals: Self.allSeals)
        try announce(40_000, [body.number])
        expectViolation()
    }

    @Test func aSparseBodyOfATerabyteCostsTheReaderNothing() throws {
        let body = try file(byteCount: 1 << 40, written: 16, seals: Self.allSeals)
        let before = Self.blocks(of: body.number)
        try announce(40_000, [body.number])
        expectViolation()
        #expect(Self.blocks(of: body.number) == before, "reading has filled the holes of the sender's file")
    }

    private static func blocks(of descriptor: Int32) -> Int {
        var status = stat()
        fstat(descriptor, &status)
        return Int(status.st_blocks)
    }

    @Test func anAnnouncementOfTwoGigabytesIsRefusedWhateverComesWithIt() throws {
        let body = try file(byteCount: 1 << 31, written: 16, seals: Self.allSeals)
        try announce(1 << 31, [body.number])
        expectViolation()
        try announce(1 << 31, [])
        expectViolation()
    }

    @Test func aBodyThatIsNoMemfdIsRefused() throws {
        let null = Descriptor(owning: open("/dev/null", O_RDONLY))
        try announce(40_000, [null.number])
        expectViolation()
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        try announce(40_000, [ends[0]])
        expectViolation()
        for end in ends { close(end) }
    }

    @Test func anAnnouncedBodyThatDoesNotComeIsRefused() throws {
        try announce(40_000, [])
        expectViolation()
    }

    @Test func aDatagramLongerThanTheProtocolAllowsIsRefused() throws {
        let frame = MessageFrame(kind: 66, serial: 1, body: [UInt8](repeating: 0, count: 32769))
        try near.socket.send(head: frame.header(.datagram), body: frame.body, descriptors: [])
        expectViolation()
    }

    @Test func afterAViolationTheNextMessageIsReadAsUsual() throws {
        try near.socket.send(head: [1, 2, 3], body: [], descriptors: [])
        expectViolation()
        try near.send(MessageFrame(kind: 66, serial: 2, body: []))
        #expect(try receive().serial == 2)
    }

    @Test func noDescriptorOutlivesAMessage() throws {
        let before = Self.openDescriptorCount
        for _ in 0..<50 {
            let memory = try SharedMemory(name: "m", byteCount: 4096)
            try near.send(
                MessageFrame(kind: 2, serial: 1, body: []), descriptors: [memory.descriptor, memory.descriptor])
            _ = try receive()
            try near.socket.send(head: [1, 2, 3], body: [], descriptors: [memory.descriptor])
            expectViolation()
            try announce(40_000, [memory.descriptor, memory.descriptor])
            expectViolation()
        }
        #expect(Self.openDescriptorCount == before)
    }

    private static var openDescriptorCount: Int {
        (0..<1024).count { fcntl(Int32($0), F_GETFD) >= 0 }
    }

    @Test func silenceEndsInATimeoutAndAHangUpInAHangUp() throws {
        #expect(throws: ControlChannelError.timedOut(milliseconds: 20)) {
            _ = try far.receive(timeoutMilliseconds: 20).frame
        }
        shutdown(near.socket.descriptor, Int32(SHUT_RDWR))
        #expect(throws: ControlChannelError.hungUp) { _ = try far.receive(timeoutMilliseconds: 2000).frame }
        #expect(throws: ControlChannelError.hungUp) { try far.send(MessageFrame(kind: 66, serial: 1, body: [])) }
    }

    @Test(arguments: [0, 32_000]) func aPeerThatReadsNothingIsNotWaitedForLongerThanSaid(byteCount: Int) {
        let frame = MessageFrame(kind: 69, serial: 5, body: [UInt8](repeating: 3, count: byteCount))
        #expect(throws: ControlChannelError.timedOut(milliseconds: 50)) {
            for _ in 0..<10_000 { try near.send(frame, timeoutMilliseconds: 50) }
        }
    }
}
