// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One client of a host: what it has sent and what waits for it. The server's thread reads and writes, any thread adds lines.

import Glibc
import JSON
import LinuxSystem
import Synchronization

/// A client's connection.
final class ControlConnection: Sendable {
    /// The most bytes that wait for a client before it is dropped.
    static let mostWaitingBytes = 4 << 20
    /// The bytes from which on events that may be missed are left out.
    static let skippingBytes = 64 << 10

    let descriptor: Int32
    private let waiting = Mutex(Waiting())
    private let wakeUp: EventDescriptor

    private struct Waiting {
        var bytes: [UInt8] = []
        var isOverfull = false
        var topics: Set<ControlTopic> = []
        /// Nanoseconds between two events of meters and load.
        var interval: UInt64 = 50_000_000
        var lastEvents: [ControlTopic: UInt64] = [:]
        /// The highest peaks since the last event of meters.
        var peaks: (left: Float, right: Float) = (0, 0)
        /// Whether a request has not been answered yet for which the next one waits.
        var isBusy = false
        /// Whether a search has not been answered yet.
        var isSearching = false
    }

    /// Takes over a connected socket.
    init(_ descriptor: Int32, waking wakeUp: EventDescriptor) { (self.descriptor, self.wakeUp) = (descriptor, wakeUp) }

    deinit { close(descriptor) }

    /// Adds an answer for the client, and has the server write it.
    func send(_ line: [UInt8]) {
        add(line)
        wakeUp.ring()
    }

    /// Adds an answer for the client, which the server writes when it looks at the client next.
    func add(_ line: [UInt8]) { waiting.withLock { $0.bytes += line } }

    /// Adds an event; a client for which too much waits is dropped.
    private func sendEvent(_ line: [UInt8]) { _ = offer(line, isForced: true) }

    /// Sends a line, unless the client has not read what came before and the line is not forced on it; false if it is not sent.
    ///
    /// A client for which too much waits is dropped.
    func offer(_ line: [UInt8], isForced: Bool) -> Bool {
        let isSent = waiting.withLock { waiting in
            guard isForced || waiting.bytes.count <= Self.skippingBytes else { return false }
            guard waiting.bytes.count + line.count <= Self.mostWaitingBytes else {
                waiting.isOverfull = true
                return true
            }
            waiting.bytes += line
            return true
        }
        if isSent { wakeUp.ring() }
        return isSent
    }

    /// Whether so much waits for the client that its next request has to wait, too.
    var isBehind: Bool { waiting.withLock { $0.bytes.count > Self.skippingBytes } }

    /// Sends an event if the client watches its topic, and for meters and load if it is time.
    func send(_ line: [UInt8], of topic: ControlTopic, at now: UInt64) {
        let isWanted = waiting.withLock { waiting in
            guard waiting.topics.contains(topic) else { return false }
            guard topic.maySkip else { return true }
            guard waiting.bytes.count < Self.skippingBytes, now >= waiting.lastEvents[topic, default: 0] &+ waiting.interval else {
                return false
            }
            waiting.lastEvents[topic] = now
            return true
        }
        if isWanted { sendEvent(line) }
    }

    /// Sends the highest peaks since the last event of meters, if the client watches them and it is time.
    func sendMeters(_ peaks: (left: Float, right: Float), at now: UInt64) {
        let highest = waiting.withLock { waiting -> (left: Float, right: Float)? in
            guard waiting.topics.contains(.meters) else { return nil }
            waiting.peaks = (max(waiting.peaks.left, peaks.left), max(waiting.peaks.right, peaks.right))
            guard now >= waiting.lastEvents[.meters, default: 0] &+ waiting.interval else { return nil }
            defer { waiting.peaks = (0, 0) }
            return waiting.peaks
        }
        guard let highest else { return }
        let values = [highest.left, highest.right].map { JSONValue.number(Double($0)) }
        send(ControlLine.event(.meters, .object(["peaks": .list(values)])), of: .meters, at: now)
    }

    func watch(_ topics: Set<ControlTopic>, interval: UInt64?) {
        waiting.withLock { waiting in
            waiting.topics = topics
            if let interval { waiting.interval = interval }
        }
    }

    var topics: Set<ControlTopic> { waiting.withLock { $0.topics } }

    /// Whether a request is being carried out; the next one is read after its answer.
    var isBusy: Bool {
        get { waiting.withLock { $0.isBusy } }
        set { waiting.withLock { $0.isBusy = newValue } }
    }

    /// Whether a search is being carried out, besides which the client is served.
    var isSearching: Bool {
        get { waiting.withLock { $0.isSearching } }
        set { waiting.withLock { $0.isSearching = newValue } }
    }

    /// Whether the client has not hung up.
    var isThere: Bool {
        Descriptor.wait(for: [AwaitedDescriptor(descriptor, [])], nanoseconds: 0)[0].isEmpty
    }

    /// Has the server look at the client.
    func wake() { wakeUp.ring() }

    /// Whether bytes wait for the client.
    var hasWaitingBytes: Bool { waiting.withLock { !$0.bytes.isEmpty } }

    /// Writes as much as the client takes; false once it is gone, or reads too slowly.
    func flush() -> Bool {
        waiting.withLock { waiting in
            guard !waiting.isOverfull else { return false }
            while !waiting.bytes.isEmpty {
                let count = waiting.bytes.withUnsafeBytes { SystemCall.send($0, to: descriptor) }
                if count < 0 { return errno == EAGAIN }
                waiting.bytes.removeFirst(count)
            }
            return true
        }
    }
}
