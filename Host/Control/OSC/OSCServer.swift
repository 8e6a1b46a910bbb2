// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Serves Open Sound Control: reads datagrams, keeps bundles until their time, and tells watchers. Its own thread.

import Glibc
import LinuxSystem
import OpenSoundControl
import Synchronization

/// Serves clients that send OSC.
final class OSCServer: Sendable {
    /// The most messages that wait for their time, and the longest time ahead in nanoseconds.
    static let (mostWaiting, farthest): (Int, UInt64) = (1024, 60_000_000_000)
    /// The most edits that wait.
    static let mostEdits = 64
    /// The most datagrams that are read before other work has its turn.
    private static let datagramsInRound = 64

    let sockets: OSCSockets
    private let wakeUp: EventDescriptor
    private let state = Mutex(State())
    let editCount = Atomic<Int>(0)

    private struct State {
        var clients = OSCClients()
        var thread: Thread?
        var isEnding = false
    }

    /// The state that belongs to the thread alone.
    private struct Work {
        var memory = [UInt8](repeating: 0, count: OSCPacket.mostBytes + 1)
        var waiting: [(due: UInt64, command: OSCCommand, peer: OSCPeer)] = []
    }

    init(_ sockets: OSCSockets) throws(SystemError) { (self.sockets, wakeUp) = (sockets, try EventDescriptor()) }

    /// Serves until `end`.
    func begin(_ session: Session) throws(SystemError) {
        let thread = try Thread(name: "osc") { [weak self, weak session] in
            var work = Work()
            while let self, let session, self.round(session, &work) {}
        }
        state.withLock { $0.thread = thread }
    }

    /// Ends the thread.
    func end() {
        let thread = state.withLock { state in
            state.isEnding = true
            defer { state.thread = nil }
            return state.thread
        }
        wakeUp.ring()
        thread?.join()
    }

    private func round(_ session: Session, _ work: inout Work) -> Bool {
        guard !state.withLock({ $0.isEnding }) else { return false }
        let (now, due) = (MonotonicClock.now(), work.waiting.first?.due)
        Descriptor.awaitAny([wakeUp.descriptor] + sockets.sockets.map(\.descriptor), nanoseconds: due.map { max($0, now) - now })
        wakeUp.quieten()
        for socket in sockets.sockets {
            for _ in 0..<Self.datagramsInRound {
                guard let (bytes, peer) = socket.receive(into: &work.memory) else { break }
                take(bytes, from: peer, session, &work)
            }
        }
        carryOutDue(session, &work)
        return true
    }

    private func take(_ bytes: [UInt8], from peer: OSCPeer, _ session: Session, _ work: inout Work) {
        let now = MonotonicClock.now()
        state.withLock { $0.clients.hear(peer, at: now) }
        var unix = timespec()
        clock_gettime(CLOCK_REALTIME, &unix)
        let unixNanoseconds = UInt64(clamping: unix.tv_sec) * 1_000_000_000 + UInt64(clamping: unix.tv_nsec)
        do throws(OSCDefect) {
            for (time, message) in try OSCPacket(bytes).messages {
                let delay = time.nanoseconds(after: unixNanoseconds)
                for meant in try session.messages(meantBy: message) {
                    try take(meant, after: delay, from: peer, session, &work, at: now)
                }
            }
        } catch {
            tell(error.sentence, to: peer)
        }
    }

    private func take(
        _ message: OSCMessage, after delay: UInt64, from peer: OSCPeer, _ session: Session, _ work: inout Work, at now: UInt64
    ) throws(OSCDefect) {
        let command = try OSCCommand(message)
        guard delay > 0 else { return session.carryOut(command, from: peer, self) }
        guard delay <= Self.farthest else {
            throw OSCDefect(
                "A bundle is due within \(Self.farthest / 1_000_000_000) seconds; \(message.quotedAddress) is too early.")
        }
        guard work.waiting.count < Self.mostWaiting else {
            throw OSCDefect("\(Self.mostWaiting) messages wait for their time already.")
        }
        let place = work.waiting.firstIndex { $0.due > now + delay } ?? work.waiting.count
        work.waiting.insert((now + delay, command, peer), at: place)
    }

    private func carryOutDue(_ session: Session, _ work: inout Work) {
        let now = MonotonicClock.now()
        let count = work.waiting.prefix { $0.due <= now }.count
        for (_, command, peer) in work.waiting.prefix(count) { session.carryOut(command, from: peer, self) }
        work.waiting.removeFirst(count)
    }

    // MARK: What is sent

    /// Answers a sender.
    func answer(_ message: OSCMessage, to peer: OSCPeer) { OSCSocket.send(message.bytes, to: peer) }

    /// Sends a sender the reason of a failure, unless there are too many errors.
    func tell(_ sentence: String, to peer: OSCPeer) {
        let now = MonotonicClock.now()
        guard state.withLock({ $0.clients.mayTellError(at: now) }) else { return }
        answer(OSCMessage("/error", .text(sentence)), to: peer)
    }

    /// Lets a sender watch topics, or ends its watch; false if too many watch.
    func watch(_ peer: OSCPeer, _ topics: Set<ControlTopic>) -> Bool {
        state.withLock { $0.clients.watch(peer, topics, at: MonotonicClock.now()) }
    }

    /// The number that a watching sender has to send back; nil if it has, or need not.
    func question(for peer: OSCPeer) -> Int? { state.withLock { $0.clients.question(for: peer) } }

    /// Takes the number that a sender sends back.
    func take(answer: Int, of peer: OSCPeer) { state.withLock { $0.clients.take(answer: answer, of: peer) } }

    func isWatched(_ topics: Set<ControlTopic>) -> Bool {
        state.withLock { $0.clients.isWatched(topics, at: MonotonicClock.now()) }
    }

    /// Notes a value that a sender sets, so that the sender does not get it back.
    func note(_ value: Double, at path: String, by peer: OSCPeer) {
        state.withLock { $0.clients.note(value, at: path, by: peer, at: MonotonicClock.now()) }
    }

    /// Sends a message to all watchers of a topic except the sender of this value.
    func publish(_ topic: ControlTopic, _ message: OSCMessage, path: String? = nil, value: Double? = nil) {
        let peers = state.withLock { $0.clients.watchers(of: topic, path: path, value: value, at: MonotonicClock.now()) }
        guard !peers.isEmpty else { return }
        let bytes = message.bytes
        for peer in state.withLock({ $0.clients.admit(peers, byteCount: bytes.count) }) { OSCSocket.send(bytes, to: peer) }
    }
}
