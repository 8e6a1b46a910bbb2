// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Incoming MIDI for programs that follow it, such as MIDI learn. Any thread but the render thread.

import LinuxSystem
import Rendering

/// The messages that have come in, in a queue that a program empties.
///
/// It keeps 1024 messages. While it is full, instruments still hear further messages, but the queue drops them and counts them in
/// `droppedCount`. Two readers share the messages between them.
public struct AudioReceivedMIDI: Sendable {
    let line: MIDIInputLine

    /// Takes the messages that have come in since the last call, the oldest first; the first call begins to listen.
    ///
    /// Each message has its frame since rendering started, the number of its port, and its bytes. System messages of up to three bytes are
    /// among them.
    public func take(atMost count: Int = 1024) -> [MIDIInputMessage] { line.take(atMost: max(0, count)) }

    /// Keeps incoming messages from now on.
    public func listen() { line.listen() }

    /// Keeps incoming messages from now on, and rings after each cycle that brought some.
    ///
    /// The engine keeps the descriptor as long as it lives. It rings only the last descriptor given.
    public func listen(ringing event: EventDescriptor) { line.listen(ringing: event) }

    /// The number of messages that were not kept because the queue was full.
    public var droppedCount: Int { Int(clamping: line.unreadCount) }
}

extension AudioEngine {
    /// The incoming MIDI, and its connections to instruments.
    public var midiInput: AudioMIDIInput { transport.midiInput }

    /// The messages that have come in, for MIDI learn and the like.
    public var receivedMIDI: AudioReceivedMIDI { AudioReceivedMIDI(line: transport.midiInput.line) }
}
