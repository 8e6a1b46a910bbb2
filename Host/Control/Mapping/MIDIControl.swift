// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Moves the targets of MIDI messages, and shows other changes on the controllers. Its own thread.

import AudioGraph
import Glibc
import LinuxSystem
import Rendering
import Synchronization

/// The mappings of a session, and the thread that follows them.
final class MIDIControl: Sendable {
    struct State {
        var motions: [MappingMotion] = []
        var learning: MIDILearning?
        var numbered = NumberedParameters()
        /// True if a program without a mapping selects the scene of its number.
        var programsChooseScenes = false
        var isListening = false
        var isEnding = false
        var thread: Thread?
    }

    let state = Mutex(State())
    /// Rings when messages have come, and when there is a new value to follow.
    let wakeUp: EventDescriptor

    init() throws(SystemError) { wakeUp = try EventDescriptor() }

    /// Follows MIDI messages until `end`.
    func begin(_ session: Session) throws(SystemError) {
        let thread = try Thread(name: "midi control") { [weak session, wakeUp] in
            var feedback = MIDIFeedback()
            while true {
                // The round before has set the timeout; the session may end while this thread sleeps.
                Descriptor.awaitAny([wakeUp.descriptor], nanoseconds: feedback.nanoseconds)
                wakeUp.quieten()
                guard let session, session.midi.round(session, &feedback) else { return }
            }
        }
        state.withLock { $0.thread = thread }
        listen(to: session)
    }

    /// Ends the thread; a client that waits to learn gets an answer.
    func end() {
        let (thread, learning) = state.withLock { state in
            state.isEnding = true
            defer { (state.thread, state.learning) = (nil, nil) }
            return (state.thread, state.learning)
        }
        wakeUp.ring()
        thread?.join()
        learning?.answer(.failure(ControlError(.ending, "The host has ended.")))
    }

    var mappings: [ControlMapping] { state.withLock { $0.motions.map(\.mapping) } }

    var programsChooseScenes: Bool { state.withLock { $0.programsChooseScenes } }

    /// Begins to keep MIDI messages, once a mapping or a client needs them.
    func listen(to session: Session) {
        let isFirst = state.withLock { state in
            let isWanted = !state.motions.isEmpty || state.learning != nil || state.programsChooseScenes
            guard isWanted, !state.isListening, state.thread != nil else { return false }
            state.isListening = true
            return true
        }
        if isFirst { session.engine.receivedMIDI.listen(ringing: wakeUp) }
        wakeUp.ring()
    }

    /// Follows the messages that have come; false once the thread must end.
    private func round(_ session: Session, _ feedback: inout MIDIFeedback) -> Bool {
        guard !state.withLock({ $0.isEnding }) else { return false }
        // Learning goes first: its message moves nothing.
        let messages = state.withLock { $0.isListening } ? session.engine.receivedMIDI.take() : []
        let now = MonotonicClock.now()
        let rest = learn(from: messages, session, at: now)
        if !rest.isEmpty { follow(rest, session, at: now) }
        feedback.round(self, session, at: now)
        if state.withLock({ $0.learning != nil }) { feedback.wake(within: MIDILearning.roundNanoseconds) }
        return true
    }

    /// Moves the targets of messages; only the newest position of a knob counts.
    private func follow(_ messages: [MIDIInputMessage], _ session: Session, at now: UInt64) {
        let moves = state.withLock { state in
            var moves: [MappedMove] = []
            var places: [String: Int] = [:]
            var present: [String: PresentValue] = [:]
            for message in messages {
                let isMapped = Self.follow(message, &state, at: now) { path, number in
                    guard let number else {
                        if present[path] == nil { present[path] = session.present(mapped: path) }
                        return present[path]
                    }
                    present[path]?.value = number
                    if let place = places[path] {
                        moves[place].number = number
                    } else {
                        places[path] = moves.count
                        moves.append(MappedMove(path: path, number: number))
                    }
                    return nil
                }
                guard !isMapped, state.programsChooseScenes, message.status >> 4 == 0xC else { continue }
                if let name = session.sceneName(at: Int(message.data1)) {
                    moves.append(MappedMove(path: "scene \(name)", number: 1))
                }
            }
            return moves
        }
        session.move(moves)
    }

    /// Takes one message; `exchange` returns the value of a path, or stores a new one.
    ///
    /// Returns true if the message has a mapping.
    private static func follow(
        _ message: MIDIInputMessage, _ state: inout State, at now: UInt64,
        _ exchange: (String, Double?) -> PresentValue?
    ) -> Bool {
        var isMapped = false
        let numbered = state.numbered.take(message)
        for index in state.motions.indices {
            guard let position = state.motions[index].position(of: message, numbered: numbered) else { continue }
            isMapped = true
            let path = state.motions[index].mapping.path
            guard let present = exchange(path, nil) else { continue }
            guard let value = state.motions[index].take(position, present: present, at: now) else { continue }
            _ = exchange(path, value)
        }
        return isMapped
    }
}
