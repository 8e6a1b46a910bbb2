// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Changes scenes: the next graph is built, takes over, and the former one rings out. The session's thread.

import AudioGraph
import GraphDocuments
import JSON
import LinuxSystem
import OpenSoundControl
import PluginHosting
import Printing

extension Session {
    /// The longest time for which a former scene rings out, in seconds.
    private static let longestRing = 15.0
    /// The most former scenes that ring out at once.
    private static let mostRinging = 2
    /// The most scenes of a session.
    private static let mostScenes = 1000

    /// The names of the scenes, and the one that plays.
    var scenes: JSONValue {
        let (scenes, scene) = state.withLock { ($0.scenes.map(\.name), $0.scene) }
        return .members(["scenes": .list(scenes.map { .text($0) }), "scene": scene.map { .text($0) }])
    }

    /// Changes to a scene by its name, or by its number from 1 on.
    func go(toScene name: String) throws(ControlError) -> JSONValue {
        let scenes = state.withLock { $0.scenes }
        let numbered = Int(name).flatMap { scenes.indices.contains($0 - 1) ? scenes[$0 - 1] : nil }
        guard let scene = scenes.first(where: { $0.name == name }) ?? numbered else {
            let all =
                scenes.isEmpty ? "There are none yet." : "Scenes are \(scenes.prefix(20).map(\.name).joined(separator: ", "))."
            throw ControlError(.notFound, "There is no scene \(ControlRequest.quoted(name)). \(all)")
        }
        let former = graph
        let frame = captureFrame
        let registry = try registry(scene.graph.wantedPlugins)
        let (next, change): (BuiltGraph, GraphChange)
        do throws(GraphDocumentError) {
            (next, change) = try former.handOver(
                to: scene.graph, from: registry, allowing: allowances, name: scene.name,
                without: scene.graph.quarantined(in: registry))
        } catch {
            throw ControlError(error)
        }
        note(change, scene: scene, next, since: frame)
        // Cannot trap: at most `longestRing`.
        let until = MonotonicClock.now() + UInt64(ringSeconds(of: former) * 1e9)
        state.withLock { state in
            (state.graph, state.scene, state.morph) = (next, scene.name, nil)
            state.ringing.append((former, until))
            // Former edits belong to the former scene.
            state.history.clear()
        }
        removeFormer()
        remember(unitsOf: next)
        tell("scene \(scene.name)")
        publishOSC(.edits, OSCMessage("/scene", .text(scene.name)))
        return .object(["scene": .text(scene.name)])
    }

    /// The seconds for which a graph may still be heard.
    private func ringSeconds(of graph: BuiltGraph) -> Double {
        let frames = graph.tailFrameCount
        let rate = max(1, engine.sampleRate ?? 48_000)
        guard frames < Int.max else { return Self.longestRing }
        return min(Self.longestRing, Double(frames + engine.latencyFrameCount) / rate + 0.1)
    }

    /// Removes former scenes that have rung out, and the oldest if too many ring.
    package func removeFormer() {
        let now = MonotonicClock.now()
        let done = state.withLock { state in
            let surplus = max(0, state.ringing.count - Self.mostRinging)
            let done = state.ringing.enumerated().filter { $0.offset < surplus || $0.element.until <= now }.map(\.offset)
            defer { for index in done.reversed() { state.ringing.remove(at: index) } }
            return done.map { state.ringing[$0].graph }
        }
        for graph in done {
            let frame = captureFrame
            do throws(GraphDocumentError) {
                note(removalOf: graph, at: try graph.remove(), since: frame)
            } catch {
                // It is silent, and is tried again.
                // Cannot trap: a constant.
                state.withLock { $0.ringing.append((graph, now + UInt64(Self.longestRing * 1e9))) }
                say("Couldn't let go of a former scene: \(error)")
            }
        }
    }

    /// Keeps the present graph as a scene.
    func saveScene(_ name: String) throws(ControlError) -> JSONValue {
        guard !name.isEmpty, name.utf8.count <= 200, PrintableText.isPrintable(name) else {
            throw ControlError(.refused, "A scene's name has 1 to 200 bytes that can be shown.")
        }
        let others = state.withLock { $0.scenes.filter { $0.name != name }.map(\.graph) }
        let document = graph.captured.sharing(StateBudget.states(in: others))
        let most = StateBudget().sceneByteCount
        guard StateBudget.byteCount(of: others + [document]) <= most else {
            throw ControlError(
                .refused, "The scenes of a session keep at most \(most >> 20) MiB of their effects' states. Remove a scene first.")
        }
        let isKept = state.withLock { state in
            let scene = SessionScene(name: name, graph: document)
            if let index = state.scenes.firstIndex(where: { $0.name == name }) {
                state.scenes[index] = scene
            } else {
                guard state.scenes.count < Self.mostScenes else { return false }
                state.scenes.append(scene)
            }
            state.scene = name
            return true
        }
        guard isKept else { throw ControlError(.refused, "A session has at most \(Self.mostScenes) scenes.") }
        tell("save scene \(name)")
        return .null
    }

    func removeScene(_ name: String) throws(ControlError) -> JSONValue {
        let isRemoved = state.withLock { state in
            guard let index = state.scenes.firstIndex(where: { $0.name == name }) else { return false }
            state.scenes.remove(at: index)
            if state.scene == name { state.scene = nil }
            return true
        }
        guard isRemoved else { throw ControlError(.notFound, "There is no scene \(ControlRequest.quoted(name)).") }
        tell("remove scene \(name)")
        return .null
    }
}
