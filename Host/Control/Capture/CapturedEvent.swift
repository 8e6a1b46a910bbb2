// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A line of a capture's events: what happened, and at which frame. Any thread.

import AudioGraph
import FoundationEssentials
import PluginHosting

/// Something that happened while a performance was captured.
package struct CapturedEvent: Codable, Hashable, Sendable {
    /// What happened.
    package enum Kind: String, Codable, Sendable {
        /// A MIDI message came in.
        case midi
        /// A parameter of a unit changed.
        case parameter
        /// A unit was bypassed, or no longer.
        case bypass
        /// A level changed.
        case level
        /// The graph became another one.
        case edit
        /// Another graph took over; the one before rang out.
        case scene
        /// What rang out longest went.
        case removal
        /// The graph was rendered as another plan: after an edit, once something had faded out, or with other latencies.
        case plan
        /// A block of a unit was replaced.
        case replaced
        /// Something happened that no replay can repeat, from about this frame on.
        case unrepeatable
        /// The capture ended.
        case end

        /// Whether it is done between two blocks of a replay.
        package var isChange: Bool { [.parameter, .bypass, .level, .plan].contains(self) || isEdit }
        /// Whether it makes another graph, which what happens at the same frame may be about.
        var isEdit: Bool { [.edit, .scene, .removal].contains(self) }
    }

    /// The frames since rendering started.
    package var frame: Int64
    package var event: Kind
    /// The node, or the name of the level.
    package var node: String?
    /// The key path of the parameter.
    package var keyPath: String?
    /// The parameter's value, the volume, or 1 for a bypass that is on.
    package var value: Double?
    package var pan: Double?
    /// The frames of the parameter's ramp.
    package var ramp: UInt32?
    /// The number of the MIDI port.
    package var port: UInt8?
    /// The bytes of the MIDI message.
    package var bytes: [UInt8]?
    /// How many frames were replaced.
    package var frameCount: Int64?
    /// What was done to the graph.
    package var title: String?
    /// What the graph became.
    package var graph: GraphDocument?

    init(_ event: Kind, at frame: Int64) { (self.event, self.frame) = (event, frame) }
}

extension CapturedEvent {
    /// The event as a line.
    var line: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array((try? encoder.encode(self)) ?? Data()) + [0x0A]
    }

    /// Reads the lines of a file, sorted by their frames; of what happened at one frame edits come first, and all else stays in its order.
    ///
    /// A last line that was cut short is left out. The thrown reason names the line.
    package static func events(inFile path: String) throws(FileDefect) -> [CapturedEvent] {
        let bytes = try SmallFile.bytes(path, maximumByteCount: 1 << 30)
        var events: [CapturedEvent] = []
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        // What follows the last line feed is no line.
        for (index, line) in lines.dropLast().enumerated() {
            let event: CapturedEvent
            do {
                event = try JSONDecoder().decode(CapturedEvent.self, from: Data(line))
            } catch {
                throw FileDefect("line \(index + 1): \(ReadableJSON.reason(of: error))")
            }
            guard let defect = event.defect else {
                events.append(event)
                continue
            }
            throw FileDefect("line \(index + 1): \(defect)")
        }
        return events.enumerated().sorted { $0.element.order($0.offset) < $1.element.order($1.offset) }.map(\.element)
    }

    private func order(_ offset: Int) -> (Int64, Int, Int) { (frame, event.isEdit ? 0 : 1, offset) }

    /// What the event lacks; nil if it is whole.
    private var defect: String? {
        if frame < 0 { return "\"frame\" is negative" }
        let wanted: [(name: String, isThere: Bool)] =
            switch event {
            case .midi: [("port", port != nil), ("bytes", (1...3).contains(bytes?.count ?? 0))]
            case .parameter: [("node", node != nil), ("keyPath", keyPath != nil), ("value", value?.isFinite == true)]
            case .bypass, .level: [("node", node != nil), ("value", value?.isFinite == true)]
            case .replaced: [("node", node != nil), ("frameCount", (frameCount ?? 0) > 0)]
            case .unrepeatable: [("title", title != nil)]
            case .edit, .scene: [("graph", graph != nil)]
            case .end, .plan, .removal: []
            }
        if let lacking = wanted.first(where: { !$0.isThere }) { return "\"\(lacking.name)\" is missing" }
        return graph?.defects.first.map { "\($0)" }
    }
}
