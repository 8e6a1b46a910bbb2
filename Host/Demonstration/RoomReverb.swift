// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The small room that the demonstration's drums stand in. Control thread.

import Glibc

/// Eight delay lines fed back through an orthogonal matrix, damped in the highs (Jot and Chaigne, "Digital Delay
/// Networks for Designing Artificial Reverberators", 1991), with a Householder matrix for the feedback.
struct RoomReverb {
    private var lines: [[Double]]
    private var positions: [Int]
    private var damped: [Double]
    private let gains: [Double]
    private let damping: Double
    private static let milliseconds = [11.3, 13.7, 17.1, 19.9, 23.3, 27.1, 31.9, 37.3]

    /// A room whose sound falls by 60 dB in `decay` seconds.
    init(decay: Double, sampleRate: Double) {
        let lengths = Self.milliseconds.map { max(1, Int($0 * 0.001 * sampleRate)) }
        lines = lengths.map { Array(repeating: 0, count: $0) }
        positions = Array(repeating: 0, count: lengths.count)
        damped = Array(repeating: 0, count: lengths.count)
        gains = lengths.map { pow(10, -3 * Double($0) / sampleRate / decay) }
        damping = exp(-2 * .pi * min(5200, 0.45 * sampleRate) / sampleRate)
    }

    /// One frame in, the reverberation out, without the direct sound.
    mutating func process(_ left: Double, _ right: Double) -> (Double, Double) {
        var (sum, answer) = (0.0, (0.0, 0.0))
        for line in lines.indices {
            let sample = lines[line][positions[line]]
            damped[line] += (1 - damping) * (sample * gains[line] - damped[line])
            sum += damped[line]
            if line % 2 == 0 { answer.0 += sample } else { answer.1 += sample }
        }
        for line in lines.indices { feed(line, damped[line] - sum / 4 + (line % 2 == 0 ? left : right) * 0.35) }
        return answer
    }

    private mutating func feed(_ line: Int, _ sample: Double) {
        lines[line][positions[line]] = sample
        positions[line] = (positions[line] + 1) % lines[line].count
    }
}
