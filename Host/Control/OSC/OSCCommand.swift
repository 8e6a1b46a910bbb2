// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The command in an OSC message. Any thread.

import AudioGraph
import JSON
import OpenSoundControl

/// A command to a session.
package enum OSCCommand: Hashable, Sendable {
    case set(path: String, JSONValue)
    case get(path: String)
    case scene(String)
    case sceneNumber(Int)
    case scenes, undo, redo, status, unwatch
    /// Ends all notes.
    case panic
    /// Bypasses a node or ends its bypass; nil asks for the present state.
    case bypass(node: String, Bool?)
    case watch(Set<ControlTopic>)
    /// The number of the host's `/watching`, sent back.
    case watching(Int)
    /// Turns the head of an environment's listener to these angles in degrees; nil stands for the only environment.
    case turn(node: String?, yaw: Double, pitch: Double, roll: Double)
    /// A released button.
    case nothing

    /// Reads a message.
    package init(_ message: OSCMessage) throws(OSCDefect) {
        let parts = message.address.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard message.address.utf8.count <= 1024, let first = parts.first else {
            throw OSCDefect("An address has 2 to 1024 bytes.")
        }
        switch (first, parts.count) {
        case ("scene", 1): self = try Self.scene(message)
        case ("scenes", 1), ("panic", 1), ("undo", 1), ("redo", 1), ("status", 1), ("unwatch", 1):
            self = try Self.button(String(first), message)
        case ("watch", 1): self = .watch(try Self.topics(message))
        case ("watching", 1): self = .watching(try Self.number(message).flatMap { Int(exactly: $0) } ?? 0)
        case ("bypass", 2): self = .bypass(node: try OSCName.name(parts[1]), try Self.number(message).map { $0 >= 0.5 })
        default:
            guard let turn = try Self.turn(parts, message) else {
                self = try Self.setting(parts, message)
                return
            }
            self = turn
        }
    }

    /// The pose of a head, as a tracker sends it: three angles or a quaternion; nil for another message.
    private static func turn(_ parts: [Substring], _ message: OSCMessage) throws(OSCDefect) -> OSCCommand? {
        guard parts.count <= 2, message.isHeadPose else { return nil }
        let node = parts.count == 2 ? try OSCName.name(parts[0]) : nil
        guard let numbers = message.finiteNumbers else {
            throw OSCDefect("\(message.quotedAddress) takes \(message.arguments.count) finite numbers.")
        }
        guard numbers.count == 4 else { return .turn(node: node, yaw: numbers[0], pitch: numbers[1], roll: numbers[2]) }
        guard let angles = Audio3DAngularOrientation(w: numbers[0], x: numbers[1], y: numbers[2], z: numbers[3]) else {
            throw OSCDefect("\(message.quotedAddress) takes a quaternion, whose numbers are not all 0.")
        }
        return .turn(node: node, yaw: Double(angles.yaw), pitch: Double(angles.pitch), roll: Double(angles.roll))
    }

    private static func setting(_ parts: [Substring], _ message: OSCMessage) throws(OSCDefect) -> OSCCommand {
        if OSCAddress.reserved.contains(String(parts[0])) { throw OSCDefect("There is no command \(message.quotedAddress).") }
        guard parts.count >= 2 else { throw OSCDefect("An address is /NODE/PARAMETER, not \(message.quotedAddress).") }
        var names: [String] = []
        for part in parts { names.append(try OSCName.name(part)) }
        let path = names.joined(separator: ".")
        guard message.arguments.count <= 1 else { throw OSCDefect("\(message.quotedAddress) takes one value.") }
        guard let value = message.arguments.first else { return .get(path: path) }
        if let number = value.number, !number.isFinite { throw OSCDefect("\(message.quotedAddress) takes a finite number.") }
        return .set(path: path, value.json)
    }

    private static func scene(_ message: OSCMessage) throws(OSCDefect) -> OSCCommand {
        if case .text(let name)? = message.arguments.first, message.arguments.count == 1 { return .scene(name) }
        guard let number = try number(message) else { throw OSCDefect("/scene takes a name, or a number from 1 on.") }
        guard let whole = Int(exactly: number) else { throw OSCDefect("/scene takes a whole number.") }
        return .sceneNumber(whole)
    }

    /// A command without values; controllers send 1 as a button goes down, and 0 as it comes up.
    private static func button(_ word: String, _ message: OSCMessage) throws(OSCDefect) -> OSCCommand {
        if let number = try number(message), number == 0 { return .nothing }
        switch word {
        case "scenes": return .scenes
        case "panic": return .panic
        case "undo": return .undo
        case "redo": return .redo
        case "status": return .status
        default: return .unwatch
        }
    }

    private static func topics(_ message: OSCMessage) throws(OSCDefect) -> Set<ControlTopic> {
        var topics: Set<ControlTopic> = []
        for argument in message.arguments {
            guard case .text(let name) = argument, let topic = ControlTopic(rawValue: name) else {
                throw OSCDefect("Topics are \(ControlTopic.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            topics.insert(topic)
        }
        return topics.isEmpty ? [.parameters, .faults, .edits] : topics
    }

    /// The one number of a message; nil for a message without values.
    private static func number(_ message: OSCMessage) throws(OSCDefect) -> Double? {
        guard let first = message.arguments.first else { return nil }
        guard message.arguments.count == 1, let number = first.number, number.isFinite else {
            throw OSCDefect("\(message.quotedAddress) takes one number.")
        }
        return number
    }
}

extension OSCMessage {
    /// The address, quoted for a sentence.
    var quotedAddress: String { ControlRequest.quoted(address) }
}
