// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Calculates how two ears play a sound field so that high frequencies keep their levels (MagLS). Control thread.

import Glibc
import Realtime

extension FieldDecoder {
    /// The most taps of a filter: as many as the sum keeps.
    private static let mostTaps = FieldMemory.pastFrameCount
    private static let directionCount = 480

    /// `[control]` Makes a decoder to a head that keeps the level of high frequencies rather than their phase.
    ///
    /// An order cannot describe how a head's phases change with the direction, from the frequency on at which a sphere of the head's size is
    /// as many wavelengths around as the order says: 1.9 kHz for order 3. From there on the phase follows from the frequency below. At each
    /// frequency the mean power over all directions is that of the head.
    /// Source: C. Schörkhuber, M. Zaunschirm and R. Höldrich, "Binaural rendering of ambisonic signals via magnitude least squares" (2018).
    public convenience init(keepingMagnitudesOf head: any DirectionalHead, order: Int, sampleRate: Double) {
        let directions = EvenDirections.spiral(Self.directionCount)
        let ears = directions.map { head.impulseResponses(toward: $0, sampleRate: sampleRate) }
        let longest = ears.map { max($0.left.count, $0.right.count) }.max() ?? 1
        let tapCount = min(Self.mostTaps, (longest + 15) / 16 * 16)
        self.init(outputCount: 2, tapCount: tapCount)
        // Twice the taps: a changed phase may move a response.
        var size = 64
        while size < 2 * tapCount { size *= 2 }
        let transform = SpectralTransform(size: size, build: .best)
        let crossover = Double(max(1, order)) * 343 / (2 * .pi * 0.0875)
        let (solver, arrival) = (FieldSolver(directions, order: order), Self.arrival(of: ears))
        // Cannot trap: a rate that renders.
        let first = Int((crossover / max(8000, sampleRate) * Double(size)).rounded(.up))
        for (output, responses) in [ears.map(\.left), ears.map(\.right)].enumerated() {
            let spectra = responses.map { transform.spectrum(of: Array($0.prefix(size))) }
            let fields = solver.fields(spectra, size: size, arrival: arrival, firstMagnitudeBin: first)
            for (channel, spectrum) in fields.enumerated() {
                var samples = Array(transform.samples(of: spectrum).prefix(tapCount))
                Self.fadeOut(&samples)
                let taps = core.pointee.filter(output, channel)
                for (index, sample) in samples.enumerated() { taps[tapCount - 1 - index] = sample }
            }
        }
    }

    /// The frame around which the energy of all responses lies.
    private static func arrival(of ears: [(left: [Float], right: [Float])]) -> Double {
        var (moment, energy) = (0.0, 1e-30)
        for response in ears.flatMap({ [$0.left, $0.right] }) {
            for (frame, sample) in response.enumerated() {
                moment += Double(frame) * Double(sample * sample)
                energy += Double(sample * sample)
            }
        }
        return (moment / energy).rounded()
    }

    /// Fades the last eighth of a filter out.
    private static func fadeOut(_ samples: inout [Float]) {
        let count = samples.count / 8
        for index in 0..<count { samples[samples.count - 1 - index] *= Float(index + 1) / Float(count + 1) }
    }
}

/// Finds the sound field that comes nearest to a signal for each direction.
private struct FieldSolver {
    /// The harmonics of each direction.
    private let harmonics: [[Double]]
    /// The weights of each direction for each channel: the inverse by least squares.
    private let inverse: [[Double]]
    private let channelCount: Int

    init(_ directions: [SpacePoint], order: Int) {
        let count = SphericalHarmonics.channelCount(order: max(0, min(SphericalHarmonics.highestOrder, order)))
        let harmonics = directions.map { Array(SphericalHarmonics.encode($0).prefix(count)) }
        let products = (0..<count).map { row in
            (0..<count).map { column in harmonics.reduce(0.0) { $0 + $1[row] * $1[column] } }
        }
        let factor = Self.factor(products)
        let solved = harmonics.map { Self.solve(factor, $0) }
        (self.harmonics, channelCount) = (harmonics, count)
        inverse = (0..<count).map { channel in solved.map { $0[channel] } }
    }

