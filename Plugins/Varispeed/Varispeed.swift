// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Varispeed: plays its input faster or slower, with its pitch, as a tape does. Render thread.

import DSP
import PluginSDK

/// Takes as many frames as the host provides, and reads them at the rate, at a constant delay of its output.
///
/// At rate 1 the output is the delayed input: samples are copied. On the way back to 1, the reading position glides to a whole
/// frame.
struct Varispeed: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.formatConverter, "vari", "blkh"), name: "Varispeed", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), tags: ["Time"], flags: [.consentsToInProcess, .stretchesTime])

    static let parameters = ParameterTree(
        // A host that stretches time sets the rate in step with its frame counts; it does not ramp.
        Parameter("rate", name: "Rate", address: 0, range: 0.25...4, default: 1, unit: .ratio, flags: .logarithmic))

    /// At the lowest rate, a quarter of the delay holds one side of the filter.
    private static var lag: Int { @_noLocks get { 4 &* (SincReader.halfWidth &+ 2) } }
    /// The frames in which the position glides to a whole one.
    private static var glideFrameCount: Int { @_noLocks get { 2200 } }

    private let past: InputHistory
    private var reader: SincReader
    private var pace = DelayedPace(lag: Varispeed.lag)
    /// True if the position is a whole frame whenever the rate is 1.
    private var isWhole = true
    /// The distance of the position from that of the pace, which counts parts of frames; it glides by `step` a frame.
    private var shift = 0.0
    private var (glideStart, glideFramesDone, glideFramesLeft, step) = (0.0, 0, 0, 0.0)

    init(_ setup: RenderSetup) throws(UnitError) {
        past = InputHistory(channelCount: setup.channelCount, frameCount: setup.maximumFrameCount + 8 * Self.lag)
        reader = SincReader(channelCount: setup.channelCount, highestStep: 4)
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        if change.address == 0 { pace.change(rate: change.value, pitch: 1) }
    }

    @_noLocks mutating func render(_ block: RenderBlock) {
        past.append(block.input)
        let first = past.end &- Int64(block.input.frameCount)
        var done = 0
        while done < block.frameCount {
            if pace.isSettled, !isWhole, glideFramesLeft == 0 { glide(to: first &+ Int64(done)) }
            var count = min(block.frameCount &- done, pace.frameCountToChange)
            if glideFramesLeft > 0 { count = min(count, glideFramesLeft) }
            renderPiece(count, to: block.output, from: done)
            pace.advance(count)
            done &+= count
        }
    }

    @_noLocks mutating func reset() {
        past.forget()
        pace.reset()
        reader.reset()
        (isWhole, shift, glideFramesLeft) = (true, 0, 0)
    }

    var latencyFrameCount: Int { @_noLocks get { Self.lag } }
    var tailFrameCount: Int { @_noLocks get { Self.lag } }
    /// True: during bypass the host provides one frame for each, so the rate is 1.
    var hasBypass: Bool { @_noLocks get { true } }
    @_noLocks mutating func setBypassed(_ isBypassed: Bool) {}
}

extension Varispeed {
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

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Varispeed.exported }
