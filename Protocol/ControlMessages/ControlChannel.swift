// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Whole messages over the control socket; long ones lie in a sealed memfd. Control threads of both sides.

import CWireLayout
import Glibc
import LinuxSystem
import Wire

/// What went wrong on a control channel.
package enum ControlChannelError: Error, Hashable, Sendable {
    /// The peer closed its end, or its process ended.
    case hungUp
    /// Nothing arrived in time, or the peer made no room in time.
    case timedOut(milliseconds: Int32)
    /// The peer sent something that the protocol does not allow.
    case violation(WireViolation)
    /// A system call failed.
    case system(SystemError)
}

/// A message with the descriptors that came with it.
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

    /// Hands the next descriptor over to the caller; nil if there is none left.
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

    /// Makes a channel; the end of the process of `peerPidfd` counts as a hang-up.
    ///
    /// The pidfd remains the caller's, and must outlive the channel.
    package init(_ socket: ControlSocket, peerPidfd: Int32 = -1) {
        self.socket = socket
        self.peerPidfd = peerPidfd
    }

    /// Sends a frame with copies of `descriptors`.
    ///
    /// If the peer has not read earlier messages, it waits at most `timeoutMilliseconds` for room; -1 waits for ever.
    /// Throws `hungUp`, `timedOut` or `system`.
    package func send(
        _ frame: MessageFrame, descriptors: [Int32] = [], timeoutMilliseconds: Int32 = -1
    ) throws(ControlChannelError) {
        do throws(SystemError) {
            if frame.body.count <= WireLimits.inlineByteCount {
                return try socket.send(
                    head: frame.header(bodyInDescriptor: false), body: frame.body, descriptors: descriptors,
                    timeoutMilliseconds: timeoutMilliseconds, peerPidfd: peerPidfd)
            }
            let body = try SharedMemory.sealed(name: "bulkhead-message", contents: frame.body)
            try socket.send(
                head: frame.header(bodyInDescriptor: true), body: [], descriptors: descriptors + [body.number],
                timeoutMilliseconds: timeoutMilliseconds, peerPidfd: peerPidfd)
        } catch {
            switch error.code {
            case ETIMEDOUT: throw .timedOut(milliseconds: timeoutMilliseconds)
            case EPIPE, ECONNRESET: throw .hungUp
            default: throw .system(error)
            }
        }
    }

    /// Waits for the next frame, at most `timeoutMilliseconds`; -1 waits for ever.
    ///
    /// Throws `hungUp`, `timedOut`, `violation` or `system`.
    package func receive(timeoutMilliseconds: Int32 = -1) throws(ControlChannelError) -> ReceivedFrame {
        let received: ControlSocket.Received
        do throws(SystemError) {
            let limit = MessageFrame.headerByteCount + WireLimits.inlineByteCount
            received = try socket.receive(limit: limit, timeoutMilliseconds: timeoutMilliseconds, peerPidfd: peerPidfd)
        } catch {
            switch error.code {
            case ETIMEDOUT: throw .timedOut(milliseconds: timeoutMilliseconds)
            case EPIPE, ECONNRESET: throw .hungUp
            case EMSGSIZE: throw .violation(WireViolation("a message longer than the protocol allows"))
            default: throw .system(error)
            }
        }
        if received.bytes.isEmpty && received.descriptors.isEmpty { throw .hungUp }
        return try Self.assemble(received)
    }

    private static func assemble(_ received: ControlSocket.Received) throws(ControlChannelError) -> ReceivedFrame {
        var descriptors = received.descriptors
        do throws(WireViolation) {
            let announcement = try MessageFrame.announcement(of: received.bytes)
            guard announcement.bodyInDescriptor else {
                return ReceivedFrame(frame: try MessageFrame(received.bytes), descriptors: descriptors)
            }
            guard let last = descriptors.popLast() else { throw WireViolation("a message without its body") }
            let body = try SealedBody.read(Descriptor(owning: last), byteCount: announcement.byteCount)
            let frame = MessageFrame(kind: announcement.kind, serial: announcement.serial, body: body)
            return ReceivedFrame(frame: frame, descriptors: descriptors)
        } catch {
            descriptors.forEach { close($0) }
            throw .violation(error)
        }
    }
}
