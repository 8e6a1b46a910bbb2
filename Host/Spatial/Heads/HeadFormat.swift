// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The lengths of blocks, filters and delays for a sample rate. Any thread.

/// The quality of a head's filters.
public enum HeadQuality: Int, Hashable, Sendable, CaseIterable {
    /// The first 2.7 ms of each response after the sound arrives: 128 samples at 48 kHz.
    case short
    /// All samples of each response.
    case whole
}

/// The reference for the level of a head's filters.
public enum HeadLevel: Hashable, Sendable {
    /// The power at both ears together, as the mean of all directions, is that of the source.
    case diffuse
    /// The power at both ears together is that of a source in front.
    case front
    /// The responses keep their level.
    case measured
}

/// The lengths that follow from a sample rate.
struct HeadFormat: Hashable, Sendable {
    /// Frames after which directions and levels change: the same for every block length of a driver.
    static var blockFrameCount: Int {
        @_noLocks get { 64 }
    }
    /// The samples that are kept free behind the end of a filter, for the band-limited rise and fall of a delay by a part of a frame.
    private static let margin = 12

    /// Frames a second.
    let sampleRate: Double
    /// The samples of a transform: 256 up to 56 kHz, and as long a time at higher rates.
    let transformSize: Int

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
        transformSize = sampleRate <= 56_000 ? 256 : sampleRate <= 112_000 ? 512 : 1024
    }

    /// The samples of one part of a filter.
    var partFrameCount: Int { transformSize / 2 }
    /// The samples of a short filter: 128 at 48 kHz, of which 116 lie behind the arrival of the sound, and as long a time at each rate.
    var shortFrameCount: Int {
        // Cannot trap: a rate is 200,000 Hz at most, in the next properties too.
        min(partFrameCount, leadFrameCount + Int((sampleRate * 116 / 48_000).rounded()))
    }
    /// The blocks by which a part of a filter lies behind the one before.
    var partBlockCount: Int { partFrameCount / Self.blockFrameCount }
    /// The longest delay of an ear in frames: 1.1 ms at 48 kHz, and 0.9 ms or more at each rate.
    var longestDelay: Int {
        // Cannot trap: as above.
        let wanted = Int((sampleRate * 0.0012).rounded(.up))
        return min(transformSize / 2 - Self.blockFrameCount - Self.margin + 1, wanted)
    }
    /// The rows of the table of delays for each frame.
    var delayStepCount: Int { 4096 / transformSize }
    /// The frames before the sound arrives that a short filter keeps: 0.25 ms, and room for a band-limited rise at low rates.
    var leadFrameCount: Int {
        // Cannot trap: as above.
        max(12, Int((sampleRate * 0.000_25).rounded()))
    }
}
