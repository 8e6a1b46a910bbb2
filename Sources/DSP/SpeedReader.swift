// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays an input faster or slower, with its pitch, as a tape does. Made on the control thread, used on the render thread.

import Realtime

/// Takes as many frames as the host provides, and reads them at the rate, at a constant delay of its output.
///
/// At rate 1 the output is the delayed input: samples are copied. On the way back to 1, the reading position glides to a whole frame.
public struct SpeedReader: ~Copyable {
    /// The frames in which the position glides to a whole one.
    private static var glideFrameCount: Int { @_noLocks get { 2200 } }

    private let past: InputHistory
    private var reader: SincReader
    private var pace: DelayedPace
    /// True if the position is a whole frame whenever the rate is 1.
    private var isWhole = true
    /// The distance of the position from that of the pace, which counts parts of frames; it glides by `step` a frame.
    private var shift = 0.0
    private var (glideStart, glideFramesDone, glideFramesLeft, step) = (0.0, 0, 0, 0.0)

    /// `[control]` Makes a reader for rates from one to another, and for blocks of up to `maximumFrameCount` frames on both sides.
    public init(channelCount: Int, maximumFrameCount: Int, rates: ClosedRange<Double>) {
        let lag = Self.lag(lowestRate: rates.lowerBound)
        pace = DelayedPace(lag: lag)
        past = InputHistory(channelCount: channelCount, frameCount: maximumFrameCount + 8 * lag)
        reader = SincReader(channelCount: channelCount, highestStep: rates.upperBound)
    }

    /// `[any]` The delay of the output in frames: at the lowest rate it holds one side of the filter.
    @_noLocks
    public static func lag(lowestRate: Double) -> Int {
        // Cannot trap: a rate above 0.001.
        Int(Maths.floor(Double(SincReader.halfWidth &+ 2) / max(0.001, min(1, lowestRate)) + 0.5))
    }

    /// `[render]` The delay of the output in frames.
    public var lag: Int { @_noLocks get { pace.lag } }

    /// `[render]` Changes the rate from the next output frame on.
    @_noLocks public mutating func change(rate: Double) { pace.change(rate: rate, pitch: 1) }

    /// `[render]` Takes the next frames of the input, and fills the output.
    ///
    /// The host has counted both by the rate.
    @_noLocks
    public mutating func render(_ input: AudioBlock, to output: AudioBlock) {
        past.append(input)
        let first = past.end &- Int64(input.frameCount)
        var done = 0
        while done < output.frameCount {
            if pace.isSettled, !isWhole, glideFramesLeft == 0 { glide(to: first &+ Int64(done)) }
            var count = min(output.frameCount &- done, pace.frameCountToChange)
            if glideFramesLeft > 0 { count = min(count, glideFramesLeft) }
            renderPiece(count, to: output, from: done)
            pace.advance(count)
            done &+= count
        }
    }

    /// `[render]` Begins again, in silence; the rate stays.
    @_noLocks
    public mutating func reset() {
        past.forget()
        pace.reset()
        reader.reset()
        (isWhole, shift, glideFramesLeft) = (true, 0, 0)
    }

    /// Renders frames of one rate.
    @_noLocks
    private mutating func renderPiece(_ count: Int, to output: AudioBlock, from start: Int) {
        let heard = pace.heard
        if heard.rate != 1 { (isWhole, glideFramesLeft) = (false, 0) }
        let isGliding = glideFramesLeft > 0
        if isWhole {
            let place = Int64(Maths.floor(pace.heard(ahead: 0).place + shift + 0.5))
            return past.copy(from: place, count, to: output, at: start)
        }
        for frame in 0..<count {
            if glideFramesLeft > 0 { moveOn() }
            let place = heard.place(at: pace.frame &+ Int64(frame &- pace.lag)) + shift
            // Just before the rate falls, less of the input is known ahead than the filter would like.
            let known = (pace.reached(ahead: frame) - place - 2) / Double(SincReader.halfWidth)
            reader.read(past, at: place, stretch: min(heard.rate, known), to: output, frame: start &+ frame)
        }
        if isGliding, glideFramesLeft == 0 { isWhole = true }
    }

    /// Begins to read slightly faster or slower, until the position is a whole number of frames behind the newest one.
    ///
    /// `end` is the input frame that the host has reached. From here on it takes one frame for each.
    @_noLocks
    private mutating func glide(to end: Int64) {
        let goal = Double(end) - pace.reached(ahead: 0)
        (glideStart, glideFramesDone) = (shift, 0)
        // A larger distance cannot be the host's rounding: the host does not count frames by the rate.
        guard abs(goal - shift) < 16 else {
            (shift, isWhole) = (goal, true)
            return
        }
        (step, glideFramesLeft) = ((goal - shift) / Double(Self.glideFrameCount), Self.glideFrameCount)
    }

    @_noLocks
    private mutating func moveOn() {
        glideFramesDone &+= 1
        glideFramesLeft &-= 1
        shift = glideStart + step * Double(glideFramesDone)
    }
}
