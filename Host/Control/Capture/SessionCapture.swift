// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes what the render thread took into a file, while the session plays. Its own thread; any thread may note something.

import AudioGraph
import Glibc
import LinuxSystem
import PluginHosting
import Rendering
import Synchronization

/// A capture of a session: how it began, and what happened at which frame.
///
/// The render thread notes each change as it takes it. So nothing that is set waits for anything, and each frame is exact.
package final class SessionCapture: Sendable {
    private struct State {
        var noted: [CapturedEvent] = []
        /// Edits that are not heard yet.
        var edits: [(ticket: EditTicket, event: CapturedEvent)] = []
        var names = EventNames()
        var hasToldOfLoss = false
        var failure: SystemError?
        var isEnding = false
        var thread: Thread?
    }

    private let folder: CaptureFolder
    private let session: Weak
    private let log: EventLog
    private let file: Mutex<Descriptor>
    private let wakeUp: EventDescriptor
    private let state = Mutex(State())

    private struct Weak: @unchecked Sendable {
        // SAFETY: set once, in init, and read by any thread.
        weak var session: Session?
    }

    private static let roundNanoseconds: UInt64 = 50_000_000

    /// Writes the session as it is, and begins; call it before the engine starts.
    package init(_ session: Session, into folder: CaptureFolder, _ facts: CaptureFacts) throws {
        (self.folder, self.session, log) = (folder, Weak(session: session), session.engine.eventLog)
        wakeUp = try EventDescriptor()
        try session.file.keep(at: folder.session)
        try ReplacedFile.write(try ReadableJSON.bytes(facts), to: folder.facts)
        let number = open(folder.events, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard number >= 0 else { throw SystemError("write \"\(folder.events)\"") }
        file = Mutex(Descriptor(owning: number))
        log.begin()
        let thread = try Thread(name: "capture") { [self] in
            while round() { Descriptor.awaitAny([wakeUp.descriptor], nanoseconds: Self.roundNanoseconds) }
        }
        state.withLock { $0.thread = thread }
        session.capture.withLock { $0 = self }
    }

    /// The first frame of what is rendered now: what is done from now on is not heard before it.
    var frame: Int64 { log.startFrame }

    /// Notes something that no replay can repeat, and from which frame on it may be heard.
    func note(unrepeatable title: String, since frame: Int64) {
        state.withLock { $0.noted.append(EventNames.unrepeatable(title, at: frame)) }
    }

    /// Notes an edit, once it is heard.
    func note(_ kind: CapturedEvent.Kind, _ title: String, _ document: GraphDocument? = nil, heardAt ticket: EditTicket) {
        var event = CapturedEvent(kind, at: 0)
        (event.title, event.graph) = (title, document)
        state.withLock { $0.edits.append((ticket, event)) }
    }

    /// Takes the edits that are heard by now, in their order.
    private func takeEdits(isEnding: Bool) -> [CapturedEvent] {
        if isEnding { for edit in state.withLock({ $0.edits }) { _ = edit.ticket.wait(milliseconds: 100) } }
        return state.withLock { state in
            var heard: [CapturedEvent] = []
            while let edit = state.edits.first, let frame = edit.ticket.sampleTime {
                state.edits.removeFirst()
                var event = edit.event
                event.frame = frame
                heard.append(event)
            }
            return heard
        }
    }

    /// Why the events could not be written; nil as long as they are.
    package var failure: SystemError? { state.withLock { $0.failure } }

    /// Ends the capture once nothing is rendered any more; throws what went wrong at any time.
    package func finish() throws(SystemError) {
        let thread = state.withLock { state in
            state.isEnding = true
            defer { state.thread = nil }
            return state.thread
        }
        wakeUp.ring()
        thread?.join()
        if let failure { throw failure }
    }

    /// Writes what has come; false after the last round.
    private func round() -> Bool {
        let (isEnding, noted) = state.withLock { state in
            defer { state.noted = [] }
            return (state.isEnding, state.noted)
        }
        var events = named(log.take()) + noted + takeEdits(isEnding: isEnding)
        if log.droppedCount > 0, !state.withLock({ exchange(&$0.hasToldOfLoss, with: true) }) {
            // Which ones they were is not known.
            events.append(EventNames.unrepeatable("more happened at once than a capture keeps", at: events.first?.frame ?? 0))
        }
        if isEnding { events.append(CapturedEvent(.end, at: log.endFrame)) }
        write(events)
        return !isEnding
    }

    private func named(_ logged: [LoggedEvent]) -> [CapturedEvent] {
        let graph = session.session?.graph
        return state.withLock { state in
            if let graph { state.names.add(graph) }
            return logged.compactMap { state.names.named($0) }
        }
    }

    private func write(_ events: [CapturedEvent]) {
        guard !events.isEmpty, state.withLock({ $0.failure == nil }) else { return }
        var rest = events.flatMap(\.line)[...]
        let failure = file.withLock { file -> SystemError? in
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return SystemError("write \"\(folder.events)\"") }
                rest = rest.dropFirst(count)
            }
            return nil
        }
        if let failure { state.withLock { $0.failure = failure } }
    }
}
