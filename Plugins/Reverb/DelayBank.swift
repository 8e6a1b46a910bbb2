// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sixteen delay lines with their absorption. Built on the control thread, run on the render thread.

import DSP
import PluginSDK

/// Sixteen delay lines; they are read and written along time, and processed across the lines, frame by frame.
///
/// The lengths are different primes in a geometric series, so that their sums hardly coincide.
struct DelayBank: ~Copyable {
    static var lineCount: Int { @_noLocks get { 16 } }

    private let lines: UnsafeMutablePointer<SampleRing>
    private let lengths: UnsafeMutablePointer<Delay>
    /// Sixteen frames of every line, frame by frame; after them, room for those of eight lines, line by line.
    private let frames: UnsafeMutablePointer<Float>
    private var absorption: AbsorptionFilters
    /// The lengths of the shortest and the longest line, in crossings of the room.
    private let shortest: Float
    private let longest: Float

    /// `[control]` Allocates for crossings of up to `longestCrossing` frames.
    init(shortest: Float, longest: Float, sampleRate: Double, longestCrossing: Int) {
        self.shortest = shortest
        self.longest = longest
        absorption = AbsorptionFilters(sampleRate: sampleRate)
        lines = .allocate(capacity: Self.lineCount)
        lengths = .allocate(capacity: Self.lineCount)
        frames = .allocate(capacity: (Self.lineCount + 8) * 16)
        lengths.initialize(repeating: Delay(), count: Self.lineCount)
        frames.initialize(repeating: 0, count: (Self.lineCount + 8) * 16)
        // Primes are less than 200 apart here.
        let capacity = Int(Float(longestCrossing) * longest) + 200 * Self.lineCount
        for line in 0..<Self.lineCount { (lines + line).initialize(to: SampleRing(longestDelay: capacity)) }
    }

    deinit {
        lines.deinitialize(count: Self.lineCount).deallocate()
        lengths.deallocate()
        frames.deallocate()
    }

    private var eightLines: UnsafeMutablePointer<Float> { @_noLocks get { frames + Self.lineCount * 16 } }

    /// Reads the next sixteen frames of every line, and filters `frameCount` of them.
    @_noLocks mutating func load(at time: Int, _ crossfade: borrowing Crossfade, _ frameCount: Int) {
        for first in stride(from: 0, to: Self.lineCount, by: 8) {
            for line in 0..<8 {
                let past = lines[first + line].load(time, before: lengths[first + line], crossfade)
                past.store(to: eightLines + line * 16, count: 16)
            }
            absorb(first: first, frameCount)
        }
    }

    /// Filters eight lines, and stores them frame by frame.
    @_noLocks private mutating func absorb(first: Int, _ frameCount: Int) {
        var filters = absorption.half(isHigh: first > 0)
        for frame in stride(from: 0, to: frameCount, by: 4) {
            let low = Square(eightLines + frame, rowStride: 16).transposed()
            let high = Square(eightLines + 64 + frame, rowStride: 16).transposed()
            let target = frames + frame * 16 + first
            filter(&filters, low.rows.0, high.rows.0, target)
            if frame + 1 < frameCount { filter(&filters, low.rows.1, high.rows.1, target + 16) }
            if frame + 2 < frameCount { filter(&filters, low.rows.2, high.rows.2, target + 32) }
            if frame + 3 < frameCount { filter(&filters, low.rows.3, high.rows.3, target + 48) }
        }
        absorption.put(filters, isHigh: first > 0)
    }

    @inline(__always) @_noLocks private func filter(
        _ filters: inout AbsorptionHalf, _ low: SIMD4<Float>, _ high: SIMD4<Float>,
        _ target: UnsafeMutablePointer<Float>
    ) {
        let output = filters.next(SIMD8(lowHalf: low, highHalf: high))
        UnsafeMutableRawPointer(target).storeBytes(of: output, as: SIMD8<Float>.self)
    }

    /// One frame of the lines' outputs, after absorption.
    @inline(__always) @_noLocks func output(_ frame: Int) -> Vector { .load(frames + frame * 16, count: 16) }

    /// Sets one frame of the lines' inputs.
    @inline(__always) @_noLocks func input(_ vector: Vector, _ frame: Int) {
        vector.store(to: frames + frame * 16, count: 16)
    }

    /// Writes the frames into the lines.
    @_noLocks func store(at time: Int) {
        for first in stride(from: 0, to: Self.lineCount, by: 4) {
            for frame in stride(from: 0, to: 16, by: 4) {
                let square = Square(frames + frame * 16 + first, rowStride: 16)
                square.transposed().store(to: eightLines + frame, rowStride: 16)
            }
            for line in 0..<4 { lines[first + line].store(.load(eightLines + line * 16, count: 16), at: time) }
        }
    }

    /// Sets the lengths for another room, the target of a cross-fade.
    @_noLocks func resize(crossing: Float) {
        let ratio = Maths.log2(longest / shortest) / Float(Self.lineCount - 1)
        var least = SampleRing.minimumDelay
        for line in 0..<Self.lineCount {
            let wanted = Int(crossing * shortest * Maths.exp2(ratio * Float(line)))
            lengths[line].next = Self.prime(from: max(wanted, least))
            least = lengths[line].next + 1
        }
    }

    /// Makes the next lengths the present ones, after the cross-fade.
    @_noLocks func settle() {
        for line in 0..<Self.lineCount { lengths[line].now = lengths[line].next }
    }

    /// Sets the decay; returns the mean share of energy that remains at 1 kHz after one pass.
    @_noLocks mutating func tune(_ decay: DecayTimes) -> Float {
        var kept: Float = 0
        for line in 0..<Self.lineCount {
            kept += absorption.tune(line: line, length: lengths[line].next, decay)
        }
        return kept / Float(Self.lineCount)
    }

    @_noLocks mutating func reset() {
        for line in 0..<Self.lineCount { lines[line].clear() }
        absorption.reset()
        settle()
    }

    /// The least prime that is at least `start`.
    @_noLocks private static func prime(from start: Int) -> Int {
        var candidate = start | 1
        while !isPrime(odd: candidate) { candidate += 2 }
        return candidate
    }

    @_noLocks private static func isPrime(odd number: Int) -> Bool {
        var divisor = 3
        while divisor * divisor <= number {
            if number % divisor == 0 { return false }
            divisor += 2
        }
        return true
    }
}
