// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders the pieces of a cycle that lie in one cell of time. Render thread.

import CRealtimeShims
import Realtime
import Rendering

extension SourceCore {
    /// Adds the source to the bus, to the sound field of its environment, and to its heads.
    @_noLocks
    mutating func process(_ call: ConnectionCall) {
        let sum = call.sum?.assumingMemoryBound(to: SceneSum.Core.self).pointee
        if call.isUnheard { forget() }
        // The gain lies before the filters of a head.
        defer { call.isRinging.pointee = isRinging && !call.hasFadedOut || areHeadsRinging }
        let heads = call.firstFrame &+ call.frameCount <= HeadField.mostFrames ? sum?.heads : nil
        if call.isUnheard, call.hasFadedOut {
            if let heads { playHeads(nil, call.frameCount, from: call.firstFrame, heads) }
            return
        }
        let isHeard = call.input.block.channelCount > 0 && (!call.input.isSilent || isRinging)
        // What no longer rings is forgotten, so that a longer delay does not find it.
        if isHeard { call.input.block.writeMean(to: call.scratchBlock(0)) } else { line?.pointee.memory.forget() }
        var (passes, passesLate, start) = (false, false, 0)
        while start < call.frameCount {
            if frame >= SpatialCell.frameCount {
                let time = call.cycle.pointee.sampleTime &+ Int64(call.firstFrame &+ start)
                beginCell(
                    Double(time), glideFrameCount: call.glideFrameCount,
                    headFrameCount: heads?.pointee.blockEnd(after: call.firstFrame &+ start) ?? SpatialCell.frameCount)
            }
            let count = min(SpatialCell.frameCount &- frame, call.frameCount &- start)
            if isHeard {
                let piece = SourcePiece(call, start: start, count: count, cellFrame: frame)
                play(piece, sum?.field)
                if writeThrough(piece, ValueMap.through, call.scratchBlock(2)) { passes = true }
                if writeThrough(piece, ValueMap.lateThrough, call.scratchBlock(3)) { passesLate = true }
                if let heads { playHeads(levelled(piece), count, from: piece.busStart, heads) }
            } else {
                obstacle.advance(by: count)
                if let heads { playHeads(nil, count, from: call.firstFrame &+ start, heads) }
            }
            (frame, start) = (frame &+ count, start &+ count)
            if frame == SpatialCell.frameCount { endCell() }
        }
        if passes { call.addChannels(of: call.input.block, at: call.scratchBlock(2)) }
        if let late { addLate(late, call, passes: passesLate) }
    }

    /// Adds the channels that go through in step with the algorithm.
    @_noLocks
    private func addLate(_ late: UnsafeMutablePointer<LateChannels>, _ call: ConnectionCall, passes: Bool) {
        let block = late.pointee.take(call.input.block, isSilent: call.input.isSilent, delay: scene.latencyFrameCount)
        if passes { call.addChannels(of: block, at: call.scratchBlock(3)) }
        late.pointee.finish(call.frameCount)
    }

    /// The point at the gain of the connection, for a head.
    @_noLocks
    private func levelled(_ piece: SourcePiece) -> UnsafePointer<Float> {
        if piece.call.gains == nil, piece.call.gain == 1 { return UnsafePointer(piece.point) }
        let to = piece.call.scratchBlock(1)
        for index in 0..<piece.count { to[index] = piece.point[index] * piece.gain(index) }
        return UnsafePointer(to)
    }

    @_noLocks
    private mutating func play(_ piece: SourcePiece, _ field: UnsafeMutablePointer<SoundFieldSum.Core>?) {
        obstacle.filter(piece.point, piece.count)
        airFilter.filter(piece.point, piece.count, elapsed: piece.cellFrame)
        sourceBands.filter(piece.point, piece.count, values, ValueMap.sourceBands, cellFrame: piece.cellFrame)
        listenerBands.filter(piece.point, piece.count, values, ValueMap.listenerBands, cellFrame: piece.cellFrame)
        line?.pointee.memory.append(piece.point, piece.count)
        playEars(piece)
        delay(piece)
        add(piece.point, column: 0, piece, field)
        for channel in 0..<min(map.sourceChannelCount, piece.call.input.block.channelCount) {
            add(piece.call.input.block[channel] + piece.start, column: channel &+ 1, piece, field)
        }
    }

    /// Replaces the point by its sound after the travel.
    @_noLocks
    private mutating func delay(_ piece: SourcePiece) {
        guard let line, !travel.isDirect else { return }
        let first = line.pointee.memory.end &- Int64(piece.count)
        for index in 0..<piece.count {
            let (number, cellFrame) = (first &+ Int64(index), piece.cellFrame &+ index)
            let direct = piece.point[index]
            var sample = travel.isOn ? line.pointee.memory.read(number, delay: travel.delay(cellFrame)) : direct
            if travel.isFading {
                let former = travel.formerIsDirect ? direct : line.pointee.memory.read(number, delay: travel.former)
                sample = former + (sample - former) * travel.share(cellFrame)
            }
            piece.point[index] = sample
        }
    }

