// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes the events of the render thread into a file while the session plays. Its own thread; any thread may note an event.

import AudioGraph
import Glibc
import GraphDocuments
import LinuxSystem
import PluginHosting
import Rendering
import Synchronization

/// A capture of a session: its start, and each event with its frame.
///
/// The render thread notes each change as it takes it. So no setting waits, and each frame is exact.
package final class SessionCapture: Sendable {
    private struct State {
        var noted: [CapturedEvent] = []
        /// Edits that are not heard yet; `isGiven` is true if the user has given their units all their rights.
        var edits: [(ticket: EditTicket, since: Int64, event: CapturedEvent, isGiven: Bool)] = []
        var names = EventNames()
        /// Events that came before the names of their graph, each with the number of rounds that have looked for the names.
        var unnamed: [(event: LoggedEvent, rounds: Int)] = []
        var hasToldOfLoss = false
        var failure: SystemError?
        var isEnding = false
        var thread: Thread?
    }

    private let folder: CaptureFolder
    /// Tells the capture from all others; the session names it, and the seals of the events cover it.
    private let identifier = SessionCapture.newIdentifier()
    /// A sentence that says why the session has no seal; nil if it has one.
    package let sealComplaint: String?
    private let log: EventLog
    private let file: Mutex<Descriptor>
    private let wakeUp: EventDescriptor
    private let state = Mutex(State())

    private static func newIdentifier() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(UInt64.random(in: 0 ... .max, using: &random), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    private static let roundNanoseconds: UInt64 = 50_000_000
    /// The number of rounds that an event waits for its name.
    private static let mostRounds = 40

    /// Writes the session as it is, and begins; call it before the engine starts.
    package init(_ session: Session, into folder: CaptureFolder, _ facts: CaptureFacts) throws {
        (self.folder, log) = (folder, session.engine.eventLog)
        wakeUp = try EventDescriptor()
        sealComplaint = try session.keep(at: folder.session, asCapture: identifier)
        try ReplacedFile.write(try ReadableJSON.bytes(facts), to: folder.facts)
        let number = open(folder.events, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard number >= 0 else { throw SystemError("write \"\(folder.events)\"") }
        file = Mutex(Descriptor(owning: number))
        learn(session.graph)
        log.begin()
        let thread = try Thread(name: "capture") { [self] in
            while round() { Descriptor.awaitAny([wakeUp.descriptor], nanoseconds: Self.roundNanoseconds) }
        }
        state.withLock { $0.thread = thread }
        session.capture.withLock { $0 = self }
    }

    /// The first frame of the block that is rendered now; a change made from now on is heard at this frame at the earliest.
    var frame: Int64 { log.startFrame }

    /// Notes an event that no replay can repeat, and the first frame at which it may be heard.
    func note(unrepeatable title: String, since frame: Int64) {
        state.withLock { $0.noted.append(EventNames.unrepeatable(title, at: frame)) }
    }

    /// Learns the names of a graph that may have changed.
    func learn(_ graph: BuiltGraph) { state.withLock { $0.names.add(graph) } }

    /// Notes an edit or a scene once it is heard, at frame `since` at the earliest; `graph` plays from then on.
    func note(
        _ kind: CapturedEvent.Kind, _ title: String, _ document: GraphDocument, of graph: BuiltGraph, heardAt ticket: EditTicket,
        routes: UInt64? = nil, since frame: Int64
    ) {
        var event = CapturedEvent(kind, at: 0)
        (event.title, event.graph, event.routes) = (title, document, routes)
        // A unit that was not started, perhaps because it is in quarantine, has asked for nothing yet.
        let isGiven = Set(document.unitNodes).isSubset(of: graph.units.map(\.name))
        state.withLock { state in
            state.names.countChange()
            state.names.add(graph)
            state.edits.append((ticket, frame, event, isGiven))
        }
    }

    /// Notes the removal of a former scene's graph once it is heard, at frame `since` at the earliest.
    func note(removalOf graph: BuiltGraph, heardAt ticket: EditTicket, since frame: Int64) {
        var event = CapturedEvent(.removal, at: 0)
        event.title = "a former scene had rung out"
        state.withLock { state in
            event.madeBy = state.names.remove(graph)
            state.edits.append((ticket, frame, event, false))
        }
    }

    /// Takes the edits that are known to be heard, in their order; at the end the others, too.
    private func takeEdits(isEnding: Bool) -> [CapturedEvent] {
        if isEnding { for edit in state.withLock({ $0.edits }) { _ = edit.ticket.wait(milliseconds: 100) } }
        return state.withLock { state in
            var heard: [CapturedEvent] = []
            while let edit = state.edits.first, let frame = edit.ticket.sampleTime {
                state.edits.removeFirst()
                var event = edit.event
                event.frame = frame
                heard.append(edit.isGiven ? event.sealed(in: identifier) : event)
            }
            guard isEnding else { return heard }
            defer { state.edits = [] }
            return heard
                + state.edits.map { EventNames.unrepeatable("\($0.event.title ?? ""), at a frame that is not known", at: $0.since) }
        }
    }

    /// The error that kept events from being written; nil without one.
    package var failure: SystemError? { state.withLock { $0.failure } }

    /// Ends the capture once rendering has stopped; throws the first error of the whole capture.
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

    /// Writes the events that have come; false after the last round.
    private func round() -> Bool {
        let (isEnding, noted) = state.withLock { state in
            defer { state.noted = [] }
            return (state.isEnding, state.noted)
        }
        var events = named(log.take(), isEnding: isEnding) + noted + takeEdits(isEnding: isEnding)
        if log.droppedCount > 0, !state.withLock({ exchange(&$0.hasToldOfLoss, with: true) }) {
            // The log does not know which events it lost.
            events.append(EventNames.unrepeatable("more happened at once than a capture keeps", at: events.first?.frame ?? 0))
        }
        if isEnding { events.append(CapturedEvent(.end, at: log.endFrame)) }
        write(events)
        return !isEnding
    }

    /// The events that have names, with those of former rounds that have got some since; the others wait.
    private func named(_ logged: [LoggedEvent], isEnding: Bool) -> [CapturedEvent] {
        state.withLock { state in
            let waiting = state.unnamed + logged.map { ($0, 0) }
            state.unnamed = []
            var named: [CapturedEvent] = []
            for (event, rounds) in waiting {
                if let event = state.names.named(event) {
                    named.append(event)
                } else if isEnding || rounds >= Self.mostRounds {
                    // A mixer around the graphs begins. After a change, another level of it would have come before.
                    guard !event.isUsualLevel else { continue }
                    named.append(
                        EventNames.unrepeatable("something changed that was in no graph of the session", at: event.frame))
                } else {
                    state.unnamed.append((event, rounds + 1))
                }
            }
            return named
        }
    }

    private func write(_ events: [CapturedEvent]) {
        guard !events.isEmpty, state.withLock({ $0.failure == nil }) else { return }
        do throws(SystemError) {
            try file.withLock { file throws(SystemError) in
                try Descriptor.write(events.flatMap(\.line), to: file.number, "write \"\(folder.events)\"")
            }
        } catch {
            state.withLock { $0.failure = error }
        }
    }
}