    /// The spectrum of each channel; from a bin on, levels count and phases follow from the bin below.
    ///
    /// Phases are those beside a delay by `arrival` frames. So what has the phase of the bin below arrives then, too.
    func fields(_ spectra: [[Float]], size: Int, arrival: Double, firstMagnitudeBin: Int) -> [[Float]] {
        let half = size / 2
        var fields = [[Float]](repeating: [Float](repeating: 0, count: size), count: channelCount)
        var field = [Complex](repeating: Complex(), count: channelCount)
        for bin in 0...half {
            let turn = Complex(angle: 2 * .pi * Double(bin) * arrival / Double(size))
            let wanted = spectra.map { Complex(of: $0, bin) * turn }
            let aims = bin < firstMagnitudeBin || bin == 0 ? wanted : aims(for: wanted, after: field)
            field = inverse.map { row in zip(row, aims).reduce(Complex()) { $0 + $1.1 * $1.0 } }
            let gain = gain(of: field, toward: wanted)
            let back = turn.conjugate * gain
            for channel in 0..<channelCount { (field[channel] * back).write(to: &fields[channel], bin) }
        }
        return fields
    }

    /// The level of each direction, with the phase that a field has there.
    private func aims(for wanted: [Complex], after field: [Complex]) -> [Complex] {
        zip(wanted, harmonics).map { wanted, row in
            let heard = zip(field, row).reduce(Complex()) { $0 + $1.0 * $1.1 }
            let level = heard.magnitude
            return level > 1e-12 ? heard * (wanted.magnitude / level) : wanted
        }
    }

    /// The gain that gives a field the mean power of a signal; within 12 dB.
    private func gain(of field: [Complex], toward wanted: [Complex]) -> Double {
        let power = wanted.reduce(0.0) { $0 + $1.power }
        let heard = harmonics.reduce(0.0) { sum, row in sum + zip(field, row).reduce(Complex()) { $0 + $1.0 * $1.1 }.power }
        return heard > 1e-30 ? max(0.25, min(4, (power / heard).squareRoot())) : 1
    }

    /// The lower triangle whose product with itself is a positive matrix (Cholesky).
    private static func factor(_ matrix: [[Double]]) -> [[Double]] {
        var lower = matrix
        for row in matrix.indices {
            for column in 0...row {
                let sum = (0..<column).reduce(matrix[row][column]) { $0 - lower[row][$1] * lower[column][$1] }
                lower[row][column] = row == column ? max(1e-12, sum).squareRoot() : sum / lower[column][column]
            }
        }
        return lower
    }

    private static func solve(_ lower: [[Double]], _ vector: [Double]) -> [Double] {
        var result = vector
        for row in result.indices {
            result[row] = (0..<row).reduce(result[row]) { $0 - lower[row][$1] * result[$1] } / lower[row][row]
        }
        for row in result.indices.reversed() {
            result[row] = (row + 1..<result.count).reduce(result[row]) { $0 - lower[$1][row] * result[$1] } / lower[row][row]
        }
        return result
    }
}

/// A complex number of a spectrum.
private struct Complex {
    var real = 0.0
    var imaginary = 0.0

    init() {}

    private init(_ real: Double, _ imaginary: Double) { (self.real, self.imaginary) = (real, imaginary) }

    /// A number of length 1.
    init(angle: Double) { (real, imaginary) = (cos(angle), sin(angle)) }

    /// A bin of a spectrum in the order of `SpectralTransform`.
    init(of spectrum: [Float], _ bin: Int) {
        let half = spectrum.count / 2
        real = Double(bin == half ? spectrum[half] : spectrum[bin])
        imaginary = bin == 0 || bin == half ? 0 : Double(spectrum[half + bin])
    }

    /// Writes it as a bin of a spectrum; the first bin and the last one are real.
    func write(to spectrum: inout [Float], _ bin: Int) {
        let half = spectrum.count / 2
        guard bin < half else {
            spectrum[half] = Float(real)
            return
        }
        spectrum[bin] = Float(real)
        if bin > 0 { spectrum[half + bin] = Float(imaginary) }
    }

    var conjugate: Complex { Complex(real, -imaginary) }
    var power: Double { real * real + imaginary * imaginary }
    var magnitude: Double { power.squareRoot() }

    static func + (left: Complex, right: Complex) -> Complex { Complex(left.real + right.real, left.imaginary + right.imaginary) }
    static func * (left: Complex, right: Complex) -> Complex {
        Complex(
            left.real * right.real - left.imaginary * right.imaginary, left.real * right.imaginary + left.imaginary * right.real)
    }
    static func * (left: Complex, right: Double) -> Complex { Complex(left.real * right, left.imaginary * right) }
}

extension HeadResponses: DirectionalHead {
    /// The frames before the earliest sound, which all directions have in common.
    public func latencyFrameCount(sampleRate: Double) -> Int { 0 }

    /// The impulse responses of a distant source; the rate is that of the filters.
    public func impulseResponses(toward direction: SpacePoint, sampleRate: Double) -> (left: [Float], right: [Float]) {
        let ears = response(at: SIMD3<Float>(direction * 2))
        return (ears[0], ears[1])
    }
}
