// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A source on its way to both ears: its samples, its filters, and its part of the sum. Render thread; made by the control thread.

import CRealtimeShims
import CSpatialKernels
import Realtime

/// The render state of one source that a head hears.
struct HeadVoice {
    private let table: UnsafePointer<HeadTable>
    /// The newest samples, as many as a transform takes; those of the present block come last.
    private let window: UnsafeMutablePointer<Float>
    /// The spectra of the newest blocks, as many as the parts of a filter need.
    private let spectra: UnsafeMutablePointer<Float>
    private let spectrumCount: Int
    private var newest = 0
    /// The filters of both ears at the end of the last block, part by part.
    private let filters: UnsafeMutablePointer<Float>
    /// The place and level of the filters.
    private var filtered = HeadTarget(place: SIMD3(0, 0, -1), gain: 0)
    /// True if the filters are those of `filtered`; false at first, and after the source was inaudible.
    private var isFiltered = false
    private var blend = HeadBlend()
    private let triangles: UnsafeMutablePointer<Int32>
    private var glide = HeadGlide()
    /// The blocks since the last sample that was not 0.
    private var silentBlockCount: Int
    private var hasSoundInBlock = false
    private var hasBegun = false
    /// The blocks until the window is full, before which a source that appears in the middle of its sound does not fade in.
    private var blocksToFill = 0

    /// `[control]` Makes the voice of a source that has not been heard.
    init(_ table: UnsafePointer<HeadTable>) {
        self.table = table
        let size = table.pointee.transformSize
        spectrumCount = (table.pointee.partCount - 1) * table.pointee.partBlockCount + 1
        (window, spectra) = (.allocate(capacity: size), .allocate(capacity: spectrumCount * size))
        filters = .allocate(capacity: table.pointee.stride)
        triangles = .allocate(capacity: HeadTable.mostShells)
        window.initialize(repeating: 0, count: size)
        spectra.initialize(repeating: 0, count: spectrumCount * size)
        filters.initialize(repeating: 0, count: table.pointee.stride)
        triangles.initialize(repeating: 0, count: HeadTable.mostShells)
        silentBlockCount = size / HeadFormat.blockFrameCount + spectrumCount
    }

    func deallocate() {
        for memory in [window, spectra, filters] { memory.deallocate() }
        triangles.deallocate()
        blend.deallocate()
    }

    /// Begins as the voice of a source that has not been heard; no thread renders it.
    mutating func forget() {
        window.update(repeating: 0, count: transformSize)
        spectra.update(repeating: 0, count: spectrumCount * transformSize)
        (newest, isFiltered, glide, hasBegun, blocksToFill) = (0, false, HeadGlide(), false, 0)
        silentBlockCount = transformSize / HeadFormat.blockFrameCount + spectrumCount
        hasSoundInBlock = false
    }

    var transformSize: Int {
        @_noLocks get { table.pointee.transformSize }
    }

    /// True if the source would still be heard if it were silent from now on.
    var isRinging: Bool {
        @_noLocks get { (hasSoundInBlock || !hasRungOut) && !(glide.current.gain == 0 && glide.target.gain == 0) }
    }

    /// True if nothing but zeros is left in the window and in the spectra.
    private var hasRungOut: Bool {
        @_noLocks get { silentBlockCount >= transformSize / HeadFormat.blockFrameCount &+ spectrumCount }
    }

    /// Sets a target, which is reached after `glideFrameCount` frames, and at once if that is 0.
    ///
    /// A source that appears in the middle of its sound is faded in at its place. A target that follows a way does not restart a glide.
    @_noLocks
    mutating func aim(at target: HeadTarget, glideFrameCount: Int, restarts: Bool = true) {
        if glideFrameCount > 0 {
            if !hasBegun {
                glide.jump(to: HeadTarget(place: target.place, gain: 0))
                blocksToFill = transformSize / HeadFormat.blockFrameCount
            }
            glide.aim(at: target, over: glideFrameCount / HeadFormat.blockFrameCount, restarts: restarts)
        } else {
            glide.jump(to: target)
        }
        hasBegun = true
    }

    /// Adds a source's samples to the sum, from a frame of the cycle on; nil stands for silence.
    @_noLocks
    mutating func process(
        _ samples: UnsafePointer<Float>?, _ frameCount: Int, from start: Int = 0, into field: UnsafeMutablePointer<HeadField>
    ) {
        var (done, block, phase) = (0, field.pointee.blockCount(after: start), field.pointee.phase(after: start))
        while done < frameCount {
            let count = min(HeadFormat.blockFrameCount &- phase, frameCount &- done)
            take(samples.map { $0 + done }, count, at: phase)
            done &+= count
            phase &+= count
            guard phase == HeadFormat.blockFrameCount else { break }
            phase = 0
            complete(block, into: field)
            block &+= 1
        }
    }

