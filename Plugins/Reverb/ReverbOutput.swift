// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What happens to the reverberation before it joins the dry sound: cuts, width, level. Render thread.

import DSP
import PluginSDK

/// Low and high cut for both sides, and the width of the image.
struct ReverbOutput {
    private var leftLowCut = CutFilter(.low)
    private var rightLowCut = CutFilter(.low)
    private var leftHighCut = CutFilter(.high)
    private var rightHighCut = CutFilter(.high)
    private let sampleRate: Float

    init(sampleRate: Float) { self.sampleRate = sampleRate }

    /// Filters one frame and scales it, ready to be added.
    @inline(__always) @_noLocks
    mutating func next(_ left: Float, _ right: Float, _ controls: inout ReverbControls) -> (left: Float, right: Float) {
        let cutLeft = leftHighCut.next(leftLowCut.next(left))
        let cutRight = rightHighCut.next(rightLowCut.next(right))
        let side = (cutLeft - cutRight) * 0.5 * (1 - controls.width.next())
        let level = controls.wet.next()
        return ((cutLeft - side) * level, (cutRight + side) * level)
    }

    @_noLocks mutating func tune(_ controls: ReverbControls) {
        leftLowCut.tune(to: controls.lowCutFrequency, sampleRate: sampleRate)
        rightLowCut.tune(to: controls.lowCutFrequency, sampleRate: sampleRate)
        leftHighCut.tune(to: controls.highCutFrequency, sampleRate: sampleRate)
        rightHighCut.tune(to: controls.highCutFrequency, sampleRate: sampleRate)
    }

    @_noLocks mutating func tidy() {
        leftLowCut.tidy()
        rightLowCut.tidy()
        leftHighCut.tidy()
        rightHighCut.tidy()
    }

    @_noLocks mutating func reset() {
        leftLowCut.reset()
        rightLowCut.reset()
        leftHighCut.reset()
        rightHighCut.reset()
    }
}
