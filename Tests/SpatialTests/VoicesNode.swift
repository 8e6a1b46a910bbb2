// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node with voices of its own, each through a connection's processor without a connection. Test and render thread.

import Realtime
import Rendering
import RenderingTestSupport

/// Plays noise for each voice, and calls its processor.
final class VoicesNode: RenderNode, @unchecked Sendable {
    // SAFETY: after init the render thread alone uses the memory.
    private struct Voice {
        let seed: Int
        let function: ConnectionFunction
        let isRinging: UnsafeMutablePointer<Bool>
        let call: UnsafeMutablePointer<ConnectionCall>
    }

    private struct Core {
        let voices: UnsafeMutablePointer<Voice>
        let voiceCount: Int
        let routes: ChannelRoutes.Table
        let noise: AudioBlock
        let scratch: UnsafeMutablePointer<Float>
        var isUnheard = true
    }

    static let frameCapacity = 4096

    private let core: UnsafeMutablePointer<Core>
    private let routes = ChannelRoutes(from: 1, to: 2)
    private let noise = AudioBuffer(channelCount: 1, frameCapacity: VoicesNode.frameCapacity)
    private let processors: [any ConnectionProcessor]

    /// A node with a voice of mono noise for each processor; its seed is the processor's index.
    init(_ processors: [any ConnectionProcessor]) {
        self.processors = processors
        let shape = ConnectionShape(
            sourceChannelCount: 1, channelCount: 2, sampleRate: 48_000, maximumFrameCount: Self.frameCapacity)
        let voices = UnsafeMutablePointer<Voice>.allocate(capacity: processors.count)
        for (index, processor) in processors.enumerated() {
            let isRinging = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
            isRinging.initialize(to: false)
            (voices + index).initialize(
                to: Voice(
                    seed: index, function: ConnectionFunction(processor, for: shape), isRinging: isRinging,
                    call: .allocate(capacity: 1)))
        }
        let scratchCount = processors.map(\.scratchBlockCount).max() ?? 0
        core = .allocate(capacity: 1)
        core.initialize(
            to: Core(
                voices: voices, voiceCount: processors.count, routes: routes.table,
                noise: noise.block(frameCount: Self.frameCapacity),
                scratch: .allocate(capacity: max(1, scratchCount * Self.frameCapacity))))
    }

    deinit {
        for index in 0..<core.pointee.voiceCount {
            core.pointee.voices[index].isRinging.deallocate()
            core.pointee.voices[index].call.deallocate()
        }
        core.pointee.voices.deallocate()
        core.pointee.scratch.deallocate()
        core.deallocate()
    }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            VoicesNode.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let core = context.assumingMemoryBound(to: Core.self)
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        call.outputs[0].isSilent = true
        for index in 0..<core.pointee.voiceCount { play(core.pointee.voices[index], core.pointee, call) }
        core.pointee.isUnheard = false
    }

    @_noLocks
    private static func play(_ voice: Voice, _ core: Core, _ call: NodeCall) {
        let output = call.outputs[0].block
        let block = AudioBlock(channels: core.noise.channels, channelCount: 1, frameCount: output.frameCount)
        _ = Noise.fill(block, seed: voice.seed, from: Int(truncatingIfNeeded: call.cycle.pointee.sampleTime))
        voice.call.initialize(
            to: ConnectionCall(
                cycle: call.cycle, sampleRate: 48_000, glideFrameCount: 960, input: BusAudio(block: block), gain: 1,
                isUnheard: core.isUnheard, output: call.outputs,
                isRinging: voice.isRinging, routes: core.routes, scratch: core.scratch, scratchFrameCount: frameCapacity))
        voice.function.process(voice.call)
    }
}
