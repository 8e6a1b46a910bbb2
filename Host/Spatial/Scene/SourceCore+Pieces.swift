// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders the pieces of a cycle that lie in one cell of time. Render thread.

import Realtime
import Rendering

extension SourceCore {
    /// Adds the source to the bus and to the sound field of its environment.
    @_noLocks
    mutating func process(_ call: ConnectionCall) {
        let field = call.sum?.assumingMemoryBound(to: SoundFieldSum.Core.self)
        if call.isUnheard { forget() }
        defer { call.isRinging.pointee = isRinging && !call.hasFadedOut }
        if call.isUnheard, call.hasFadedOut { return }
        let isHeard = call.input.block.channelCount > 0 && (!call.input.isSilent || isRinging)
        // What no longer rings is forgotten, so that a longer delay does not find it.
        if isHeard { average(call) } else { line?.pointee.memory.forget() }
        var (passes, start) = (false, 0)
        while start < call.frameCount {
            if frame >= SpatialCell.frameCount {
                beginCell(Double(call.cycle.pointee.sampleTime &+ Int64(start)), glideFrameCount: call.glideFrameCount)
            }
            let count = min(SpatialCell.frameCount &- frame, call.frameCount &- start)
            if isHeard {
                let piece = SourcePiece(call, start: start, count: count, cellFrame: frame)
                play(piece, field)
                if writeThrough(piece) { passes = true }
            } else {
                obstacle.advance(by: count)
            }
            (frame, start) = (frame &+ count, start &+ count)
            if frame == SpatialCell.frameCount { endCell() }
        }
        if passes { call.addChannels(at: call.scratchBlock(2)) }
    }

    /// Writes the mean of all channels.
    @_noLocks
    private func average(_ call: ConnectionCall) {
        let (source, point) = (call.input.block, call.scratchBlock(0))
        let (first, share) = (source[0], 1 / Float(source.channelCount))
        for frame in 0..<source.frameCount { point[frame] = first[frame] * share }
        for channel in 1..<max(1, source.channelCount) {
            let samples = source[channel]
            for frame in 0..<source.frameCount { point[frame] += samples[frame] * share }
        }
    }

    @_noLocks
    private mutating func play(_ piece: SourcePiece, _ field: UnsafeMutablePointer<SoundFieldSum.Core>?) {
        obstacle.filter(piece.point, piece.count)
        airFilter.filter(piece.point, piece.count, elapsed: piece.cellFrame)
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
            let to = block[side] + piece.start
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
        var isLevelled = false
        let levelled = piece.call.scratchBlock(1)
        for row in 0..<map.rowCount where !values.isOff(first &+ row) {
            if !isLevelled {
                for index in 0..<piece.count { levelled[index] = signal[index] * piece.gain(index) }
                isLevelled = true
            }
            guard let to = destination(row, piece, field) else { continue }
            let (start, step) = (values.start[first &+ row], values.step(first &+ row))
            for index in 0..<piece.count { to[index] += levelled[index] * (start + step * Float(piece.cellFrame &+ index)) }
        }
    }

    /// The samples of a row: of a channel of the bus, or of the sound field.
    @_noLocks
    private func destination(
        _ row: Int, _ piece: SourcePiece, _ field: UnsafeMutablePointer<SoundFieldSum.Core>?
    ) -> UnsafeMutablePointer<Float>? {
        if row < map.channelCount {
            let block = piece.call.output.pointee.open()
            return row < block.channelCount ? block[row] + piece.start : nil
        }
        guard let samples = field?.pointee.open(row &- map.channelCount, frameCount: piece.call.frameCount) else { return nil }
        return samples + piece.start
    }

    /// Writes the gain of channels that go through; false if it is 0.
    @_noLocks
    private func writeThrough(_ piece: SourcePiece) -> Bool {
        let (start, step) = (values.start[ValueMap.through], values.step(ValueMap.through))
        let to = piece.call.scratchBlock(2) + piece.start
        for index in 0..<piece.count { to[index] = (start + step * Float(piece.cellFrame &+ index)) * piece.gain(index) }
        return !values.isOff(ValueMap.through)
    }
}

/// A part of a cycle that lies in one cell.
struct SourcePiece {
    let call: ConnectionCall
    /// The first frame in the cycle, and the number of frames.
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

    /// The gain of the connection at a frame of the piece.
    @inline(__always) @_noLocks
    func gain(_ index: Int) -> Float {
        guard let gains = call.gains else { return call.gain }
        return gains[start &+ index]
    }
}
