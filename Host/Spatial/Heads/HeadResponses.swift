// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The filters of a head for one sample rate, made from measurements. Control thread makes them, the render thread reads them.

import CSpatialKernels

/// The filters of a head for every direction, at one sample rate.
///
/// The delay of each ear is taken out of a response, and is interpolated apart. The rest is interpolated as a spectrum in
/// triangles between the measured directions. Poles without measurements are closed with the mean around them. Levels are the same at
/// each sample rate. At several measured distances each one has the level of the whole set, because the fall with the distance is not the
/// head's part.
public final class HeadResponses: Sendable {
    /// Frames a second.
    public let sampleRate: Double
    /// The quality of the filters.
    public let quality: HeadQuality
    let format: HeadFormat
    let transform: SpectralTransform
    // SAFETY: nothing changes it after init.
    nonisolated(unsafe) let table: UnsafeMutablePointer<HeadTable>
    // SAFETY: nothing changes them after init.
    nonisolated(unsafe) private let memories: [UnsafeMutableRawPointer]

    /// Computes the filters of a set.
    ///
    /// It takes a tenth of a second for 710 directions in a release build.
    public init(
        _ measurements: HeadMeasurements, sampleRate: Double, quality: HeadQuality = .short,
        level: HeadLevel = .diffuse,
        build: KernelBuild = .best
    ) throws(HeadSetError) {
        guard sampleRate.isFinite, (8000...200_000).contains(sampleRate) else {
            throw HeadSetError(
                measurements.name, "a head is heard at 8,000 to 200,000 Hz, and not at \(sampleRate)",
                remedy: "Choose another sample rate, or another algorithm.")
        }
        (self.sampleRate, self.quality) = (sampleRate, quality)
        let format = HeadFormat(sampleRate: sampleRate)
        self.format = format
        transform = SpectralTransform(size: format.transformSize, build: build)
        var maker = HeadTableMaker(format, transform)
        let shells = try HeadShell.shells(of: measurements)
        for shell in shells {
            let responses = try AlignedResponses(
                shell, format, quality, gain: shell.gain(level), isMixed: shells.count > 1, transform)
            maker.add(responses, radius: shell.radius)
        }
        table = maker.makeTable()
        memories = maker.memories
    }

    /// The samples of each filter.
    public var tapCount: Int { table.pointee.partCount * format.partFrameCount }

    deinit {
        table.deallocate()
        for memory in memories { memory.deallocate() }
    }
}
