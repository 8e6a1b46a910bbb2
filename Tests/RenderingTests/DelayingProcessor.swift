// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A connection's processor with latency, memory and a tail: it passes its source on later. Test and render thread.

import Realtime
import Rendering
import Synchronization

/// Adds its source, at the connection's gain, so many frames later.
final class DelayingProcessor: ConnectionProcessor {
    struct Core {
        var ring: UnsafeMutablePointer<Float>
        let delay: Int
        let length: Int
        let mostChannels: Int
        var position = 0
        /// The frames since something went in.
        var idleFrameCount = 1 << 40
        /// How often it has been told that nothing was heard before.
        var resetCount = 0
        var callCount = 0
    }

    // SAFETY: the render thread alone changes it; tests read between two cycles.
    nonisolated(unsafe) let core: UnsafeMutablePointer<Core>
    let latencyFrameCount: Int
    let shapes = Mutex<[ConnectionShape]>([])
    static let mostChannels = 2

    /// A processor that declares its delay, or another latency.
    init(_ delay: Int, latency: Int? = nil) {
        latencyFrameCount = latency ?? delay
        var length = 8192
        while length < delay + 4096 { length *= 2 }
        let ring = UnsafeMutablePointer<Float>.allocate(capacity: length * Self.mostChannels)
        ring.initialize(repeating: 0, count: length * Self.mostChannels)
        core = .allocate(capacity: 1)
        core.initialize(to: Core(ring: ring, delay: delay, length: length, mostChannels: Self.mostChannels))
    }

    deinit {
        core.pointee.ring.deallocate()
        core.deallocate()
    }

    var scratchBlockCount: Int { 1 }

    func processContext(for shape: ConnectionShape) -> UnsafeMutableRawPointer {
        shapes.withLock { $0.append(shape) }
        return UnsafeMutableRawPointer(core)
    }

    var processFunction: Function {
        { context, call in
            guard let context, let call else { return }
            DelayingProcessor.process(context, call)
        }
    }

    @_noLocks
    private static func process(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let core = context.assumingMemoryBound(to: Core.self)
        let call = call.assumingMemoryBound(to: ConnectionCall.self).pointee
        core.pointee.callCount &+= 1
        if call.isUnheard { core.pointee.resetCount &+= 1 }
        if !call.input.isSilent { core.pointee.idleFrameCount = 0 }
        // What went in is out again after so many frames.
        if core.pointee.idleFrameCount < core.pointee.delay || !call.input.isSilent { pass(core, call) } else { clear(core, call) }
        if call.input.isSilent { core.pointee.idleFrameCount &+= call.frameCount }
        call.isRinging.pointee = core.pointee.idleFrameCount < core.pointee.delay
        core.pointee.position &+= call.frameCount
    }

    @_noLocks
    private static func clear(_ core: UnsafeMutablePointer<Core>, _ call: ConnectionCall) {
        for channel in 0..<core.pointee.mostChannels {
            let ring = core.pointee.ring + channel &* core.pointee.length
            for frame in 0..<call.frameCount { ring[(core.pointee.position &+ frame) & (core.pointee.length &- 1)] = 0 }
        }
    }

    @_noLocks
    private static func pass(_ core: UnsafeMutablePointer<Core>, _ call: ConnectionCall) {
        let (block, gains, mask) = (call.output.pointee.open(), call.scratchBlock(0), core.pointee.length &- 1)
        var unity = SmoothedValue(1)
        call.writeGains(times: &unity, to: gains)
        for channel in 0..<min(core.pointee.mostChannels, min(block.channelCount, call.input.block.channelCount)) {
            let (ring, from, to) = (core.pointee.ring + channel &* core.pointee.length, call.input.block[channel], block[channel])
            for frame in 0..<call.frameCount {
                let time = core.pointee.position &+ frame
                ring[time & mask] = from[frame] * gains[frame]
                to[frame] += ring[(time &- core.pointee.delay) & mask]
            }
        }
    }
}
