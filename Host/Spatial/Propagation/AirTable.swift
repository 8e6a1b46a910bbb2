// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Designs the filter of air for each distance. Made on the control thread, read on the render thread.

import Realtime

/// The coefficients of an `AirFilter`.
public struct AirCoefficients: Equatable {
    /// The weight of the last output.
    public var first: Float
    /// The weight of the output before it.
    public var second: Float

    /// `[any]` Makes coefficients; without arguments they pass the input unchanged.
    @_noLocks
    public init(first: Float = 0, second: Float = 0) { (self.first, self.second) = (first, second) }

    /// True if the input passes unchanged.
    var isZero: Bool {
        @_noLocks get { first == 0 && second == 0 }
    }
}

/// The rows of a table of air: coefficients for distances that grow by a quarter of an octave.
struct AirRows {
    /// The number of rows, for distances up to 32 km.
    static var count: Int { @_noLocks get { 61 } }

    let memory: UnsafeMutablePointer<AirCoefficients>

    @_noLocks
    init(memory: UnsafeMutablePointer<AirCoefficients>) { self.memory = memory }

    /// `[control]` The distance of a row in metres.
    static func metres(ofRow row: Int) -> Double { Maths.exp2(Double(row) / 4) - 1 }

    /// `[render]` The coefficients at a distance; a distance that is not finite counts as the farthest.
    @_noLocks
    func coefficients(metres: Double) -> AirCoefficients {
        let last = Self.count &- 1
        let place = metres.isFinite ? 4 * Double(Maths.log2(Float(1 + max(0, metres)))) : Double(last)
        guard place < Double(last) else { return memory[last] }
        // Cannot trap: from 0 to the last row.
        let row = Int(place)
        let share = Float(place - Double(row))
        let (near, far) = (memory[row], memory[row &+ 1])
        return AirCoefficients(
            first: near.first + share * (far.first - near.first), second: near.second + share * (far.second - near.second))
    }
}

/// The coefficients of air for distances up to 32 km at one sample rate.
///
/// A filter matches the loss of the air where that is 6 dB and 16 dB. It deviates from the formula by less than 2.6 dB up to a loss of 20 dB.
public final class AirTable: Sendable {
    // SAFETY: the memory does not change after init.
    nonisolated(unsafe) let rows: AirRows

    /// `[control]` Designs the filters.
    public init(_ air: Air, sampleRate: Double) {
        rows = AirRows(memory: .allocate(capacity: AirRows.count))
        let design = AirDesign(air: air, sampleRate: sampleRate)
        for row in 0..<AirRows.count {
            (rows.memory + row).initialize(to: design.coefficients(metres: AirRows.metres(ofRow: row)))
        }
    }

    deinit { rows.memory.deallocate() }

    /// The coefficients at a distance, between those of its neighbours.
    public func coefficients(metres: Double) -> AirCoefficients { rows.coefficients(metres: metres) }
}

/// Finds the coefficients for a distance.
private struct AirDesign {
    let air: Air
    let sampleRate: Double

    /// Both equal sections lose half of the decibels.
    func coefficients(metres: Double) -> AirCoefficients {
        guard metres > 0 else { return AirCoefficients() }
        let metres = metres / 2
        let high = frequency(losing: 8, over: metres, below: 0.45 * sampleRate)
        let loss = air.attenuation(atHertz: high) * metres
        let low = frequency(losing: loss * 0.375, over: metres, below: high)
        return factors(
            point(low, air.attenuation(atHertz: low) * metres), point(high, loss))
    }

    /// The frequency at which the air takes a number of decibels; the loss grows with the frequency.
    private func frequency(losing decibels: Double, over metres: Double, below top: Double) -> Double {
        guard air.attenuation(atHertz: top) * metres > decibels else { return top }
        var (low, high) = (1.0, top)
        for _ in 0..<60 {
            let middle = Maths.sqrt(low * high)
            if air.attenuation(atHertz: middle) * metres < decibels { low = middle } else { high = middle }
        }
        return low
    }

    /// The variable sin²(ω/2), and the factor by which the power falls, less 1.
    private func point(_ hertz: Double, _ decibels: Double) -> (place: Double, excess: Double) {
        let sine = Maths.sin(Double.pi * hertz / sampleRate)
        return (sine * sine, Maths.pow(10, decibels / 10) - 1)
    }

    /// Factors the polynomial 1 + A·u + B·u², through both points, into a filter with its poles inside the unit circle.
    private func factors(_ low: (place: Double, excess: Double), _ high: (place: Double, excess: Double)) -> AirCoefficients {
        let (slope, steep) = (low.excess / low.place, high.excess / high.place)
        var square = (steep - slope) / max(1e-12, high.place - low.place)
        var linear = slope - square * low.place
        if square < 0 || !square.isFinite { (square, linear) = (0, steep) }
        if linear < 0 { (square, linear) = (steep / high.place, 0) }
        let nyquist = Maths.sqrt(1 + linear + square)
        let even = (1 + nyquist) / 2
        let first = (even + Maths.sqrt(max(0, even * even - square / 4))) / 2
        return AirCoefficients(first: Float((1 - nyquist) / 2 / first), second: Float((even - first) / first))
    }
}
