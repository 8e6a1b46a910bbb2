// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the place at which a sound continues another one best. Made on the control thread, used on the render thread.

import DSP
import PluginSDK

/// Looks for the highest correlation of two sounds, first in averages of a few frames, and then frame by frame around the best.
///
/// Sums over all channels decide, so that no channel is torn. Source: W. Verhelst and M. Roelands, "An overlap-add technique based on
/// waveform similarity (WSOLA)" (ICASSP 1993).
struct GrainMatcher: ~Copyable {
    /// The frames of an average.
    private let pooled: Int
    private let sounds: UnsafeMutablePointer<Float>
    private let tails: UnsafeMutablePointer<Float>
    private let products: UnsafeMutablePointer<Float>
    private let energies: UnsafeMutablePointer<Float>
    private let capacity: Int

    /// The loss of places at the range: of two that fit equally well, the nearer one is taken.
    private static var farLoss: Float { @_noLocks get { 0.1 } }
    /// The energy below which a sound is silence.
    private static var leastEnergy: Float { @_noLocks get { 1e-9 } }

    init(sampleRate: Double, frameCount: Int) {
        pooled = max(1, Int(sampleRate / 12_000))
        capacity = frameCount / pooled + 1
        sounds = .allocate(capacity: 4 * capacity)
        sounds.initialize(repeating: 0, count: 4 * capacity)
        (tails, products, energies) = (sounds + capacity, sounds + 2 * capacity, sounds + 3 * capacity)
    }

    deinit { sounds.deallocate() }

    /// Returns the frame of `sound`, 0 to `last`, from which it resembles the first `count` frames of `tail` most.
    ///
    /// A place `range` frames from the centre must resemble it more than the centre does, by a tenth; one farther away by more.
    @_noLocks
    func find(
        _ tail: AudioBlock, _ count: Int, in sound: AudioBlock, upTo last: Int, around centre: Int, range: Float
    ) -> Int {
        guard count > 0, last > 0 else { return min(centre, last) }
        let coarse = findCoarsely(tail, count, in: sound, upTo: last, around: centre, range)
        guard pooled > 1 else { return coarse }
        let energy = Self.energy(of: tail, from: 0, count)
        var (best, highest) = (coarse, -Float.greatestFiniteMagnitude)
        for place in max(0, coarse &- pooled)...min(last, coarse &+ pooled) {
            var product: Float = 0
            for channel in 0..<min(tail.channelCount, sound.channelCount) {
                product += SIMD16.product(tail[channel], sound[channel] + place, count: count)
            }
            let score = Self.score(
                product, Self.energy(of: sound, from: place, count), energy, Float(place &- centre) / range)
            if score > highest { (best, highest) = (place, score) }
        }
        return best
    }

    @_noLocks
    private func findCoarsely(
        _ tail: AudioBlock, _ count: Int, in sound: AudioBlock, upTo last: Int, around centre: Int, _ range: Float
    ) -> Int {
        let (places, length) = (min(last / pooled, capacity &- 1), min(count / pooled, capacity &- 1))
        guard length > 0, places &+ length <= capacity else { return centre }
        for place in 0...places { (products[place], energies[place]) = (0, 0) }
        var energy: Float = 0
        for channel in 0..<min(tail.channelCount, sound.channelCount) {
            average(tail[channel], length, to: tails)
            average(sound[channel], places &+ length, to: sounds)
            energy += SIMD16.product(tails, tails, count: length)
            for place in 0...places {
                products[place] += SIMD16.product(tails, sounds + place, count: length)
                energies[place] += SIMD16.product(sounds + place, sounds + place, count: length)
            }
        }
        var (best, highest) = (centre, -Float.greatestFiniteMagnitude)
        for place in 0...places {
            let distance = Float(place &* pooled &- centre) / range
            let score = Self.score(products[place], energies[place], energy, distance)
            if score > highest { (best, highest) = (place &* pooled, score) }
        }
        return best
    }

    /// The correlation of two sounds, less a little for the distance.
    @_noLocks
    private static func score(_ product: Float, _ energy: Float, _ other: Float, _ distance: Float) -> Float {
        let isSound = energy > leastEnergy && other > leastEnergy
        return (isSound ? product / Float(Maths.sqrt(Double(energy) * Double(other))) : 0) - farLoss * distance * distance
    }

    @_noLocks
    private func average(_ samples: UnsafeMutablePointer<Float>, _ count: Int, to result: UnsafeMutablePointer<Float>) {
        for index in 0..<count {
            var sum: Float = 0
            for frame in 0..<pooled { sum += samples[index &* pooled &+ frame] }
            result[index] = sum
        }
    }

    @_noLocks
    private static func energy(of block: AudioBlock, from start: Int, _ count: Int) -> Float {
        var sum: Float = 0
        for channel in 0..<block.channelCount {
            sum += SIMD16.product(block[channel] + start, block[channel] + start, count: count)
        }
        return sum
    }
}
