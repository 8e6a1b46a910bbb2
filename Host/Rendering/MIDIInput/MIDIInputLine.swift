// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The control side of MIDI input: routes, messages of the program, and received messages. Control threads.

import LinuxSystem
import Synchronization

/// The MIDI input along one song's time line.
package final class MIDIInputLine: Sendable {
    // SAFETY: only the render thread uses the core; the shared state consists of atomics and rings.
    nonisolated(unsafe) let core: UnsafeMutablePointer<MIDIInputCore>
    nonisolated(unsafe) private let shared: UnsafeMutablePointer<MIDIInputCore.Shared>
    private let serial = Mutex<UInt64>(0)
    private let writing = Mutex(())
    private let reading = Mutex(())
    /// The events that have been set: the render thread may still ring them.
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

    /// Makes these the routes from the next cycle on; notes and pedals along others end.
    ///
    /// Returns the number of the change, which the log names with its frame.
    @discardableResult
    package func route(_ routes: [MIDIRoute]) -> UInt64 {
        for route in routes {
            route.port.open()
            route.port.openControls()
        }
        return serial.withLock { serial in
            serial += 1
            shared.pointee.tables.offer(MIDIRouteTable(routes, serial: serial))
            shared.pointee.tables.collect { _ in }
            return serial
        }
    }

    /// Sends a message as if it had been received; false while 1024 of them wait for the next cycle.
    package func send(_ message: MIDIInputMessage) -> Bool { writing.withLock { _ in shared.pointee.sent.write(message) } }

    /// Sends the packets of a system-exclusive message, all or none; false without room.
    package func send(_ packets: [MIDIInputMessage]) -> Bool {
        writing.withLock { _ in
            guard shared.pointee.sent.hasRoom(for: packets.count) else { return false }
            for packet in packets { _ = shared.pointee.sent.write(packet) }
            return true
        }
    }

    /// Takes at most `count` messages that were received since the last call; the first call begins to listen.
    package func take(atMost count: Int) -> [MIDIInputMessage] {
        listen()
        return reading.withLock { _ in
            var messages: [MIDIInputMessage] = []
            while messages.count < count, shared.pointee.received.hasMessage { messages.append(shared.pointee.received.next()) }
            return messages
        }
    }

    /// Keeps the messages from now on.
    package func listen() { shared.pointee.isRead.store(true, ordering: .relaxed) }

    /// Keeps the messages from now on, and rings `event` when there are some.
    package func listen(ringing event: EventDescriptor) {
        events.withLock { events in
            if !events.contains(where: { $0 === event }) { events.append(event) }
        }
        // Release: the line holds the descriptor.
        shared.pointee.bell.store(event.descriptor, ordering: .releasing)
        listen()
    }

    /// The number of messages that were lost because the program did not take them.
    package var unreadCount: UInt64 { shared.pointee.received.droppedCount.load(ordering: .relaxed) }

    /// The number of messages that did not reach a unit because there was no room.
    package var droppedCount: UInt64 { shared.pointee.droppedCount.load(ordering: .relaxed) }
}
