// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The way of events from a kernel to the host. Render thread.

import ControlMessages
import Wire

/// Writes to the ring towards the host and counts what finds no room.
struct EventEmitter {
    private let writer: UnsafeMutablePointer<EventRingWriter>
    private let droppedCount: UnsafeMutablePointer<UInt32>
    /// A value that the unit changed itself is part of its state from then on.
    private let values: ParameterStore

    @_noLocks
    init(
        writer: UnsafeMutablePointer<EventRingWriter>, droppedCount: UnsafeMutablePointer<UInt32>, values: ParameterStore
    ) {
        self.writer = writer
        self.droppedCount = droppedCount
        self.values = values
    }

    @_noLocks
    func emit(_ change: ParameterChange, at sampleTime: Int64) {
        values.note(change)
        emit(RenderEvent.parameter(change).wireEvent(at: sampleTime))
    }

    @_noLocks
    func emit(_ event: WireEvent) {
        if !writer.pointee.write(event) { droppedCount.pointee &+= 1 }
    }
}