    /// Adds the sound at both ears of a spherical head to the first two channels.
    @_noLocks
    private mutating func playEars(_ piece: SourcePiece) {
        let isOff = values.isOff(3) && values.isOff(4) && values.isOff(5) && values.isOff(6)
        guard let line, map.channelCount == 2, !isOff || ears.isRinging else { return }
        let block = piece.call.output.pointee.open()
        let first = line.pointee.memory.end &- Int64(piece.count)
        for side in 0..<2 {
            let (delay, shadow) = (ValueMap.earDelays &+ side, ValueMap.shadows &+ 2 &* side)
            let (delayStart, delayStep) = (values.start[delay], values.step(delay))
            let (present, presentStep) = (values.start[shadow], values.step(shadow))
            let (former, formerStep) = (values.start[shadow &+ 1], values.step(shadow &+ 1))
            let to = block[side] + piece.busStart
            for index in 0..<piece.count {
                let time = Float(piece.cellFrame &+ index)
                let atEar = head.latency + Double(delayStart + delayStep * time)
                let sample = heard(line, first &+ Int64(index), atEar, piece.cellFrame &+ index)
                let filtered = ears.filtered(side, sample, present + presentStep * time, former + formerStep * time)
                to[index] += filtered * piece.gain(index)
            }
        }
    }

    /// The source at an ear, after its travel.
    @inline(__always) @_noLocks
    private func heard(_ line: UnsafeMutablePointer<TravelLine.Core>, _ number: Int64, _ delay: Double, _ cellFrame: Int) -> Float {
        let sample = line.pointee.memory.read(number, delay: delay + travel.delay(cellFrame))
        guard travel.isFading else { return sample }
        let former = line.pointee.memory.read(number, delay: delay + travel.former)
        return former + (sample - former) * travel.share(cellFrame)
    }

    /// Adds a column's signal to each row at its gain.
    @_noLocks
    private func add(
        _ signal: UnsafePointer<Float>, column: Int, _ piece: SourcePiece, _ field: UnsafeMutablePointer<SoundFieldSum.Core>?
    ) {
        let first = map.column(column)
        if values.areOff(first, count: map.rowCount) { return }
        for row in 0..<map.rowCount where !values.isOff(first &+ row) {
            guard let to = destination(row, piece, field) else { continue }
            let (start, step) = (values.start[first &+ row], values.step(first &+ row))
            for index in 0..<piece.count {
                let gain = start + step * Float(piece.cellFrame &+ index)
                to[index] += signal[index] * (piece.gain(index) * gain)
            }
        }
    }

    /// The samples of a row: of a channel of the bus, or of the sound field.
    @_noLocks
    private func destination(
        _ row: Int, _ piece: SourcePiece, _ field: UnsafeMutablePointer<SoundFieldSum.Core>?
    ) -> UnsafeMutablePointer<Float>? {
        if row < map.channelCount {
            let block = piece.call.output.pointee.open()
            return row < block.channelCount ? block[row] + piece.busStart : nil
        }
        let frameCount = piece.call.firstFrame &+ piece.call.frameCount
        guard let samples = field?.pointee.open(row &- map.channelCount, frameCount: frameCount) else { return nil }
        return samples + piece.busStart
    }

    /// Writes the gain of channels that go through; false if it is 0.
    @_noLocks
    private func writeThrough(_ piece: SourcePiece, _ value: Int, _ gains: UnsafeMutablePointer<Float>) -> Bool {
        let to = gains + piece.start
        if values.isOff(value) {
            // Another piece of the cycle may pass.
            CRealtimeShims_clearSamples(to, piece.count)
            return false
        }
        let (start, step) = (values.start[value], values.step(value))
        for index in 0..<piece.count { to[index] = (start + step * Float(piece.cellFrame &+ index)) * piece.gain(index) }
        return true
    }
}

/// A part of a cycle that lies in one cell.
struct SourcePiece {
    let call: ConnectionCall
    /// The first frame in the source's signal, and the number of frames.
    let start: Int
    let count: Int
    /// The first frame in the cell.
    let cellFrame: Int
    /// The source as one point.
    let point: UnsafeMutablePointer<Float>

    @_noLocks
    init(_ call: ConnectionCall, start: Int, count: Int, cellFrame: Int) {
        (self.call, self.start, self.count, self.cellFrame) = (call, start, count, cellFrame)
        point = call.scratchBlock(0) + start
    }

    /// The first frame in the cycle.
    var busStart: Int { @_noLocks get { call.firstFrame &+ start } }

    /// The gain of the connection at a frame of the piece.
    @inline(__always) @_noLocks
    func gain(_ index: Int) -> Float {
        guard let gains = call.gains else { return call.gain }
        return gains[start &+ index]
    }
}
