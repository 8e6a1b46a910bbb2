// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Silence for input buses that a request does not connect. The control thread allocates it, the render thread points at it.

import ControlMessages
import Wire

/// A silent block for every input bus, with as many channels as the bus has.
///
/// A kernel has been told these numbers of channels, and need not expect fewer.
struct SilentBuses: ~Copyable {
    /// The buses, each with one block.
    let buses: BusBlocks
    private let samples: UnsafeMutablePointer<Float>

    /// `[control]` Allocates silence for these buses, whose blocks lie at `blocks`.
    init(_ formats: [BusFormat], maximumFrameCount: Int, pointing blocks: UnsafeMutablePointer<AudioBlock>) {
        let layout = AudioMemoryLayout(
            slotCount: 1, channelCount: formats.map(\.channelCount).max() ?? 0, maximumFrameCount: maximumFrameCount)
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: max(1, layout.channelCount * layout.frameStride))
        samples.initialize(repeating: 0, count: max(1, layout.channelCount * layout.frameStride))
        self.samples = samples
        buses = BusBlocks(
            formats.map { BusBlocks.Source(base: samples, layout: layout, firstChannel: 0, channelCount: $0.channelCount) },
            pointing: blocks)
    }

    deinit { samples.deallocate() }
}
