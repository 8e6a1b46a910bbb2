// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Serves the clients of a host with one thread, which sleeps until input comes or output waits. Its own thread.

import Glibc
import JSON
import LinuxSystem
import Synchronization

/// Carries out the requests of clients.
protocol ControlHandler: AnyObject, Sendable {
    /// Carries out a request, now or later, and calls `answer` once. The server's thread.
    func handle(
        _ request: ControlRequest, from client: ControlConnection,
        answer: @escaping @Sendable (Result<JSONValue, ControlError>) -> Void)
}

/// Serves the control protocol.
final class ControlServer: Sendable {
    /// The most clients at once.
    static let mostClients = 256

    let listener: ControlListener
    private let wakeUp: EventDescriptor
    private let state = Mutex(State())

    private struct State {
        var handler: (any ControlHandler)?
        var connections: [ControlConnection] = []
        var thread: Thread?
        var isEnding = false
    }

    /// A client with its bytes that are no whole line yet; the server's thread.
    private struct Client {
        let connection: ControlConnection
        var bytes: [UInt8] = []
        var isAtEnd = false
        /// The lines that the server's last look at the client found.
        var lineCount = 0

        /// True if a whole line waits.
        var hasLine: Bool { bytes.contains(0x0A) }
    }

    /// The state that belongs to the server's thread alone.
    private struct Work {
        var clients: [Client] = []
        var pace = ServerPace()
        /// The time of the next try to accept a client, after one without a free descriptor; 0 after a success.
        var nextAcceptance: UInt64 = 0
        /// The memory for reading.
        var memory = [UInt8](repeating: 0, count: 65_536)
    }

    /// Tells whether the call that began a request has returned.
    private final class Turn: Sendable {
        let isOver = Atomic<Bool>(false)
    }

    /// Listens; it serves clients from `begin` on.
    init(name: String) throws(SystemError) {
        wakeUp = try EventDescriptor()
        listener = try ControlListener(name: name)
    }

    /// Serves clients until `end`.
    func begin(_ handler: any ControlHandler) throws(SystemError) {
        state.withLock { $0.handler = handler }
        let thread = try Thread(name: "control") { [weak self] in
            var work = Work()
            while Self.round(self, &work) {}
        }
        state.withLock { $0.thread = thread }
    }

    /// Sends the lines that wait for clients, for at most half a second, and ends the thread.
    func end() {
        let thread = state.withLock { state in
            state.isEnding = true
            defer { state.thread = nil }
            return state.thread
        }
        wakeUp.ring()
        thread?.join()
        state.withLock { state in
            state.connections = []
            state.handler = nil
        }
    }

    /// True if a client watches one of these topics.
    func isWatched(_ topics: Set<ControlTopic>) -> Bool {
        state.withLock { $0.connections.contains { !$0.topics.isDisjoint(with: topics) } }
    }

    /// Sends an event to all watchers of its topic.
    func publish(_ topic: ControlTopic, _ data: JSONValue) {
        let connections = state.withLock { $0.connections.filter { $0.topics.contains(topic) } }
        guard !connections.isEmpty else { return }
        let (line, now) = (ControlLine.event(topic, data), MonotonicClock.now())
        for connection in connections { connection.send(line, of: topic, at: now) }
    }

    /// Sends peaks to the watchers of meters; each gets the highest since its last event.
    func publishMeters(_ peaks: (left: Float, right: Float)) {
        let now = MonotonicClock.now()
        for connection in state.withLock({ $0.connections }) { connection.sendMeters(peaks, at: now) }
    }

    private static func round(_ server: ControlServer?, _ work: inout Work) -> Bool {
        guard let server else { return false }
        if server.state.withLock({ $0.isEnding }) {
            server.sendRest(to: work.clients)
            return false
        }
        let slept = server.serve(&work)
        let lineCount = work.clients.reduce(0) { max($0, $1.lineCount) }
        if work.pace.rests(afterSleeping: slept, lines: lineCount) {
            // Answers that come later are written at once all the same.
            Descriptor.awaitAny([server.wakeUp.descriptor], nanoseconds: ServerPace.rest)
        }
        return true
    }

    /// The pause after a client that got no descriptor, in nanoseconds; without it the thread would try again and again.
    private static let acceptancePause: UInt64 = 100_000_000

    /// Waits for clients and serves them; returns how long it slept, in nanoseconds.
    private func serve(_ work: inout Work) -> UInt64 {
        let start = MonotonicClock.now()
        let mayAccept = start >= work.nextAcceptance
        // `poll` ignores a negative descriptor.
        var awaited = [AwaitedDescriptor(wakeUp.descriptor), AwaitedDescriptor(mayAccept ? listener.descriptor : -1)]
        for client in work.clients {
            // The server does not read a client that waits for an answer, so that it cannot fill the memory.
            let (isBusy, writes) = (client.connection.isBusy, client.connection.hasWaitingBytes)
            let reads = !isBusy && !client.isAtEnd && !client.connection.isBehind
            var events: DescriptorEvents = reads ? .input : []
            if writes { events.insert(.output) }
            awaited.append(AwaitedDescriptor(isBusy && !writes ? -1 : client.connection.descriptor, events))
        }
        let events = Descriptor.wait(for: awaited, nanoseconds: mayAccept ? nil : work.nextAcceptance - start)
        let slept = MonotonicClock.now() - start
        if !events[0].isEmpty { wakeUp.quieten() }
        var gone: Set<Int32> = []
        for index in work.clients.indices where !serve(&work.clients[index], events[index + 2], &work.memory) {
            gone.insert(work.clients[index].connection.descriptor)
        }
        guard !gone.isEmpty || !events[1].isEmpty || !mayAccept else { return slept }
        work.clients.removeAll { gone.contains($0.connection.descriptor) }
        acceptAll(&work)
        let connections = work.clients.map(\.connection)
        state.withLock { $0.connections = connections }
        return slept
    }

