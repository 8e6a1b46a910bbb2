// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The ways between a unit's control threads and the render thread: commands one way, notices the other.

import AudioUnits
import Synchronization
import Wire

/// A MIDI message that a unit sent.
public struct ReceivedMIDI: Hashable, Sendable {
    public var message: MIDIMessage
    /// Frames since rendering started.
    public var sampleTime: Int64
}

/// Two rings in the host's own memory. That of the notices is touched beforehand, so that the render thread, which writes to it, meets
/// no page fault; the pages of the other are there once a control thread has written to them, and the render thread reads no others.
final class UnitMailbox: Sendable {
    static let capacity = 4096
    private static let countersByteCount = 4 * 64
    private static let slotsByteCount = capacity * MemoryLayout<WireEvent>.stride

    // SAFETY: the rings order the accesses; each end is used by one thread, the writer's under a lock.
    nonisolated(unsafe) private let memory: UnsafeMutableRawPointer
    private let commandWriter: Mutex<EventRingWriter>
    private let noticeReader: Mutex<EventRingReader>
    private let receivedMIDI = Mutex<[ReceivedMIDI]>([])

    init() {
        memory = .allocate(byteCount: Self.countersByteCount + 2 * Self.slotsByteCount, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: Self.countersByteCount + Self.slotsByteCount)
        commandWriter = Mutex(EventRingWriter(Self.commands(in: memory)))
        noticeReader = Mutex(EventRingReader(Self.notices(in: memory)))
    }

    deinit { memory.deallocate() }

    /// The render thread's ends. For one renderer at a time.
    func renderEnds() -> (commands: EventRingReader, notices: EventRingWriter) {
        (EventRingReader(Self.commands(in: memory)), EventRingWriter(Self.notices(in: memory)))
    }

    /// Sends an event or a command to the render thread; false when it has not taken the last 4096 yet.
    func send(_ event: WireEvent) -> Bool { commandWriter.withLock { $0.write(event) } }

    /// Whether something waits for the render thread.
    var hasPendingCommands: Bool { commandWriter.withLock { $0.freeCount() < Self.capacity } }

    /// Drops what waits for a render thread, while there is none.
    func discardCommands() {
        var reader = renderEnds().commands
        guard case .count(let count) = reader.available() else { return }
        for _ in 0..<count { _ = reader.next() }
    }

    /// Everything that the render thread has said since the last call.
    func takeNotices() -> [WireEvent] {
        noticeReader.withLock { reader in
            guard case .count(let count) = reader.available() else { return [] }
            return (0..<count).map { _ in reader.next() }
        }
    }

    /// Keeps a MIDI message until somebody asks for it; the newest 4096.
    func receive(_ message: ReceivedMIDI) {
        receivedMIDI.withLock { received in
            if received.count >= Self.capacity { received.removeFirst(received.count - Self.capacity + 1) }
            received.append(message)
        }
    }

    /// The MIDI messages that came since the last call.
    func takeMIDI() -> [ReceivedMIDI] { receivedMIDI.withLock { exchange(&$0, with: []) } }

    private static func notices(in memory: UnsafeMutableRawPointer) -> EventRing { ring(0, in: memory) }

    private static func commands(in memory: UnsafeMutableRawPointer) -> EventRing { ring(1, in: memory) }

    private static func ring(_ index: Int, in memory: UnsafeMutableRawPointer) -> EventRing {
        let counters = memory + index * 128
        let slots = memory + countersByteCount + index * slotsByteCount
        return EventRing(
            slots: slots.assumingMemoryBound(to: WireEvent.self), capacity: capacity,
            written: SharedCounter(unsafeAddress: counters), read: SharedCounter(unsafeAddress: counters + 64))
    }
}
