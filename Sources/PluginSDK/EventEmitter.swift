// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sends a kernel's events to the host. Render thread.

import ControlMessages
import Wire

/// Writes to the ring towards the host, and counts the events that find no room.
///
/// A value that the unit changes itself is also saved with its state.
@usableFromInline
struct EventEmitter {
    private let writer: UnsafeMutablePointer<EventRingWriter>
    private let droppedCount: UnsafeMutablePointer<UInt32>
    private let parameters: ParameterCells

    @_noLocks
    init(
        writer: UnsafeMutablePointer<EventRingWriter>, droppedCount: UnsafeMutablePointer<UInt32>, parameters: ParameterCells
    ) {
        self.writer = writer
        self.droppedCount = droppedCount
        self.parameters = parameters
    }

    /// Sends a value to the host, and stores it if the parameter is settable and thus part of the state.
    @_noLocks
    func emit(_ change: ParameterChange, at sampleTime: Int64) {
        _ = parameters.accept(change)
        emit(RenderEvent.parameter(change).wireEvent(at: sampleTime))
    }

    @_noLocks
    func emit(_ event: WireEvent) {
        if !writer.pointee.write(event) { droppedCount.pointee &+= 1 }
    }
}