    /// Copies samples to the end of the window.
    @_noLocks
    private mutating func take(_ samples: UnsafePointer<Float>?, _ count: Int, at phase: Int) {
        let to = window + (transformSize &- HeadFormat.blockFrameCount &+ phase)
        guard let samples else {
            if !hasRungOut || hasSoundInBlock { CRealtimeShims_clearSamples(to, count) }
            return
        }
        CRealtimeShims_copySamples(to, samples, count)
        // Most often the first sample tells. The sign does not count.
        for frame in 0..<count where to[frame].bitPattern &<< 1 != 0 {
            hasSoundInBlock = true
            break
        }
    }

    /// Adds a block whose samples have all arrived.
    @_noLocks
    private mutating func complete(_ block: Int, into field: UnsafeMutablePointer<HeadField>) {
        silentBlockCount = hasSoundInBlock ? 0 : min(silentBlockCount &+ 1, 1 << 20)
        hasSoundInBlock = false
        let former = glide.current.gain
        if blocksToFill > 0 { blocksToFill &-= 1 } else { glide.advance() }
        if hasRungOut {
            isFiltered = false
            return
        }
        let wanted = glide.current
        if wanted.gain == 0, !isFiltered || filtered.gain == 0 {
            isFiltered = false
            rememberNothing()
        } else {
            if !isFiltered, former == 0 { beginSilently() }
            add(wanted, field.pointee.open(block: block, for: table.pointee), field)
        }
        CRealtimeShims_copySamples(
            window, window + HeadFormat.blockFrameCount, transformSize &- HeadFormat.blockFrameCount)
    }

    /// Lets the next filters fade in from filters that pass nothing.
    @_noLocks
    private mutating func beginSilently() {
        CRealtimeShims_clearSamples(filters, table.pointee.stride)
        (filtered, isFiltered) = (HeadTarget(place: glide.current.place, gain: 0), true)
    }

    /// Puts an empty spectrum in the place of a block that is not heard.
    @_noLocks
    private mutating func rememberNothing() {
        newest = (newest &+ 1) % spectrumCount
        CRealtimeShims_clearSamples(spectra + newest &* transformSize, transformSize)
    }

    /// Adds the spectra of a block to both ears.
    @_noLocks
    private mutating func add(_ wanted: HeadTarget, _ sums: UnsafeMutablePointer<Float>, _ field: UnsafeMutablePointer<HeadField>) {
        newest = (newest &+ 1) % spectrumCount
        CSpatialKernels_transform(
            table.pointee.build, table.pointee.plan, window, spectra + newest &* transformSize, field.pointee.scratch)
        let isMoving = !isFiltered || !filtered.isSame(as: wanted)
        if isMoving { table.pointee.look(at: wanted.place, gain: wanted.gain, from: triangles, into: &blend) }
        for ear in 0..<2 {
            var mixture = isMoving ? table.pointee.delayed(by: blend.delays[ear]) : CSpatialKernels_Mixture()
            for part in 0..<table.pointee.partCount {
                let filter = filters + (ear &* table.pointee.partCount &+ part) &* transformSize
                if isMoving { choose(ear, part, &mixture, field) }
                add(part, filter, isMoving ? mixture : nil, to: sums + 2 &* ear &* transformSize)
            }
        }
        (filtered, isFiltered) = (wanted, true)
    }

    /// Adds a part of a filter, which may change to a mixture by the end of the block.
    @_noLocks
    private func add(
        _ part: Int, _ filter: UnsafeMutablePointer<Float>, _ mixture: CSpatialKernels_Mixture?, to sum: UnsafeMutablePointer<Float>
    ) {
        let (build, size) = (table.pointee.build, transformSize)
        let age = part &* table.pointee.partBlockCount
        let spectrum = spectra + (newest &- age &+ (newest < age ? spectrumCount : 0)) &* size
        guard var mixture else { return CSpatialKernels_add(build, size, spectrum, filter, sum) }
        if !isFiltered {
            // Nothing was heard before, so there is nothing to fade from.
            CSpatialKernels_mix(build, size, &mixture, filter)
            CSpatialKernels_add(build, size, spectrum, filter, sum)
        } else {
            CSpatialKernels_addMoving(build, size, spectrum, filter, &mixture, sum, sum + size)
        }
    }

    /// Chooses the rows of a part.
    ///
    /// A kernel mixes one to six rows. More of them, near the head and between two distances, are mixed before; so are none, at a gain
    /// of 0.
    @_noLocks
    private func choose(
        _ ear: Int, _ part: Int, _ mixture: inout CSpatialKernels_Mixture, _ field: UnsafeMutablePointer<HeadField>
    ) {
        let offset = (ear &* table.pointee.partCount &+ part) &* transformSize
        guard blend.counts[ear] > 0, blend.counts[ear] <= HeadBlend.rowsOfKernel else {
            let mixed = field.pointee.mixed
            CRealtimeShims_clearSamples(mixed, transformSize)
            for index in 0..<blend.counts[ear] {
                let (row, weight) = (blend.row(index, ear: ear) + offset, blend.weight(index, ear: ear))
                for number in 0..<transformSize { mixed[number] += weight * row[number] }
            }
            mixture.mixNothingBut(UnsafePointer(mixed))
            return
        }
        mixture.mix(blend, ear: ear, from: offset)
    }
}
