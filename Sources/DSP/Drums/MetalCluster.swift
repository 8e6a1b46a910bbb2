// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The metal sound of hi-hats, cymbals and bells. Any thread.

import Realtime

/// Six inharmonic squares through two band-pass filters.
///
/// The cluster is that of the analogue cymbal, tuned up so that it hisses more than it hums.
///
/// Source: Werner, Abel and Smith, "The TR-808 Cymbal: A Physically-Informed, Circuit-Bendable, Digital Model", ICMC 2014.
@frozen
public struct MetalCluster: BitwiseCopyable, Sendable {
    @usableFromInline var first: (StepOscillator, StepOscillator, StepOscillator)
    @usableFromInline var second: (StepOscillator, StepOscillator, StepOscillator)
    @usableFromInline var (lower, upper): (StateVariableFilter, StateVariableFilter)

    /// `[any]` Makes a cluster with two bands; a factor multiplies all frequencies, for example 1.62 for a hi-hat.
    @inlinable @_noLocks
    public init(tuning: Double, lower: Double, upper: Double, sampleRate: Double) {
        func partial(_ frequency: Double, _ phase: Double) -> StepOscillator {
            StepOscillator(frequency: frequency * tuning, phase: phase, sampleRate: sampleRate)
        }
        first = (partial(205.3, 0), partial(304.4, 0.37), partial(369.6, 0.74))
        second = (partial(522.7, 1.11), partial(540, 1.48), partial(800, 1.85))
        self.lower = StateVariableFilter(cutoff: lower, resonance: 1.6, sampleRate: sampleRate)
        self.upper = StateVariableFilter(cutoff: upper, resonance: 1.4, sampleRate: sampleRate)
    }

    /// `[any]` The next sample.
    @inlinable @_noLocks
    public mutating func next() -> Double {
        var sum = first.0.square() + first.1.square() + first.2.square()
        sum += second.0.square() + second.1.square() + second.2.square()
        return 0.45 * lower.process(sum).band + 0.7 * upper.process(sum).band
    }
}
