// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keeps a copy of what passes through: for pictures, measurements and proofs. Render thread; read by the control thread.

import CRealtimeShims
import Realtime
import Synchronization

/// What the render thread uses.
struct SampleTapCore: ~Copyable {
    let buffer: AudioBuffer
    let frameCount = Atomic<Int>(0)

    init(channelCount: Int, frameCapacity: Int) {
        buffer = AudioBuffer(channelCount: channelCount, frameCapacity: frameCapacity)
    }

    @_noLocks
    func render(_ input: AudioBlock, _ output: AudioBlock) {
        output.copy(from: input)
        let start = frameCount.load(ordering: .relaxed)
        let count = min(input.frameCount, buffer.frameCapacity - start)
        guard count > 0 else { return }
        let whole = buffer.block(frameCount: buffer.frameCapacity)
        for channel in 0..<min(whole.channelCount, input.channelCount) {
            CRealtimeShims_copySamples(whole[channel] + start, input[channel], count)
        }
        // Release: the samples are there for whoever sees the count.
        frameCount.store(start + count, ordering: .releasing)
    }
}

/// A node that passes its input on and remembers it, until its memory is full.
public final class SampleTap: RenderNode {
    // SAFETY: the render thread writes beyond `frameCount`, the control thread reads before it.
    nonisolated(unsafe) private let core: UnsafeMutablePointer<SampleTapCore>

    public init(channelCount: Int, frameCapacity: Int) {
        core = .allocate(capacity: 1)
        core.initialize(to: SampleTapCore(channelCount: channelCount, frameCapacity: frameCapacity))
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// What has passed so far. Valid as long as the tap.
    public var recorded: AudioBlock {
        core.pointee.buffer.block(frameCount: core.pointee.frameCount.load(ordering: .acquiring))
    }

    public var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    public var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            SampleTap.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: StepCall.self).pointee
        context.assumingMemoryBound(to: SampleTapCore.self).pointee.render(call.input, call.output)
    }
}
