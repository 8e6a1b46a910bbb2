// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The control side of the render thread's log: begun before rendering, read during it. Control threads.

import Synchronization

/// Logs the events that the render thread takes, with their frames, so that a performance can be rendered again.
///
/// The code that takes an event writes it, so its frame is exact, and sending an event costs no more than without a log.
package final class EventLog: Sendable {
    // SAFETY: the core consists of atomics; the ring orders the accesses to its slots.
    nonisolated(unsafe) let core: UnsafeMutablePointer<EventLogCore>
    private let reading = Mutex(())

    init() {
        core = .allocate(capacity: 1)
        core.initialize(to: EventLogCore())
    }

    deinit {
        UnsafeMutablePointer<LoggedEvent>(bitPattern: core.pointee.slots.load(ordering: .acquiring))?.deallocate()
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// Logs all events from now on; a second call does nothing.
    package func begin() {
        reading.withLock { _ in
            guard core.pointee.slots.load(ordering: .relaxed) == 0 else { return }
            let slots = UnsafeMutablePointer<LoggedEvent>.allocate(capacity: EventLogCore.capacity)
            // Touched beforehand: the render thread meets no page fault.
            slots.initialize(repeating: LoggedEvent(.other, at: 0), count: EventLogCore.capacity)
            // Release: the memory is complete.
            core.pointee.slots.store(UInt(bitPattern: slots), ordering: .releasing)
        }
    }

    /// Takes the events since the last call, in the order in which the render thread took them.
    package func take() -> [LoggedEvent] {
        reading.withLock { _ in
            guard let slots = UnsafePointer<LoggedEvent>(bitPattern: core.pointee.slots.load(ordering: .acquiring)) else {
                return []
            }
            var position = core.pointee.read.load(ordering: .relaxed)
            // Acquire: the events are complete.
            let end = core.pointee.written.load(ordering: .acquiring)
            var events: [LoggedEvent] = []
            while position != end {
                events.append(slots[Int(truncatingIfNeeded: position) & (EventLogCore.capacity - 1)])
                position &+= 1
            }
            // Release: the slots have been read.
            core.pointee.read.store(position, ordering: .releasing)
            return events
        }
    }

    /// The number of events that were lost because the program did not take them in time.
    package var droppedCount: UInt64 { core.pointee.droppedCount.load(ordering: .relaxed) }

    /// The first frame of the present rendering, or of the last one.
    package var startFrame: Int64 { core.pointee.now }

    /// The frame after the last one that was rendered.
    package var endFrame: Int64 { core.pointee.end.load(ordering: .acquiring) }
}
