// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A small room around drums. Made on any thread, then render thread.

import Realtime

/// Eight delay lines, damped at high frequencies and fed back through a Householder matrix.
///
/// Source: Jot and Chaigne, "Digital Delay Networks for Designing Artificial Reverberators", 1991.
@frozen
public struct DrumRoom: ~Copyable {
    /// All lines, one after the other; for each line its length, its offset in the memory, and its present position.
    @usableFromInline let samples: UnsafeMutablePointer<Double>
    @usableFromInline let lines: UnsafeMutablePointer<Line>
    @usableFromInline let sampleCount: Int
    @usableFromInline let damping: Double

    @frozen @usableFromInline struct Line: BitwiseCopyable {
        @usableFromInline let (start, length): (Int, Int)
        @usableFromInline let gain: Double
        @usableFromInline var position = 0
        @usableFromInline var damped = 0.0

        @usableFromInline init(start: Int, length: Int, gain: Double) {
            (self.start, self.length, self.gain) = (start, length, gain)
        }
    }

    @usableFromInline static var lineCount: Int { @_noLocks get { 8 } }
    private static let milliseconds = [11.3, 13.7, 17.1, 19.9, 23.3, 27.1, 31.9, 37.3]

    /// `[control]` Makes a room whose sound decays by 60 dB in `decay` seconds.
    public init(decay: Double, sampleRate: Double) {
        lines = .allocate(capacity: Self.lineCount)
        var start = 0
        for index in 0..<Self.lineCount {
            let length = max(1, Int(Self.milliseconds[index] * 0.001 * sampleRate))
            let gain = Maths.pow(10, -3 * Double(length) / sampleRate / decay)
            (lines + index).initialize(to: Line(start: start, length: length, gain: gain))
            start += length
        }
        sampleCount = start
        samples = .allocate(capacity: start)
        samples.initialize(repeating: 0, count: start)
        damping = Maths.exp(-2 * .pi * min(5200, 0.45 * sampleRate) / sampleRate)
    }

    deinit {
        samples.deallocate()
        lines.deallocate()
    }

    /// `[render]` Forgets all sound.
    @inlinable @_noLocks
    public mutating func reset() {
        for index in 0..<sampleCount { samples[index] = 0 }
        for index in 0..<Self.lineCount { (lines[index].position, lines[index].damped) = (0, 0) }
    }

    /// `[render]` Takes one frame and returns its reverberation, without the direct sound.
    @inlinable @_noLocks
    public mutating func process(_ left: Double, _ right: Double) -> (left: Double, right: Double) {
        var (sum, even, odd) = (0.0, 0.0, 0.0)
        for index in 0..<Self.lineCount {
            let sample = samples[lines[index].start + lines[index].position]
            lines[index].damped += (1 - damping) * (sample * lines[index].gain - lines[index].damped)
            sum += lines[index].damped
            if index % 2 == 0 { even += sample } else { odd += sample }
        }
        for index in 0..<Self.lineCount {
            let position = lines[index].position
            samples[lines[index].start + position] = lines[index].damped - sum / 4 + (index % 2 == 0 ? left : right) * 0.35
            lines[index].position = position + 1 == lines[index].length ? 0 : position + 1
        }
        return (even, odd)
    }
}
