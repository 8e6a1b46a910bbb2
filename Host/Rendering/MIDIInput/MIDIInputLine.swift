// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The control side of what comes in by MIDI: routes, messages of the program, and what has been received. Control threads.

import LinuxSystem
import Synchronization

/// What comes in by MIDI along one song's time line.
package final class MIDIInputLine: Sendable {
    // SAFETY: the render thread alone uses the core; the shared state consists of atomics and rings.
    nonisolated(unsafe) let core: UnsafeMutablePointer<MIDIInputCore>
    nonisolated(unsafe) private let shared: UnsafeMutablePointer<MIDIInputCore.Shared>
    private let serial = Mutex<UInt64>(0)
    private let writing = Mutex(())
    private let reading = Mutex(())
    /// What has been rung: the render thread may still do so.
    private let events = Mutex<[EventDescriptor]>([])

    init() {
        shared = .allocate(capacity: 1)
        shared.initialize(to: MIDIInputCore.Shared())
        core = .allocate(capacity: 1)
        core.initialize(to: MIDIInputCore(shared: shared))
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// Makes these the routes from the next cycle on; what is held along others ends.
    package func route(_ routes: [MIDIRoute]) {
        for route in routes { route.port.open() }
        serial.withLock { serial in
            serial += 1
            shared.pointee.tables.offer(MIDIRouteTable(routes, serial: serial))
            shared.pointee.tables.collect { _ in }
        }
    }

    /// Sends a message as if it had come in; false while 1024 of them wait for the next cycle.
    package func send(_ message: MIDIInputMessage) -> Bool { writing.withLock { _ in shared.pointee.sent.write(message) } }

    /// Takes what has come in since the last call, at most so many messages; the first call begins to listen.
    package func take(atMost count: Int) -> [MIDIInputMessage] {
        listen()
        return reading.withLock { _ in
            var messages: [MIDIInputMessage] = []
            while messages.count < count, shared.pointee.received.hasMessage { messages.append(shared.pointee.received.next()) }
            return messages
        }
    }

    /// Keeps what comes in from now on.
    package func listen() { shared.pointee.isRead.store(true, ordering: .relaxed) }

    /// Keeps what comes in from now on, and rings when there is some.
    package func listen(ringing event: EventDescriptor) {
        events.withLock { events in
            if !events.contains(where: { $0 === event }) { events.append(event) }
        }
        // Release: the line holds the descriptor.
        shared.pointee.bell.store(event.descriptor, ordering: .releasing)
        listen()
    }

    /// The messages that were not kept for the program because it did not take them.
    package var unreadCount: UInt64 { shared.pointee.received.droppedCount.load(ordering: .relaxed) }

    /// The messages that did not reach a unit because there was no room.
    package var droppedCount: UInt64 { shared.pointee.droppedCount.load(ordering: .relaxed) }
}
