// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One sound of an event: its place in the asset, its gain, its way to the output. Render thread.

import Realtime
import Rendering

/// A factor of a gain or a rate that follows a parameter of the event.
struct StageCore {
    let parameter: UnsafePointer<Ramp>
    /// The courses over the parameter, each over the one before; none for the parameter itself.
    let envelopes: UnsafePointer<EnvelopeTable.Core>
    let envelopeCount: Int
    /// The factor is clamped to this range.
    let lowest: Double
    let highest: Double

    @_noLocks
    func isMoving(from frame: Int64) -> Bool { parameter.pointee.isMoving(from: frame) }

    @_noLocks
    func value(at frame: Int64) -> Double {
        var value = parameter.pointee.value(at: frame)
        for index in 0..<envelopeCount { value = envelopes[index].value(at: value) }
        return max(lowest, min(highest, value))
    }
}

/// A sound of an event.
///
/// `[render]` throughout. A sound at the speed of its asset is copied frame by frame; at any other one it is read between the frames.
struct LeafCore {
    private(set) var source: LeafSource
    private(set) var life: LeafLife
    let level: Double
    let baseRate: Double
    let priority: Int
    let gains: UnsafePointer<StageCore>
    let gainCount: Int
    let rates: UnsafePointer<StageCore>
    let rateCount: Int
    let group: UnsafePointer<GroupCore>?
    private(set) var way: LeafWay
    /// True while the sound is too far away.
    private var isCulled = false
    /// The distance to the listener, for the limit on voices; 0 without a place.
    var distance = 0.0
    /// True until the sound has ended.
    private(set) var isPlaying = true

    init(
        _ source: LeafSource, _ life: LeafLife, level: Double, rate: Double, priority: Int, gains: UnsafePointer<StageCore>,
        gainCount: Int, rates: UnsafePointer<StageCore>, rateCount: Int, group: UnsafePointer<GroupCore>?, way: LeafWay
    ) {
        (self.source, self.life, self.level, baseRate, self.priority) = (source, life, level, rate, priority)
        (self.gains, self.gainCount, self.rates, self.rateCount, self.group) = (gains, gainCount, rates, rateCount, group)
        self.way = way
    }

    /// True if it counts for the limit on voices.
    var isVoice: Bool { @_noLocks get { isPlaying && life.isVoice } }

    /// Goes to a time of the asset in frames of the engine; beyond its end the sound ends, or wraps if it loops.
    @_noLocks
    mutating func seek(toFrame frame: Double) {
        source.seek(toFrame: frame * source.pace)
        if source.hasEnded { isPlaying = false }
    }

    /// Puts the sound to sleep from a frame on, within a fade; a sound that is not to sleep ends, or plays on.
    @_noLocks
    mutating func sleep(at frame: Int64, over frameCount: Int64) { life.sleep(at: frame, over: frameCount) }

    /// Wakes the sound at a frame, which is the next to be rendered.
    @_noLocks
    mutating func wake(at frame: Int64, over frameCount: Int64) { life.wake(&source, at: frame, over: frameCount) }

    /// The limit on voices takes the sound; one that has not begun ends without a sound.
    @_noLocks
    mutating func take(at frame: Int64, over frameCount: Int64, hasBegun: Bool) {
        life.take(at: frame, over: frameCount)
        if !hasBegun { isPlaying = false }
    }

    @_noLocks
    private func isGainMoving(from frame: Int64, _ fade: Ramp) -> Bool {
        if fade.isMoving(from: frame) || life.isMoving(from: frame) { return true }
        if let group, group.pointee.isGainMoving(from: frame) { return true }
        for index in 0..<gainCount where gains[index].isMoving(from: frame) { return true }
        return way.isGainMoving(from: frame)
    }

    /// The gain at a frame; `fade` is the event's own.
    @_noLocks
    func gain(at frame: Int64, _ fade: Ramp) -> Double {
        var gain = level * fade.value(at: frame) * life.gain(at: frame)
        if let group { gain *= group.pointee.gain(at: frame) }
        for index in 0..<gainCount { gain *= gains[index].value(at: frame) }
        return way.voice == nil ? gain : gain * way.gain(at: frame)
    }

    @_noLocks
    private func isRateMoving(from frame: Int64) -> Bool {
        if let group, group.pointee.isRateMoving(from: frame) { return true }
        for index in 0..<rateCount where rates[index].isMoving(from: frame) { return true }
        return false
    }

