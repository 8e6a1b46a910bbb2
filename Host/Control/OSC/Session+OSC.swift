// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Carries out OSC commands in a session: settings on the OSC thread, edits on the session's.

import AudioGraph
import AudioUnits
import GraphDocuments
import JSON
import OpenSoundControl
import PluginHosting
import Synchronization

extension Session {
    /// Serves Open Sound Control at these sockets; throws `SystemError` if no thread starts.
    package func serveOSC(at sockets: OSCSockets) throws {
        let server = try OSCServer(sockets)
        try server.begin(self)
        osc.withLock { $0 = server }
    }

    /// Carries out a command; it never waits for the render thread.
    func carryOut(_ command: OSCCommand, from peer: OSCPeer, _ server: OSCServer) {
        do throws(ControlError) {
            if let answer = try carryOutNow(command, from: peer, server) { server.answer(answer, to: peer) }
        } catch {
            server.tell(error.message, to: peer)
        }
        wakeUp.ring()
    }

    private func carryOutNow(_ command: OSCCommand, from peer: OSCPeer, _ server: OSCServer) throws(ControlError) -> OSCMessage? {
        switch command {
        case .nothing: return nil
        case .set(let path, let value):
            try set(path, to: value, rampFrameCount: rampFrameCount) { server.note($0, at: path, by: peer) }
        case .get(let path): return try message(at: path)
        case .status: return statusMessage
        case .scenes:
            var message = OSCMessage("/scenes")
            message.arguments = state.withLock { $0.scenes.map { .text($0.name) } }
            return message
        case .bypass(let node, nil):
            return OSCMessage("/bypass/\(OSCName.part(node))", .integer(try unit(node).shouldBypassEffect ? 1 : 0))
        case .bypass(let node, let isOn?):
            // A repeated message makes no edit.
            if try unit(node).shouldBypassEffect != isOn { _ = try bypass(node, isOn) }
        case .watch(let topics):
            guard server.watch(peer, topics) else {
                throw ControlError(.forbidden, "\(OSCClients.mostClients) senders watch already.")
            }
            return server.question(for: peer).map { OSCMessage("/watching", .integer(Int64($0))) }
        case .watching(let number): server.take(answer: number, of: peer)
        case .unwatch: _ = server.watch(peer, [])
        case .turn(let node, let yaw, let pitch, let roll):
            let name = if let node { node } else { try onlyEnvironment }
            for (angle, value) in [("yaw", yaw), ("pitch", pitch), ("roll", roll)] {
                let path = "\(name).\(angle)"
                try set(path, to: .number(value), rampFrameCount: rampFrameCount) { server.note($0, at: path, by: peer) }
            }
        case .panic: panic()
        case .undo: try later(peer, server) { session throws(ControlError) in _ = try session.undo() }
        case .redo: try later(peer, server) { session throws(ControlError) in _ = try session.redo() }
        case .scene(let name): try later(peer, server) { session throws(ControlError) in _ = try session.go(toScene: name) }
        case .sceneNumber(let number):
            guard number > 0, let name = sceneName(at: number - 1) else {
                throw ControlError(.notFound, "There is no scene \(number).")
            }
            try later(peer, server) { session throws(ControlError) in _ = try session.go(toScene: name) }
        }
        return nil
    }

    /// The name of the only environment of the graph.
    private var onlyEnvironment: String {
        get throws(ControlError) {
            let names = graph.document.nodes.filter { if case .environment = $0.kind { true } else { false } }.map(\.id)
            guard let name = names.first else { throw ControlError(.notFound, "No listener is here whose head could turn.") }
            guard names.count == 1 else {
                throw ControlError(.refused, "There are \(names.count) listeners; say which one, as in /NODE/ypr.")
            }
            return name
        }
    }

