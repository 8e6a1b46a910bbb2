// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What has come in by MIDI, for programs that follow it, such as MIDI learn. Any thread but the render thread.

import LinuxSystem
import Rendering

/// The messages that have come in, in a queue that a program empties.
///
/// It keeps 1024 messages. What comes in while it is full is heard by the instruments, but counted in `droppedCount` and not kept.
/// One reader takes all: two readers share the messages between them.
public struct AudioReceivedMIDI: Sendable {
    let line: MIDIInputLine

    /// Takes the messages that have come in since the last call, the oldest first; the first call begins to listen.
    ///
    /// Each has its frame since rendering started, the number of its port, and its bytes; system messages of up to three bytes are
    /// among them.
    public func take(atMost count: Int = 1024) -> [MIDIInputMessage] { line.take(atMost: max(0, count)) }

    /// Keeps what comes in from now on.
    public func listen() { line.listen() }

    /// Keeps what comes in from now on, and rings after each cycle that brought messages.
    ///
    /// The engine keeps the descriptor as long as it lives. The last one that was given is rung.
    public func listen(ringing event: EventDescriptor) { line.listen(ringing: event) }

    /// The messages that were not kept because the queue was full.
    public var droppedCount: Int { Int(clamping: line.unreadCount) }
}

extension AudioEngine {
    /// What comes in by MIDI, and which instruments hear it.
    public var midiInput: AudioMIDIInput { transport.midiInput }

    /// What has come in by MIDI, for MIDI learn and the like.
    public var receivedMIDI: AudioReceivedMIDI { AudioReceivedMIDI(line: transport.midiInput.line) }
}
