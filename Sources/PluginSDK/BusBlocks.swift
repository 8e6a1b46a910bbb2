// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The memory of a unit's audio: channel pointers for every bus. The control thread builds them, the render thread sets them.

import ControlMessages
import Wire

/// The blocks of all buses of one direction; each request points them at its slots.
struct BusBlocks: ~Copyable {
    let blocks: UnsafeMutablePointer<AudioBlock>
    let busCount: Int
    private let ownsBlocks: Bool
    private let buses: UnsafeMutablePointer<Bus>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    /// The memory that holds one bus; `base` is nil if the bus is not connected.
    struct Source {
        var base: UnsafeMutablePointer<Float>?
        var layout: AudioMemoryLayout
        var firstChannel: Int
        var channelCount: Int

        /// The number of channels that have samples.
        fileprivate var connectedCount: Int { base == nil ? 0 : channelCount }
        /// Pointers to the channels of every slot, and to those of a part of one slot.
        fileprivate var pointerCount: Int { (layout.slotCount + 1) * connectedCount }

        fileprivate func point(_ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>) {
            guard let base else { return }
            for index in 0..<pointerCount {
                let (slot, channel) = (index / channelCount % layout.slotCount, index % channelCount)
                (channels + index).initialize(to: base + layout.sampleOffset(slot: slot, channel: firstChannel + channel))
            }
        }
    }

    /// The parts of a bus that each cycle reads.
    private struct Bus {
        let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        let channelCount: Int
        let slotCount: Int
        let frameCapacity: Int
    }

    /// `[control]` Makes blocks, or lets the buses point at those of other `BusBlocks`, which must live longer.
    init(_ sources: [Source], pointing shared: UnsafeMutablePointer<AudioBlock>? = nil) {
        busCount = sources.count
        ownsBlocks = shared == nil
        blocks = shared ?? .allocate(capacity: max(1, busCount))
        channels = .allocate(capacity: max(1, sources.reduce(0) { $0 + $1.pointerCount }))
        buses = .allocate(capacity: max(1, busCount))
        var own = channels
        for (index, source) in sources.enumerated() {
            source.point(own)
            (buses + index).initialize(
                to: Bus(
                    channels: own, channelCount: source.connectedCount, slotCount: source.layout.slotCount,
                    frameCapacity: source.base == nil ? Int.max : source.layout.frameStride))
            own += source.pointerCount
        }
        guard ownsBlocks else { return }
        // A unit without buses still has a block 0, which has no channels.
        blocks.initialize(
            repeating: AudioBlock(channels: UnsafePointer(channels), channelCount: 0, frameCount: 0),
            count: max(1, busCount))
    }

    deinit {
        if ownsBlocks { blocks.deallocate() }
        channels.deallocate()
        buses.deallocate()
    }

    /// `[render]` Points a bus at a block of its memory, `frameCount` frames long; false if the block does not exist.
    @inline(__always) @_noLocks
    func point(_ index: Int, at slot: Int, frameCount: Int) -> Bool {
        let bus = buses + index
        guard slot < bus.pointee.slotCount, frameCount <= bus.pointee.frameCapacity else { return false }
        blocks[index] = AudioBlock(
            channels: UnsafePointer(bus.pointee.channels + slot &* bus.pointee.channelCount),
            channelCount: bus.pointee.channelCount, frameCount: frameCount)
        return true
    }

    /// `[render]` Points a bus at a part of a block, from frame `start` on.
    ///
    /// The caller has pointed the bus at the whole of that block before.
    @_noLocks
    func point(_ index: Int, at slot: Int, start: Int, frameCount: Int) {
        let bus = buses[index]
        let (channels, moved) = (bus.channels + slot &* bus.channelCount, bus.channels + bus.slotCount &* bus.channelCount)
        for channel in 0..<bus.channelCount { moved[channel] = channels[channel] + start }
        blocks[index] = AudioBlock(channels: UnsafePointer(moved), channelCount: bus.channelCount, frameCount: frameCount)
    }
}
