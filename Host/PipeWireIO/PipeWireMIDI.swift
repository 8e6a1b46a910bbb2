// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One cycle's MIDI messages from the node's MIDI ports. Render thread.

import CPipeWireShims

/// A MIDI 1.0 message of up to three bytes, or a packet of a system-exclusive one, and its frame.
public struct PipeWireMIDIEvent {
    /// Frames after the cycle's first frame, below its frame count.
    public let frameOffset: Int
    /// The number of its port, in the order of the configuration's names.
    public let port: Int
    /// The number of bytes of the message: 1, 2 or 3.
    public let byteCount: Int
    /// The message, its status byte first.
    public let bytes: (UInt8, UInt8, UInt8)

    @_noLocks
    init(_ event: CPipeWireShims_MIDIEvent) {
        frameOffset = Int(event.frameOffset)
        port = Int(event.port)
        byteCount = Int(event.byteCount)
        bytes = event.bytes
    }
}

/// `[render]` The messages of one cycle, in the order of their frames.
///
/// They are valid in the render callback only.
public struct PipeWireMIDI {
    private let events: UnsafePointer<CPipeWireShims_MIDIEvent>?
    /// The number of messages in the cycle.
    public let count: Int

    @_noLocks
    init(events: UnsafePointer<CPipeWireShims_MIDIEvent>? = nil, count: Int = 0) {
        self.events = events
        self.count = count
    }

    /// `[render]` The message at an index; nil outside `0..<count`.
    @_noLocks
    public func event(at index: Int) -> PipeWireMIDIEvent? {
        guard let events, index >= 0, index < count else { return nil }
        return PipeWireMIDIEvent(events[index])
    }
}
