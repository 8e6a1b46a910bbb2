// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Maps the next knob, key or program that moves. A client begins it, the MIDI thread carries it out.

import AudioGraph
import Glibc
import JSON
import LinuxSystem
import Rendering

/// A client that waits for a knob, key or program to move.
struct MIDILearning {
    let wish: MappingWish
    let answer: @Sendable (Result<JSONValue, ControlError>) -> Void
    /// True while the client is connected.
    let isWanted: @Sendable () -> Bool
    /// The time at which the client stops waiting.
    let deadline: UInt64
    /// The source that moved, and the time until which the other half of a 14-bit controller may follow.
    private(set) var moved: MIDISource?
    private(set) var due: UInt64 = 0
    private var numbered = NumberedParameters()

    /// The time that a client waits, and the longest time between the halves of a controller, in nanoseconds.
    static let (patience, halfTime): (UInt64, UInt64) = (30_000_000_000, 60_000_000)
    /// The time between two looks of the MIDI thread meanwhile.
    static let roundNanoseconds: UInt64 = 20_000_000

    init(
        _ wish: MappingWish, isWanted: @escaping @Sendable () -> Bool,
        answer: @escaping @Sendable (Result<JSONValue, ControlError>) -> Void
    ) {
        (self.wish, self.isWanted, self.answer, deadline) = (wish, isWanted, answer, MonotonicClock.now() + Self.patience)
    }

    /// Takes a message of MIDI.
    mutating func take(_ message: MIDIInputMessage, at now: UInt64) {
        guard let source = MIDISource.moved(by: message, numbered: numbered.take(message)) else { return }
        guard let moved else {
            (self.moved, due) = (source, now + (source.kind == .controller && source.number < 64 ? Self.halfTime : 0))
            return
        }
        if let joined = moved.joined(with: source) { (self.moved, due) = (joined, now) }
    }
}

extension MIDIControl {
    /// Maps the next source that moves; the answer follows the movement.
    func learn(
        _ wish: MappingWish, _ session: Session, isWanted: @escaping @Sendable () -> Bool,
        answer: @escaping @Sendable (Result<JSONValue, ControlError>) -> Void
    ) {
        let (former, isEnding) = state.withLock { state in
            guard !state.isEnding else { return (nil as MIDILearning?, true) }
            defer { state.learning = MIDILearning(wish, isWanted: isWanted, answer: answer) }
            return (state.learning, false)
        }
        if isEnding { return answer(.failure(ControlError(.ending, "The host is about to end."))) }
        former?.answer(.failure(ControlError(.refused, "Another \"learn\" came before anything moved.")))
        listen(to: session)
    }

    /// Gives messages to the client that learns, if there is one; returns those that it leaves.
    func learn(from messages: [MIDIInputMessage], _ session: Session, at now: UInt64) -> [MIDIInputMessage] {
        let done = state.withLock { state in
            guard state.learning != nil else { return (messages, nil as MIDILearning?) }
            for message in messages { state.learning?.take(message, at: now) }
            guard let learning = state.learning, learning.moved.map({ _ in now >= learning.due }) ?? (now >= learning.deadline)
            else { return ([], nil) }
            state.learning = nil
            return ([], learning)
        }
        if let learning = done.1, learning.isWanted() { finish(learning, session) }
        return done.0
    }

    private func finish(_ learning: MIDILearning, _ session: Session) {
        guard let source = learning.moved else {
            return learning.answer(.failure(ControlError(.refused, "Nothing moved within 30 seconds.")))
        }
        learning.answer(Result { () throws(ControlError) in try session.add(learning.wish.mapping(from: source)) })
    }
}
