// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Audio in memory: the input of a case, and the unit's output. Thread of the case.

import Realtime

/// Planar samples of a fixed length.
struct Sound: Equatable, Sendable {
    var channels: [[Float]]

    init(channels: [[Float]]) { self.channels = channels }

    /// Makes silence.
    init(channelCount: Int, frameCount: Int) {
        channels = [[Float]](repeating: [Float](repeating: 0, count: frameCount), count: channelCount)
    }

    var channelCount: Int { channels.count }
    var frameCount: Int { channels.first?.count ?? 0 }

    /// A sound with the same samples in every channel, computed from the frame.
    static func every(_ channelCount: Int, frameCount: Int, _ sample: (Int) -> Float) -> Sound {
        let channel = (0..<frameCount).map(sample)
        return Sound(channels: [[Float]](repeating: channel, count: channelCount))
    }

    /// A single sample of `level` at `frame`.
    static func impulse(_ channelCount: Int, frameCount: Int, at frame: Int, level: Float = 1) -> Sound {
        every(channelCount, frameCount: frameCount) { $0 == frame ? level : 0 }
    }

    /// White noise between ±`level`, different in each channel.
    static func noise(
        _ channelCount: Int, frameCount: Int, level: Float = 0.5, using random: inout SeededRandom
    ) -> Sound {
        var sound = Sound(channelCount: channelCount, frameCount: frameCount)
        for channel in 0..<channelCount {
            for frame in 0..<frameCount { sound.channels[channel][frame] = Float.random(in: -level...level, using: &random) }
        }
        return sound
    }

    static func + (left: Sound, right: Sound) -> Sound {
        Sound(channels: zip(left.channels, right.channels).map { $0 + $1 })
    }

    /// The frames in `range`.
    subscript(range: Range<Int>) -> Sound {
        let inside = range.clamped(to: 0..<frameCount)
        return Sound(channels: channels.map { Array($0[inside]) })
    }
}

// MARK: - Measurements

extension Sound {
    /// The first sample that is NaN or infinite.
    var firstUnusable: (channel: Int, frame: Int, value: Float)? {
        for (channel, samples) in channels.enumerated() {
            if let frame = samples.firstIndex(where: { !$0.isFinite }) { return (channel, frame, samples[frame]) }
        }
        return nil
    }

    var isFinite: Bool { firstUnusable == nil }

    /// The largest magnitude.
    var peak: Float { channels.reduce(0) { $1.reduce($0) { max($0, abs($1)) } } }

    /// The largest mean of a channel: its level at 0 Hz.
    var offset: Float {
        channels.reduce(0) { largest, samples in
            guard !samples.isEmpty else { return largest }
            return max(largest, abs(Float(samples.reduce(0.0) { $0 + Double($1) } / Double(samples.count))))
        }
    }

    var subnormalCount: Int { channels.reduce(0) { $0 + $1.count { $0.isSubnormal } } }

    /// The first frame in which any bit differs; nil for equal sounds.
    func firstDifference(from other: Sound) -> Int? {
        var first: Int?
        for (left, right) in zip(channels, other.channels) {
            let differs = zip(left, right).lazy.enumerated().first { $1.0.bitPattern != $1.1.bitPattern }
            if let frame = differs?.offset { first = min(first ?? frame, frame) }
        }
        return first ?? (frameCount == other.frameCount ? nil : min(frameCount, other.frameCount))
    }

    /// The largest difference between two samples at the same frame.
    func largestDifference(from other: Sound) -> Float {
        zip(channels, other.channels).reduce(0) { largest, pair in
            zip(pair.0, pair.1).reduce(largest) { max($0, abs($1.0 - $1.1)) }
        }
    }
}

/// Numbers in the form for reports.
enum Wording {
    /// A level such as "-12.3 dB"; full scale is 0.
    static func decibels(_ gain: Float) -> String {
        guard gain.isFinite else { return "not a level" }
        let level = Maths.decibels(fromGain: gain)
        return level <= -200 ? "silence" : "\(tenths(Double(level))) dB"
    }

    static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    /// A number and its noun; `plural` is for nouns without a plural in s.
    static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }
}
