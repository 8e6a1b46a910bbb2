// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The rings between a unit's control threads and the render thread: commands one way, notices the other.

import AudioUnits
import Synchronization
import Wire

/// A MIDI message that a unit sent.
public struct ReceivedMIDI: Hashable, Sendable {
    /// The message.
    public var message: MIDIMessage
    /// The frames since rendering started.
    public var sampleTime: Int64
}

/// Two rings in the host's own memory, one for commands and one for notices.
///
/// The notices' pages are touched beforehand, so that the render thread, which writes there, meets no page fault. The commands'
/// pages exist once a control thread has written to them, and the render thread reads no others.
final class UnitMailbox: Sendable {
    /// The most notices, and the most messages of the unit that are kept.
    static let capacity = 4096
    /// The most commands: they have room for all that MIDI can have set on a unit.
    static let commandCapacity = 8192
    private static let countersByteCount = 4 * 64
    private static let noticesByteCount = capacity * MemoryLayout<WireEvent>.stride
    private static let commandsByteCount = commandCapacity * MemoryLayout<WireEvent>.stride

    // SAFETY: the rings order the accesses. One thread uses each render end, and a lock guards each control
    // end.
    nonisolated(unsafe) private let memory: UnsafeMutableRawPointer
    private let commandWriter: Mutex<EventRingWriter>
    private let noticeReader: Mutex<EventRingReader>
    private let receivedMIDI = Mutex<[ReceivedMIDI]>([])

    init() {
        let touched = Self.countersByteCount + Self.noticesByteCount
        memory = .allocate(byteCount: touched + Self.commandsByteCount, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: touched)
        commandWriter = Mutex(EventRingWriter(Self.commands(in: memory)))
        noticeReader = Mutex(EventRingReader(Self.notices(in: memory)))
    }

    deinit { memory.deallocate() }

    /// The render thread's ends, for one renderer at a time.
    func renderEnds() -> (commands: EventRingReader, notices: EventRingWriter) {
        (EventRingReader(Self.commands(in: memory)), EventRingWriter(Self.notices(in: memory)))
    }

    /// Sends an event or a command to the render thread; false while 8192 of them are waiting.
    func send(_ event: WireEvent) -> Bool { commandWriter.withLock { $0.write(event) } }

    /// Sends all events, with none of another thread between them; false, and sends none, without room for all.
    func send(all events: [WireEvent]) -> Bool {
        commandWriter.withLock { writer in
            guard writer.freeCount() >= events.count else { return false }
            for event in events { _ = writer.write(event) }
            return true
        }
    }

    /// True if commands wait for the render thread.
    var hasPendingCommands: Bool { commandWriter.withLock { $0.freeCount() < Self.commandCapacity } }

    /// Drops the waiting commands, while no render thread runs.
    func discardCommands() {
        var reader = renderEnds().commands
        guard case .count(let count) = reader.available() else { return }
        for _ in 0..<count { _ = reader.next() }
    }

    /// True if the render thread has sent a notice since the last call of `takeNotices`.
    var hasNotices: Bool {
        noticeReader.withLock { reader in
            if case .count(0) = reader.available() { false } else { true }
        }
    }

    /// Takes all notices that the render thread has sent since the last call.
    func takeNotices() -> [WireEvent] {
        noticeReader.withLock { reader in
            guard case .count(let count) = reader.available() else { return [] }
            return (0..<count).map { _ in reader.next() }
        }
    }

    /// Keeps a MIDI message until it is taken; of more than 4096, the newest ones.
    func receive(_ message: ReceivedMIDI) {
        receivedMIDI.withLock { received in
            if received.count >= Self.capacity { received.removeFirst(received.count - Self.capacity + 1) }
            received.append(message)
        }
    }

    /// Takes the MIDI messages since the last call.
    func takeMIDI() -> [ReceivedMIDI] { receivedMIDI.withLock { exchange(&$0, with: []) } }

    private static func notices(in memory: UnsafeMutableRawPointer) -> EventRing {
        ring(0, at: memory + countersByteCount, capacity: capacity, in: memory)
    }

    private static func commands(in memory: UnsafeMutableRawPointer) -> EventRing {
        ring(1, at: memory + countersByteCount + noticesByteCount, capacity: commandCapacity, in: memory)
    }

    private static func ring(
        _ index: Int, at slots: UnsafeMutableRawPointer, capacity: Int, in memory: UnsafeMutableRawPointer
    ) -> EventRing {
        let counters = memory + index * 128
        return EventRing(
            slots: slots.assumingMemoryBound(to: WireEvent.self), capacity: capacity,
            written: SharedCounter(unsafeAddress: counters), read: SharedCounter(unsafeAddress: counters + 64))
    }
}
