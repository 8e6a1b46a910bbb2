// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Silences in the middle of a sound. Main thread.

import AudioFormats
import Realtime

/// Finds stretches in which all channels are below −90 dBFS, with sound before and after.
struct GapFinder {
    /// The shortest reported silence, in seconds.
    static let shortestSeconds = 0.01
    /// The most silences that are kept; all are counted.
    static let keptCount = 100

    /// The first silences.
    private(set) var gaps: [(start: Int, frameCount: Int)] = []
    private(set) var count = 0
    private let shortest: Int
    private var frame = 0
    /// The frame after the last sound; nil before the first one.
    private var silentSince: Int?

    init(sampleRate: Double) { shortest = Int(nearestFrame: sampleRate * Self.shortestSeconds) }

    /// Takes a block, all of whose samples are finite.
    mutating func take(_ block: AudioBlock) {
        for index in 0..<block.frameCount {
            var isAudible = false
            for channel in 0..<block.channelCount where abs(block[channel][index]) >= AudioBlock.silenceThreshold {
                isAudible = true
            }
            if isAudible { hear(at: frame + index) }
        }
        frame += block.frameCount
    }

    private mutating func hear(at frame: Int) {
        if let silentSince, frame - silentSince > shortest {
            count += 1
            if gaps.count < Self.keptCount { gaps.append((silentSince, frame - silentSince)) }
        }
        silentSince = frame + 1
    }
}
