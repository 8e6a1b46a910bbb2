// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The actions of bulkhead ctl, and their requests. Any thread.

import Control
import FoundationEssentials
import JSON
import PluginHosting

/// A request of an action.
struct ControlCall: Equatable {
    let method: String
    var fields: [String: JSONValue] = [:]
}

/// The reason why an action's words make no request.
struct ControlUsage: Error {
    let sentence: String
}

/// The actions of `bulkhead ctl`.
enum ControlAction: String, CaseIterable {
    case status, hosts, get, set, parameters, presets, preset, bypass, add, remove, move, connect, disconnect, undo, redo, panic,
        scenes, scene, morph
    case saveScene = "save-scene"
    case removeScene = "remove-scene"
    case graph, replace, learn, map, unmap, mappings, unblock, watch, stop, call, schema

    /// The action with its arguments.
    var form: String { words.isEmpty ? rawValue : "\(rawValue) \(words)" }

    /// True if it has arguments.
    var takesWords: Bool { !words.isEmpty }

    private var words: String {
        switch self {
        case .status, .hosts, .undo, .redo, .panic, .scenes, .graph, .mappings, .stop, .schema: ""
        case .get: "PATH…"
        case .learn: "PATH"
        case .map: "SOURCE PATH"
        case .unmap: "SOURCE|PATH"
        case .set: "PATH=VALUE…"
        case .parameters, .presets, .remove, .move, .unblock: "NODE"
        case .preset: "NODE NAME"
        case .bypass: "NODE [on|off]"
        case .add: "PLUGIN"
        case .connect, .disconnect, .morph: "FROM TO"
        case .scene, .saveScene, .removeScene: "NAME"
        case .replace: "FILE"
        case .watch: "[TOPIC…]"
        case .call: "METHOD [JSON]"
        }
    }

    /// Its effect, as one sentence.
    var summary: String {
        switch self {
        case .status: "Shows the rate, the load, the nodes and what went wrong."
        case .hosts: "Lists the hosts that play."
        case .schema: "Prints the JSON Schema of the protocol."
        case .call: "Calls any method of the protocol."
        case .watch: "Prints what changes: meters, parameters, faults, load, edits, messages."
        case .replace: "Makes the graph that of a file."
        default: ControlMethod.named(method)?.summary ?? ""
        }
    }

    /// The method that it calls.
    private var method: String {
        switch self {
        case .saveScene: "saveScene"
        case .removeScene: "removeScene"
        default: rawValue
        }
    }

    /// The requests for these words and options.
    func calls(_ words: [String], _ options: [String: JSONValue]) throws(ControlUsage) -> [ControlCall] {
        switch self {
        case .hosts, .schema:
            guard words.isEmpty else { throw tooMany(words[0]) }
            return []
        case .get:
            guard !words.isEmpty else { throw missing }
            return words.map { ControlCall(method: "get", fields: ["path": .text($0)]) }
        case .set:
            guard !words.isEmpty else { throw missing }
            var calls: [ControlCall] = []
            for word in words { calls.append(try Self.setting(word)) }
            return calls
        case .watch:
            let topics = words.isEmpty ? ["parameters", "faults", "edits"] : words
            return [call(["topics": .list(topics.map { .text($0) })], options)]
        case .call: return [try free(words)]
        case .bypass where words.count == 2:
            guard ["on", "off"].contains(words[1]) else {
                throw ControlUsage(sentence: "bypass takes on or off, not \"\(words[1])\".")
            }
            return [call(["node": .text(words[0]), "on": .flag(words[1] == "on")], options)]
        case .replace:
            guard words.count == 1 else { throw words.isEmpty ? missing : tooMany(words[1]) }
            return [call(["graph": try Self.file(words[0])], options)]
        default: return [call(try named(words), options)]
        }
    }

    private func call(_ fields: [String: JSONValue], _ options: [String: JSONValue]) -> ControlCall {
        ControlCall(method: method, fields: fields.merging(options) { first, _ in first })
    }

    /// The words as the fields of the method, in its order.
    private func named(_ words: [String]) throws(ControlUsage) -> [String: JSONValue] {
        let names = (ControlMethod.named(method)?.fields ?? []).filter(\.isRequired).map(\.name)
        guard words.count >= names.count else { throw missing }
        guard words.count == names.count else { throw tooMany(words[names.count]) }
        return Dictionary(zip(names, words.map { .text($0) })) { first, _ in first }
    }

    private var missing: ControlUsage { ControlUsage(sentence: "Write: bulkhead ctl \(form)") }

    private func tooMany(_ word: String) -> ControlUsage { ControlUsage(sentence: "\"\(word)\" is one argument too many.") }

    private static func setting(_ word: String) throws(ControlUsage) -> ControlCall {
        guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
            throw ControlUsage(sentence: "set takes PATH=VALUE, such as Reverb.mix=40, not \"\(word)\".")
        }
        let text = String(word[word.index(after: equals)...])
        // JSON cannot hold NaN or infinity.
        let value = Double(text).flatMap { $0.isFinite ? JSONValue.number($0) : nil } ?? .text(text)
        return ControlCall(method: "set", fields: ["path": .text(String(word[..<equals])), "value": value])
    }

    private static func file(_ path: String) throws(ControlUsage) -> JSONValue {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw ControlUsage(sentence: "\"\(path)\" cannot be read: \(FilePath.reason(of: error)).")
        }
        guard let value = JSONValue(json: Array(bytes)) else { throw ControlUsage(sentence: "\"\(path)\" is not JSON.") }
        return value
    }

    private func free(_ words: [String]) throws(ControlUsage) -> ControlCall {
        guard let method = words.first else { throw missing }
        guard words.count <= 2 else { throw tooMany(words[2]) }
        guard words.count == 2 else { return ControlCall(method: method) }
        guard case .object(let fields)? = JSONValue(json: Array(words[1].utf8)) else {
            throw ControlUsage(sentence: "The fields of a method are an object, such as '{\"node\": \"Reverb\"}'.")
        }
        return ControlCall(method: method, fields: fields)
    }
}
