// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The memory that a host would share with a unit, in one process. One thread.

import CWireLayout
import Wire

/// A region, and audio memory for one bus in each direction.
final class TestMemory {
    /// The number of events that fit between two blocks.
    static let eventCapacity = 1024

    let region: Region
    let layout: AudioMemoryLayout
    /// Nil for a unit without inputs.
    let input: UnsafeMutablePointer<Float>?
    let output: UnsafeMutablePointer<Float>
    private let base: UnsafeMutableRawPointer

    init(sampleRate: Double, channelCount: Int, maximumFrameCount: Int, inputBusCount: Int, outputBusCount: Int) {
        let header = RegionHeader(
            sampleRate: sampleRate, maximumFrameCount: maximumFrameCount, slotCount: 2, inputBusCount: inputBusCount,
            outputBusCount: outputBusCount, eventCapacity: Self.eventCapacity)
        base = .allocate(byteCount: Int(header.byteCount), alignment: Int(CWireLayout_pageByteCount))
        region = Region(unsafeFormatting: base, as: header)
        layout = AudioMemoryLayout(
            slotCount: 2, channelCount: channelCount * outputBusCount, maximumFrameCount: maximumFrameCount)
        let sampleCount = layout.byteCount / MemoryLayout<Float>.stride
        output = .allocate(capacity: sampleCount)
        output.initialize(repeating: 0, count: sampleCount)
        input = inputBusCount > 0 ? .allocate(capacity: sampleCount) : nil
        input?.initialize(repeating: 0, count: sampleCount)
    }

    deinit {
        base.deallocate()
        output.deallocate()
        input?.deallocate()
    }
}
