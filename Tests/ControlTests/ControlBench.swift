// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A session that plays on a timer, and clients of it. Test thread.

import AudioGraph
import Foundation
import GraphDocuments
import HostingTestSupport
import JSON
import LinuxSystem
import PluginHosting
import Rendering
import Synchronization
import TestSupport
import Testing

@testable import Control

/// A session of a chain, under a name of its own.
final class ControlBench {
    let session: Session
    let engine: AudioEngine
    private var loop: SessionLoop?
    static let registry = ComponentRegistry(searchPath: [Build.folder, Build.testPluginFolder])

    /// With `ticks` the session is looked after 100 times a second, as the host's main thread does.
    init(
        _ units: [(id: String, plugin: String)] = [("Gain", "Gain"), ("Reverb", "Reverb")],
        driver: any AudioDriver = NullDriver(channelCount: 2, quantum: 256, sampleRate: 48_000), ticks: Bool = false
    ) throws {
        engine = AudioEngine(driver: driver)
        try engine.awaitRate()
        var nodes = [GraphDocument.Node(id: "player", .mixer(outputVolume: 1))]
        for unit in units { nodes.append(.init(id: unit.id, .unit(.init(unit.plugin)))) }
        let ids = nodes.map(\.id) + ["main"]
        let document = GraphDocument(
            nodes: nodes, connections: zip(ids, ids.dropFirst()).map { .init(from: .init($0), to: .init($1)) })
        let graph = try document.build(
            into: engine, from: Self.registry, allowing: Allowances(), name: "test", at: .scene("test"))
        session = try Session(named: "test-\(getpid())", graph, in: Self.registry, ringing: try EventDescriptor())
        try engine.start()
        try session.begin()
        if ticks { loop = try SessionLoop(session) }
    }

    deinit {
        loop?.end()
        session.end()
        engine.stop()
    }

    var address: ControlAddress {
        get throws { try #require(session.server).listener.address }
    }

    func client() throws -> ControlClient { try ControlClient(address) }

    /// A connection without a protocol.
    func raw() throws -> Int32 {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let connected = try address.withSocketAddress { connect(number, $0, $1) }
        #expect(connected == 0)
        return number
    }
}

/// Looks after a session on a thread of its own, in the place of the host's main thread.
private final class SessionLoop {
    private final class End: Sendable {
        let isReached = Atomic<Bool>(false)
    }
    private let reached = End()
    private let thread: LinuxSystem.Thread

    init(_ session: Session) throws {
        thread = try LinuxSystem.Thread(name: "ticks") { [reached] in
            while !reached.isReached.load(ordering: .relaxed) {
                session.tick(peaks: (0, 0))
                Futex.pause(microseconds: 10_000)
            }
        }
    }

    func end() {
        reached.isReached.store(true, ordering: .relaxed)
        thread.join()
    }
}

extension ControlClient {
    /// The next event.
    func nextEvent() throws -> JSONValue { try event() ?? .null }
}
