// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The discrete Fourier transform of 2ⁿ samples. Any thread; it allocates in init.

import Glibc

/// A transform of a fixed size, which replaces its input by its output.
///
/// The method is the radix-2 algorithm of Cooley and Tukey, decimated in time. Two real signals can be transformed at once: one
/// as the real parts, the other as the imaginary parts.
public struct FourierTransform: ~Copyable {
    /// The number of samples.
    public let size: Int
    /// The real and imaginary parts, `size` of each.
    public let real, imaginary: UnsafeMutablePointer<Float>
    @usableFromInline let cosines, sines: UnsafeMutablePointer<Float>
    @usableFromInline let order: UnsafeMutablePointer<Int32>

    /// `[control]` Allocates for 2 to the power of `exponent` samples; `exponent` is 1 to 24.
    public init(exponent: Int) {
        precondition((1...24).contains(exponent), "a transform has 2 to 16,777,216 samples")
        size = 1 << exponent
        (real, imaginary) = (.allocate(capacity: size), .allocate(capacity: size))
        (cosines, sines) = (.allocate(capacity: size / 2), .allocate(capacity: size / 2))
        order = .allocate(capacity: size)
        for index in 0..<size { (real[index], imaginary[index], order[index]) = (0, 0, 0) }
        for index in 0..<size / 2 {
            let angle = -2 * Double.pi * Double(index) / Double(size)
            (cosines[index], sines[index]) = (Float(cos(angle)), Float(sin(angle)))
        }
        for index in 1..<size { order[index] = order[index / 2] / 2 + (index % 2 == 1 ? Int32(size / 2) : 0) }
    }

    deinit {
        for memory in [real, imaginary, cosines, sines] { memory.deallocate() }
        order.deallocate()
    }

    /// `[any]` Replaces the samples by their transform, without a factor.
    @inlinable @_noLocks
    public func run() {
        for index in 0..<size {
            let other = Int(order[index])
            guard index < other else { continue }
            (real[index], real[other]) = (real[other], real[index])
            (imaginary[index], imaginary[other]) = (imaginary[other], imaginary[index])
        }
        var half = 1
        while half < size {
            var start = 0
            while start < size {
                butterflies(at: start, half)
                start &+= 2 &* half
            }
            half &*= 2
        }
    }

    /// Joins two successive transforms of `half` samples each.
    @inlinable @_noLocks
    func butterflies(at start: Int, _ half: Int) {
        let stride = size / (2 &* half)
        for index in 0..<half {
            let (low, high) = (start &+ index, start &+ index &+ half)
            let (cosine, sine) = (cosines[index &* stride], sines[index &* stride])
            let realPart = real[high] * cosine - imaginary[high] * sine
            let imaginaryPart = real[high] * sine + imaginary[high] * cosine
            real[high] = real[low] - realPart
            imaginary[high] = imaginary[low] - imaginaryPart
            real[low] += realPart
            imaginary[low] += imaginaryPart
        }
    }
}
