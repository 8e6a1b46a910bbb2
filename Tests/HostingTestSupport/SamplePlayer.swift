// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays samples in memory, once or in a loop. Render thread; the test thread creates it.

import CRealtimeShims
import Realtime
import Rendering
import Synchronization

/// The state of the render thread.
struct SamplePlayerCore: ~Copyable {
    let channels: UnsafeMutablePointer<UnsafePointer<Float>>
    let channelCount: Int
    let frameCount: Int
    let isLooping: Bool
    let position = Atomic<Int>(0)

    deinit { channels.deallocate() }

    @_noLocks
    func render(_ output: AudioBlock) {
        var written = 0
        var from = position.load(ordering: .relaxed)
        while written < output.frameCount {
            if from >= frameCount {
                guard isLooping, frameCount > 0 else { break }
                from = 0
            }
            let count = min(output.frameCount - written, frameCount - from)
            copy(count, from: from, to: written, of: output)
            from += count
            written += count
        }
        for channel in 0..<output.channelCount {
            CRealtimeShims_clearSamples(output[channel] + written, output.frameCount - written)
        }
        position.store(from, ordering: .relaxed)
    }

    /// Copies frames out; a mono file plays in every channel.
    @_noLocks
    private func copy(_ count: Int, from: Int, to: Int, of output: AudioBlock) {
        for channel in 0..<output.channelCount {
            let source = channelCount == 1 ? 0 : channel
            if source < channelCount {
                CRealtimeShims_copySamples(output[channel] + to, channels[source] + from, count)
            } else {
                CRealtimeShims_clearSamples(output[channel] + to, count)
            }
        }
    }
}

/// A player of samples in memory, which `owner` keeps alive.
package final class SamplePlayer: RenderNode {
    // SAFETY: only the render thread changes the core; the test thread creates it.
    nonisolated(unsafe) private let core: UnsafeMutablePointer<SamplePlayerCore>
    private let owner: any AnyObject & Sendable

    /// `[control]` Makes a player of `channels`, each a pointer to `frameCount` samples at the plan's rate.
    package init(
        channels: [UnsafePointer<Float>], frameCount: Int, isLooping: Bool, owner: any AnyObject & Sendable
    ) {
        let pointers = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: max(1, channels.count))
        for (index, channel) in channels.enumerated() { (pointers + index).initialize(to: channel) }
        core = .allocate(capacity: 1)
        core.initialize(
            to: SamplePlayerCore(
                channels: pointers, channelCount: channels.count, frameCount: frameCount, isLooping: isLooping))
        self.owner = owner
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// The player's render state.
    package var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    /// The function that fills the output with the next frames.
    package var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            SamplePlayer.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        context.assumingMemoryBound(to: SamplePlayerCore.self).pointee.render(
            call.assumingMemoryBound(to: NodeCall.self).pointee.output)
    }
}
