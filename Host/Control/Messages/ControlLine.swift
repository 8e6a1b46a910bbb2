// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The lines that a host sends: answers, refusals and events. Any thread.

import JSON

/// What a host sends, a line each.
enum ControlLine {
    /// The version of the protocol.
    static let version = 1

    /// The first line of each connection.
    static func hello(_ name: String) -> [UInt8] {
        bytes(.object(["bulkheadControl": .count(version), "host": .text(name)]))
    }

    static func answer(_ id: JSONValue, _ result: Result<JSONValue, ControlError>) -> [UInt8] {
        switch result {
        // A fader that moves is answered a thousand times a second: no object is made for it.
        case .success(let value): Array("{\"id\":".utf8) + id.json + Array(",\"result\":".utf8) + value.json + [0x7D, 0x0A]
        case .failure(let error):
            bytes(.object(["id": id, "error": .object(["code": .text(error.code.rawValue), "message": .text(error.message)])]))
        }
    }

    static func event(_ topic: ControlTopic, _ data: JSONValue) -> [UInt8] {
        bytes(.object(["event": .text(topic.rawValue), "data": data]))
    }

    /// The picture of a view, for the client that has opened it.
    static func view(_ data: JSONValue) -> [UInt8] { bytes(.object(["event": "view", "data": data])) }

    private static func bytes(_ value: JSONValue) -> [UInt8] { value.json + [0x0A] }
}

/// What a client can watch.
public enum ControlTopic: String, Hashable, Sendable, CaseIterable {
    /// The peaks of what is heard.
    case meters
    /// Parameters that have another value.
    case parameters
    /// What went wrong with a unit or a device, and what came back.
    case faults
    /// The load of each unit.
    case load
    /// The graph or the scenes have changed.
    case edits
    /// What the host and its plug-ins say.
    case messages

    /// Whether a reader that is behind may miss an event.
    var maySkip: Bool { self == .meters || self == .load }
}
