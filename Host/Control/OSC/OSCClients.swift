// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The clients that watch changes by OSC, and a limit on error messages to senders. Guarded by the server.

import OpenSoundControl

/// The senders that watch.
struct OSCClients {
    /// The most clients.
    static let mostClients = 32
    /// The time for which a client gets changes without a packet of its own, in nanoseconds.
    static let patience: UInt64 = 60_000_000_000
    /// The most errors that are sent in a second.
    private static let errorsInSecond = 20
    /// The time for which a client does not get its own values back, in nanoseconds, and the most values that are kept.
    private static let (echoTime, mostValues): (UInt64, Int) = (1_000_000_000, 256)

    /// The most bytes that go to an address in the network for each of its packets, until it has answered.
    ///
    /// Anybody can send a packet in another machine's name, and would have it flooded.
    static let unansweredBytes = 2048

    private struct Client {
        var topics: Set<ControlTopic>
        var heard: UInt64
        /// The number that the address has to send back; nil once it has, and on this machine.
        var question: Int?
        /// The bytes that may go to an address that has not answered.
        var allowance = OSCClients.unansweredBytes
        /// The values that the client has set, each with its time.
        var values: [String: (value: Double, time: UInt64)] = [:]
    }

    private var clients: [OSCPeer: Client] = [:]
    private var (second, errorCount): (UInt64, Int) = (0, 0)

    /// Notes a packet of a sender, and forgets senders that have been silent for too long.
    mutating func hear(_ peer: OSCPeer, at now: UInt64) {
        clients[peer]?.heard = now
        clients[peer]?.allowance = Self.unansweredBytes
        forget(at: now)
    }

    private mutating func forget(at now: UInt64) {
        guard clients.contains(where: { !isThere($0.value, at: now) }) else { return }
        clients = clients.filter { isThere($0.value, at: now) }
    }

    private func isThere(_ client: Client, at now: UInt64) -> Bool { now < client.heard + Self.patience }

    /// Lets a sender watch topics; an empty set ends its watch.
    ///
    /// Returns false if too many clients watch.
    mutating func watch(_ peer: OSCPeer, _ topics: Set<ControlTopic>, at now: UInt64) -> Bool {
        guard !topics.isEmpty else {
            clients[peer] = nil
            return true
        }
        guard clients[peer] != nil || clients.count < Self.mostClients else { return false }
        // A controller may send it back as a float.
        let question = peer.isOnThisMachine ? nil : Int.random(in: 1..<1 << 24)
        clients[peer, default: Client(topics: topics, heard: now, question: question)].topics = topics
        return true
    }

    /// The number that a sender has to send back; nil if it has, or need not.
    func question(for peer: OSCPeer) -> Int? { clients[peer]?.question }

    /// Takes an answer; with the right number the address is the sender's own.
    mutating func take(answer: Int, of peer: OSCPeer) {
        if clients[peer]?.question == answer { clients[peer]?.question = nil }
    }

    /// The addresses among these that may get so many bytes more.
    mutating func admit(_ peers: [OSCPeer], byteCount: Int) -> [OSCPeer] {
        peers.filter { peer in
            guard let client = clients[peer], client.question != nil else { return clients[peer] != nil }
            guard client.allowance >= byteCount else { return false }
            clients[peer]?.allowance -= byteCount
            return true
        }
    }

    /// Notes a value that a sender sets, so that the sender does not get it back.
    mutating func note(_ value: Double, at path: String, by peer: OSCPeer, at now: UInt64) {
        guard clients[peer] != nil else { return }
        if clients[peer]?.values.count ?? 0 >= Self.mostValues { clients[peer]?.values = [:] }
        clients[peer]?.values[path] = (value, now)
    }

    /// The watchers of a topic, without the sender of this value.
    func watchers(of topic: ControlTopic, path: String? = nil, value: Double? = nil, at now: UInt64) -> [OSCPeer] {
        clients.filter { _, client in
            guard client.topics.contains(topic), isThere(client, at: now) else { return false }
            guard let path, let value, let own = client.values[path] else { return true }
            return own.value != value || now &- own.time > Self.echoTime
        }.map(\.key)
    }

    /// True if a client watches one of the topics.
    func isWatched(_ topics: Set<ControlTopic>, at now: UInt64) -> Bool {
        clients.contains { !$0.value.topics.isDisjoint(with: topics) && isThere($0.value, at: now) }
    }

    /// True if one more error may be sent.
    mutating func mayTellError(at now: UInt64) -> Bool {
        if now &- second > 1_000_000_000 { (second, errorCount) = (now, 0) }
        errorCount += 1
        return errorCount <= Self.errorsInSecond
    }
}
