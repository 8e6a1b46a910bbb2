// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The shared memory of one unit: region, doorbell and output. It outlives the unit's process. Control thread.

import ControlMessages
import LinuxSystem
import Wire

/// The sizes of a unit's rings.
enum UnitRings {
    /// The number of events in each ring.
    static var eventCapacity: Int { @_noLocks get { 1024 } }
}

/// The memory into which a unit of a row renders.
///
/// A restarted process gets the same memory, so that its neighbours notice nothing.
final class UnitMemory: Sendable {
    let regionMemory: SharedMemory
    let doorbellMemory: SharedMemory
    let outputMemory: SharedMemory
    let outputLayout: AudioMemoryLayout
    let header: RegionHeader

    init(name: String, format: BlockFormat, inputBusCount: Int, outputBusCount: Int, outputChannelCount: Int) throws(SystemError) {
        header = RegionHeader(
            sampleRate: format.sampleRate, maximumFrameCount: format.maximumFrameCount, slotCount: format.slotCount,
            inputBusCount: inputBusCount, outputBusCount: outputBusCount, eventCapacity: UnitRings.eventCapacity)
        outputLayout = AudioMemoryLayout(
            slotCount: format.slotCount, channelCount: outputChannelCount, maximumFrameCount: format.maximumFrameCount)
        regionMemory = try SharedMemory(name: "\(name) region", byteCount: Int(header.byteCount))
        doorbellMemory = try SharedMemory(name: "\(name) doorbell", byteCount: WireLimits.pageByteCount)
        outputMemory = try SharedMemory(name: "\(name) output", byteCount: outputLayout.byteCount)
    }

    /// Formats a new region without requests or events.
    ///
    /// Call it only while no process and no render thread uses it.
    func formatRegion() -> Region {
        doorbell.store(0)
        return Region(unsafeFormatting: regionMemory.base, as: header)
    }

    /// True if a request has been published since the region was formatted.
    var hasRequests: Bool {
        SharedCounter(unsafeAddress: regionMemory.base + Int(header.hostWordsOffset)).load() > 0
    }

    var doorbell: SharedFutexWord { SharedFutexWord(unsafeAddress: doorbellMemory.base) }

    var output: UnsafeMutablePointer<Float> { outputMemory.base.assumingMemoryBound(to: Float.self) }
}
