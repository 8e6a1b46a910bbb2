// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sum of all sources at both ears as spectra, and its way back to samples. Render thread; made by the control thread.

import CRealtimeShims
import CSpatialKernels
import Glibc
import Realtime
import Rendering

/// The spectra that all sources of one listener add into, for filters of one length.
///
/// Time is cut into blocks of 64 frames, whatever the length of a cycle. A block is complete with its last frame, so the sum lags by 64
/// frames. Each block has four spectra: for each ear the sum with the filters as they were, and the change of that by the block's end.
/// Both are transformed back once for all sources, and the change is faded in over the block.
struct HeadField {
    /// The frames by which the sum lags.
    static var latencyFrameCount: Int {
        @_noLocks get { HeadFormat.blockFrameCount }
    }
    /// The longest cycle in frames.
    static var mostFrames: Int {
        @_noLocks get { 1 << 14 }
    }

    let transformSize: Int
    /// The frames of the present block that have arrived.
    private(set) var phase = 0
    private let sums: UnsafeMutablePointer<Float>
    /// For each block of a cycle, whether something was added.
    private let isUsed: UnsafeMutablePointer<Bool>
    /// The samples of both ears that wait for their time.
    private let waiting: UnsafeMutablePointer<Float>
    private var waitingCount = HeadFormat.blockFrameCount
    /// The waiting frames up to the last one that is not silent.
    private var soundingCount = 0
    private let samples: UnsafeMutablePointer<Float>
    /// Memory for all voices: a transform's scratch, and a mixture of rows.
    let scratch: UnsafeMutablePointer<Float>
    let mixed: UnsafeMutablePointer<Float>
    /// The build and the factors, from the first voice on.
    private var build: UnsafePointer<CSpatialKernels_Functions>?
    private var plan: UnsafePointer<CSpatialKernels_Transform>?

    private static var waitingCapacity: Int {
        @_noLocks get { mostFrames &+ 2 &* HeadFormat.blockFrameCount }
    }

    /// `[control]` Allocates; memory that no cycle needs is never touched.
    init(transformSize: Int) {
        self.transformSize = transformSize
        let blockCount = Self.mostFrames / HeadFormat.blockFrameCount + 1
        sums = Self.zeros(blockCount * 4 * transformSize)
        waiting = Self.zeros(2 * Self.waitingCapacity)
        samples = Self.zeros(2 * transformSize)
        scratch = Self.zeros(2 * transformSize)
        mixed = Self.zeros(transformSize)
        isUsed = .allocate(capacity: blockCount)
        isUsed.initialize(repeating: false, count: blockCount)
    }

    func deallocate() {
        for memory in [sums, waiting, samples, scratch, mixed] { free(memory) }
        isUsed.deallocate()
    }

    /// Zeros from the kernel, which costs nothing until it is touched.
    private static func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
        guard let memory = calloc(count, MemoryLayout<Float>.stride) else {
            // Cannot trap: the kernel promises memory that is touched later; without it no allocation of Swift would succeed either.
            fatalError("there is no memory for sound in space")
        }
        return memory.bindMemory(to: Float.self, capacity: count)
    }

    /// The blocks that are complete after `frameCount` more frames.
    @_noLocks
    func blockCount(after frameCount: Int) -> Int { (phase &+ frameCount) / HeadFormat.blockFrameCount }

    /// The frames of the present block that have arrived after `frameCount` more frames.
    @_noLocks
    func phase(after frameCount: Int) -> Int { (phase &+ frameCount) % HeadFormat.blockFrameCount }

    /// The spectra of a block of this cycle, ready for adding: the sum and the change of the left ear, then of the right ear.
    @_noLocks
    mutating func open(block: Int, for table: HeadTable) -> UnsafeMutablePointer<Float> {
        (build, plan) = (table.build, table.plan)
        let spectra = sums + block &* 4 &* transformSize
        if !isUsed[block] {
            CRealtimeShims_clearSamples(spectra, 4 &* transformSize)
            isUsed[block] = true
        }
        return spectra
    }

    /// Finishes a cycle: adds what is due to the bus, if it is not silent.
    @_noLocks
    mutating func finish(into output: UnsafeMutablePointer<BusAudio>) {
        let frameCount = output.pointee.block.frameCount
        for block in 0..<blockCount(after: frameCount) {
            if isUsed[block] { transformBack(block) } else { wait(silently: true) }
        }
        phase = phase(after: frameCount)
        if soundingCount > 0 { add(to: output.pointee.open(), frameCount) }
        drop(frameCount)
    }

    @_noLocks
    private mutating func transformBack(_ block: Int) {
        isUsed[block] = false
        guard let build, let plan else { return wait(silently: true) }
        let (length, first) = (HeadFormat.blockFrameCount, transformSize &- HeadFormat.blockFrameCount)
        for ear in 0..<2 {
            let spectra = sums + (block &* 4 &+ 2 &* ear) &* transformSize
            let change = samples + transformSize
            CSpatialKernels_invert(build, plan, spectra, samples, scratch)
            CSpatialKernels_invert(build, plan, spectra + transformSize, change, scratch)
            let to = waiting + (ear &* Self.waitingCapacity &+ waitingCount)
            for frame in 0..<length {
                let share = Float(frame &+ 1) * (1 / Float(HeadFormat.blockFrameCount))
                to[frame] = samples[first &+ frame] + share * change[first &+ frame]
            }
        }
        wait(silently: false)
    }

    /// Lets a block wait, whose samples are there unless it is silent.
    @_noLocks
    private mutating func wait(silently: Bool) {
        if silently {
            for ear in 0..<2 {
                CRealtimeShims_clearSamples(
                    waiting + (ear &* Self.waitingCapacity &+ waitingCount), HeadFormat.blockFrameCount)
            }
        } else {
            soundingCount = waitingCount &+ HeadFormat.blockFrameCount
        }
        waitingCount &+= HeadFormat.blockFrameCount
    }

    /// Adds both ears; one channel gets their mean.
    @_noLocks
    private func add(to block: AudioBlock, _ frameCount: Int) {
        let (left, right) = (waiting, waiting + Self.waitingCapacity)
        if block.channelCount == 1 {
            for frame in 0..<frameCount { block[0][frame] += 0.5 * (left[frame] + right[frame]) }
        } else if block.channelCount > 1 {
            for frame in 0..<frameCount { block[0][frame] += left[frame] }
            for frame in 0..<frameCount { block[1][frame] += right[frame] }
        }
    }

    /// Removes the frames that were due.
    @_noLocks
    private mutating func drop(_ frameCount: Int) {
        waitingCount &-= frameCount
        soundingCount = max(0, soundingCount &- frameCount)
        for ear in 0..<2 {
            let samples = waiting + ear &* Self.waitingCapacity
            CRealtimeShims_copySamples(samples, samples + frameCount, waitingCount)
        }
    }
}
