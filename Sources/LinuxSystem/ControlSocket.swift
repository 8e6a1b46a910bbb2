// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A Unix seqpacket socket that carries whole messages and descriptors. Control threads.

import CLinuxShims
import Glibc

/// One end of a connection on which every message arrives whole or not at all.
///
/// `[control]` Any number of control threads may use it.
public final class ControlSocket: @unchecked Sendable {
    // SAFETY: the descriptor never changes; the kernel orders concurrent sends and receives.
    /// The descriptor of this end, which the object owns.
    public let descriptor: Int32

    /// Takes ownership of a connected socket.
    public init(owning descriptor: consuming Descriptor) { self.descriptor = descriptor.release() }

    deinit { close(descriptor) }

    /// Makes two connected ends, both closed on exec.
    public static func pair() throws(SystemError) -> (ControlSocket, ControlSocket) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemError("make a control channel") }
        return (ControlSocket(owning: Descriptor(owning: ends[0])), ControlSocket(owning: Descriptor(owning: ends[1])))
    }

    /// True if a process accepts connections at the Unix stream socket at `path`.
    public static func isAnswered(path: String) -> Bool {
        do throws(SystemError) { _ = try UnixSocket.connect(to: path) } catch {
            // Its queue of waiting connections is full.
            return error.code == EAGAIN
        }
        return true
    }

    /// Sends `head` and `body` as one message, with copies of the descriptors.
    ///
    /// It waits at most `timeoutMilliseconds` for room; -1 waits for ever. Throws ETIMEDOUT after that time, and ECONNRESET
    /// once the process of `peerPidfd` has ended.
    public func send(
        head: [UInt8], body: [UInt8], descriptors: [Int32], timeoutMilliseconds: Int32 = -1, peerPidfd: Int32 = -1
    ) throws(SystemError) {
        let deadline = MonotonicClock.now() + UInt64(max(0, timeoutMilliseconds)) * 1_000_000
        while true {
            let sent = CLinuxShims_send(descriptor, head, head.count, body, body.count, descriptors, Int32(descriptors.count))
            if sent >= 0 { return }
            guard sent == -Int(EAGAIN) else { throw SystemError("send on the control channel", code: Int32(-sent)) }
            try wait(for: .output, timeoutMilliseconds, until: deadline, peerPidfd)
        }
    }

    /// A message and the descriptors that came with it; no bytes mean that the peer has hung up.
    public struct Received {
        /// The bytes of the message.
        public var bytes: [UInt8]
        /// The descriptors; the receiver owns and closes them.
        public var descriptors: [Int32]
    }

    /// Receives the next message of at most `limit` bytes.
    ///
    /// It waits at most `timeoutMilliseconds`; -1 waits for ever. Throws ETIMEDOUT after that time, and ECONNRESET once the
    /// process of `peerPidfd` has ended. The end of that process does not always hang up: one of its children may still hold
    /// the other end.
    public func receive(limit: Int, timeoutMilliseconds: Int32, peerPidfd: Int32 = -1) throws(SystemError) -> Received {
        let deadline = MonotonicClock.now() + UInt64(max(0, timeoutMilliseconds)) * 1_000_000
        try wait(for: .input, timeoutMilliseconds, until: deadline, peerPidfd)
        var descriptors = [Int32](repeating: -1, count: 16)
        var count: Int32 = 0
        var received = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
            received = CLinuxShims_receive(self.descriptor, buffer.baseAddress!, limit, &descriptors, &count)
            filled = max(0, received)
        }
        guard received >= 0 else { throw SystemError("receive on the control channel", code: Int32(-received)) }
        return Received(bytes: bytes, descriptors: Array(descriptors.prefix(Int(count))))
    }

    /// Tells the peer that this end will neither read nor write again.
    public func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// True if the peer has hung up, even if its messages have not been read.
    public var hasHungUp: Bool {
        !Descriptor.wait(for: [AwaitedDescriptor(descriptor, [])], nanoseconds: 0)[0].isEmpty
    }

    /// Waits until the peer has hung up, even if its messages have not been read.
    public func waitUntilHungUp() {
        // No event is requested: the kernel reports a hang-up in any case.
        Descriptor.wait(for: [AwaitedDescriptor(descriptor, [])], nanoseconds: nil)
    }

    private func wait(
        for event: DescriptorEvents, _ timeoutMilliseconds: Int32, until deadline: UInt64, _ peerPidfd: Int32
    ) throws(SystemError) {
        var peerHasEnded = false
        while true {
            let now = MonotonicClock.now()
            let left = timeoutMilliseconds < 0 ? nil : max(deadline, now) - now
            let events = Descriptor.wait(
                for: [AwaitedDescriptor(descriptor, event), AwaitedDescriptor(peerPidfd)], nanoseconds: peerHasEnded ? 0 : left)
            if !events[0].isEmpty { return }
            if peerHasEnded { throw SystemError("hear from a peer that has ended", code: ECONNRESET) }
            guard !events[1].isEmpty else {
                throw SystemError("hear from the peer within \(timeoutMilliseconds) ms", code: ETIMEDOUT)
            }
            // Its last message may have arrived between the check of the socket and the check of the process.
            peerHasEnded = true
        }
    }
}
