// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads a unit's region for a trace, beside the threads that use it. A thread of its own, which only reads.

import CWireLayout
import LinuxSystem
import Wire

/// Passes the requests, replies and events of one unit to a trace.
///
/// The render threads do not know of it and never wait for it. So it can miss some: requests and replies have numbers that show
/// it, and it passes on the number of missed events.
struct RegionObserver {
    private static let pauseMicroseconds: UInt32 = 50

    private let region: Region
    private let process: Int32
    private let trace: @Sendable (TracedMessage) -> Void
    private var published: UInt64 = 0
    private var completed: UInt64 = 0
    /// The number of events in each ring that the trace has received.
    private var eventsToPlugin: UInt64 = 0
    private var eventsToHost: UInt64 = 0

    /// Observes the memory for as long as it exists, if this process traces messages.
    ///
    /// `[control]` Call it after the region has been formatted.
    static func observe(_ memory: UnitMemory, _ region: Region, process: Int32) {
        guard let trace = HostConfiguration.current.messageTrace else { return }
        let thread = try? Thread(name: "trace") { [weak memory] in
            var observer = RegionObserver(region: region, process: process, trace: trace)
            while let memory {
                withExtendedLifetime(memory) { observer.look() }
                Futex.pause(microseconds: pauseMicroseconds)
            }
        }
        thread?.detach()
    }

    private init(region: Region, process: Int32, trace: @escaping @Sendable (TracedMessage) -> Void) {
        (self.region, self.process, self.trace) = (region, process, trace)
    }

    private mutating func look() {
        let published = region.publishedSequence.load()
        // The region has been formatted anew, for a new process.
        if published < self.published { (self.published, completed, eventsToPlugin, eventsToHost) = (0, 0, 0, 0) }
        // The plug-in may store any number.
        let answered = min(region.completedSequence.load(), published)
        let header = region.header
        tellEvents(
            &eventsToPlugin, at: header.hostToPluginEventsOffset, Int(header.hostToPluginEventCapacity),
            written: header.hostWordsOffset + 64, isFromHost: true)
        for sequence in next(self.published, until: published) {
            let request = region.request(sequence).pointee
            if request.sequence == sequence { tell("request", request.traced, sequence, isFromHost: true) }
        }
        for sequence in next(completed, until: answered) {
            let reply = region.reply(sequence).pointee
            if reply.sequence == sequence { tell("reply", reply.traced, sequence, isFromHost: false) }
        }
        self.published = published
        completed = max(completed, answered)
        tellEvents(
            &eventsToHost, at: header.pluginToHostEventsOffset, Int(header.pluginToHostEventCapacity),
            written: header.pluginWordsOffset + 128, isFromHost: false)
    }

    /// The numbers after `seen` whose slots still hold them.
    private func next(_ seen: UInt64, until newest: UInt64) -> Range<UInt64> {
        guard newest > seen else { return 0..<0 }
        return max(seen, newest - min(newest, UInt64(region.slotCount))) + 1..<newest + 1
    }

    private func tellEvents(
        _ seen: inout UInt64, at offset: UInt64, _ capacity: Int, written: UInt64, isFromHost: Bool
    ) {
        let counter = SharedCounter(unsafeAddress: region.base + Int(written))
        let slots = (region.base + Int(offset)).assumingMemoryBound(to: WireEvent.self)
        let newest = counter.load()
        // The plug-in may store any number.
        if newest &- seen > UInt64(capacity) {
            tell("events", "\(newest &- seen) not seen", 0, isFromHost: isFromHost)
            seen = newest
        }
        while seen != newest {
            let event = slots[Int(truncatingIfNeeded: seen & UInt64(capacity - 1))]
            tell("event", event.traced, seen, isFromHost: isFromHost)
            seen &+= 1
        }
    }

    private func tell(_ name: String, _ fields: String, _ number: UInt64, isFromHost: Bool) {
        trace(
            TracedMessage(
                name, fields: fields, serial: UInt32(truncatingIfNeeded: number), process: process, isFromHost: isFromHost))
    }
}

// MARK: - Fields

extension WireRequest {
    private static let flagNames = ["BYPASS", "RESET", "OFFLINE", "RING_SUCCESSOR", "DISCONTINUITY"]

    fileprivate var traced: String {
        let named = Self.flagNames.enumerated().filter { flags & 1 << UInt32($0.offset) != 0 }.map(\.element)
        return
            "sequence: \(sequence), sampleTime: \(sampleTime), frames in: \(inputFrameCount), out: \(outputFrameCount), "
            + "flags: \(named.isEmpty ? "none" : named.joined(separator: " ")), eventCount: \(eventCount), "
            + "outputSlot: \(outputSlot), wiring: \(wiring)"
    }
}

extension WireReply {
    fileprivate var traced: String {
        "sequence: \(sequence), status: \(status), frames in: \(inputFrameCount), out: \(outputFrameCount), "
            + "latency: \(latencyFrameCount), tail: \(tailFrameCount), droppedEventCount: \(droppedEventCount)"
    }
}

extension WireEvent {
    fileprivate var traced: String {
        switch Int(kind) {
        case CWireLayout_eventParameter:
            "parameter, sampleTime: \(sampleTime), address: \(address), value: \(Double(bitPattern: value)), "
                + "rampFrameCount: \(rampFrameCount)"
        case CWireLayout_eventMIDI:
            "MIDI, sampleTime: \(sampleTime), cable: \(cable), bytes: \(hexadecimalBytes)"
        default: "kind \(kind), sampleTime: \(sampleTime), bytes: \(hexadecimalBytes)"
        }
    }

    /// The bytes of a MIDI message.
    private var hexadecimalBytes: String {
        let all = withUnsafeBytes(of: address.littleEndian, Array.init) + withUnsafeBytes(of: value.littleEndian, Array.init)
        return all.prefix(Int(byteCount)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }
}