    /// The frames of the source to a frame of the engine.
    @_noLocks
    private func step(at frame: Int64) -> Double {
        var rate = baseRate
        if let group { rate *= group.pointee.rate(at: frame) }
        for index in 0..<rateCount { rate *= rates[index].value(at: frame) }
        return max(0.25, min(4, rate)) * source.pace
    }

    /// True if the sound has the speed of its asset at a frame, and keeps it in the frames after.
    @_noLocks
    private func isAtOwnSpeed(at frame: Int64) -> Bool { source.isAtFrame && step(at: frame) == 1 && !isRateMoving(from: frame) }

    /// The frame before which the sound ends, if it is at its present place at frame `first`; `last` if it ends later.
    @_noLocks
    func end(from first: Int64, to last: Int64) -> Int64 {
        let last = life.end(from: first, to: last)
        guard source.canEnd(within: last &- first) else { return last }
        var (source, frame) = (source, first)
        while frame < last, !source.hasEnded {
            source.advance(step(at: frame))
            frame &+= 1
        }
        return frame
    }

    /// True if the sound, or what it leaves behind at its place, is still to be heard.
    var isSounding: Bool { @_noLocks get { isPlaying || way.isAwake } }

    /// Measures the distance from the listener at a frame, for the limit on voices.
    @_noLocks
    mutating func measure(at frame: Int64) { if let voice = way.voice { distance = voice.pointee.metres(at: Double(frame)) } }

    /// Adds the sound to the output from one frame of the block to another, and to `last` what it leaves behind at its place.
    ///
    /// `time` is that of the first frame of the block.
    @_noLocks
    mutating func render(
        _ output: UnsafeMutablePointer<BusAudio>, from start: Int, to end: Int, of last: Int, at time: Int64, _ fade: Ramp,
        _ scratch: SceneScratch, _ reader: UnsafePointer<AssetReader>
    ) {
        guard let voice = way.voice else {
            _ = play(output, from: start, to: end, at: time, fade, scratch, reader)
            return
        }
        guard isPlaying || voice.pointee.isAwake else { return }
        let bus = scratch.space.pointee.open(channelCount: voice.pointee.channelCount, frameCount: last)
        var frame = start
        while isPlaying, frame < end {
            let next = voice.pointee.run(from: frame, to: end, at: time)
            cull(voice.pointee.isCulled, at: time &+ Int64(frame))
            if isCulled, !life.isAsleep {
                // A sound that is not to sleep goes on, and a stream is taken on with it.
                pass(from: frame, to: next, at: time)
                source.follow()
            } else {
                let heard = play(bus, from: frame, to: next, at: time, fade, scratch, reader)
                if heard > frame { _ = bus.pointee.open() }
                voice.pointee.play(scratch.space, from: frame, to: heard, into: output)
                frame = heard
            }
            voice.pointee.rest(scratch.space, from: frame, to: next, into: output)
            frame = next
        }
        voice.pointee.rest(scratch.space, from: frame, to: last, into: output)
    }

    /// Puts a sound to sleep that has gone too far away, and wakes it when it has come back; its distance has faded it.
    @_noLocks
    private mutating func cull(_ isBeyond: Bool, at frame: Int64) {
        guard isBeyond != isCulled else { return }
        isCulled = isBeyond
        guard isBeyond else { return life.wake(&source, at: frame, over: 0) }
        life.sleep(at: frame, over: 0)
        if life.passSilence(before: frame) { isPlaying = false }
    }

    /// Adds the sound to a bus from one frame to another; returns the frame after the last one that it has added.
    @_noLocks
    private mutating func play(
        _ output: UnsafeMutablePointer<BusAudio>, from start: Int, to end: Int, at time: Int64, _ fade: Ramp,
        _ scratch: SceneScratch, _ reader: UnsafePointer<AssetReader>
    ) -> Int {
        guard isPlaying else { return start }
        var start = start
        let silence = Int(life.end(from: time &+ Int64(start), to: time &+ Int64(end)) &- time)
        while isPlaying, start < silence {
            start = renderPiece(
                output, from: start, to: min(silence, start &+ SceneScratch.frameCount), at: time, fade, scratch, reader)
        }
        let last = start
        if life.passSilence(before: time &+ Int64(end)) { isPlaying = false }
        if life.isAsleep, life.passesAsleep { pass(from: start, to: end, at: time) }
        return last
    }

