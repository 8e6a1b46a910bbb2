// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The levels of the output, which rise at once and fall slowly. The screen's thread.

import Glibc

/// Two meters with the highest peaks of the last seconds.
package struct ScreenMeters: Equatable, Sendable {
    /// One channel, in decibels.
    package struct Channel: Equatable, Sendable {
        package var level = ScreenMeters.lowest
        /// The highest level of the last two seconds.
        package var peak = ScreenMeters.lowest
        fileprivate var peakTime = 0.0
    }

    /// The lower end of the scale, in decibels.
    package static let lowest = -60.0
    /// The fall of a level in decibels a second.
    private static let fall = 24.0
    private static let holdSeconds = 2.0

    package var channels = [Channel(), Channel()]
    private var time = 0.0

    package init() {}

    /// Takes peaks, given as gains.
    package mutating func take(_ peaks: [Double]) {
        for (index, peak) in peaks.prefix(channels.count).enumerated() {
            let level = peak > 0 && peak.isFinite ? max(Self.lowest, 20 * log10(peak)) : Self.lowest
            channels[index].level = max(channels[index].level, level)
            if level >= channels[index].peak {
                channels[index].peak = level
                channels[index].peakTime = time
            }
        }
    }

    /// Lets the levels fall until a time in seconds.
    package mutating func advance(to now: Double) {
        let seconds = max(0, now - time)
        time = now
        for index in channels.indices {
            channels[index].level = max(Self.lowest, channels[index].level - Self.fall * seconds)
            if now - channels[index].peakTime > Self.holdSeconds {
                channels[index].peak = max(channels[index].level, channels[index].peak - Self.fall * seconds)
            }
        }
    }

    /// True if a level still falls.
    package var isMoving: Bool { channels.contains { $0.level > Self.lowest || $0.peak > Self.lowest } }
}
