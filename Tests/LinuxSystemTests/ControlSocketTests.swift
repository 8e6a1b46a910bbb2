// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Messages and descriptors over a seqpacket socket. Test thread.

import Glibc
import LinuxSystem
import Testing

@Suite struct ControlSocketTests {
    @Test func messagesKeepTheirBoundaries() throws {
        let (near, far) = try ControlSocket.pair()
        for count in 0..<5 {
            try near.send(head: [UInt8(count)], body: [UInt8](repeating: 9, count: count), descriptors: [])
        }
        for count in 0..<5 {
            let received = try far.receive(limit: 100, timeoutMilliseconds: 1000)
            #expect(received.bytes == [UInt8(count)] + [UInt8](repeating: 9, count: count))
        }
    }

    @Test func descriptorsArriveOpenAndCloseOnExec() throws {
        let (near, far) = try ControlSocket.pair()
        let memory = try SharedMemory(name: "passed", byteCount: 4096)
        memory.base.storeBytes(of: 77, as: UInt8.self)
        try near.send(head: [1], body: [], descriptors: Array(repeating: memory.descriptor, count: 16))
        let received = try far.receive(limit: 100, timeoutMilliseconds: 1000)
        #expect(received.descriptors.count == 16)
        for descriptor in received.descriptors {
            #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
            let passed = try SharedMemory(mapping: Descriptor(owning: descriptor), name: "passed", isWritable: false)
            #expect(passed.base.load(as: UInt8.self) == 77)
        }
    }

    @Test func moreThanSixteenDescriptorsAreNotSent() throws {
        let (near, _) = try ControlSocket.pair()
        #expect(throws: SystemError.self) {
            try near.send(head: [1], body: [], descriptors: Array(repeating: 0, count: 17))
        }
    }

    @Test func aMessageLongerThanTheLimitIsAnErrorAndNotATruncation() throws {
        let (near, far) = try ControlSocket.pair()
        try near.send(head: [UInt8](repeating: 1, count: 101), body: [], descriptors: [])
        do throws(SystemError) {
            _ = try far.receive(limit: 100, timeoutMilliseconds: 1000)
            Issue.record("received")
        } catch {
            #expect(error.code == EMSGSIZE)
        }
    }

    @Test func aSilentPeerTimesOut() throws {
        let (near, far) = try ControlSocket.pair()
        let started = MonotonicClock.now()
        do throws(SystemError) {
            _ = try far.receive(limit: 100, timeoutMilliseconds: 30)
            Issue.record("received")
        } catch {
            #expect(error.code == ETIMEDOUT)
        }
        #expect(MonotonicClock.now() - started >= 30_000_000)
        _ = near
    }

    @Test func aClosedPeerIsAMessageOfNoBytes() throws {
        let (near, far) = try ControlSocket.pair()
        shutdown(near.descriptor, Int32(SHUT_RDWR))
        let received = try far.receive(limit: 100, timeoutMilliseconds: 1000)
        #expect(received.bytes.isEmpty && received.descriptors.isEmpty)
    }
}
