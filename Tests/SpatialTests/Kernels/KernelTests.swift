// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The kernels against plain formulas, and each build against the others, bit for bit. Test thread.

import CSpatialKernels
import Glibc
import Testing

@testable import Spatial

@Suite struct KernelTests {
    private func noise(_ count: Int, _ seed: UInt64) -> [Float] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(1 << 31)
        }
    }

    @Test(arguments: [16, 64, 256, 512, 1024])
    func theTransformIsThatOfFourier(size: Int) {
        let samples = noise(size, 7)
        for build in KernelBuild.all {
            let spectrum = SpectralTransform(size: size, build: build).spectrum(of: samples)
            for bin in 0...size / 2 {
                var (real, imaginary) = (0.0, 0.0)
                for (index, sample) in samples.enumerated() {
                    let angle = -2 * Double.pi * Double(bin * index % size) / Double(size)
                    real += Double(sample) * cos(angle)
                    imaginary += Double(sample) * sin(angle)
                }
                let isEnd = bin == 0 || bin == size / 2
                let found = (bin == size / 2 ? spectrum[size / 2] : spectrum[bin], isEnd ? 0 : spectrum[size / 2 + bin])
                #expect(abs(Double(found.0) - real) < 2e-5 && abs(Double(found.1) - imaginary) < 2e-5, "\(build.name), bin \(bin)")
            }
        }
    }

    @Test(arguments: [16, 64, 256, 512, 1024])
    func theInverseRestoresTheSamples(size: Int) {
        let transform = SpectralTransform(size: size, build: .best)
        let samples = noise(size, 9)
        let back = transform.samples(of: transform.spectrum(of: samples))
        #expect(zip(samples, back).allSatisfy { abs($0 - $1) < 1e-6 } && samples.contains { abs($0) > 0.5 })
    }

    @Test func aProductOfSpectraIsAConvolution() {
        let transform = SpectralTransform(size: 256, build: .best)
        let (signal, filter) = (noise(100, 1), noise(100, 2))
        var sum = [Float](repeating: 0, count: 256)
        CSpatialKernels_add(
            transform.build.functions, 256, transform.spectrum(of: signal), transform.spectrum(of: filter), &sum)
        let result = transform.samples(of: sum)
        for frame in 0..<199 {
            let wanted = (0..<100).reduce(0.0) { total, tap in
                (0..<100).contains(frame - tap) ? total + Double(filter[tap]) * Double(signal[frame - tap]) : total
            }
            #expect(abs(Double(result[frame]) - wanted) < 2e-5)
        }
    }

    /// Every kernel of a build, one after the other.
    private func results(_ build: KernelBuild, size: Int, rowCount: Int) -> [[Float]] {
        let transform = SpectralTransform(size: size, build: build)
        let rows = (0..<5).map { noise(size, UInt64($0)) }
        let spectrum = transform.spectrum(of: noise(size, 20))
        var (filter, sum, change, mixed) = (noise(size, 21), noise(size, 22), noise(size, 23), noise(size, 24))
        rows[0].withUnsafeBufferPointer { a in
            rows[1].withUnsafeBufferPointer { b in
                rows[2].withUnsafeBufferPointer { c in
                    rows[3].withUnsafeBufferPointer { d in
                        rows[4].withUnsafeBufferPointer { e in
                            var mixture = CSpatialKernels_Mixture(
                                rows: (a.baseAddress, b.baseAddress, c.baseAddress, d.baseAddress, e.baseAddress, a.baseAddress),
                                weights: (0.3, 0.5, 0.2, -0.1, 0.4, 0.07), rowCount: rowCount,
                                delay: d.baseAddress, nextDelay: e.baseAddress, fraction: 0.37)
                            CSpatialKernels_mix(build.functions, size, &mixture, &mixed)
                            CSpatialKernels_addMoving(build.functions, size, spectrum, &filter, &mixture, &sum, &change)
                        }
                    }
                }
            }
        }
        CSpatialKernels_add(build.functions, size, spectrum, filter, &sum)
        return [spectrum, filter, sum, change, mixed, transform.samples(of: sum)]
    }

    @Test(arguments: [256, 512, 1024], [3, 6])
    func everyBuildPutsOutTheSameBits(size: Int, rowCount: Int) throws {
        try #require(KernelBuild.all.count > 1, "this processor runs one build only, so there is nothing to compare")
        let wanted = results(KernelBuild.all[0], size: size, rowCount: rowCount).map { $0.map(\.bitPattern) }
        for build in KernelBuild.all.dropFirst() {
            #expect(results(build, size: size, rowCount: rowCount).map { $0.map(\.bitPattern) } == wanted, "\(build.name)")
        }
        // Products that are contracted would differ: one rounding less changes bits of such sums.
        let pairs = zip(noise(size, 1), noise(size, 2))
        #expect(pairs.contains { ($0 * $1 + $1).bitPattern != $1.addingProduct($0, $1).bitPattern })
    }

    @Test func aMovingFilterFadesFromTheOldOneToTheNewOne() {
        let (size, build) = (256, KernelBuild.best)
        let (spectrum, old, row, delay) = (noise(size, 1), noise(size, 2), noise(size, 3), noise(size, 4))
        var (sum, change, filter) = ([Float](repeating: 0, count: size), [Float](repeating: 0, count: size), old)
        var new = old
        row.withUnsafeBufferPointer { row in
            delay.withUnsafeBufferPointer { delay in
                var mixture = CSpatialKernels_Mixture(
                    rows: (row.baseAddress, row.baseAddress, row.baseAddress, row.baseAddress, row.baseAddress, row.baseAddress),
                    weights: (0.5, 0.25, 0.25, 0.3, -0.2, -0.1), rowCount: 6,
                    delay: delay.baseAddress, nextDelay: delay.baseAddress, fraction: 0.5)
                CSpatialKernels_mix(build.functions, size, &mixture, &new)
                CSpatialKernels_addMoving(build.functions, size, spectrum, &filter, &mixture, &sum, &change)
            }
        }
        var (before, after) = ([Float](repeating: 0, count: size), [Float](repeating: 0, count: size))
        CSpatialKernels_add(build.functions, size, spectrum, old, &before)
        CSpatialKernels_add(build.functions, size, spectrum, new, &after)
        #expect(sum == before && before != after && filter == new)
        #expect(zip(zip(sum, change), after).allSatisfy { abs($0.0 + $0.1 - $1) < 1e-5 })
    }
}
