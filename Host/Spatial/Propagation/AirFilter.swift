// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Takes treble from a source as the air does. Render thread.

import Realtime

/// Two equal filters of two poles, whose coefficients move in straight lines.
///
/// Stable coefficients form a triangle, so all those on a line between two stable ones are stable. The gain at 0 Hz is 1.
public struct AirFilter {
    private var coefficients = AirCoefficients()
    private var step = AirCoefficients()
    private var states = (FilterState(), FilterState())

    /// The last two outputs.
    private struct FilterState {
        var last = 0.0
        var former = 0.0

        @_noLocks init() {}

        @inline(__always) @_noLocks
        mutating func filtered(_ sample: Double, _ first: Double, _ second: Double) -> Double {
            let output = (1 + first + second) * sample - first * last - second * former
            (former, last) = (last, output)
            return output
        }
    }

    /// Makes a filter that passes its input unchanged.
    @_noLocks
    public init() {}

    /// True if its tail would be heard in silence.
    public var isRinging: Bool {
        @_noLocks get {
            !isOff && (states.0.last != 0 || states.1.last != 0 || states.0.former != 0 || states.1.former != 0)
        }
    }

    /// True if the next frames pass unchanged.
    private var isOff: Bool {
        @_noLocks get { coefficients.isZero && step.isZero }
    }

    /// Forgets the samples before.
    @_noLocks
    public mutating func forget() { states = (FilterState(), FilterState()) }

    /// Sets the coefficients of the next frame, and those of the frame that follows `frameCount` frames later.
    @_noLocks
    public mutating func aim(from start: AirCoefficients, to end: AirCoefficients, over frameCount: Int) {
        let share = 1 / Float(max(1, frameCount))
        coefficients = start
        step = AirCoefficients(first: (end.first - start.first) * share, second: (end.second - start.second) * share)
    }

    /// Filters samples in place; `elapsed` is the number of frames since `aim`.
    @_noLocks
    public mutating func filter(_ samples: UnsafeMutablePointer<Float>, _ frameCount: Int, elapsed: Int) {
        guard frameCount > 0 else { return }
        guard !isOff else { return pass(samples, frameCount) }
        for frame in 0..<frameCount {
            let time = Float(elapsed &+ frame)
            let first = Double(coefficients.first + step.first * time)
            let second = Double(coefficients.second + step.second * time)
            let once = states.0.filtered(Double(samples[frame]), first, second)
            samples[frame] = Float(states.1.filtered(once, first, second))
        }
    }

    /// Keeps the last two samples, as the filter would.
    @_noLocks
    private mutating func pass(_ samples: UnsafeMutablePointer<Float>, _ frameCount: Int) {
        for frame in max(0, frameCount &- 2)..<frameCount {
            _ = states.0.filtered(Double(samples[frame]), 0, 0)
            _ = states.1.filtered(Double(samples[frame]), 0, 0)
        }
    }

    /// Ends a tail below −240 dB.
    @_noLocks
    public mutating func tidy() {
        let size = max(max(abs(states.0.last), abs(states.0.former)), max(abs(states.1.last), abs(states.1.former)))
        if !(size > 1e-12 && size < 1e30) { forget() }
    }
}
