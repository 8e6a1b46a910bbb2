// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Whole messages over the control socket; long ones lie in a sealed memfd, or come in pieces. Control threads of both sides.

import CWireLayout
import Glibc
import LinuxSystem
import Synchronization
import Wire

/// A failure of a control channel.
package enum ControlChannelError: Error, Hashable, Sendable {
    /// The peer closed its end, or its process ended.
    case hungUp
    /// No bytes arrived in time, or the peer made no room in time.
    case timedOut(milliseconds: Int32)
    /// The peer sent data that the protocol does not allow.
    case violation(WireViolation)
    /// A system call failed.
    case system(SystemError)
}

/// A message with its descriptors.
package struct ReceivedFrame: ~Copyable {
    /// The message.
    package let frame: MessageFrame
    private var descriptors: [Int32]

    fileprivate init(frame: MessageFrame, descriptors: [Int32]) {
        self.frame = frame
        self.descriptors = descriptors
    }

    deinit { descriptors.forEach { close($0) } }

    /// The number of descriptors that have not been taken.
    package var descriptorCount: Int { descriptors.count }

    /// Gives the next descriptor to the caller; nil if none is left.
    package mutating func takeDescriptor() -> Descriptor? {
        descriptors.isEmpty ? nil : Descriptor(owning: descriptors.removeFirst())
    }
}

/// A control socket that carries frames.
///
/// `[control]` Any thread may send; one thread receives.
package final class ControlChannel: Sendable {
    /// The socket, which lives as long as the channel.
    package let socket: ControlSocket
    /// Readable once the peer's process has ended; -1 if no pidfd is known.
    private let peerPidfd: Int32
    /// True if long bodies are sent in pieces.
    private let sendsPieces: Bool
    /// Held by a sender until the last piece of its message has been sent.
    private let sending = Mutex(())
    /// The message that lacks pieces.
    ///
    /// It is kept if a reader stops waiting for them.
    private let arriving = Mutex<ArrivingMessage?>(nil)

    /// Makes a channel; the end of the process of `peerPidfd` counts as a hang-up.
    ///
    /// The pidfd remains the caller's, and must outlive the channel. A confined process cannot make a memfd for a long body: it
    /// sends pieces.
    package init(_ socket: ControlSocket, peerPidfd: Int32 = -1, sendsPieces: Bool = false) {
        self.socket = socket
        self.peerPidfd = peerPidfd
        self.sendsPieces = sendsPieces
    }

    /// Sends a frame with copies of `descriptors`.
    ///
    /// If the peer has not read earlier messages, it waits at most `timeoutMilliseconds` for room; -1 waits for ever. A frame
    /// in pieces waits as long for each piece, and cannot carry descriptors.
    ///
    /// Throws `hungUp`, `timedOut` or `system`.
    package func send(
        _ frame: MessageFrame, descriptors: [Int32] = [], timeoutMilliseconds: Int32 = -1
    ) throws(ControlChannelError) {
        do throws(SystemError) {
            try sending.withLock { _ throws(SystemError) in
                if frame.body.count <= WireLimits.inlineByteCount {
                    try send(frame.header(.datagram), frame.body, descriptors, timeoutMilliseconds)
                } else if sendsPieces {
                    try send(frame.header(.pieces), [], [], timeoutMilliseconds)
                    for start in stride(from: 0, to: frame.body.count, by: WireLimits.inlineByteCount) {
                        let end = min(start + WireLimits.inlineByteCount, frame.body.count)
                        try send([], Array(frame.body[start..<end]), [], timeoutMilliseconds)
                    }
                } else {
                    let body = try SharedMemory.sealed(name: "bulkhead-message", contents: frame.body)
                    try send(frame.header(.descriptor), [], descriptors + [body.number], timeoutMilliseconds)
                }
            }
        } catch {
            switch error.code {
            case ETIMEDOUT: throw .timedOut(milliseconds: timeoutMilliseconds)
            case EPIPE, ECONNRESET: throw .hungUp
            default: throw .system(error)
            }
        }
    }

    private func send(_ head: [UInt8], _ body: [UInt8], _ descriptors: [Int32], _ timeout: Int32) throws(SystemError) {
        try socket.send(head: head, body: body, descriptors: descriptors, timeoutMilliseconds: timeout, peerPidfd: peerPidfd)
    }

    /// Waits for the next frame, at most `timeoutMilliseconds`; -1 waits for ever.
    ///
    /// Throws `hungUp`, `timedOut`, `violation` or `system`. After `timedOut` the next call continues with the same frame.
    package func receive(timeoutMilliseconds: Int32 = -1) throws(ControlChannelError) -> ReceivedFrame {
        let start = MonotonicClock.now()
        while true {
            let passed = Int32(clamping: (MonotonicClock.now() - start) / 1_000_000)
            let left = timeoutMilliseconds < 0 ? -1 : max(0, timeoutMilliseconds - passed)
            let datagram = try datagram(left, timeoutMilliseconds)
            if datagram.bytes.isEmpty && datagram.descriptors.isEmpty { throw .hungUp }
            if let frame = try take(datagram) { return frame }
        }
    }

    private func datagram(_ left: Int32, _ timeout: Int32) throws(ControlChannelError) -> ControlSocket.Received {
        do throws(SystemError) {
            let limit = MessageFrame.headerByteCount + WireLimits.inlineByteCount
            return try socket.receive(limit: limit, timeoutMilliseconds: left, peerPidfd: peerPidfd)
        } catch {
            switch error.code {
            case ETIMEDOUT: throw .timedOut(milliseconds: timeout)
            case EPIPE, ECONNRESET: throw .hungUp
            case EMSGSIZE: throw .violation(WireViolation("a message longer than the protocol allows"))
            default: throw .system(error)
            }
        }
    }

    /// Adds a datagram to the arriving message; returns a frame once it is whole.
    private func take(_ datagram: ControlSocket.Received) throws(ControlChannelError) -> ReceivedFrame? {
        var descriptors = datagram.descriptors
        do throws(WireViolation) {
            let frame = try arriving.withLock { (arriving) throws(WireViolation) -> MessageFrame? in
                // The arriving message is dropped if the datagram is not its next piece.
                guard var message = arriving.take() else { return try Self.begin(datagram.bytes, &descriptors, &arriving) }
                try message.add(datagram.bytes)
                guard !message.isWhole else { return message.frame }
                arriving = message
                return nil
            }
            // A piece comes without descriptors.
            guard let frame else {
                descriptors.forEach { close($0) }
                return nil
            }
            return ReceivedFrame(frame: frame, descriptors: descriptors)
        } catch {
            descriptors.forEach { close($0) }
            throw .violation(error)
        }
    }

    /// Reads the first datagram of a message; nil if pieces follow.
    private static func begin(
        _ bytes: [UInt8], _ descriptors: inout [Int32], _ arriving: inout ArrivingMessage?
    ) throws(WireViolation) -> MessageFrame? {
        let announcement = try MessageFrame.announcement(of: bytes)
        switch announcement.place {
        case .datagram: return try MessageFrame(bytes)
        case .descriptor:
            guard let last = descriptors.popLast() else { throw WireViolation("a message without its body") }
            let body = try SealedBody.read(Descriptor(owning: last), byteCount: announcement.byteCount)
            return MessageFrame(kind: announcement.kind, serial: announcement.serial, body: body)
        case .pieces:
            guard announcement.byteCount > 0 else { throw WireViolation("a message in no pieces") }
            arriving = ArrivingMessage(announcement)
            return nil
        }
    }
}
