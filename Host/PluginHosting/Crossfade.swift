// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Goes from a unit's output to the dry signal and back without a step. Render thread.

import Realtime

/// What is heard of a unit: its own output, the dry signal while it is away, or a fade between them.
///
/// When a unit's output stops in mid-signal, the dry signal stands at another level. The difference at
/// the last sample is added to the dry signal and fades out in a straight line, so that the step from one
/// sample to the next exceeds the dry signal's own by at most the difference over `fadeFrameCount`.
struct Crossfade: ~Copyable {
    private let channelCount: Int
    private let fadeFrameCount: Int
    /// What was heard less the dry signal, at the last sample of each channel.
    private let lastDifference: UnsafeMutablePointer<Float>
    private let difference: UnsafeMutablePointer<Float>
    private var differenceShare = SmoothedValue(0)
    /// 1 is the unit, 0 the dry signal.
    private var wetShare = SmoothedValue(1)

    init(channelCount: Int, sampleRate: Double) {
        self.channelCount = channelCount
        fadeFrameCount = max(1, Int(sampleRate * 0.01))
        lastDifference = .allocate(capacity: max(1, channelCount))
        lastDifference.initialize(repeating: 0, count: max(1, channelCount))
        difference = .allocate(capacity: max(1, channelCount))
        difference.initialize(repeating: 0, count: max(1, channelCount))
    }

    deinit {
        lastDifference.deallocate()
        difference.deallocate()
    }

    /// Whether the unit's output has to be mixed before anybody else reads it.
    var isActive: Bool {
        @_noLocks get { wetShare.current != 1 || wetShare.isMoving }
    }

    /// The unit rendered: mixes the dry signal in while it is being faded back in.
    @_noLocks
    mutating func unitRendered(_ output: AudioBlock, dry: AudioBlock) {
        if isActive {
            if wetShare.target != 1 { wetShare.ramp(to: 1, over: fadeFrameCount) }
            for frame in 0..<output.frameCount {
                let wet = wetShare.next()
                let share = differenceShare.next()
                for channel in 0..<output.channelCount {
                    let replaced = (channel < dry.channelCount ? dry[channel][frame] : 0) + difference[channel] * share
                    output[channel][frame] = output[channel][frame] * wet + replaced * (1 - wet)
                }
            }
        }
        remember(output, dry)
    }

    /// The unit did not render: writes the dry signal in its place.
    @_noLocks
    mutating func unitMissing(_ output: AudioBlock, dry: AudioBlock) {
        guard output.frameCount > 0 else { return }
        if wetShare.current != 0 || wetShare.isMoving { startDifference() }
        for frame in 0..<output.frameCount {
            let share = differenceShare.next()
            for channel in 0..<output.channelCount {
                let sample = channel < dry.channelCount ? dry[channel][frame] : 0
                output[channel][frame] = sample + difference[channel] * share
            }
        }
        remember(output, dry)
    }

    @_noLocks
    private mutating func startDifference() {
        for channel in 0..<channelCount {
            // From a unit that put out NaN there is nothing to fade.
            difference[channel] = lastDifference[channel].isFinite ? lastDifference[channel] : 0
        }
        wetShare.jump(to: 0)
        differenceShare.jump(to: 1)
        differenceShare.ramp(to: 0, over: fadeFrameCount)
    }

    @_noLocks
    private func remember(_ output: AudioBlock, _ dry: AudioBlock) {
        guard output.frameCount > 0 else { return }
        let frame = output.frameCount - 1
        for channel in 0..<min(channelCount, output.channelCount) {
            lastDifference[channel] = output[channel][frame] - (channel < dry.channelCount ? dry[channel][frame] : 0)
        }
    }
}
