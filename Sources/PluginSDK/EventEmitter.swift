// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sends a kernel's events to the host. Render thread.

import ControlMessages
import Wire

/// The notes and programs that an instrument could not play as they were sent.
struct PlayedFigures {
    var unplayedNoteCount: UInt32 = 0
    var substitutedProgramCount: UInt32 = 0
}

/// Writes to the ring towards the host, and counts the events that find no room.
///
/// A value that the unit changes itself is also saved with its state.
@usableFromInline
struct EventEmitter {
    private let writer: UnsafeMutablePointer<EventRingWriter>
    private let droppedCount: UnsafeMutablePointer<UInt32>
    private let played: UnsafeMutablePointer<PlayedFigures>
    private let parameters: ParameterCells

    @_noLocks
    init(
        writer: UnsafeMutablePointer<EventRingWriter>, droppedCount: UnsafeMutablePointer<UInt32>,
        played: UnsafeMutablePointer<PlayedFigures>, parameters: ParameterCells
    ) {
        self.writer = writer
        self.played = played
        self.droppedCount = droppedCount
        self.parameters = parameters
    }

    /// Sends a value to the host, and stores it if the parameter is settable and thus part of the state.
    @_noLocks
    func emit(_ change: ParameterChange, at sampleTime: Int64) {
        _ = parameters.accept(change)
        emit(RenderEvent.parameter(change).wireEvent(at: sampleTime))
    }

    /// Adds to the figures that the next reply tells the host.
    @_noLocks
    func countUnplayed(notes: UInt32, programs: UInt32) {
        played.pointee.unplayedNoteCount &+= notes
        played.pointee.substitutedProgramCount &+= programs
    }

    @_noLocks
    func emit(_ event: WireEvent) {
        if !writer.pointee.write(event) { droppedCount.pointee &+= 1 }
    }
}
