// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A mixer whose connections have processors that delay, each by as much as it says at the time. Test and render thread.

import Realtime
import Rendering
import Synchronization

@testable import AudioGraph

/// Adds its source so many frames later, which may become more or fewer.
final class LateProcessor: ConnectionProcessor {
    private struct Core: ~Copyable {
        let delay = Atomic<Int>(0)
        let ring: UnsafeMutablePointer<Float>
        var position = 0
    }

    // SAFETY: the render thread alone uses it, but for the delay, which is atomic.
    private nonisolated(unsafe) let core: UnsafeMutablePointer<Core>
    private static let (length, channelCount) = (8192, 2)

    init() {
        let ring = UnsafeMutablePointer<Float>.allocate(capacity: Self.length * Self.channelCount)
        ring.initialize(repeating: 0, count: Self.length * Self.channelCount)
        core = .allocate(capacity: 1)
        core.initialize(to: Core(ring: ring))
    }

    deinit {
        core.pointee.ring.deallocate()
        core.deinitialize(count: 1)
        core.deallocate()
    }

    var latencyFrameCount: Int {
        get { core.pointee.delay.load(ordering: .relaxed) }
        set { core.pointee.delay.store(newValue, ordering: .relaxed) }
    }

    var scratchBlockCount: Int { 1 }

    func processContext(for shape: ConnectionShape) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    var processFunction: Function {
        { context, call in
            guard let context, let call else { return }
            LateProcessor.process(context, call)
        }
    }

    @_noLocks
    private static func process(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let core = context.assumingMemoryBound(to: Core.self)
        let call = call.assumingMemoryBound(to: ConnectionCall.self).pointee
        let (block, gains, delay) = (call.output.pointee.open(), call.scratchBlock(0), core.pointee.delay.load(ordering: .relaxed))
        var unity = SmoothedValue(1)
        call.writeGains(times: &unity, to: gains)
        for channel in 0..<2 {
            let (ring, from, to) = (core.pointee.ring + channel &* 8192, call.input.block[channel], block[channel])
            for frame in 0..<call.frameCount {
                let time = core.pointee.position &+ frame
                ring[time & 8191] = from[frame]
                to[frame] += ring[(time &- delay) & 8191] * gains[frame]
            }
        }
        core.pointee.position &+= call.frameCount
        call.isRinging.pointee = true
    }
}

/// A mixer whose connections delay.
final class LateMixerNode: AudioNode, @unchecked Sendable {
    // SAFETY: as for AudioNode; the list has a lock.
    private let made: Processors

    /// What the connections so far go through, in the order in which they were made.
    final class Processors: Sendable {
        let all = Mutex<[LateProcessor]>([])
    }

    init() {
        made = Processors()
        super.init(name: "Late mixer", body: LateMixerBody(made))
    }

    var processors: [LateProcessor] { made.all.withLock { $0 } }
}

private struct LateMixerBody: NodeBody {
    private let level = MixerLevel()
    private let made: LateMixerNode.Processors
    let mixing: MixingSettings? = MixingSettings()
    let inputCount = 8
    let addsUp = true

    init(_ made: LateMixerNode.Processors) { self.made = made }

    var work: RenderGraph.Work? { .mix(level) }

    func makeConnection(from source: MixingSettings?) -> ConnectionState {
        let processor = LateProcessor()
        made.all.withLock { $0.append(processor) }
        return ConnectionState(mixing: source?.makeState(), processor: processor)
    }
}
