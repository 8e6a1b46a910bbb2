// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A head, and its filters for each sample rate and quality, which are computed once. Any thread but the render thread.

import Synchronization

/// A head that listeners hear through.
public final class HeadSet: Sendable {
    /// The name of the set.
    public let name: String
    private let measurements: HeadMeasurements
    private let level: HeadLevel

    private struct Key: Hashable {
        let sampleRate: Double
        let quality: HeadQuality
        let build: String
    }

    private let made = Mutex<[Key: HeadResponses]>([:])

    /// Makes a head of measurements.
    public init(_ measurements: HeadMeasurements, level: HeadLevel = .diffuse) {
        (self.measurements, self.level, name) = (measurements, level, measurements.name)
    }

    /// Returns the filters for a sample rate, and computes them the first time.
    public func responses(
        sampleRate: Double, quality: HeadQuality, build: KernelBuild = .best
    ) throws(HeadSetError) -> HeadResponses {
        try made.withLock { (made) throws(HeadSetError) in
            let key = Key(sampleRate: sampleRate, quality: quality, build: build.name)
            if let known = made[key] { return known }
            let new = try HeadResponses(
                measurements, sampleRate: sampleRate, quality: quality, level: level, build: build)
            made[key] = new
            return new
        }
    }
}
