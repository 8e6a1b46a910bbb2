// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The expected sound of the extension in plain C. Any thread.

/// A model of the C code, in the same arithmetic.
package struct TremoloModel {
    private struct Ramp {
        var current: Double
        var target: Double
        var step = 0.0
        var framesLeft = 0

        mutating func next() -> Double {
            let value = current
            if framesLeft > 0 {
                framesLeft -= 1
                current = framesLeft == 0 ? target : target - step * Double(framesLeft)
            }
            return value
        }
    }

    private var rate: Ramp
    private var depth: Ramp
    private var phase = 0.0

    /// Starts at phase 0, with a rate in hertz and a depth in percent.
    package init(rate: Double = 4, depth: Double) {
        self.rate = Ramp(current: rate, target: rate)
        self.depth = Ramp(current: depth, target: depth)
    }

    /// Sets the depth in percent, at once or with a ramp.
    package mutating func setDepth(_ value: Double, over frameCount: Int = 0) {
        depth = Ramp(
            current: frameCount == 0 ? value : depth.current, target: value,
            step: frameCount == 0 ? 0 : (value - depth.current) / Double(frameCount), framesLeft: frameCount)
    }

    /// Sets the rate in hertz.
    package mutating func setRate(_ value: Double) { rate = Ramp(current: value, target: value) }

    /// The gain of the next frame.
    package mutating func next() -> Float {
        let share = depth.next() * 0.01
        let swing = phase < 0.5 ? 2 * phase : 2 - 2 * phase
        phase += rate.next() / 48_000
        if phase >= 1 { phase -= 1 }
        return Float(1 - share * swing)
    }

    /// Applies the gain to an input.
    ///
    /// `perform` is called before each frame.
    package mutating func process(_ input: [[Float]], _ perform: (inout TremoloModel, Int) -> Void = { _, _ in }) -> [[Float]] {
        var output = input
        for frame in input[0].indices {
            perform(&self, frame)
            let gain = next()
            for channel in input.indices { output[channel][frame] = input[channel][frame] * gain }
        }
        return output
    }
}