    /// Accepts the clients that wait, or puts them off while there is no descriptor.
    private func acceptAll(_ work: inout Work) {
        do throws(SystemError) {
            while let (descriptor, isOwn) = try listener.accept() { admit(descriptor, isOwn, &work.clients) }
            work.nextAcceptance = 0
        } catch {
            work.nextAcceptance = MonotonicClock.now() + Self.acceptancePause
        }
    }

    private func admit(_ descriptor: Int32, _ isOwn: Bool, _ clients: inout [Client]) {
        let connection = ControlConnection(descriptor, waking: wakeUp)
        guard isOwn, clients.count < Self.mostClients else {
            let reason = isOwn ? "\(Self.mostClients) clients are connected already." : "This host belongs to another user."
            connection.send(ControlLine.answer(.null, .failure(ControlError(.forbidden, reason))))
            _ = connection.flush()
            return
        }
        connection.send(ControlLine.hello(listener.address.name))
        _ = connection.flush()
        clients.append(Client(connection: connection))
    }

    /// Reads and writes; false once the client has gone.
    private func serve(_ client: inout Client, _ events: DescriptorEvents, _ memory: inout [UInt8]) -> Bool {
        client.lineCount = 0
        if events.contains(.failure) || events.contains(.hangUp) && client.isAtEnd { return false }
        // A client may close its sending side and still read answers.
        let isHeard = !client.isAtEnd && !client.connection.isBusy && !client.connection.isBehind
        if !events.isDisjoint(with: [.input, .hangUp]), isHeard, !read(&client, &memory) { return false }
        // Each answer makes room for more.
        repeat {
            handleLines(&client)
            guard client.connection.flush() else { return false }
        } while client.hasLine && !client.connection.isBusy && !client.connection.isBehind
        let isIdle =
            !client.connection.isBusy && !client.connection.isSearching && !client.connection.hasWaitingBytes
            && client.connection.topics.isEmpty
        let isDone = client.isAtEnd && isIdle
        return !isDone
    }

    private func read(_ client: inout Client, _ memory: inout [UInt8]) -> Bool {
        let count = memory.withUnsafeMutableBytes { SystemCall.receive(from: client.connection.descriptor, into: $0) }
        if count < 0 { return errno == EAGAIN }
        client.isAtEnd = count == 0
        client.bytes += memory[..<count]
        return true
    }

    /// Carries out the whole lines, up to the first request that is answered later.
    private func handleLines(_ client: inout Client) {
        var start = 0
        while !client.connection.isBusy, !client.connection.isBehind, let end = client.bytes[start...].firstIndex(of: 0x0A) {
            let line = client.bytes[start..<end]
            start = end + 1
            client.lineCount += 1
            if line.contains(where: { $0 > 0x20 }) { handle(Array(line), client.connection) }
        }
        client.bytes.removeFirst(start)
        guard client.bytes.count > ControlRequest.maximumByteCount, !client.connection.isBusy else { return }
        client.connection.send(
            ControlLine.answer(
                .null,
                .failure(ControlError(.forbidden, "A line has at most \(ControlRequest.maximumByteCount) bytes."))))
        client.connection.watch([], interval: nil)
        (client.bytes, client.isAtEnd) = ([], true)
    }

    private func handle(_ line: [UInt8], _ connection: ControlConnection) {
        let request: ControlRequest
        do throws(ControlRequest.Defect) {
            request = try ControlRequest(line: line)
        } catch {
            return connection.send(ControlLine.answer(error.id, .failure(error.error)))
        }
        guard let handler = state.withLock({ $0.handler }) else { return }
        // A client has one search at a time; a second one waits for the first, and all later requests for the second.
        let isApart = request.method.isSearch && !connection.isSearching
        if isApart { connection.isSearching = true } else { connection.isBusy = true }
        let turn = Turn()
        handler.handle(request, from: connection) { result in
            connection.add(ControlLine.answer(request.id, result))
            if isApart { connection.isSearching = false } else { connection.isBusy = false }
            // A later answer wakes the server, which writes it and reads the client's next line.
            if turn.isOver.load(ordering: .sequentiallyConsistent) { connection.wake() }
        }
        // If the answer has come by now, the server writes it after the lines of the client.
        turn.isOver.store(true, ordering: .sequentiallyConsistent)
    }

    private func sendRest(to clients: [Client]) {
        let deadline = MonotonicClock.now() + 500_000_000
        for client in clients {
            while client.connection.hasWaitingBytes, client.connection.flush(), MonotonicClock.now() < deadline {
                guard client.connection.hasWaitingBytes else { break }
                Futex.pause(microseconds: 1000)
            }
        }
    }
}
