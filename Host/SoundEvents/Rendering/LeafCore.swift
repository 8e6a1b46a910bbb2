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
    /// The samples of each channel.
    let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    let frameCount: Int
    let isLooping: Bool
    let level: Double
    let baseRate: Double
    let gains: UnsafePointer<StageCore>
    let gainCount: Int
    let rateStage: UnsafePointer<StageCore>?
    let group: UnsafePointer<GroupCore>?
    let routes: UnsafePointer<LeafRoute>
    let routeCount: Int
    /// True if the event has chosen the sound, and it has not ended.
    var isPlaying = false
    /// The place in the asset, in frames.
    private var place = 0.0

    init(
        channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int, isLooping: Bool, level: Double,
        rate: Double, gains: UnsafePointer<StageCore>, gainCount: Int, rateStage: UnsafePointer<StageCore>?,
        group: UnsafePointer<GroupCore>?, routes: UnsafePointer<LeafRoute>, routeCount: Int
    ) {
        (self.channels, self.frameCount, self.isLooping) = (channels, frameCount, isLooping)
        (self.level, baseRate) = (level, rate)
        (self.gains, self.gainCount, self.rateStage, self.group) = (gains, gainCount, rateStage, group)
        (self.routes, self.routeCount) = (routes, routeCount)
    }

    /// Goes to a place in seconds of the asset; beyond its end the sound ends, or wraps if it loops.
    @_noLocks
    mutating func seek(toFrame frame: Double) {
        guard frame >= 0 else {
            place = 0
            return
        }
        let length = Double(frameCount)
        if isLooping {
            place = frame - Maths.floor(frame / length) * length
        } else {
            place = min(frame, length)
            if place >= length { isPlaying = false }
        }
    }

    @_noLocks
    private func isGainMoving(from frame: Int64, _ fade: Ramp) -> Bool {
        if fade.isMoving(from: frame) { return true }
        if let group, group.pointee.isGainMoving(from: frame) { return true }
        for index in 0..<gainCount where gains[index].isMoving(from: frame) { return true }
        return false
    }

    /// The gain at a frame; `fade` is the event's own.
    @_noLocks
    func gain(at frame: Int64, _ fade: Ramp) -> Double {
        var gain = level * fade.value(at: frame)
        if let group { gain *= group.pointee.gain(at: frame) }
        for index in 0..<gainCount { gain *= gains[index].value(at: frame) }
        return gain
    }

    @_noLocks
    private func isRateMoving(from frame: Int64) -> Bool {
        if let group, group.pointee.isRateMoving(from: frame) { return true }
        return rateStage?.pointee.isMoving(from: frame) ?? false
    }

    @_noLocks
    private func rate(at frame: Int64) -> Double {
        var rate = baseRate
        if let group { rate *= group.pointee.rate(at: frame) }
        if let rateStage { rate *= rateStage.pointee.value(at: frame) }
        return max(0.25, min(4, rate))
    }

    /// The frame before which the sound ends, if it is at its present place at frame `first`; `last` if it ends later.
    @_noLocks
    func end(from first: Int64, to last: Int64) -> Int64 {
        // The fastest rate is 4.
        guard !isLooping, Double(frameCount) - place <= 4 * Double(last &- first) else { return last }
        var (place, frame) = (place, first)
        while frame < last, place < Double(frameCount) {
            place += rate(at: frame)
            frame &+= 1
        }
        return frame
    }

    /// Adds the sound to the output from one frame of the block to another.
    ///
    /// `time` is that of the first frame of the block.
    @_noLocks
    mutating func render(
        _ output: UnsafeMutablePointer<BusAudio>, from start: Int, to end: Int, at time: Int64, _ fade: Ramp,
        _ scratch: SceneScratch, _ reader: UnsafePointer<AssetReader>
    ) {
        var start = start
        while isPlaying, start < end {
            let next = min(end, start &+ SceneScratch.frameCount)
            renderPiece(output, from: start, to: next, at: time, fade, scratch, reader)
            start = next
        }
    }

    @_noLocks
    private mutating func renderPiece(
        _ output: UnsafeMutablePointer<BusAudio>, from start: Int, to end: Int, at time: Int64, _ fade: Ramp,
        _ scratch: SceneScratch, _ reader: UnsafePointer<AssetReader>
    ) {
        let first = time &+ Int64(start)
        let gains = scratch.gains
        let isGainMoving = isGainMoving(from: first, fade)
        if isGainMoving {
            for frame in start..<end { gains[frame &- start] = Float(gain(at: time &+ Int64(frame), fade)) }
        }
        let steady = Float(gain(at: first, fade))
        let isAtOwnSpeed = !isRateMoving(from: first) && rate(at: first) == 1 && place == Maths.floor(place)
        if isAtOwnSpeed {
            copy(output, start, end, isGainMoving ? gains : nil, steady)
        } else {
            read(output, start, end, time, isGainMoving ? gains : nil, steady, scratch, reader)
        }
    }

    /// Adds frames of the asset as they are.
    @_noLocks
    private mutating func copy(
        _ output: UnsafeMutablePointer<BusAudio>, _ start: Int, _ end: Int, _ gains: UnsafeMutablePointer<Float>?, _ gain: Float
    ) {
        var frame = start
        while frame < end, isPlaying {
            // Cannot trap: a place is whole and within the asset.
            let from = Int(place)
            let count = min(end &- frame, frameCount &- from)
            if gains != nil || gain != 0 { add(output, from, frame, count, gains.map { $0 + (frame &- start) }, gain) }
            frame &+= count
            advance(Double(count))
        }
    }

    @_noLocks
    private func add(
        _ output: UnsafeMutablePointer<BusAudio>, _ from: Int, _ to: Int, _ count: Int, _ gains: UnsafeMutablePointer<Float>?,
        _ gain: Float
    ) {
        let block = output.pointee.open()
        for index in 0..<routeCount {
            let route = routes[index]
            let (source, target) = (channels[route.source] + from, block[route.destination] + to)
            if let gains {
                for frame in 0..<count { target[frame] += source[frame] * (route.gain * gains[frame]) }
            } else {
                let steady = route.gain * gain
                for frame in 0..<count { target[frame] += source[frame] * steady }
            }
        }
    }

    /// Adds the sound between frames of the asset.
    @_noLocks
    private mutating func read(
        _ output: UnsafeMutablePointer<BusAudio>, _ start: Int, _ end: Int, _ time: Int64, _ gains: UnsafeMutablePointer<Float>?,
        _ gain: Float, _ scratch: SceneScratch, _ reader: UnsafePointer<AssetReader>
    ) {
        let block = output.pointee.open()
        var frame = start
        while frame < end, isPlaying {
            let rate = rate(at: time &+ Int64(frame))
            reader.pointee.weigh(place, stretch: rate, scratch.weights)
            for index in 0..<routeCount {
                let route = routes[index]
                let sample = reader.pointee.sample(
                    channels[route.source], frameCount, isLooping, place, stretch: rate, scratch.weights)
                block[route.destination][frame] += sample * (route.gain * (gains?[frame &- start] ?? gain))
            }
            frame &+= 1
            advance(rate)
        }
    }

    /// Moves on in the asset; a sound that does not loop ends at its end.
    @_noLocks
    private mutating func advance(_ frames: Double) {
        place += frames
        guard place >= Double(frameCount) else { return }
        if isLooping { place -= Double(frameCount) } else { isPlaying = false }
    }
}

/// The way of a channel of an asset to a channel of the output.
struct LeafRoute {
    let source: Int
    let destination: Int
    let gain: Float
}

/// Memory that all sounds use in turn.
struct SceneScratch {
    /// The frames for which there is room.
    static var frameCount: Int { @_noLocks get { 1024 } }

    let gains: UnsafeMutablePointer<Float>
    let weights: UnsafeMutablePointer<Float>
}
