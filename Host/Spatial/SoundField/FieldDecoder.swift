// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Calculates how loudspeakers and ears play a sound field. Control thread.

import Realtime

/// A decoder of a sound field of order 3 in SN3D: gains to loudspeakers, or filters to two ears.
///
/// Higher degrees are weighted by max-rE. The mean power over all directions is that of the sources themselves, whatever the order.
public final class FieldDecoder: Sendable {
    struct Core {
        let outputCount: Int
        /// The taps of each filter; 1 for gains.
        let tapCount: Int
        /// For each output and each channel of the field, the taps from the last to the first.
        let taps: UnsafeMutablePointer<Float>

        @_noLocks
        func filter(_ output: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
            taps + (output &* SphericalHarmonics.mostChannels &+ channel) &* tapCount
        }
    }

    // SAFETY: the memory does not change after init.
    nonisolated(unsafe) let core: UnsafeMutablePointer<Core>

    /// The number of loudspeakers, or 2 ears.
    public var outputCount: Int { core.pointee.outputCount }

    init(outputCount: Int, tapCount: Int) {
        let count = outputCount * SphericalHarmonics.mostChannels * tapCount
        core = .allocate(capacity: 1)
        core.initialize(to: Core(outputCount: outputCount, tapCount: tapCount, taps: .allocate(capacity: count)))
        core.pointee.taps.initialize(repeating: 0, count: count)
    }

    deinit {
        core.pointee.taps.deallocate()
        core.deallocate()
    }

    /// A decoder to one channel: the field without its directions.
    public static let mono: FieldDecoder = {
        let decoder = FieldDecoder(outputCount: 1, tapCount: 1)
        decoder.core.pointee.filter(0, 0)[0] = 1
        return decoder
    }()

    /// A decoder that puts out the field itself, up to an order.
    public static func unchanged(order: Int) -> FieldDecoder {
        let count = min(SphericalHarmonics.mostChannels, max(1, (order + 1) * (order + 1)))
        let decoder = FieldDecoder(outputCount: count, tapCount: 1)
        for channel in 0..<count { decoder.core.pointee.filter(channel, channel)[0] = 1 }
        return decoder
    }

    /// The weight of a channel in a decoder for SN3D: max-rE, and the two factors of N3D in encoding and decoding.
    private static func weights(order: Int) -> [Double] {
        let weights = MaximumEnergyWeights.weights(order: order)
        return (0..<SphericalHarmonics.mostChannels).map { channel in
            let degree = SphericalHarmonics.degree(ofChannel: channel)
            return degree <= order ? weights[degree] * Double(2 * degree + 1) : 0
        }
    }

    /// `[control]` Makes a decoder to loudspeakers: a field of even directions, each panned to the loudspeakers (AllRAD).
    ///
    /// Source: F. Zotter and M. Frank, "All-round ambisonic panning and decoding" (JAES 60, 2012).
    public convenience init(to panner: SpeakerPanner, order: Int) {
        let count = panner.layout.places.count
        self.init(outputCount: count, tapCount: 1)
        let (weights, directions) = (Self.weights(order: order), EvenDirections.spiral(2000))
        var sums = [[Double]](repeating: [Double](repeating: 0, count: weights.count), count: count)
        for direction in directions {
            let (gains, field) = (panner.gains(toward: direction), SphericalHarmonics.encode(direction))
            for output in 0..<count where gains[output] != 0 {
                for channel in weights.indices { sums[output][channel] += gains[output] * field[channel] * weights[channel] }
            }
        }
        let scale = 1 / Self.power(of: sums, over: directions).squareRoot()
        for output in 0..<count {
            for channel in weights.indices { core.pointee.filter(output, channel)[0] = Float(sums[output][channel] * scale) }
        }
    }

    /// The mean power of plane waves of power 1 behind gains.
    private static func power(of gains: [[Double]], over directions: [SpacePoint]) -> Double {
        let sum = directions.reduce(0.0) { sum, direction in
            let field = SphericalHarmonics.encode(direction)
            return gains.reduce(sum) { sum, row in
                let sample = zip(row, field).reduce(0.0) { $0 + $1.0 * $1.1 }
                return sum + sample * sample
            }
        }
        return max(1e-30, sum / Double(directions.count))
    }

    /// `[control]` Makes a decoder to a head, by loudspeakers around it that are not there.
    public convenience init(to head: any DirectionalHead, order: Int, sampleRate: Double) {
        let points = EvenDirections.quadrature
        let ears = points.map { head.impulseResponses(toward: $0.direction, sampleRate: sampleRate) }
        let tapCount = (ears.map { max($0.left.count, $0.right.count) }.max() ?? 1)
        // Whole vectors of 16 taps.
        self.init(outputCount: 2, tapCount: (tapCount + 15) / 16 * 16)
        let weights = Self.weights(order: order)
        for (point, ear) in zip(points, ears) {
            let field = SphericalHarmonics.encode(point.direction)
            for channel in weights.indices {
                let gain = Float(field[channel] * weights[channel] * point.weight)
                add(ear.left, to: 0, channel, gain)
                add(ear.right, to: 1, channel, gain)
            }
        }
        let wanted = zip(points, ears).reduce(0.0) { sum, pair in
            sum + pair.0.weight * (Self.energy(pair.1.left) + Self.energy(pair.1.right))
        }
        scale(by: Float((wanted / max(1e-30, energy(over: points))).squareRoot()))
    }

    private func add(_ response: [Float], to output: Int, _ channel: Int, _ gain: Float) {
        let (taps, last) = (core.pointee.filter(output, channel), core.pointee.tapCount - 1)
        for (index, tap) in response.enumerated() { taps[last - index] += tap * gain }
    }

    private static func energy(_ response: [Float]) -> Double { response.reduce(0) { $0 + Double($1) * Double($1) } }

    /// The mean energy of an impulse behind the filters, at both ears together.
    private func energy(over points: [EvenDirections.Point]) -> Double {
        let (core, count) = (core.pointee, core.pointee.tapCount)
        return points.reduce(0.0) { sum, point in
            let field = SphericalHarmonics.encode(point.direction)
            return (0..<2).reduce(sum) { sum, output in
                sum
                    + (0..<count).reduce(0.0) { energy, tap in
                        let sample = field.indices.reduce(0.0) { $0 + field[$1] * Double(core.filter(output, $1)[tap]) }
                        return energy + sample * sample * point.weight
                    }
            }
        }
    }

    private func scale(by factor: Float) {
        for tap in 0..<2 * SphericalHarmonics.mostChannels * core.pointee.tapCount { core.pointee.taps[tap] *= factor }
    }

    /// The gain of a channel of the field at an output, or the first tap of its filter.
    public func gain(output: Int, channel: Int) -> Float { core.pointee.filter(output, channel)[core.pointee.tapCount - 1] }

    /// The filter of a channel of the field at an output.
    public func response(output: Int, channel: Int) -> [Float] {
        (0..<core.pointee.tapCount).reversed().map { core.pointee.filter(output, channel)[$0] }
    }
}
