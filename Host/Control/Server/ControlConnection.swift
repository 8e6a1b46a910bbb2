// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One client of a host: its input and the lines that wait for it. The server's thread reads and writes, any thread adds lines.

import Glibc
import JSON
import LinuxSystem
import Synchronization

/// A client's connection.
final class ControlConnection: Sendable {
    /// The most bytes that wait for a client before it is dropped.
    static let mostWaitingBytes = 4 << 20
    /// The number of waiting bytes from which on events are left out, if the client may miss them.
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
        /// True while a request without an answer holds back the next one.
        var isBusy = false
        /// True while a search has no answer yet.
        var isSearching = false
    }

    /// Takes over a connected socket.
    init(_ descriptor: Int32, waking wakeUp: EventDescriptor) { (self.descriptor, self.wakeUp) = (descriptor, wakeUp) }

    deinit { close(descriptor) }

    /// Adds an answer for the client, and wakes the server to write it.
    func send(_ line: [UInt8]) {
        add(line)
        wakeUp.ring()
    }

    /// Adds an answer for the client, which the server writes at its next look.
    func add(_ line: [UInt8]) { waiting.withLock { $0.bytes += line } }

    /// Adds an event, and drops the client if too much waits for it.
    private func sendEvent(_ line: [UInt8]) { _ = offer(line, isForced: true) }

    /// Sends a line if the client has read all lines before, or if the line is forced; false otherwise.
    ///
    /// Drops the client if too much waits for it.
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

    /// True if so much waits for the client that its next request has to wait, too.
    var isBehind: Bool { waiting.withLock { $0.bytes.count > Self.skippingBytes } }

    /// Sends an event if the client watches its topic; meters and load have an interval, too.
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

    /// Sends the highest peaks since the last event of meters, if the client watches them and the interval is over.
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

    /// True while a request is carried out; the next one is read after its answer.
    var isBusy: Bool {
        get { waiting.withLock { $0.isBusy } }
        set { waiting.withLock { $0.isBusy = newValue } }
    }

    /// True while a search is carried out; the client's other requests are served meanwhile.
    var isSearching: Bool {
        get { waiting.withLock { $0.isSearching } }
        set { waiting.withLock { $0.isSearching = newValue } }
    }

    /// True until the client hangs up.
    var isThere: Bool {
        Descriptor.wait(for: [AwaitedDescriptor(descriptor, [])], nanoseconds: 0)[0].isEmpty
    }

    /// Wakes the server for the client.
    func wake() { wakeUp.ring() }

    /// True if bytes wait for the client.
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
