// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The way of events from a kernel to the host. Render thread.

import ControlMessages
import Wire

/// Writes to the ring towards the host and counts what finds no room. A value that the unit has changed itself is one
/// that it saves, too.
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

    /// Tells the host a value, and takes it into the state where it is part of that.
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
