// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Bypass without a click: the dry signal, as late as the unit would be, cross-faded with the wet one. Render thread.

/// The dry signal and the fade between it and the unit's output, on bus 0.
struct Bypass: ~Copyable {
    /// 0 is the unit, 1 the dry signal.
    private var share = SmoothedValue(0)
    /// Nothing has been heard yet, so there is nothing to fade from.
    private var isFresh = true
    private let fadeFrameCount: Int
    private var dry: DryDelay

    /// `latencyFrameCount` is how late the dry signal has to be.
    init(channelCount: Int, maximumFrameCount: Int, latencyFrameCount: Int, sampleRate: Double) {
        fadeFrameCount = max(1, Int(sampleRate * 0.01))
        dry = DryDelay(
            channelCount: channelCount, maximumFrameCount: maximumFrameCount, latencyFrameCount: latencyFrameCount)
    }

    /// Whether nothing of the unit is heard.
    var isComplete: Bool {
        @_noLocks get { share.current == 1 && !share.isMoving }
    }

    /// Whether only the unit is heard, and no input need be remembered: after `set(false)` `process` would change nothing.
    var isAtRest: Bool {
        @_noLocks get { share.current == 0 && share.target == 0 && dry.latencyFrameCount == 0 }
    }

    /// What `set(false)` does at rest: the next fade has something to fade from.
    @_noLocks
    mutating func stayAtRest() { isFresh = false }

    @_noLocks
    mutating func set(_ isBypassed: Bool) {
        let target: Float = isBypassed ? 1 : 0
        if isFresh { share.jump(to: target) }
        isFresh = false
        if share.target != target { share.ramp(to: target, over: fadeFrameCount) }
    }

    @_noLocks
    mutating func reset() {
        share.jump(to: share.target)
        dry.reset()
    }

    /// Remembers the input, and mixes the dry signal into `output` as far as the fade says.
    @_noLocks
    mutating func process(input: AudioBlock, output: AudioBlock) {
        // Of an input that does not fit, as a generator has none at all, the dry signal is silence.
        let fits = input.frameCount == output.frameCount
        let delayed =
            fits ? dry.process(input) : AudioBlock(channels: input.channels, channelCount: 0, frameCount: output.frameCount)
        guard share.isMoving || share.current != 0 else { return }
        for frame in 0..<output.frameCount {
            let dryShare = share.next()
            for channel in 0..<output.channelCount {
                let sample = channel < delayed.channelCount ? delayed[channel][frame] : 0
                // Not a sum of products at the end of the fade: a unit that puts out NaN is silent then.
                output[channel][frame] =
                    dryShare == 1 ? sample : output[channel][frame] * (1 - dryShare) + sample * dryShare
            }
        }
    }
}
