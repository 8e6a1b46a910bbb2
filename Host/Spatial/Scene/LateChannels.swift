// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Delays the channels of a source that go through, as a head delays the others. Render thread; made by the control thread.

import Realtime
import Rendering

/// The channels of a source, as many frames late as its algorithm.
///
/// So a source inside a head that passes its channels unchanged stays in step with the sound that the head hears.
struct LateChannels {
    let channelCount: Int
    /// The longest delay, and the longest cycle.
    let pastFrameCount: Int
    let frameCapacity: Int
    private let samples: UnsafeMutablePointer<Float>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The frames since the last sound.
    private var quietFrameCount = Int.max / 2

    /// `[control]` Allocates memory; `deallocate` frees it.
    init(channelCount: Int, pastFrameCount: Int, frameCapacity: Int) {
        (self.channelCount, self.pastFrameCount, self.frameCapacity) = (channelCount, pastFrameCount, frameCapacity)
        samples = .allocate(capacity: max(1, channelCount * (pastFrameCount + frameCapacity)))
        samples.initialize(repeating: 0, count: max(1, channelCount * (pastFrameCount + frameCapacity)))
        channels = .allocate(capacity: max(1, channelCount))
        channels.initialize(repeating: samples, count: max(1, channelCount))
    }

    func deallocate() {
        samples.deallocate()
        channels.deallocate()
    }

    /// True if something of the past would be heard in silence.
    var isRinging: Bool {
        @_noLocks get { quietFrameCount < pastFrameCount }
    }

    /// Forgets the frames before.
    @_noLocks
    mutating func forget() {
        guard isRinging else { return }
        for index in 0..<channelCount &* (pastFrameCount &+ frameCapacity) { samples[index] = 0 }
        quietFrameCount = Int.max / 2
    }

    @_noLocks
    private func line(_ channel: Int) -> UnsafeMutablePointer<Float> { samples + channel &* (pastFrameCount &+ frameCapacity) }

    /// Takes the frames of a cycle, and returns the channels so many frames late.
    @_noLocks
    mutating func take(_ block: AudioBlock, isSilent: Bool, delay: Int) -> AudioBlock {
        let count = min(block.frameCount, frameCapacity)
        for channel in 0..<channelCount {
            let to = line(channel) + pastFrameCount
            let isThere = channel < block.channelCount && !isSilent
            for frame in 0..<count { to[frame] = isThere ? block[channel][frame] : 0 }
            channels[channel] = to - max(0, min(pastFrameCount, delay))
        }
        quietFrameCount = isSilent ? min(quietFrameCount &+ count, Int.max / 2) : 0
        return AudioBlock(channels: channels, channelCount: channelCount, frameCount: count)
    }

    /// Makes the cycle the past.
    @_noLocks
    func finish(_ frameCount: Int) {
        for channel in 0..<channelCount {
            let line = line(channel)
            for frame in 0..<pastFrameCount { line[frame] = line[frame &+ min(frameCount, frameCapacity)] }
        }
    }
}
