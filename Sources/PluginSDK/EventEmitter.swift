// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The way of events from a kernel to the host. Render thread.

import ControlMessages
import Wire

/// Writes to the ring towards the host and counts what finds no room.
struct EventEmitter {
    private let writer: UnsafeMutablePointer<EventRingWriter>
    private let droppedCount: UnsafeMutablePointer<UInt32>

    @_noLocks
    init(writer: UnsafeMutablePointer<EventRingWriter>, droppedCount: UnsafeMutablePointer<UInt32>) {
        self.writer = writer
        self.droppedCount = droppedCount
    }

    @_noLocks
    func emit(_ event: WireEvent) {
        if !writer.pointee.write(event) { droppedCount.pointee &+= 1 }
    }
}