    /// Moves on without a sound.
    @_noLocks
    private mutating func pass(from start: Int, to end: Int, at time: Int64) {
        var frame = start
        while frame < end, isPlaying {
            let present = time &+ Int64(frame)
            let count = isAtOwnSpeed(at: present) ? source.passable(end &- frame) : 1
            advance(count == 1 ? step(at: present) : Double(count))
            frame &+= count
        }
    }

    @_noLocks
    private mutating func renderPiece(
        _ output: UnsafeMutablePointer<BusAudio>, from start: Int, to end: Int, at time: Int64, _ fade: Ramp,
        _ scratch: SceneScratch, _ reader: UnsafePointer<AssetReader>
    ) -> Int {
        let first = time &+ Int64(start)
        let isGainMoving = isGainMoving(from: first, fade)
        // Indexed by the frames of the block.
        let gains = isGainMoving ? scratch.gains - start : nil
        if let gains {
            for frame in start..<end { gains[frame] = Float(gain(at: time &+ Int64(frame), fade)) }
        }
        let steady = Float(gain(at: first, fade))
        var frame = start
        while frame < end, isPlaying {
            if isAtOwnSpeed(at: time &+ Int64(frame)) {
                frame = copy(output, frame, end, gains, steady)
            } else {
                frame = read(output, frame, end, time, gains, steady, scratch, reader)
            }
        }
        return frame
    }

    /// Adds frames of the asset as they are; returns the frame after them.
    @_noLocks
    private mutating func copy(
        _ output: UnsafeMutablePointer<BusAudio>, _ start: Int, _ end: Int, _ gains: UnsafeMutablePointer<Float>?, _ gain: Float
    ) -> Int {
        let run = source.run(end &- start)
        if gains != nil || gain != 0 { add(output, run.first, start, run.count, gains.map { $0 + start }, gain) }
        advance(Double(run.count))
        return start &+ run.count
    }

    @_noLocks
    private func add(
        _ output: UnsafeMutablePointer<BusAudio>, _ from: Int, _ to: Int, _ count: Int, _ gains: UnsafeMutablePointer<Float>?,
        _ gain: Float
    ) {
        let block = output.pointee.open()
        for route in way.routes {
            let (source, target) = (source.channels[route.source] + from, block[route.destination] + to)
            if let gains {
                for frame in 0..<count { target[frame] += source[frame] * (route.gain * gains[frame]) }
            } else {
                let steady = route.gain * gain
                for frame in 0..<count { target[frame] += source[frame] * steady }
            }
        }
    }

    /// Adds the sound between frames of the asset, until it has the asset's own speed; returns the frame after.
    @_noLocks
    private mutating func read(
        _ output: UnsafeMutablePointer<BusAudio>, _ start: Int, _ end: Int, _ time: Int64, _ gains: UnsafeMutablePointer<Float>?,
        _ gain: Float, _ scratch: SceneScratch, _ reader: UnsafePointer<AssetReader>
    ) -> Int {
        let block = output.pointee.open()
        var frame = start
        repeat {
            let step = step(at: time &+ Int64(frame))
            // Beyond four frames a step the filter has no room: a fast stream may fold.
            let stretch = min(4, step)
            source.weigh(stretch: stretch, scratch.weights, reader)
            for route in way.routes {
                let sample = source.sample(route.source, stretch: stretch, scratch.weights, reader)
                block[route.destination][frame] += sample * (route.gain * (gains?[frame] ?? gain))
            }
            frame &+= 1
            advance(step)
        } while frame < end && isPlaying && !(source.isAtFrame && isAtOwnSpeed(at: time &+ Int64(frame)))
        return frame
    }

    @_noLocks
    private mutating func advance(_ frames: Double) {
        source.advance(frames)
        if source.hasEnded { isPlaying = false }
    }
}

/// Memory that all sounds use in turn.
struct SceneScratch {
    /// The frames for which there is room.
    static var frameCount: Int { @_noLocks get { 1024 } }

    let gains: UnsafeMutablePointer<Float>
    let weights: UnsafeMutablePointer<Float>
    let space: UnsafeMutablePointer<SpaceCore>
}
