// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The loss of each delay line at each frequency, so that all lines decay alike. Render thread.

import PluginSDK

/// Decay times in seconds: at low, middle (1 kHz) and high frequencies.
struct DecayTimes {
    var low: Float
    var middle: Float
    var high: Float

    @_noLocks init(low: Float, middle: Float, high: Float) {
        self.low = low
        self.middle = middle
        self.high = high
    }
}

/// The filters of eight delay lines, as many as a processor's registers hold.
struct AbsorptionHalf {
    let lowInput: (SIMD8<Float>, SIMD8<Float>)
    let lowFeedback: SIMD8<Float>
    let highInput: (SIMD8<Float>, SIMD8<Float>)
    let highFeedback: SIMD8<Float>
    fileprivate(set) var lowState: SIMD8<Float>
    fileprivate(set) var highState: SIMD8<Float>

    /// Filters one frame of the lines.
    @inline(__always) @_noLocks mutating func next(_ x: SIMD8<Float>) -> SIMD8<Float> {
        let y = lowInput.0 * x + lowState
        lowState = lowInput.1 * x - lowFeedback * y
        let z = highInput.0 * y + highState
        highState = highInput.1 * y - highFeedback * z
        return z
    }
}

/// Sixteen pairs of first-order shelves, one pair for each delay line, computed eight at once.
///
/// A line of m frames must lose 60 m / (T fs) dB for a decay time of T seconds. The design solves for the shelves' skirts, so
/// that the loss at 1 kHz is exactly that of the middle decay time.
///
/// Source: J.-M. Jot, A. Chaigne, *Digital delay networks for designing artificial reverberators*, AES 90th Convention, 1991.
struct AbsorptionFilters {
    private var lowInput = (Vector(repeating: 0), Vector(repeating: 0))
    private var lowFeedback = Vector(repeating: 0)
    private var highInput = (Vector(repeating: 0), Vector(repeating: 0))
    private var highFeedback = Vector(repeating: 0)
    private var lowState = Vector(repeating: 0)
    private var highState = Vector(repeating: 0)
    private let sampleRate: Float
    /// Warped corner frequencies of the shelves, and 1 kHz in units of each.
    private let lowCorner: Float
    private let highCorner: Float
    private let lowMiddle: Float
    private let highMiddle: Float

    /// `[control]` Places the low shelf below 250 Hz and the high one above 4 kHz.
    init(sampleRate: Double) {
        self.sampleRate = Float(sampleRate)
        let middle = Maths.tan(.pi * 1000 / sampleRate)
        let low = Maths.tan(.pi * 250 / sampleRate)
        let high = Maths.tan(.pi * min(4000, 0.3 * sampleRate) / sampleRate)
        lowCorner = Float(low)
        highCorner = Float(high)
        lowMiddle = Float(middle / low * middle / low)
        highMiddle = Float(middle / high * middle / high)
    }

    /// A copy of the filters of the first or the last eight lines; put it back after it has run.
    @inline(__always) @_noLocks func half(isHigh: Bool) -> AbsorptionHalf {
        func part(_ all: Vector) -> SIMD8<Float> { isHigh ? all.highHalf : all.lowHalf }
        return AbsorptionHalf(
            lowInput: (part(lowInput.0), part(lowInput.1)), lowFeedback: part(lowFeedback),
            highInput: (part(highInput.0), part(highInput.1)), highFeedback: part(highFeedback),
            lowState: part(lowState), highState: part(highState))
    }

    @inline(__always) @_noLocks mutating func put(_ filters: AbsorptionHalf, isHigh: Bool) {
        if isHigh {
            lowState.highHalf = filters.lowState
            highState.highHalf = filters.highState
        } else {
            lowState.lowHalf = filters.lowState
            highState.lowHalf = filters.highState
        }
    }

    /// Sets the loss of one line of `length` frames; returns the share of energy that remains at 1 kHz.
    @_noLocks mutating func tune(line: Int, length: Int, _ decay: DecayTimes) -> Float {
        // The losses as powers of two: 10^-3 is 2^-9.966.
        let seconds = Float(length) / sampleRate
        let low = -9.965_784 * seconds / decay.low
        let middle = -9.965_784 * seconds / decay.middle
        let high = -9.965_784 * seconds / decay.high
        let lowSkirt = 1 / (1 + lowMiddle)
        let highSkirt = highMiddle / (1 + highMiddle)
        let level = (middle - lowSkirt * low - highSkirt * high) / (1 - lowSkirt - highSkirt)
        let lowRoot = Maths.exp2(0.5 * (low - level))
        let highRoot = Maths.exp2(0.5 * (high - level))
        let gain = Maths.exp2(middle - skirtLevel(lowRoot, highRoot))
        let safe = min(gain, 0.9999 / max(1, lowRoot * lowRoot) / max(1, highRoot * highRoot))
        setLow(line, root: lowRoot, gain: safe)
        setHigh(line, root: highRoot)
        return Maths.exp2(2 * middle)
    }

    /// The gain of both shelves at 1 kHz, as a power of two.
    @_noLocks private func skirtLevel(_ lowRoot: Float, _ highRoot: Float) -> Float {
        let low = (lowMiddle + lowRoot * lowRoot) / (lowMiddle + 1 / (lowRoot * lowRoot))
        let high = (highMiddle * highRoot * highRoot + 1) / (highMiddle / (highRoot * highRoot) + 1)
        return 0.5 * Maths.log2(low * high)
    }

    /// (s + √G) / (s + 1/√G), times a gain.
    @_noLocks private mutating func setLow(_ line: Int, root: Float, gain: Float) {
        let scale = 1 / (1 + lowCorner / root)
        lowInput.0[line] = gain * scale * (1 + lowCorner * root)
        lowInput.1[line] = gain * scale * (lowCorner * root - 1)
        lowFeedback[line] = scale * (lowCorner / root - 1)
    }

    /// (s √G + 1) / (s/√G + 1).
    @_noLocks private mutating func setHigh(_ line: Int, root: Float) {
        let scale = 1 / (1 / root + highCorner)
        highInput.0[line] = scale * (root + highCorner)
        highInput.1[line] = scale * (highCorner - root)
        highFeedback[line] = scale * (highCorner - 1 / root)
    }

    @_noLocks mutating func reset() {
        lowState = Vector(repeating: 0)
        highState = Vector(repeating: 0)
    }
}
