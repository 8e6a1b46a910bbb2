// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Samples of any format as 32-bit floating point, and back. Any thread, one at a time.

import Realtime

extension AudioPCMBuffer {
    /// Copies frames into a block with the same number of channels, as 32-bit floating point.
    package func copy(_ frames: Range<Int>, into block: AudioBlock) {
        for channel in 0..<min(format.channelCount, block.channelCount) {
            let to = block[channel]
            func copy<Sample>(_ data: UnsafePointer<UnsafeMutablePointer<Sample>>?, _ value: (Sample) -> Float) {
                guard let from = data?[channel] else { return }
                for (index, frame) in frames.enumerated() { to[index] = value(from[frame * stride]) }
            }
            copy(floatChannelData) { $0 }
            copy(doubleChannelData) { Float($0) }
            copy(int16ChannelData) { Float($0) / 32_768 }
            copy(int32ChannelData) { Float(Double($0) / 2_147_483_648) }
        }
    }

    /// Writes a block at frame `start`; integers are rounded and clamped, and NaN becomes 0 there.
    func write(_ block: AudioBlock, at start: Int) {
        for channel in 0..<min(format.channelCount, block.channelCount) {
            let from = block[channel]
            func write<Sample>(_ data: UnsafePointer<UnsafeMutablePointer<Sample>>?, _ value: (Float) -> Sample) {
                guard let to = data?[channel] else { return }
                for frame in 0..<block.frameCount { to[(start + frame) * stride] = value(from[frame]) }
            }
            write(floatChannelData) { $0 }
            write(doubleChannelData) { Double($0) }
            // Cannot trap: `whole` keeps the range.
            write(int16ChannelData) { Int16(Self.whole(Double($0) * 32_768, -32_768...32_767)) }
            // Cannot trap: `whole` keeps the range.
            write(int32ChannelData) { Int32(Self.whole(Double($0) * 2_147_483_648, -2_147_483_648...2_147_483_647)) }
        }
    }

    private static func whole(_ value: Double, _ range: ClosedRange<Double>) -> Double {
        guard !value.isNaN else { return 0 }
        return min(range.upperBound, max(range.lowerBound, value)).rounded(.toNearestOrEven)
    }

    /// Returns the same sound in the standard format; nil without memory.
    ///
    /// A buffer that has the standard format returns itself.
    func standardized() -> AudioPCMBuffer? {
        guard !format.isStandard else { return self }
        guard let copy = AudioPCMBuffer(pcmFormat: format.standard, frameCapacity: max(1, frameLength)) else { return nil }
        copy.frameLength = frameLength
        self.copy(0..<frameLength, into: copy.samples)
        return copy
    }
}
