// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Pans a direction to loudspeakers. Made on the control thread, used on the render thread.

import AudioFormats
import Realtime

/// The point source panner of ITU-R BS.2127 for one layout.
///
/// The gains of a direction have a power of 1. A direction in which a loudspeaker stands is played by that one alone. Two loudspeakers at
/// ±30° play what five would, with the back folded to the front and lowered by up to 3 dB.
public final class SpeakerPanner: Sendable {
    struct Core {
        let regions: UnsafeMutablePointer<PanningRegion>
        let regionCount: Int
        let channelCount: Int
        /// True for two loudspeakers, whose regions are those of five.
        let isFolded: Bool
        /// The channels without low frequencies, as bits.
        let fullRange: UInt64

        /// The gain of each of these channels if all of them play a source without a direction.
        var evenGain: Double {
            @_noLocks get { 1 / Maths.sqrt(Double(max(1, fullRange.nonzeroBitCount))) }
        }
    }

    /// The most channels of a layout.
    public static let mostChannels = 64

    // SAFETY: the memory does not change after init.
    nonisolated(unsafe) let core: UnsafeMutablePointer<Core>
    /// The layout.
    public let layout: SpeakerLayout

    /// `[control]` Makes a panner; nil if the loudspeakers do not surround the listener, or for more than 64.
    public init?(_ layout: SpeakerLayout) {
        let isFolded = layout.name == "0+2+0"
        let five = [30.0, -30, 0, 110, -110].map { SpeakerPlace(azimuth: $0) }
        guard layout.places.count <= Self.mostChannels, let table = PanningTable(isFolded ? five : layout.places) else {
            return nil
        }
        self.layout = layout
        let regions = UnsafeMutablePointer<PanningRegion>.allocate(capacity: table.regions.count)
        regions.initialize(from: table.regions, count: table.regions.count)
        let fullRange = layout.places.enumerated().reduce(UInt64(0)) {
            $1.element.isLowFrequency ? $0 : $0 | 1 << UInt64($1.offset)
        }
        core = .allocate(capacity: 1)
        core.initialize(
            to: Core(
                regions: regions, regionCount: table.regions.count, channelCount: layout.places.count, isFolded: isFolded,
                fullRange: fullRange))
    }

    deinit {
        core.pointee.regions.deallocate()
        core.deallocate()
    }

    /// The gain of each channel for a direction of length 1.
    public func gains(toward direction: SpacePoint) -> [Double] {
        var gains = [Double](repeating: 0, count: Self.mostChannels)
        gains.withUnsafeMutableBufferPointer { buffer in
            if let first = buffer.baseAddress { core.pointee.pan(direction, into: first) }
        }
        return Array(gains.prefix(layout.places.count))
    }
}

extension SpeakerPanner.Core {
    /// `[render]` Writes the gain of each channel, and uses memory for `mostChannels`.
    @_noLocks
    func pan(_ direction: SpacePoint, into gains: UnsafeMutablePointer<Double>) {
        let count = isFolded ? 5 : channelCount
        for channel in 0..<count { gains[channel] = 0 }
        var (best, bestIndex) = (PanningRegion.Gains(corners: (0, 0, 0, 0), least: -1e300), 0)
        for index in 0..<regionCount where best.least < -1e-11 {
            let found = regions[index].gains(direction)
            if found.least > best.least { (best, bestIndex) = (found, index) }
        }
        regions[bestIndex].add(best, to: gains)
        Self.scale(gains, count, to: 1)
        if isFolded { fold(gains) }
    }

    /// Plays five loudspeakers on two.
    @_noLocks
    private func fold(_ gains: UnsafeMutablePointer<Double>) {
        let (third, half) = (0.577_350_269_189_625_8, 0.707_106_781_186_547_6)
        let front = max(gains[0], max(gains[1], gains[2]))
        let back = max(gains[3], gains[4])
        gains[0] += third * gains[2] + half * gains[3]
        gains[1] += third * gains[2] + half * gains[4]
        Self.scale(gains, 2, to: Maths.exp2(-back / (front + back) / 2))
    }

    /// Scales gains so that the root of their power is `size`.
    @_noLocks
    private static func scale(_ gains: UnsafeMutablePointer<Double>, _ count: Int, to size: Double) {
        var power = 0.0
        for channel in 0..<count { power += gains[channel] * gains[channel] }
        guard power > 0 else { return }
        let factor = size / Maths.sqrt(power)
        for channel in 0..<count { gains[channel] *= factor }
    }
}
