// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Diffuses the delay network's input, and the early reflections as rough walls do. Render thread.

import PluginSDK

/// Four allpass filters in a row.
///
/// Source: M. Schroeder, *Natural sounding artificial reverberation*, JAES 1962.
struct Diffuser: ~Copyable {
    private static var stageCount: Int { @_noLocks get { 4 } }
    /// The highest feedback of an allpass.
    private static var highestGain: Float { @_noLocks get { 0.7 } }

    private let rings: UnsafeMutablePointer<SampleRing>
    private let delays: UnsafeMutablePointer<Delay>
    private let gains: UnsafeMutablePointer<SmoothedValue>
    private let isRight: Bool
    private let scale: Float

    /// `[control]` Allocates; the two sides have different delays, and `scale` multiplies them all.
    init(isRight: Bool, scale: Float, longestCrossing: Int) {
        self.isRight = isRight
        self.scale = scale
        rings = .allocate(capacity: Self.stageCount)
        delays = .allocate(capacity: Self.stageCount)
        gains = .allocate(capacity: Self.stageCount)
        delays.initialize(repeating: Delay(), count: Self.stageCount)
        gains.initialize(repeating: SmoothedValue(0), count: Self.stageCount)
        for stage in 0..<Self.stageCount {
            (rings + stage).initialize(to: SampleRing(longestDelay: longestCrossing / 2 + 32))
        }
    }

    deinit {
        rings.deinitialize(count: Self.stageCount).deallocate()
        delays.deallocate()
        gains.deallocate()
    }

    /// Sets the delays for another room, the target of a cross-fade.
    @_noLocks func resize(crossing: Float) {
        for stage in 0..<Self.stageCount {
            delays[stage].next = max(SampleRing.minimumDelay + stage, Int(crossing * scale * share(stage)) | 1)
        }
    }

    @_noLocks func settle() {
        for stage in 0..<Self.stageCount { delays[stage].now = delays[stage].next }
    }

    /// The delay of a stage in crossings of the room.
    @_noLocks private func share(_ stage: Int) -> Float {
        switch stage {
        case 0: isRight ? 0.0713 : 0.0617
        case 1: isRight ? 0.0937 : 0.1091
        case 2: isRight ? 0.1993 : 0.1759
        default: isRight ? 0.2671 : 0.3049
        }
    }

    /// Sets the amount of diffusion, 0…1, over some frames.
    ///
    /// The gain is lower if an allpass would outlast the room itself.
    @_noLocks func tune(amount: Float, decay: Float, sampleRate: Float, over frameCount: Int) {
        for stage in 0..<Self.stageCount {
            let limit = Maths.exp2(-9.965_784 * Float(delays[stage].next) / (0.6 * decay * sampleRate))
            gains[stage].ramp(to: min(amount * Self.highestGain, limit), over: frameCount)
        }
    }

    /// Renders at most sixteen frames.
    @_noLocks func render(
        _ input: Vector, at time: Int, _ crossfade: borrowing Crossfade, _ frameCount: Int
    ) -> Vector {
        var signal = input
        for stage in 0..<Self.stageCount {
            let past = rings[stage].load(time, before: delays[stage], crossfade)
            let gain = Vector.frames(of: &gains[stage], frameCount)
            let output = past - signal * gain
            rings[stage].store(signal + output * gain, at: time)
            signal = output
        }
        return signal
    }

    @_noLocks func reset() {
        for stage in 0..<Self.stageCount {
            rings[stage].clear()
            gains[stage].jump(to: gains[stage].target)
        }
        settle()
    }
}
