// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Carries out the requests of clients: quick ones at once, edits in their order. The server's thread and the session's.

import GraphDocuments
import JSON
import PluginHosting

extension Session: ControlHandler {
    func handle(
        _ request: ControlRequest, from client: ControlConnection,
        answer: @escaping @Sendable (Result<JSONValue, ControlError>) -> Void
    ) {
        defer { wakeUp.ring() }
        // The answer follows once a controller has moved. Other clients get answers meanwhile.
        if request.method.name == "learn" { return learn(request, from: client, answer: answer) }
        guard request.method.isSlow || request.method.isSearch else {
            return answer(Result { () throws(ControlError) in try quick(request, client) })
        }
        let isTaken = (request.method.isSearch ? searcher : worker).add { [self] in
            answer(Result { () throws(ControlError) in try slow(request) })
            wakeUp.ring()
        }
        if !isTaken { answer(.failure(ControlError(.ending, "The host is about to end."))) }
    }

    private func quick(_ request: ControlRequest, _ client: ControlConnection) throws(ControlError) -> JSONValue {
        switch request.method.name {
        case "status": return status
        case "graph": return try json(of: graph.captured)
        case "methods": return .list(ControlMethod.all.map(\.json))
        case "parameters": return try parameters(of: request.text("node"))
        case "get": return try get(request.text("path"))
        case "set": return try set(request.text("path"), to: request["value"] ?? .null)
        case "presets": return try presets(of: request.text("node"))
        case "bypass": return try bypass(request.text("node"), request["on"]?.flag)
        case "scenes": return scenes
        case "morph": return try morph(from: request.text("from"), to: request.text("to"))
        case "map": return try map(request)
        case "unmap": return try unmap(request.text("mapping"))
        case "mappings": return mappings
        case "watch": return try watch(request, client)
        case "panic": return panic()
        case "messages": return .list(state.withLock { $0.messages }.map { .text($0) })
        case "unwatch":
            client.watch([], interval: nil)
            return .null
        case "openView": return try openView(request, client)
        case "resizeView", "viewKey", "viewMouse", "viewFocus", "closeView": return try tellView(request, client)
        case "stop":
            stop()
            return .null
        default: throw ControlError(.unknownMethod, "The method \"\(request.method.name)\" is missing.")
        }
    }

    private func slow(_ request: ControlRequest) throws(ControlError) -> JSONValue {
        switch request.method.name {
        case "plugins": try installedPlugins()
        case "preset": try select(request.text("name"), of: request.text("node"))
        case "unblock": try unblock(request.text("node"))
        case "add": try add(request)
        case "remove": try remove(request.text("node"))
        case "move": try move(request)
        case "connect": try connect(request)
        case "disconnect": try disconnect(request)
        case "replace": try replace(request)
        case "undo": try undo()
        case "redo": try redo()
        case "scene": try go(toScene: request.text("name"))
        case "saveScene": try saveScene(request.text("name"))
        case "removeScene": try removeScene(request.text("name"))
        default: throw ControlError(.unknownMethod, "The method \"\(request.method.name)\" is missing.")
        }
    }

    private func watch(_ request: ControlRequest, _ client: ControlConnection) throws(ControlError) -> JSONValue {
        let names = (request["topics"]?.list ?? []).compactMap(\.text)
        var topics: Set<ControlTopic> = []
        for name in names {
            guard let topic = ControlTopic(rawValue: name) else {
                let all = ControlTopic.allCases.map(\.rawValue).joined(separator: ", ")
                throw ControlError(.notFound, "There is no topic \(ControlRequest.quoted(name)). Topics are \(all).")
            }
            topics.insert(topic)
        }
        let interval = request["interval"]?.number
        if let interval, !(0.01...3600).contains(interval) {
            throw ControlError(.badField, "The field \"interval\" is from 0.01 to 3600 seconds.")
        }
        // Cannot trap: at most 3600 seconds.
        client.watch(topics, interval: interval.map { UInt64($0 * 1e9) })
        if topics.contains(.parameters) { noteValues() }
        return .null
    }
}
