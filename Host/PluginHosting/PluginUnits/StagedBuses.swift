// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The buses of a single unit on one side, in the unit's shape, independent of the caller's blocks. Render thread.

import Realtime
import Rendering

/// The input buses or the output buses of a unit.
///
/// If a block of the caller has the channels and frames of the bus, it is used in place. Otherwise memory of the bus stands in
/// for it.
struct StagedBuses: ~Copyable {
    let busCount: Int
    /// The buses of the present block.
    let buses: UnsafeMutablePointer<BusAudio>
    private let channelCounts: UnsafeMutablePointer<Int>
    private let memory: AudioBuffer
    /// The caller's output blocks.
    private let wanted: UnsafeMutablePointer<AudioBlock?>

    /// `[control]` Makes buses with these channel counts; at least one bus.
    init(_ counts: [Int], frameCapacity: Int) {
        busCount = counts.count
        memory = AudioBuffer(channelCount: counts.reduce(0, +), frameCapacity: frameCapacity)
        channelCounts = .allocate(capacity: busCount)
        buses = .allocate(capacity: busCount)
        wanted = .allocate(capacity: busCount)
        let all = memory.block(frameCount: 0)
        for (bus, count) in counts.enumerated() {
            (channelCounts + bus).initialize(to: count)
            (buses + bus).initialize(to: BusAudio(block: all))
            (wanted + bus).initialize(to: nil)
        }
    }

    deinit {
        channelCounts.deallocate()
        buses.deallocate()
        wanted.deallocate()
    }

    /// The channels of a bus.
    @_noLocks
    func channelCount(of bus: Int) -> Int { channelCounts[bus] }

    /// The memory of a bus.
    @_noLocks
    private func own(_ bus: Int, frameCount: Int) -> AudioBlock {
        var first = 0
        for other in 0..<bus { first &+= channelCounts[other] }
        let all = memory.block(frameCount: frameCount)
        return AudioBlock(channels: all.channels + first, channelCount: channelCounts[bus], frameCount: frameCount)
    }

    /// The memory of a bus, holding silence.
    @_noLocks
    func silentBlock(_ bus: Int, frameCount: Int) -> AudioBlock {
        let block = own(bus, frameCount: frameCount)
        block.silence()
        return block
    }

    /// Reads a bus from a block; missing channels and frames are silent.
    @_noLocks
    func read(_ block: AudioBlock?, on bus: Int, frameCount: Int) {
        let count = channelCounts[bus]
        if let block, block.channelCount >= count, block.frameCount == frameCount {
            buses[bus].block = AudioBlock(channels: block.channels, channelCount: count, frameCount: frameCount)
        } else {
            let own = silentBlock(bus, frameCount: frameCount)
            if let block { own.copy(from: block) }
            buses[bus].block = own
        }
    }

    /// Writes a bus into a block; further channels of the block become silent.
    @_noLocks
    func write(_ block: AudioBlock?, on bus: Int, frameCount: Int) {
        let count = channelCounts[bus]
        wanted[bus] = block
        if let block, block.channelCount >= count {
            buses[bus].block = AudioBlock(channels: block.channels, channelCount: count, frameCount: frameCount)
        } else {
            buses[bus].block = own(bus, frameCount: frameCount)
        }
    }

    /// Copies the audio from memory of the buses to the caller's blocks, and silences the channels that the buses lack.
    @_noLocks
    func deliver(frameCount: Int) {
        for bus in 0..<busCount {
            guard let block = wanted[bus] else { continue }
            let count = channelCounts[bus]
            if block.channelCount < count {
                block.copy(from: buses[bus].block)
            } else if block.channelCount > count {
                AudioBlock(
                    channels: block.channels + count, channelCount: block.channelCount &- count, frameCount: frameCount
                )
                .silence()
            }
        }
    }
}