    /// Carries out an edit on the session's thread, unless too many wait.
    private func later(
        _ peer: OSCPeer, _ server: OSCServer, _ body: @escaping @Sendable (Session) throws(ControlError) -> Void
    ) throws(ControlError) {
        guard server.editCount.wrappingAdd(1, ordering: .relaxed).oldValue < OSCServer.mostEdits else {
            server.editCount.wrappingSubtract(1, ordering: .relaxed)
            throw ControlError(.refused, "\(OSCServer.mostEdits) edits wait already.")
        }
        worker.add { [self] in
            do throws(ControlError) { try body(self) } catch { server.tell(error.message, to: peer) }
            server.editCount.wrappingSubtract(1, ordering: .relaxed)
            wakeUp.ring()
        }
    }

    /// A message with the value at a path.
    private func message(at path: String) throws(ControlError) -> OSCMessage {
        let value = try value(at: path)
        return OSCMessage(value.address, .float(Float(try present(value).value)))
    }

    /// Name, rate in hertz, quantum in frames, xruns, latency in frames, and scene.
    private var statusMessage: OSCMessage {
        let (driver, scene) = (engine.driverStatus, state.withLock { $0.scene })
        return OSCMessage(
            "/status", .text(name), .float(Float(engine.sampleRate ?? 0)), .integer(Int64(driver?.quantum ?? 0)),
            .integer(Int64(clamping: driver?.xruns ?? 0)), .integer(Int64(engine.latencyFrameCount)), .text(scene ?? ""))
    }
}

extension HostValue {
    /// The address of the value.
    var address: String {
        switch self {
        case .parameter(let node, let keyPath): OSCAddress.address(node: node, keyPath)
        case .node(let name): OSCAddress.address(node: name.node, name.kind.rawValue)
        case .morph: OSCAddress.address(node: "morph", "amount")
        case .bypass(let node): "/bypass/\(OSCName.part(node))"
        case .panic: "/panic"
        case .scene: "/scene"
        }
    }
}

extension Session {
    /// True if a client of either protocol watches one of these topics.
    func isWatched(_ topics: Set<ControlTopic>) -> Bool {
        server?.isWatched(topics) == true || osc.withLock { $0?.isWatched(topics) } == true
    }

    /// Sends data to all watchers of a topic.
    func publish(_ topic: ControlTopic, _ data: JSONValue) {
        // Each client gets the highest meter since its last event.
        if topic != .meters { server?.publish(topic, data) }
        guard let osc = osc.withLock({ $0 }), osc.isWatched([topic]) else { return }
        let path = data["path"]?.text
        for message in messages(topic, data) { osc.publish(topic, message, path: path, value: data["value"]?.number) }
    }

    /// Sends watchers of OSC a bypass, or the scene that plays.
    func publishOSC(_ topic: ControlTopic, _ message: OSCMessage) { osc.withLock { $0 }?.publish(topic, message) }

    /// The messages of an event.
    private func messages(_ topic: ControlTopic, _ data: JSONValue) -> [OSCMessage] {
        switch topic {
        case .parameters:
            // A value whose node has just gone is not told.
            guard let path = data["path"]?.text, let value = data["value"]?.number, let address = try? self.value(at: path).address
            else {
                return []
            }
            return [OSCMessage(address, .float(Float(value)))]
        case .meters:
            var message = OSCMessage("/meters")
            message.arguments = (data["peaks"]?.list ?? []).map { .float(Float($0.number ?? 0)) }
            return [message]
        case .load:
            guard case .object(let units) = data else { return [] }
            return units.sorted { $0.key < $1.key }.map {
                OSCMessage("/load", .text($0.key), .float(Float($0.value["loadPercent"]?.number ?? 0)))
            }
        case .faults: return [OSCMessage("/faults", .text(data["node"]?.text ?? ""), .text(data["fault"]?.text ?? ""))]
        case .messages: return [OSCMessage("/messages", .text(data["text"]?.text ?? ""))]
        case .edits:
            return [OSCMessage("/edits", .integer(Int64(data["revision"]?.number ?? 0)), .text(data["title"]?.text ?? ""))]
        }
    }
}
