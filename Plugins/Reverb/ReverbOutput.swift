// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The last steps of the reverberation before the mix: cuts, width, level. Render thread.

import DSP
import PluginSDK

/// Low and high cut for both sides, and the width of the image.
struct ReverbOutput: ~Copyable {
    private var lowCut = CutFilter(.low)
    private var highCut = CutFilter(.high)
    /// Sixteen frames of each side.
    private let frames: UnsafeMutablePointer<Float>
    private let sampleRate: Float

    /// `[control]` Allocates room for sixteen frames.
    init(sampleRate: Float) {
        self.sampleRate = sampleRate
        frames = .allocate(capacity: 32)
        frames.initialize(repeating: 0, count: 32)
    }

    deinit { frames.deallocate() }

    /// Filters at most sixteen frames and scales them, ready to be added.
    @_noLocks mutating func render(
        _ left: Vector, _ right: Vector, _ controls: inout ReverbControls, _ frameCount: Int
    ) -> (left: Vector, right: Vector) {
        let sides = ChannelPair(frames, frames + 16)
        left.store(to: sides.first, count: 16)
        right.store(to: sides.second, count: 16)
        lowCut.process(sides, frameCount: frameCount)
        highCut.process(sides, frameCount: frameCount)
        let (cutLeft, cutRight) = (Vector.load(sides.first, count: 16), Vector.load(sides.second, count: 16))
        let side = (cutLeft - cutRight) * 0.5 * (1 - Vector.frames(of: &controls.width, frameCount))
        let level = Vector.frames(of: &controls.wet, frameCount)
        return ((cutLeft - side) * level, (cutRight + side) * level)
    }

    @_noLocks mutating func tune(_ controls: ReverbControls) {
        lowCut.tune(to: controls.lowCutFrequency, sampleRate: sampleRate)
        highCut.tune(to: controls.highCutFrequency, sampleRate: sampleRate)
    }

    @_noLocks mutating func tidy() {
        lowCut.tidy()
        highCut.tidy()
    }

    @_noLocks mutating func reset() {
        lowCut.reset()
        highCut.reset()
    }
}
