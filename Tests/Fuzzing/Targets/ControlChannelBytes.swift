// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Datagrams as they come out of the control socket: headers, and bodies that lie in descriptors. The fuzzer's thread.

import CLinuxShims
import CWireLayout
import ControlMessages
import Glibc
import LinuxSystem
import Wire

extension FuzzTarget {
    static let frame = FuzzTarget(
        "frame",
        seeds: [MessageFrame(kind: 66, serial: 1, body: [1, 2, 3]).bytes, MessageFrame(kind: 1, serial: 2, body: []).bytes]
    ) { bytes in
        _ = try? MessageFrame.announcement(of: bytes)
        guard let frame = try? MessageFrame(bytes) else { return }
        precondition(frame.bytes == bytes)
    }

    /// A byte that chooses how the message is sent, and a message whose body may travel in a memfd or in a piece.
    static let controlChannel = FuzzTarget("control-channel", seeds: Datagram.seeds) { bytes in
        guard let bench = try? ChannelBench.shared.get() else { fatalError("no socket") }
        let descriptors = bench.lowestFreeDescriptor()
        bench.pass(Datagram(bytes))
        precondition(bench.lowestFreeDescriptor() == descriptors, "a descriptor is left open")
    }
}

/// The message to send, and how.
private struct Datagram {
    let manner: UInt8
    let head: [UInt8]
    let body: [UInt8]

    init(_ bytes: [UInt8]) {
        manner = bytes.first ?? 0
        head = Array(bytes.dropFirst().prefix(MessageFrame.headerByteCount))
        // Makes the message longer than a datagram may be.
        let padding = manner & 8 != 0 ? [UInt8](repeating: 0, count: WireLimits.inlineByteCount) : []
        body = Array(bytes.dropFirst(1 + MessageFrame.headerByteCount)) + padding
    }

    var bodyTravelsInDescriptor: Bool { manner & 1 != 0 }
    var isSealed: Bool { manner & 2 == 0 }
    var hasStranger: Bool { manner & 4 != 0 }

    /// Whether the reader will wait for pieces.
    var isBeforePieces: Bool {
        let announcement = try? MessageFrame.announcement(of: head + (bodyTravelsInDescriptor ? [] : body))
        return announcement.map { $0.place == .pieces && $0.byteCount > 0 } ?? false
    }

    static var seeds: [[UInt8]] {
        let frame = MessageFrame(kind: 66, serial: 1, body: [1, 2, 3])
        let apart = frame.header(.descriptor) + frame.body
        return [[0] + frame.bytes, [1] + apart, [3] + apart, [5] + apart, [12] + frame.bytes, [0] + frame.header(.pieces)]
    }
}

/// Both ends of a channel.
private struct ChannelBench: Sendable {
    static let shared = Result { try ChannelBench() }

    private let sender: ControlSocket
    private let receiver: ControlChannel

    init() throws {
        let (near, far) = try ControlSocket.pair()
        sender = near
        receiver = ControlChannel(far)
    }

    func lowestFreeDescriptor() -> CInt {
        let number = fcntl(receiver.socket.descriptor, F_DUPFD_CLOEXEC, 0)
        close(number)
        return number
    }

    func pass(_ datagram: Datagram) {
        guard (try? send(datagram)) != nil else { return }
        // An empty message is a hang-up. Everything else gets a message or an error at once.
        do throws(ControlChannelError) {
            var received = try receiver.receive(timeoutMilliseconds: 1000)
            precondition(received.frame.body.count <= WireLimits.bodyByteCount)
            precondition(!datagram.bodyTravelsInDescriptor || datagram.head[6] != 1 || datagram.isSealed, "a body that can change")
            while received.takeDescriptor() != nil {}
        } catch {
            if case .timedOut = error { fatalError("a message went lost") }
        }
    }

    private func send(_ datagram: Datagram) throws {
        var passed: [Descriptor.Box] = []
        if datagram.hasStranger { passed.append(Descriptor.Box(try Self.memory(holding: []))) }
        if datagram.bodyTravelsInDescriptor {
            let memory =
                datagram.isSealed
                ? try SharedMemory.sealed(name: "body", contents: datagram.body) : try Self.memory(holding: datagram.body)
            passed.append(Descriptor.Box(memory))
        }
        try sender.send(
            head: datagram.head, body: datagram.bodyTravelsInDescriptor ? [] : datagram.body,
            descriptors: passed.map(\.number), timeoutMilliseconds: 1000)
        // All of the body, or a piece that is too short.
        if datagram.isBeforePieces { try sender.send(head: [0], body: [], descriptors: [], timeoutMilliseconds: 1000) }
    }

    /// Memory that can still change.
    private static func memory(holding bytes: [UInt8]) throws -> Descriptor {
        let number = CLinuxShims_memfdCreate("body")
        guard number >= 0, write(number, bytes, bytes.count) == bytes.count else { throw SystemError("make memory") }
        return Descriptor(owning: number)
    }
}

extension Descriptor {
    /// A descriptor in an array.
    fileprivate final class Box {
        private let descriptor: Descriptor
        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
        var number: CInt { descriptor.number }
    }
}
