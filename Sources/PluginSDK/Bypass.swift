// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Bypass without a click: cross-fades between the unit and the dry signal, which has the same latency. Render thread.

/// The dry signal, and the fade between it and the unit's output.
///
/// Bus 0 carries the dry signal, further output buses are silent. A single channel goes to the left and the right.
struct Bypass: ~Copyable {
    /// The gain of the dry signal: 0 plays the unit, 1 the dry signal.
    private var share = SmoothedValue(0)
    /// True if nothing has been heard yet, so that a change needs no fade.
    private var isFresh = true
    private let fadeFrameCount: Int
    private var dry: DryDelay

    /// Allocates the delay line; the fade takes 10 ms.
    ///
    /// `latencyFrameCount` is the delay of the dry signal in frames.
    init(channelCount: Int, maximumFrameCount: Int, latencyFrameCount: Int, sampleRate: Double) {
        fadeFrameCount = max(1, Int(sampleRate * 0.01))
        dry = DryDelay(
            channelCount: channelCount, maximumFrameCount: maximumFrameCount, latencyFrameCount: latencyFrameCount)
    }

    /// True if only the dry signal is heard.
    var isComplete: Bool {
        @_noLocks get { share.current == 1 && !share.isMoving }
    }

    /// True if only the unit is heard and the dry signal has no delay: after `set(false)`, `process` would change nothing.
    var isAtRest: Bool {
        @_noLocks get { share.current == 0 && share.target == 0 && dry.latencyFrameCount == 0 }
    }

    /// Acts as `set(false)` does at rest: the next change fades.
    @_noLocks
    mutating func stayAtRest() { isFresh = false }

    @_noLocks
    mutating func set(_ isBypassed: Bool) {
        let target: Float = isBypassed ? 1 : 0
        if isFresh { share.jump(to: target) }
        isFresh = false
        if share.target != target { share.ramp(to: target, over: fadeFrameCount) }
    }

    /// Delays the dry signal by the present latency of the unit.
    @inline(__always) @_noLocks
    mutating func follow(latencyFrameCount: Int) { dry.follow(latencyFrameCount: latencyFrameCount) }

    @_noLocks
    mutating func reset() {
        share.jump(to: share.target)
        dry.reset()
    }

    /// Remembers the input, and mixes the dry signal into the output buses by the present gain.
    @_noLocks
    mutating func process(input: AudioBlock, outputs: UnsafePointer<AudioBlock>, busCount: Int, frameCount: Int) {
        // Without an output nothing is mixed, but the fade goes on.
        guard busCount > 0 else {
            _ = share.advance(by: frameCount)
            return
        }
        let before = share
        process(input: input, output: outputs[0])
        for bus in 1..<busCount {
            var share = before
            guard share.isMoving || share.current != 0 else { return }
            for frame in 0..<outputs[bus].frameCount {
                let dryShare = share.next()
                for channel in 0..<outputs[bus].channelCount {
                    outputs[bus][channel][frame] = dryShare == 1 ? 0 : outputs[bus][channel][frame] * (1 - dryShare)
                }
            }
        }
    }

    /// Remembers the input, and mixes the dry signal into output bus 0.
    @_noLocks
    mutating func process(input: AudioBlock, output: AudioBlock) {
        // The dry signal is silence if the input has another length, or if there is none, as in a generator.
        let fits = input.frameCount == output.frameCount
        let delayed =
            fits ? dry.process(input) : AudioBlock(channels: input.channels, channelCount: 0, frameCount: output.frameCount)
        guard share.isMoving || share.current != 0 else { return }
        let isMono = delayed.channelCount == 1
        for frame in 0..<output.frameCount {
            let dryShare = share.next()
            for channel in 0..<output.channelCount {
                let source = isMono && channel == 1 ? 0 : channel
                let sample = source < delayed.channelCount ? delayed[source][frame] : 0
                // No sum of products at the end of the fade: NaN from the unit must not be heard then.
                output[channel][frame] =
                    dryShare == 1 ? sample : output[channel][frame] * (1 - dryShare) + sample * dryShare
            }
        }
    }
}
