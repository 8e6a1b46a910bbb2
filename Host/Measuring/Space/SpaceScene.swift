// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plan with many sources that a head hears, for measurements. Measuring thread.

import LinuxSystem
import Realtime
import Rendering
import Spatial

/// Plays samples of its own again and again.
private final class LoopNode: RenderNode {
    private struct Core {
        let samples: UnsafeMutablePointer<Float>
        let frameCount: Int
        var next = 0
        let isSilent: Bool
    }

    static let frameCount = 4096

    // SAFETY: after init the render thread alone uses the memory.
    private nonisolated(unsafe) let core: UnsafeMutablePointer<Core>

    init(seed: UInt64, isSilent: Bool) {
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: Self.frameCount)
        var state = seed &+ 1
        for frame in 0..<Self.frameCount {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            samples[frame] = Float(Int32(truncatingIfNeeded: state >> 32)) / Float(1 << 31) * 0.01
        }
        core = .allocate(capacity: 1)
        core.initialize(to: Core(samples: samples, frameCount: Self.frameCount, isSilent: isSilent))
    }

    deinit {
        core.pointee.samples.deallocate()
        core.deallocate()
    }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            LoopNode.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let output = call.assumingMemoryBound(to: NodeCall.self).pointee.outputs
        let core = context.assumingMemoryBound(to: Core.self)
        output.pointee.isSilent = core.pointee.isSilent
        guard !core.pointee.isSilent else { return }
        let to = output.pointee.block[0]
        for frame in 0..<output.pointee.block.frameCount {
            to[frame] = core.pointee.samples[core.pointee.next]
            core.pointee.next = (core.pointee.next &+ 1) & (core.pointee.frameCount &- 1)
        }
    }
}

/// Sources around a head, each with samples of its own, in a plan that is rendered block by block.
struct SpaceScene {
    /// The activity of all sources.
    enum Motion: String, Encodable, CaseIterable {
        /// They circle, a turn a second, each from its own direction.
        case moving
        /// They stay where they are.
        case still
        /// Their samples are 0.
        case silent
        /// They are so far away that their gain is 0.
        case far
    }

    static let frameCount = 256
    static let sampleRate = 48_000.0

    private let motion: Motion
    private let processors: [HeadProcessor]
    private let player = PlanPlayer()
    private let driver = SteppedDriver(channelCount: 2, maximumFrameCount: frameCount, sampleRate: sampleRate)

    init(_ count: Int, _ motion: Motion, _ responses: HeadResponses) throws {
        self.motion = motion
        let sum = SceneSum()
        processors = (0..<count).map { _ in HeadProcessor(responses, addingTo: sum) }
        var graph = RenderGraph(maximumFrameCount: Self.frameCount)
        graph.clocks[0].sampleRate = Self.sampleRate
        for index in 0..<count {
            let node = LoopNode(seed: UInt64(index), isSilent: motion == .silent)
            graph.nodes.append(RenderGraph.Node(.render(node), inputChannelCounts: [], outputChannelCounts: [1]))
        }
        let inputs = [Int](repeating: 1, count: count)
        graph.nodes.append(RenderGraph.Node(.mix(MixerLevel(), sum), inputChannelCounts: inputs, outputChannelCounts: [2]))
        graph.nodes.append(
            RenderGraph.Node(.render(DriverOutput()), inputChannelCounts: [2], outputChannelCounts: [], isSink: true))
        for (index, processor) in processors.enumerated() {
            graph.connections.append(
                RenderGraph.Connection(
                    from: RenderGraph.Bus(node: index), to: RenderGraph.Bus(node: count, bus: index),
                    state: ConnectionState(mixing: MixingState(), processor: processor)))
        }
        graph.connections.append(
            RenderGraph.Connection(
                from: RenderGraph.Bus(node: count), to: RenderGraph.Bus(node: count + 1), state: ConnectionState.standing()))
        move(toBlock: 0)
        player.play(try RenderPlan(graph))
        driver.start(player.callback)
    }

    /// Sets the place of each source.
    private func move(toBlock block: Int) {
        for (index, processor) in processors.enumerated() {
            let start = Float(index) * 2.399_963
            let turns = motion == .moving ? Float(block * Self.frameCount) / Float(Self.sampleRate) : 0
            let (angle, height) = (start + 2 * .pi * turns, 0.9 * Maths.sin(Float(index) * 0.37))
            let side = Float(Maths.sqrt(Double(1 - height * height)))
            let place = SIMD3<Float>(side * Maths.sin(angle), height, -side * Maths.cos(angle))
            processor.set(HeadTarget(place: 2 * place, gain: motion == .far ? 0 : 1))
        }
    }

    /// Renders blocks, and returns the nanoseconds of each; moving the sources between two blocks does not count.
    func times(blockCount: Int) -> [UInt32] {
        var times: [UInt32] = []
        let warmUp = max(8, blockCount / 20)
        for block in 0..<warmUp + blockCount {
            if motion == .moving || block == 0 { move(toBlock: block) }
            let before = MonotonicClock.now()
            _ = driver.render(frameCount: Self.frameCount)
            let time = MonotonicClock.now() - before
            if block >= warmUp { times.append(UInt32(clamping: time)) }
        }
        return times
    }
}
