// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes the events of a capture as lines of a file, reads them back and checks them. Any thread.

import AudioGraph
import PluginHosting

extension CapturedEvent {
    /// The most events that are read of a capture: ten in each block of 512 frames, for an hour.
    package static let mostEvents = 4_000_000
    /// The longest line, in bytes; one line may hold a whole graph.
    static let longestLine = 1 << 26
    /// The last frame that a JSON number represents exactly.
    private static let lastFrame = Int64(1) << 53

    /// The event as a line.
    var line: [UInt8] {
        // Every event can be written.
        (try? ReadableJSON.line(self)) ?? [0x0A]
    }

    /// Reads the lines of a file, sorted by frame.
    ///
    /// At one frame edits come first; all other events keep their order.
    ///
    /// An incomplete last line is left out. The thrown reason names the line.
    package static func events(inFile path: String) throws(FileDefect) -> [CapturedEvent] {
        try events(inFile: path, atMost: mostEvents)
    }

    static func events(inFile path: String, atMost limit: Int) throws(FileDefect) -> [CapturedEvent] {
        var lines = try FileLines(path, maximumByteCount: longestLine)
        var events: [CapturedEvent] = []
        var number = 0
        while let line = try lines.next() {
            number += 1
            guard number <= limit else { throw FileDefect("it has more than \(limit) lines") }
            let (event, unknown): (CapturedEvent, UnknownKey?)
            do {
                (event, unknown) = try ReadableJSON.document(CapturedEvent.self, from: Array(line))
            } catch {
                throw FileDefect("line \(number): \(ReadableJSON.reason(of: error))")
            }
            if let defect = unknown?.reason() ?? event.defect { throw FileDefect("line \(number): \(defect)") }
            events.append(event)
        }
        // A stable sort in place, because there may be millions of events.
        events.sort { $0.order < $1.order }
        return events
    }

    private var order: (Int64, Int) { (frame, event.isEdit ? 0 : 1) }

    /// The part that the event lacks; nil if it is complete.
    private var defect: String? {
        if frame < 0 { return "\"frame\" is negative" }
        if frame > Self.lastFrame { return "\"frame\" is above \(Self.lastFrame)" }
        if let frameCount, !(1...Int64(UInt32.max)).contains(frameCount) { return "\"frameCount\" is not from 1 to \(UInt32.max)" }
        if let madeBy, madeBy < 0 { return "\"madeBy\" is negative" }
        let wanted: [(name: String, isThere: Bool)] =
            switch event {
            case .midi: [("port", port != nil), ("bytes", (1...3).contains(bytes?.count ?? 0))]
            case .parameter: [("node", node != nil), ("keyPath", keyPath != nil), ("value", value?.isFinite == true)]
            case .panic: [("node", node != nil)]
            case .routes: [("routes", routes != nil)]
            case .bypass, .level: [("node", node != nil), ("value", value?.isFinite == true)]
            case .replaced: [("node", node != nil), ("frameCount", frameCount != nil)]
            case .unrepeatable: [("title", title != nil)]
            case .edit, .scene: [("graph", graph != nil)]
            case .end, .plan, .removal: []
            }
        if let lacking = wanted.first(where: { !$0.isThere }) { return "\"\(lacking.name)\" is missing" }
        return graph?.defects.first.map { "\($0)" }
    }
}
