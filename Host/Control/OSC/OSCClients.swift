// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Who is told of changes by OSC, and how often senders are told of errors. Guarded by the server.

/// The senders that watch.
struct OSCClients {
    /// The most of them.
    static let mostClients = 32
    /// How long one is told of changes without a packet of its own, in nanoseconds.
    static let patience: UInt64 = 60_000_000_000
    /// The most errors that are told in a second.
    private static let errorsInSecond = 20
    /// How long a client's own value is not told to it, and the most of them that are kept.
    private static let (echoTime, mostValues): (UInt64, Int) = (1_000_000_000, 256)

    private struct Client {
        var topics: Set<ControlTopic>
        var heard: UInt64
        /// What the client has set itself, and when.
        var values: [String: (value: Double, time: UInt64)] = [:]
    }

    private var clients: [OSCPeer: Client] = [:]
    private var (second, errorCount): (UInt64, Int) = (0, 0)

    /// Notes a packet of a sender, and forgets those that have been silent for too long.
    mutating func hear(_ peer: OSCPeer, at now: UInt64) {
        clients[peer]?.heard = now
        forget(at: now)
    }

    private mutating func forget(at now: UInt64) {
        guard clients.contains(where: { !isThere($0.value, at: now) }) else { return }
        clients = clients.filter { isThere($0.value, at: now) }
    }

    private func isThere(_ client: Client, at now: UInt64) -> Bool { now < client.heard + Self.patience }

    /// Has a sender watch topics; without any it watches nothing more.
    ///
    /// False where there are too many.
    mutating func watch(_ peer: OSCPeer, _ topics: Set<ControlTopic>, at now: UInt64) -> Bool {
        guard !topics.isEmpty else {
            clients[peer] = nil
            return true
        }
        guard clients[peer] != nil || clients.count < Self.mostClients else { return false }
        clients[peer, default: Client(topics: topics, heard: now)].topics = topics
        return true
    }

    /// Notes what a sender sets, so that it is not told.
    mutating func note(_ value: Double, at path: String, by peer: OSCPeer, at now: UInt64) {
        guard clients[peer] != nil else { return }
        if clients[peer]?.values.count ?? 0 >= Self.mostValues { clients[peer]?.values = [:] }
        clients[peer]?.values[path] = (value, now)
    }

    /// Who is told of a topic, and of a value that did not set it.
    func watchers(of topic: ControlTopic, path: String? = nil, value: Double? = nil, at now: UInt64) -> [OSCPeer] {
        clients.filter { _, client in
            guard client.topics.contains(topic), isThere(client, at: now) else { return false }
            guard let path, let value, let own = client.values[path] else { return true }
            return own.value != value || now &- own.time > Self.echoTime
        }.map(\.key)
    }

    /// Whether anybody watches any of the topics.
    func isWatched(_ topics: Set<ControlTopic>, at now: UInt64) -> Bool {
        clients.contains { !$0.value.topics.isDisjoint(with: topics) && isThere($0.value, at: now) }
    }

    /// Whether one more error may be told.
    mutating func mayTellError(at now: UInt64) -> Bool {
        if now &- second > 1_000_000_000 { (second, errorCount) = (now, 0) }
        errorCount += 1
        return errorCount <= Self.errorsInSecond
    }
}
