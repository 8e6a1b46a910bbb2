// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Buffers and engines for the tests of the graph. Test thread.

import AudioGraph

/// What the tests play and hear.
package enum Sounds {
    package static let rate = 48_000.0

    package static func format(_ channelCount: Int = 2) -> AudioFormat { AudioFormat(sampleRate: rate, channelCount: channelCount) }

    /// There was no memory for a buffer, or a block was not rendered.
    package struct Failure: Error {}

    /// A buffer whose samples a function of channel and frame gives.
    package static func buffer(
        _ frameCount: Int, channelCount: Int = 2, _ sample: (_ channel: Int, _ frame: Int) -> Float
    ) throws -> AudioPCMBuffer {
        guard let buffer = AudioPCMBuffer(pcmFormat: format(channelCount), frameCapacity: max(1, frameCount)) else {
            throw Failure()
        }
        buffer.frameLength = frameCount
        let block = buffer.samples
        for channel in 0..<channelCount {
            for frame in 0..<frameCount { block[channel][frame] = sample(channel, frame) }
        }
        return buffer
    }

    /// A ramp that differs in every frame and channel.
    package static func ramp(_ frameCount: Int, channelCount: Int = 2) throws -> AudioPCMBuffer {
        try buffer(frameCount, channelCount: channelCount) { channel, frame in
            Float(frame + 1) / 65_536 * (channel == 0 ? 1 : -1)
        }
    }
}

extension AudioEngine {
    /// An engine to be rendered offline.
    package static func offline(channelCount: Int = 2, maximumFrameCount: Int = 4096) throws -> AudioEngine {
        let engine = AudioEngine()
        try engine.enableManualRenderingMode(
            .offline, format: Sounds.format(channelCount), maximumFrameCount: maximumFrameCount)
        return engine
    }

    /// Renders so many frames in blocks, and returns the samples of each channel.
    package func render(_ frameCount: Int, block: Int = 512) throws -> [[Float]] {
        let channelCount = outputNode.inputFormat(forBus: 0)?.channelCount ?? 2
        var channels = [[Float]](repeating: [], count: channelCount)
        guard let buffer = AudioPCMBuffer(pcmFormat: Sounds.format(channelCount), frameCapacity: block) else {
            throw Sounds.Failure()
        }
        var left = frameCount
        while left > 0 {
            let count = min(block, left)
            guard try renderOffline(count, to: buffer) == .success else { throw Sounds.Failure() }
            for channel in 0..<channelCount {
                channels[channel] += UnsafeBufferPointer(start: buffer.samples[channel], count: count)
            }
            left -= count
        }
        return channels
    }
}
