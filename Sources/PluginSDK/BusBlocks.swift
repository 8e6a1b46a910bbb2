// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where a unit's audio lies: channel pointers for every bus, set per request. Control thread sets up, render thread uses.

import ControlMessages
import Wire

/// The blocks of all buses of one direction, pointed anew at the slots of each request.
struct BusBlocks: ~Copyable {
    let blocks: UnsafeMutablePointer<AudioBlock>
    let busCount: Int
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let sources: UnsafeMutablePointer<Source>

    /// The memory in which one bus lies; `base` is nil when the bus is not connected.
    struct Source {
        var base: UnsafeMutablePointer<Float>?
        var layout: AudioMemoryLayout
        var firstChannel: Int
        var channelCount: Int
        /// Index of the bus's first channel pointer.
        var firstPointer: Int
    }

    init(_ sources: [Source]) {
        busCount = sources.count
        let pointerCount = sources.reduce(0) { $0 + $1.channelCount }
        blocks = .allocate(capacity: max(1, busCount))
        channels = .allocate(capacity: max(1, pointerCount))
        self.sources = .allocate(capacity: max(1, busCount))
        var firstPointer = 0
        for (index, source) in sources.enumerated() {
            var placed = source
            placed.firstPointer = firstPointer
            firstPointer += source.channelCount
            (self.sources + index).initialize(to: placed)
        }
        // A unit without a bus still has a block 0, of no channels.
        blocks.initialize(
            repeating: AudioBlock(channels: UnsafePointer(channels), channelCount: 0, frameCount: 0),
            count: max(1, busCount))
    }

    deinit {
        blocks.deallocate()
        channels.deallocate()
        sources.deallocate()
    }

    /// Blocks that the memory of a bus has.
    @_noLocks
    func slotCount(_ bus: Int) -> Int { sources[bus].layout.slotCount }

    /// The most frames that the memory of a bus holds in a block.
    @_noLocks
    func frameCapacity(_ bus: Int) -> Int {
        sources[bus].base == nil ? Int.max : sources[bus].layout.frameStride
    }

    /// Points a bus at a slot, from frame `start` on, `frameCount` frames long.
    @_noLocks
    func point(_ bus: Int, at slot: Int, start: Int, frameCount: Int) {
        let source = sources[bus]
        guard let base = source.base else {
            blocks[bus] = AudioBlock(channels: UnsafePointer(channels), channelCount: 0, frameCount: frameCount)
            return
        }
        for channel in 0..<source.channelCount {
            let offset = source.layout.sampleOffset(slot: slot, channel: source.firstChannel &+ channel)
            channels[source.firstPointer &+ channel] = base + (offset &+ start)
        }
        blocks[bus] = AudioBlock(
            channels: UnsafePointer(channels + source.firstPointer), channelCount: source.channelCount,
            frameCount: frameCount)
    }
}
