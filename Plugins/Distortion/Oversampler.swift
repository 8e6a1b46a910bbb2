// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One channel's oversampling: up to the shaping rate and down again. Built on the control thread, run on the render thread.

import PluginSDK

/// A cascade of rate doublers and halvers, linear in phase, with room for a shaper in between.
///
/// All filters but one are half-band. The last halver's stop band begins at half the sample rate, so that nothing folds back.
/// Its pass band ends at 0.44 of the sample rate.
struct Oversampler: ~Copyable {
    /// The number of fast samples in a frame: 16, fewer above a sample rate of 50 kHz.
    let factor: Int
    /// The latency in frames.
    ///
    /// The shaper's half fast sample counts as a whole one. So the true delay is half a fast sample shorter: 1/32 frame at 16.
    let latencyFrameCount: Int
    private let stageCount: Int
    private let rising: UnsafeMutablePointer<PolyphaseBuffer>
    private let falling: UnsafeMutablePointer<PolyphaseBuffer>
    private let doublers: UnsafeMutablePointer<PolyphaseFilter>
    private let halvers: UnsafeMutablePointer<PolyphaseFilter>

    /// `[control]` Designs the filters and allocates the buffers.
    init(sampleRate: Double) {
        let stageCount = sampleRate <= 50_000 ? 4 : sampleRate <= 100_000 ? 3 : 2
        self.stageCount = stageCount
        factor = 1 << stageCount
        rising = .allocate(capacity: stageCount + 1)
        falling = .allocate(capacity: stageCount + 1)
        doublers = .allocate(capacity: stageCount)
        halvers = .allocate(capacity: stageCount)
        let up = (0..<stageCount).map { Self.doubler(stage: $0) }
        let down = (0..<stageCount).map { $0 == 0 ? LowPassDesign(cutoff: 0.235, transition: 0.03) : up[$0] }
        let fastDelay = (0..<stageCount).reduce(1) { sum, stage in
            sum + ((up[stage].taps.count + down[stage].taps.count - 2) / 2) << (stageCount - 1 - stage)
        }
        latencyFrameCount = (fastDelay + factor - 1) / factor
        let padding = latencyFrameCount * factor - fastDelay
        for stage in 0...stageCount {
            let longest = stage < stageCount ? up[stage].taps.count / 2 : 1
            let history = (longest >> stage) + 2
            (rising + stage).initialize(to: PolyphaseBuffer(phaseCount: 1 << stage, historyCount: history))
            let past = stage > 0 ? ((down[stage - 1].taps.count + padding) >> stage) + 2 : 1
            (falling + stage).initialize(to: PolyphaseBuffer(phaseCount: 1 << stage, historyCount: past))
        }
        for stage in 0..<stageCount {
            (doublers + stage).initialize(to: PolyphaseFilter(doubling: rising[stage], by: up[stage]))
            let delay = stage == stageCount - 1 ? padding : 0
            (halvers + stage).initialize(
                to: PolyphaseFilter(halving: falling[stage + 1], by: down[stage], delay: delay))
        }
    }

    deinit {
        rising.deinitialize(count: stageCount + 1).deallocate()
        falling.deinitialize(count: stageCount + 1).deallocate()
        doublers.deinitialize(count: stageCount).deallocate()
        halvers.deinitialize(count: stageCount).deallocate()
    }

    /// The memory for the next frames of the input.
    var input: UnsafeMutablePointer<Float> { @_noLocks get { rising[0][0] } }
    /// The frames of the output after `run`.
    var output: UnsafeMutablePointer<Float> { @_noLocks get { falling[0][0] } }

    /// `[render]` Upsamples the input, shapes it and downsamples it.
    @_noLocks func run(_ shaper: borrowing Shaper, frameCount: Int) {
        for stage in 0..<stageCount {
            doublers[stage].run(from: rising[stage], to: rising[stage + 1], frameCount: frameCount)
        }
        shaper.run(from: rising[stageCount], to: falling[stageCount], frameCount: frameCount)
        for stage in stride(from: stageCount - 1, through: 0, by: -1) {
            halvers[stage].run(from: falling[stage + 1], to: falling[stage], frameCount: frameCount)
        }
    }

    /// `[render]` Makes the rendered frames the past.
    @_noLocks func advance(by frameCount: Int) {
        for stage in 0...stageCount {
            rising[stage].advance(by: frameCount)
            falling[stage].advance(by: frameCount)
        }
    }

    /// `[render]` Clears every buffer.
    @_noLocks func clear() {
        for stage in 0...stageCount {
            rising[stage].clear()
            falling[stage].clear()
        }
    }

    /// A half-band filter for 2^`stage` times the sample rate; only the first must be steep.
    private static func doubler(stage: Int) -> LowPassDesign {
        LowPassDesign(halfBandTransition: stage == 0 ? 0.05 : 0.5 - 1 / Double(2 << stage))
    }
}
