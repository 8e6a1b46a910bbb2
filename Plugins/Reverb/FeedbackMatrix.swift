// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The feedback between the delay lines: a Hadamard matrix after rotations that move slowly. Render thread.

import PluginSDK

/// An orthogonal matrix that changes with time: the resonances wander, but the decay stays the same.
///
/// The delays never move, so they need no interpolation, with its losses. Source: S. Schlecht, E. Habets, *Time-varying
/// feedback matrices in feedback delay networks and their application in artificial reverberation*, Journal of the Acoustical
/// Society of America 138, 2015.
struct FeedbackMatrix {
    /// The largest angle of rotation of a pair of lines, in radians.
    private static var widestAngle: Float { @_noLocks get { 1.2 } }

    private var cosine = SIMD8<Float>(repeating: 1)
    private var sine = SIMD8<Float>(repeating: 0)
    private var cosineStep = SIMD8<Float>(repeating: 0)
    private var sineStep = SIMD8<Float>(repeating: 0)
    private var phases = SIMD8<Float>(repeating: 0)

    @_noLocks init() {}

    /// Mixes one frame: rotates lines 0…7 against lines 8…15, then multiplies by the Hadamard matrix.
    @inline(__always) @_noLocks mutating func next(_ x: Vector) -> Vector {
        cosine += cosineStep
        sine += sineStep
        let low = x.lowHalf * cosine + x.highHalf * sine
        let high = x.highHalf * cosine - x.lowHalf * sine
        return Self.hadamard(Vector(lowHalf: low, highHalf: high))
    }

    /// The product with a Hadamard matrix of order 16, scaled to keep energy: four rounds of sums and differences.
    @inline(__always) @_noLocks static func hadamard(_ x: Vector) -> Vector {
        var y = x * 0.25
        for _ in 0..<4 {
            let even = y.evenHalf
            let odd = y.oddHalf
            y = Vector(lowHalf: even + odd, highHalf: even - odd)
        }
        return y
    }

    /// Aims at the angles `frameCount` frames ahead; every pair moves at its own rate near `rate`, in hertz.
    @_noLocks mutating func aim(depth: Float, rate: Float, sampleRate: Float, frameCount: Int) {
        for pair in 0..<8 {
            let turns = phases[pair] + Self.pace(pair) * rate * Float(frameCount) / sampleRate
            phases[pair] = turns - Maths.floor(turns)
            let angle = depth * Self.widestAngle * Maths.sin(2 * .pi * phases[pair])
            cosineStep[pair] = (Maths.cos(angle) - cosine[pair]) / Float(frameCount)
            sineStep[pair] = (Maths.sin(angle) - sine[pair]) / Float(frameCount)
        }
    }

    /// The pair's factor of the rate, between 0.7 and 1.4, without common multiples.
    @_noLocks private static func pace(_ pair: Int) -> Float { Maths.exp2(Float(pair) / 7.3 - 0.5) }

    @_noLocks mutating func reset() {
        self = FeedbackMatrix()
        for pair in 0..<8 { phases[pair] = Float(pair) / 8 }
    }
}
