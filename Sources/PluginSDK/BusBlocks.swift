// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where a unit's audio lies: channel pointers for every bus, set per request. Control thread sets up, render thread uses.

import ControlMessages
import Wire

/// The blocks of all buses of one direction, pointed anew at the slots of each request.
struct BusBlocks: ~Copyable {
    let blocks: UnsafeMutablePointer<AudioBlock>
    let busCount: Int
    private let buses: UnsafeMutablePointer<Bus>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    /// The memory in which one bus lies; `base` is nil when the bus is not connected.
    struct Source {
        var base: UnsafeMutablePointer<Float>?
        var layout: AudioMemoryLayout
        var firstChannel: Int
        var channelCount: Int

        /// Channels that there are samples of.
        fileprivate var connectedCount: Int { base == nil ? 0 : channelCount }
        /// Pointers to the channels of every slot, and to those of a part of one.
        fileprivate var pointerCount: Int { (layout.slotCount + 1) * connectedCount }

        fileprivate func point(_ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>) {
            guard let base else { return }
            for index in 0..<pointerCount {
                let (slot, channel) = (index / channelCount % layout.slotCount, index % channelCount)
                (channels + index).initialize(to: base + layout.sampleOffset(slot: slot, channel: firstChannel + channel))
            }
        }
    }

    /// What is looked up of a bus in each cycle.
    private struct Bus {
        let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        let channelCount: Int
        let slotCount: Int
        let frameCapacity: Int
    }

    init(_ sources: [Source]) {
        busCount = sources.count
        blocks = .allocate(capacity: max(1, busCount))
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
        // A unit without a bus still has a block 0, of no channels.
        blocks.initialize(
            repeating: AudioBlock(channels: UnsafePointer(channels), channelCount: 0, frameCount: 0),
            count: max(1, busCount))
    }

    deinit {
        blocks.deallocate()
        channels.deallocate()
        buses.deallocate()
    }

    /// Points a bus at a block of its memory, `frameCount` frames long; false when there is no such block.
    @inline(__always) @_noLocks
    func point(_ index: Int, at slot: Int, frameCount: Int) -> Bool {
        let bus = buses + index
        guard slot < bus.pointee.slotCount, frameCount <= bus.pointee.frameCapacity else { return false }
        blocks[index] = AudioBlock(
            channels: UnsafePointer(bus.pointee.channels + slot &* bus.pointee.channelCount),
            channelCount: bus.pointee.channelCount, frameCount: frameCount)
        return true
    }

    /// Points a bus at a part of a block that it has, from frame `start` on.
    @_noLocks
    func point(_ index: Int, at slot: Int, start: Int, frameCount: Int) {
        let bus = buses[index]
        let (channels, moved) = (bus.channels + slot &* bus.channelCount, bus.channels + bus.slotCount &* bus.channelCount)
        for channel in 0..<bus.channelCount { moved[channel] = channels[channel] + start }
        blocks[index] = AudioBlock(channels: UnsafePointer(moved), channelCount: bus.channelCount, frameCount: frameCount)
    }
}
