// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Late reverberation: sixteen delay lines that feed each other. Built on the control thread, run on the render thread.

import PluginSDK

/// A feedback delay network with absorption, orthogonal mixing, and an allpass in every line.
///
/// The allpasses absorb too, each by the length of its own delay, so that every resonance decays alike. Together they are a
/// network of thirty-two lines with an orthogonal matrix. It rotates each pair of a line and its allpass, and then applies the
/// feedback matrix to the first sixteen lines. The network is of J.-M. Jot's kind; `AbsorptionFilters` names the paper.
struct FeedbackDelayNetwork: ~Copyable {
    /// The mixed signals for the left and the right side.
    private static var leftTap: Int { @_noLocks get { 5 } }
    private static var rightTap: Int { @_noLocks get { 10 } }
    /// The highest feedback of an allpass: the sine of its rotation.
    private static var highestGain: Float { @_noLocks get { 0.6 } }

    private var lines: DelayBank
    private var allpasses: DelayBank
    private(set) var matrix = FeedbackMatrix()
    private var sine = SmoothedValue(0)
    private var cosine = SmoothedValue(1)
    /// The input share of each line: from the left side if its number is even, otherwise from the right.
    private let shares: Vector

    /// `[control]` Allocates for crossings of up to `longestCrossing` frames.
    init(sampleRate: Double, longestCrossing: Int) {
        lines = DelayBank(shortest: 0.36, longest: 1.49, sampleRate: sampleRate, longestCrossing: longestCrossing)
        allpasses = DelayBank(shortest: 0.23, longest: 1.03, sampleRate: sampleRate, longestCrossing: longestCrossing)
        let share = Float(0.125).squareRoot()
        shares = Vector(
            (0..<16).map { $0 % 2 == 0 ? ($0 % 4 == 0 ? share : -share) : ($0 % 3 == 0 ? -share : share) })
    }

    /// `[render]` Sets the lengths for another room, the target of a cross-fade.
    @_noLocks func resize(crossing: Float) {
        lines.resize(crossing: crossing)
        allpasses.resize(crossing: crossing)
    }

    /// `[render]` Makes the next lengths the present ones, after the cross-fade.
    @_noLocks func settle() {
        lines.settle()
        allpasses.settle()
    }

    /// `[render]` Sets decay and diffusion (0…1); returns the gain that makes the output as loud as the input.
    ///
    /// The diffusion glides over `frameCount` frames.
    @_noLocks mutating func tune(_ decay: DecayTimes, diffusion: Float, over frameCount: Int) -> Float {
        let gain = diffusion * Self.highestGain
        sine.ramp(to: gain, over: frameCount)
        cosine.ramp(to: Maths.exp2(0.5 * Maths.log2(1 - gain * gain)), over: frameCount)
        let kept = lines.tune(decay) * allpasses.tune(decay)
        return Maths.exp2(0.5 * Maths.log2(8 * max(1e-6, 1 - kept)))
    }

    /// `[render]` Moves the matrix over the next frames.
    @_noLocks mutating func aim(depth: Float, rate: Float, sampleRate: Float, frameCount: Int) {
        matrix.aim(depth: depth, rate: rate, sampleRate: sampleRate, frameCount: frameCount)
    }

    /// `[render]` Renders at most sixteen frames; `left` and `right` are the input, and become the reverberation.
    @_noLocks mutating func render(
        _ left: inout Vector, _ right: inout Vector, at time: Int, _ crossfade: borrowing Crossfade, _ frameCount: Int
    ) {
        lines.load(at: time, crossfade, frameCount)
        allpasses.load(at: time, crossfade, frameCount)
        for frame in 0..<frameCount {
            let direct = lines.output(frame)
            let held = allpasses.output(frame)
            let (sine, cosine) = (sine.next(), cosine.next())
            allpasses.input(direct * cosine + held * sine, frame)
            let mixed = matrix.next(held * cosine - direct * sine)
            lines.input(mixed + shares * Vector(alternating: left[frame], right[frame]), frame)
            left[frame] = mixed[Self.leftTap]
            right[frame] = mixed[Self.rightTap]
        }
        lines.store(at: time)
        allpasses.store(at: time)
    }

    /// `[render]` Clears the lines and jumps to the targets.
    @_noLocks mutating func reset() {
        lines.reset()
        allpasses.reset()
        matrix.reset()
        sine.jump(to: sine.target)
        cosine.jump(to: cosine.target)
    }
}
