// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The last block of a unit that was heard, to be repeated while the unit is away. Render thread.

import Realtime

/// Plays a block to and fro, ever softer.
///
/// It begins at the block's end, backwards, and turns at both ends. So no step is larger than the block's own plus that of the
/// fade.
struct LastBlock: ~Copyable {
    private let kept: AudioBuffer
    private var frameCount = 0
    private var position = 0
    private var isForwards = false
    private var gain = SmoothedValue(0)

    /// `[control]` Makes memory for a block of at most `frameCapacity` frames; 0 keeps nothing and is silent.
    init(channelCount: Int, frameCapacity: Int) {
        kept = AudioBuffer(channelCount: channelCount, frameCapacity: frameCapacity)
    }

    @_noLocks
    mutating func remember(_ block: AudioBlock) {
        frameCount = min(kept.frameCapacity, block.frameCount)
        kept.block(frameCount: frameCount).copy(from: block)
    }

    /// The block's last sample, after which it begins to play.
    @_noLocks
    func end(ofChannel channel: Int) -> Float { frameCount > 0 ? line(channel)[frameCount - 1] : 0 }

    /// Begins at the block's end, and fades out in `fadeFrameCount` frames or more.
    ///
    /// The fade is long enough to add at most `largestStep` to any step.
    @_noLocks
    mutating func start(fadeFrameCount: Int, largestStep: Float) {
        (position, isForwards) = (frameCount, false)
        var peak: Float = 0
        for channel in 0..<kept.channelCount {
            for frame in 0..<frameCount { peak = max(peak, abs(line(channel)[frame])) }
        }
        gain.jump(to: 1)
        gain.ramp(to: 0, over: max(fadeFrameCount, Crossfade.frameCount(for: peak, largestStep)))
    }

    /// Moves on by one frame; without fading the level stays.
    @_noLocks
    mutating func advance(isFading: Bool) {
        if isFading { _ = gain.next() }
        guard frameCount > 0 else { return }
        if isForwards {
            if position + 1 < frameCount { position += 1 } else { isForwards = false }
        } else {
            if position > 0 { position -= 1 } else { isForwards = true }
        }
    }

    /// The sample of this frame.
    @_noLocks
    func sample(ofChannel channel: Int) -> Float { frameCount > 0 ? line(channel)[position] * gain.current : 0 }

    @_noLocks
    private func line(_ channel: Int) -> UnsafeMutablePointer<Float> { kept.block(frameCount: frameCount)[channel] }
}
