// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Leads a signal back into the graph that makes it, a fixed time later. Render thread.

import Realtime

/// The state of the render thread.
struct FeedbackCore: ~Copyable {
    private let memory: AudioBuffer
    private let delayFrameCount: Int64
    private let capacity: Int64
    /// The frame after the last written one; nil before the first one.
    private var end: Int64?

    init(channelCount: Int, delayFrameCount: Int) {
        memory = AudioBuffer(channelCount: channelCount, frameCapacity: 2 * delayFrameCount)
        self.delayFrameCount = Int64(delayFrameCount)
        capacity = 2 * Int64(delayFrameCount)
    }

    @_noLocks private func place(_ time: Int64) -> Int {
        let place = Int(time % capacity)
        return place < 0 ? place + Int(capacity) : place
    }

    @_noLocks
    mutating func write(_ input: AudioBlock, at time: Int64) {
        let ring = memory.block(frameCount: memory.frameCapacity)
        // Audio from before a jump must not come out after it.
        if end != time { ring.silence() }
        for channel in 0..<min(ring.channelCount, input.channelCount) {
            for frame in 0..<input.frameCount { ring[channel][place(time &+ Int64(frame))] = input[channel][frame] }
        }
        end = time &+ Int64(input.frameCount)
    }

    @_noLocks
    func read(_ output: AudioBlock, at time: Int64) {
        output.silence()
        guard let end else { return }
        let ring = memory.block(frameCount: memory.frameCapacity)
        let start = time &- delayFrameCount
        for frame in 0..<output.frameCount {
            let wanted = start &+ Int64(frame)
            guard wanted < end, wanted >= end &- capacity else { continue }
            for channel in 0..<min(ring.channelCount, output.channelCount) {
                output[channel][frame] = ring[channel][place(wanted)]
            }
        }
    }
}

/// A way back into the graph, with a delay of `delayFrameCount` frames.
///
/// The signal at `send` comes out of `return` after the delay. No connection joins the two, so that they form no circle. Cycles
/// may be as long as the delay, but no longer.
public final class FeedbackPath: Sendable {
    // SAFETY: only the render thread uses it while a plan with one of the nodes plays.
    nonisolated(unsafe) fileprivate let core: UnsafeMutablePointer<FeedbackCore>
    /// The delay in frames.
    public let delayFrameCount: Int

    /// `[control]` Makes a way back that begins with silence.
    public init(channelCount: Int, delayFrameCount: Int) {
        self.delayFrameCount = delayFrameCount
        core = .allocate(capacity: 1)
        core.initialize(to: FeedbackCore(channelCount: channelCount, delayFrameCount: delayFrameCount))
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// The node that takes the signal.
    public var send: any RenderNode { FeedbackSend(self) }
    /// The node that puts it out again.
    public var `return`: any RenderNode { FeedbackReturn(self) }
}

private final class FeedbackSend: RenderNode {
    private let path: FeedbackPath

    init(_ path: FeedbackPath) { self.path = path }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(path.core) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            let node = call.assumingMemoryBound(to: NodeCall.self).pointee
            context.assumingMemoryBound(to: FeedbackCore.self).pointee.write(node.input, at: node.cycle.pointee.sampleTime)
        }
    }
}

private final class FeedbackReturn: RenderNode {
    private let path: FeedbackPath

    init(_ path: FeedbackPath) { self.path = path }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(path.core) }
    var latencyFrameCount: Int { path.delayFrameCount }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            let node = call.assumingMemoryBound(to: NodeCall.self).pointee
            context.assumingMemoryBound(to: FeedbackCore.self).pointee.read(node.output, at: node.cycle.pointee.sampleTime)
        }
    }
}
