// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Nodes without outputs, which only listen: the engine renders them for their own sake. Test thread.

import HostingTestSupport
import Realtime
import Rendering
import Synchronization
import Testing

@testable import AudioGraph

@Suite(.timeLimit(.minutes(15))) struct EndTests {
    private let engine: AudioEngine
    private let player = AudioPlayerNode()
    private let listener = Listener()

    init() throws {
        engine = try AudioEngine.offline()
        engine.attach(player)
        engine.attach(listener)
        player.scheduleBuffer(try Sounds.buffer(100) { _, _ in 0.25 }, options: .loops)
        player.play()
    }

    @Test func aNodeWithoutOutputsIsRenderedAndTheOutputIsAsWithoutIt() throws {
        try engine.connect(
            player, to: [AudioConnectionPoint(node: listener), AudioConnectionPoint(node: engine.mainMixerNode)], fromBus: 0)
        try engine.start()
        #expect(try engine.render(1024)[0] == [Float](repeating: 0.25, count: 1024))
        #expect(listener.ear.frameCount == 1024)
        #expect(listener.ear.peak == 0.25)
    }

    @Test func aNodeWithoutOutputsIsRenderedWhereNothingIsHeard() throws {
        try engine.connect(player, to: listener)
        try engine.start()
        #expect(try engine.render(1024)[0] == [Float](repeating: 0, count: 1024))
        #expect(listener.ear.frameCount == 1024)
    }

    @Test func aNodeWithoutOutputsThatNothingLeadsToIsNotRendered() throws {
        try engine.connect(player, to: engine.mainMixerNode)
        try engine.start()
        _ = try engine.render(1024)
        #expect(listener.ear.frameCount == 0)
    }

    @Test func aNodeWithoutOutputsHearsTheFadeWhenItIsDisconnectedAndNothingAfterIt() throws {
        try engine.connect(player, to: listener)
        try engine.start()
        _ = try engine.render(1024)
        engine.disconnectNodeInput(listener)
        _ = try engine.render(4096)
        let heard = listener.ear.frameCount
        #expect(heard > 1024 + 1200)
        _ = try engine.render(4096)
        #expect(listener.ear.frameCount == heard)
        // It comes back, and goes for good.
        try engine.connect(player, to: listener)
        _ = try engine.render(4096)
        #expect(listener.ear.frameCount == heard + 4096)
        engine.detach(listener)
        _ = try engine.render(4096)
        _ = try engine.render(4096)
        let other = try AudioEngine.offline()
        #expect(throws: Never.self) { _ = try other.attach(listener).get() }
    }
}

/// A node without outputs.
private final class Listener: AudioNode, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored property is a constant that may be shared.
    let ear = Ear()

    init() { super.init(name: "Listener", body: SteadyBody(ear, inputCount: 1, outputCount: 0)) }
}

/// Counts what it hears.
private final class Ear: RenderNode {
    // SAFETY: both threads use atomics alone.
    nonisolated(unsafe) private let core: UnsafeMutablePointer<Core>

    struct Core: ~Copyable {
        let frameCount = Atomic<Int>(0)
        let peak = Atomic<UInt32>(0)
    }

    init() {
        core = .allocate(capacity: 1)
        core.initialize(to: Core())
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
    }

    var frameCount: Int { core.pointee.frameCount.load(ordering: .relaxed) }
    var peak: Float { Float(bitPattern: core.pointee.peak.load(ordering: .relaxed)) }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call = call?.assumingMemoryBound(to: NodeCall.self).pointee else { return }
            let core = context.assumingMemoryBound(to: Core.self)
            // A node without outputs has nothing to fill, least of all what the driver plays.
            call.output.silence()
            core.pointee.frameCount.wrappingAdd(call.cycle.pointee.frameCount, ordering: .relaxed)
            core.pointee.peak.store(call.input.largestMagnitudeBits, ordering: .relaxed)
        }
    }
}
