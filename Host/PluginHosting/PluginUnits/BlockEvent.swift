// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An event for a unit at a frame of a block. Any thread.

import AudioUnits

/// A parameter change or a MIDI message at a frame of a block.
@frozen
public struct BlockEvent: Hashable, Sendable {
    /// The frames from the beginning of the block.
    public var frameOffset: Int
    /// The parameter change or the message.
    public var event: RenderEvent

    /// The most events in one block of a unit.
    @inlinable public static var maximumCount: Int { @_noLocks get { 512 } }

    /// `[any]` Makes an event at a frame of a block.
    @inlinable @_noLocks
    public init(_ event: RenderEvent, at frameOffset: Int) {
        self.event = event
        self.frameOffset = frameOffset
    }

    /// `[any]` Makes a parameter change, which reaches its value after `rampFrameCount` frames.
    @inlinable @_noLocks
    public static func parameter(
        _ address: UInt64, to value: Double, at frameOffset: Int, rampFrameCount: UInt32 = 0
    ) -> BlockEvent {
        BlockEvent(
            .parameter(ParameterChange(address: address, value: value, rampFrameCount: rampFrameCount)), at: frameOffset)
    }

    /// `[any]` Makes an event of a MIDI message.
    @inlinable @_noLocks
    public static func midi(_ message: MIDIMessage, at frameOffset: Int) -> BlockEvent {
        BlockEvent(.midi(message), at: frameOffset)
    }
}
