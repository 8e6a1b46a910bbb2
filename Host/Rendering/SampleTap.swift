// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keeps a copy of the signal that passes through: for pictures, measurements and proofs. Render thread; the control thread reads.

import CRealtimeShims
import Realtime
import Synchronization

/// The state of the render thread.
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
        // Release: a reader that sees the count sees the samples.
        frameCount.store(start + count, ordering: .releasing)
    }
}

/// A node that passes its input on and records it, until its memory is full.
public final class SampleTap: RenderNode {
    // SAFETY: the render thread writes beyond `frameCount`, and the control thread reads before it.
    nonisolated(unsafe) private let core: UnsafeMutablePointer<SampleTapCore>

    /// `[control]` Makes a tap that records at most `frameCapacity` frames.
    public init(channelCount: Int, frameCapacity: Int) {
        core = .allocate(capacity: 1)
        core.initialize(to: SampleTapCore(channelCount: channelCount, frameCapacity: frameCapacity))
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// `[control]` The signal that has passed so far.
    ///
    /// Valid as long as the tap.
    public var recorded: AudioBlock {
        core.pointee.buffer.block(frameCount: core.pointee.frameCount.load(ordering: .acquiring))
    }

    /// The tap's render state.
    public var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    /// The function that copies the input to the output and to the record.
    public var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            SampleTap.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        context.assumingMemoryBound(to: SampleTapCore.self).pointee.render(call.input, call.output)
    }
}
