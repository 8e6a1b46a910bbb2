// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sixteen numbers at once. Render thread.

import PluginSDK

/// The unit of arithmetic: sixteen neighbouring frames, or one frame of sixteen delay lines.
typealias Vector = SIMD16<Float>

extension Vector {
    /// Returns the next frames of a smoothed value, and advances it by at most sixteen frames.
    @inline(__always) @_noLocks static func frames(of value: inout SmoothedValue, _ frameCount: Int) -> Vector {
        guard value.isMoving else { return Vector(repeating: value.current) }
        var vector = Vector(repeating: 0)
        for frame in 0..<frameCount { vector[frame] = value.next() }
        return vector
    }

    /// Makes a vector that repeats two numbers eight times.
    @inline(__always) @_noLocks init(alternating even: Float, _ odd: Float) {
        let four = SIMD4(even, odd, even, odd)
        let eight = SIMD8(lowHalf: four, highHalf: four)
        self.init(lowHalf: eight, highHalf: eight)
    }
}
