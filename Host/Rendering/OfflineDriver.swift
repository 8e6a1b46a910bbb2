// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders block after block on the calling thread, as fast as it can. Control thread.

import LinuxSystem
import Realtime

/// Drives a plan player without a clock.
///
/// `[control]` throughout.
public struct OfflineDriver: ~Copyable {
    private let player: PlanPlayer
    private let sampleRate: Double
    private let output: AudioBuffer
    private let inputs: AudioBuffer
    private var sampleTime: Int64 = 0

    /// A driver of `player` that renders blocks of at most `maximumFrameCount` frames.
    ///
    /// `sampleRate` is in frames a second.
    public init(
        player: PlanPlayer, channelCount: Int, inputChannelCount: Int = 0, maximumFrameCount: Int, sampleRate: Double
    ) {
        self.player = player
        self.sampleRate = sampleRate
        output = AudioBuffer(channelCount: channelCount, frameCapacity: maximumFrameCount)
        inputs = AudioBuffer(channelCount: inputChannelCount, frameCapacity: maximumFrameCount)
    }

    /// The input of the next block, for the caller to fill before `render`.
    public func input(frameCount: Int) -> AudioBlock { inputs.block(frameCount: frameCount) }

    /// Renders the next `frameCount` frames; the block is valid until the next call.
    public mutating func render(frameCount: Int) -> AudioBlock {
        let block = output.block(frameCount: frameCount)
        player.render(
            RenderCycle(
                sampleTime: sampleTime, hostTime: MonotonicClock.now(), sampleRate: sampleRate,
                transport: Transport(), isOffline: true,
                inputs: inputs.block(frameCount: frameCount), outputs: block))
        sampleTime += Int64(frameCount)
        return block
    }
}
