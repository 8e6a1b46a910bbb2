// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The lines that a host sends: answers, refusals and events. Any thread.

import JSON

/// The lines of a host.
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

/// The topics that a client can watch.
public enum ControlTopic: String, Hashable, Sendable, CaseIterable {
    /// The peaks of the output.
    case meters
    /// Changed parameters.
    case parameters
    /// The faults of units and devices, and the ends of faults.
    case faults
    /// The load of each unit.
    case load
    /// Changes of the graph and the scenes.
    case edits
    /// The messages of the host and its plug-ins.
    case messages

    /// True if a slow reader may miss events.
    var maySkip: Bool { self == .meters || self == .load }
}
