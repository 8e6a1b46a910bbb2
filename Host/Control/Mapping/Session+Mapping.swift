// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes, lists and removes mappings for clients. Any thread.

import JSON
import PluginHosting

extension Session {
    /// Adds a mapping, which replaces one of the same source and path.
    func add(_ mapping: ControlMapping) throws(ControlError) -> JSONValue {
        let isAdded = midi.state.withLock { state in
            state.motions.removeAll { $0.mapping.source == mapping.source && $0.mapping.path == mapping.path }
            guard state.motions.count < ControlMapping.mostMappings else { return false }
            state.motions.append(MappingMotion(mapping))
            return true
        }
        guard isAdded else { throw ControlError(.refused, "A session has at most \(ControlMapping.mostMappings) mappings.") }
        midi.listen(to: self)
        tell("map \(mapping.source.text) to \(mapping.path)")
        return mapping.json
    }

    /// Maps a source that the client names.
    func map(_ request: ControlRequest) throws(ControlError) -> JSONValue {
        let source = try MIDISource(text: request.text("source"))
        return try add(MappingWish(request, self).mapping(from: source))
    }

    /// Maps the next source that moves; the answer follows the movement.
    func learn(
        _ request: ControlRequest, from client: ControlConnection,
        answer: @escaping @Sendable (Result<JSONValue, ControlError>) -> Void
    ) {
        do throws(ControlError) {
            let wish = try MappingWish(request, self)
            midi.learn(wish, self, isWanted: { client.isThere }, answer: answer)
        } catch {
            answer(.failure(error))
        }
    }

    /// Removes the mappings of a source or to a path; the answer has their number.
    func unmap(_ name: String) throws(ControlError) -> JSONValue {
        let count = midi.state.withLock { state in
            let count = state.motions.count
            state.motions.removeAll { $0.mapping.source.text == name || $0.mapping.path == name }
            return count - state.motions.count
        }
        guard count > 0 else { throw ControlError(.notFound, "Nothing is mapped as \(ControlRequest.quoted(name)).") }
        tell("unmap \(name)")
        return .object(["removed": .count(count)])
    }

    /// All mappings; `isPresent` says whether the graph that plays has the target.
    var mappings: JSONValue {
        .list(
            midi.mappings.map { mapping in
                guard case .object(var members) = mapping.json else { return .null }
                members["isPresent"] = .flag(present(mapped: mapping.path) != nil)
                return .object(members)
            })
    }

    /// Lets programs without a mapping select the scene of their number, or not.
    package func chooseScenesByProgram(_ isOn: Bool) {
        midi.state.withLock { $0.programsChooseScenes = isOn }
        midi.listen(to: self)
    }

    /// The name of a scene; nil beyond the last one.
    func sceneName(at index: Int) -> String? {
        state.withLock { $0.scenes.indices.contains(index) ? $0.scenes[index].name : nil }
    }

    /// Throws unless a scene has this name.
    func checkScene(_ name: String) throws(ControlError) {
        guard !state.withLock({ $0.scenes.contains { $0.name == name } }) else { return }
        throw ControlError(.notFound, "There is no scene \(ControlRequest.quoted(name)).")
    }
}
