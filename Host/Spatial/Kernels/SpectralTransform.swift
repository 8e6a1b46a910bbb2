// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The transform between samples and spectra for filters in space. It allocates in init; any thread, one at a time for the scratch.

import CSpatialKernels
import Glibc

/// A Fourier transform of real samples, by the kernels of one build.
///
/// A spectrum holds as many numbers as there are samples: the real parts of the bins, then their imaginary parts. The first imaginary
/// part is the real number at half the sample rate.
final class SpectralTransform: Sendable {
    let build: KernelBuild
    // SAFETY: the tables never change after init.
    nonisolated(unsafe) private let tables: UnsafeMutablePointer<Float>
    nonisolated(unsafe) let plan: UnsafeMutablePointer<CSpatialKernels_Transform>

    /// The number of samples.
    var size: Int { plan.pointee.size }

    /// A transform of `size` samples: a power of two, 16 at least.
    init(size: Int, build: KernelBuild) {
        self.build = build
        let half = size / 2
        tables = .allocate(capacity: 4 * half)
        for k in 0..<half {
            let (turn, halfTurn) = (
                -2 * Double.pi * Double(k) / Double(half), -2 * Double.pi * Double(k) / Double(size)
            )
            tables[k] = Float(cos(turn))
            tables[half + k] = Float(sin(turn))
            tables[2 * half + k] = Float(cos(halfTurn))
            tables[3 * half + k] = Float(sin(halfTurn))
        }
        plan = .allocate(capacity: 1)
        plan.initialize(
            to: CSpatialKernels_Transform(
                size: size, halfCosines: tables, halfSines: tables + half, cosines: tables + 2 * half,
                sines: tables + 3 * half))
    }

    deinit {
        plan.deallocate()
        tables.deallocate()
    }

    /// `[control]` Returns the spectrum of `size` samples; missing ones are 0.
    func spectrum(of samples: [Float]) -> [Float] {
        let padded = samples.prefix(size) + [Float](repeating: 0, count: max(0, size - samples.count))
        return apply { CSpatialKernels_transform(build.functions, plan, Array(padded), $0, $1) }
    }

    /// `[control]` Returns the spectrum of samples that are heard earlier by a part of a frame, or later by a negative one.
    ///
    /// All frequencies but that at half the sample rate are turned, so that the opposite turn restores the samples exactly.
    func spectrum(of samples: [Float], advancedBy fraction: Double) -> [Float] {
        var spectrum = spectrum(of: samples)
        guard fraction != 0 else { return spectrum }
        let half = size / 2
        for bin in 1..<half {
            let angle = 2 * Double.pi * Double(bin) * fraction / Double(size)
            let (real, imaginary) = (Double(spectrum[bin]), Double(spectrum[half + bin]))
            spectrum[bin] = Float(real * cos(angle) - imaginary * sin(angle))
            spectrum[half + bin] = Float(real * sin(angle) + imaginary * cos(angle))
        }
        return spectrum
    }

    /// `[control]` Returns the samples of a spectrum of `size` numbers.
    func samples(of spectrum: [Float]) -> [Float] {
        apply { CSpatialKernels_invert(build.functions, plan, spectrum, $0, $1) }
    }

    private func apply(
        _ kernel: (_ result: UnsafeMutablePointer<Float>, _ scratch: UnsafeMutablePointer<Float>) ->
            Void
    ) -> [Float] {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * size) { memory in
            // Cannot trap: the capacity is not 0.
            let base = memory.baseAddress!
            kernel(base, base + size)
            return Array(UnsafeBufferPointer(start: base, count: size))
        }
    }
}
